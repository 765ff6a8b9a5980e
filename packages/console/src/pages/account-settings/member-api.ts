import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components, operations } from "../../api/schema.d.ts";
import { notifyFailed } from "../../shared/notify.tsx";

export type Member = components["schemas"]["Member"];
type NewMember = operations["addAMember"]["requestBody"]["content"]["application/json"];

export const roles = ["owner", "member", "viewer"] as const;
export type Role = (typeof roles)[number];

export function loadMembers(account: string, cursor: string | undefined) {
  return unwrap(
    api.GET("/api/v1/accounts/{account}/members", {
      params: { path: { account }, query: { ...(cursor && { cursor }) } },
    }),
  );
}

/** What owners do with the members of their account. */
export function useMemberChanges(account: string) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["members", account] });
  const pathOf = (member: string) => ({ path: { account, member } });
  const add = useMutation({
    mutationFn: (body: NewMember) =>
      unwrap(api.POST("/api/v1/accounts/{account}/members", { params: { path: { account } }, body })),
    onSuccess,
  });
  const setRole = useMutation({
    mutationFn: ({ member, role }: { member: string; role: Role }) =>
      unwrap(
        api.PATCH("/api/v1/accounts/{account}/members/{member}", {
          params: pathOf(member),
          body: { role_in_account: role },
        }),
      ),
    onSuccess,
    onError: notifyFailed,
  });
  const remove = useMutation({
    mutationFn: (member: string) =>
      unwrap(api.DELETE("/api/v1/accounts/{account}/members/{member}", { params: pathOf(member) })),
    onSuccess,
    onError: notifyFailed,
  });
  const inviteAgain = useMutation({
    mutationFn: (member: string) =>
      unwrap(api.POST("/api/v1/accounts/{account}/members/{member}/invitation", { params: pathOf(member) })),
    onSuccess,
    onError: notifyFailed,
  });
  return { add, setRole, remove, inviteAgain };
}
