import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components, operations } from "../../api/schema.d.ts";
import { notifyFailed } from "../../shared/notify.tsx";

export type User = components["schemas"]["User"];
type UserQuery = NonNullable<operations["listUsers"]["parameters"]["query"]>;
type NewUser = operations["inviteAUser"]["requestBody"]["content"]["application/json"];

export const roles = ["owner", "member", "viewer"] as const;
export type Role = (typeof roles)[number];

export function loadUsers(query: UserQuery) {
  return unwrap(api.GET("/api/v1/users", { params: { query } }));
}

export function userQuery(user: string) {
  return {
    queryKey: ["user", user] as const,
    queryFn: () => unwrap(api.GET("/api/v1/users/{user}", { params: { path: { user } } })),
  };
}

/** What operators do with users. Each change has lists and details read again. */
export function useUserChanges() {
  const queries = useQueryClient();
  const onSuccess = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["users"] }),
      queries.invalidateQueries({ queryKey: ["user"] }),
      queries.invalidateQueries({ queryKey: ["members"] }),
    ]);
  };
  const pathOf = (user: string) => ({ path: { user } });
  const invite = useMutation({
    mutationFn: (body: NewUser) => unwrap(api.POST("/api/v1/users", { body })),
    onSuccess,
  });
  const change = useMutation({
    mutationFn: ({ user, body }: { user: string; body: { disabled?: boolean; is_operator?: boolean } }) =>
      unwrap(api.PATCH("/api/v1/users/{user}", { params: pathOf(user), body })),
    onSuccess,
    onError: notifyFailed,
  });
  const link = useMutation({
    mutationFn: (user: string) => unwrap(api.POST("/api/v1/users/{user}/password-link", { params: pathOf(user) })),
    onSuccess,
    onError: notifyFailed,
  });
  const endSessions = useMutation({
    mutationFn: (user: string) => unwrap(api.DELETE("/api/v1/users/{user}/sessions", { params: pathOf(user) })),
    onSuccess,
    onError: notifyFailed,
  });
  const removeFactor = useMutation({
    mutationFn: (user: string) => unwrap(api.DELETE("/api/v1/users/{user}/second-factor", { params: pathOf(user) })),
    onSuccess,
    onError: notifyFailed,
  });
  const setRole = useMutation({
    mutationFn: ({ user, account, role }: { user: string; account: string; role: Role | null }) => {
      const params = { path: { user, membership: account } };
      return role === null
        ? unwrap(api.DELETE("/api/v1/users/{user}/memberships/{membership}", { params })).then(() => undefined)
        : unwrap(
            api.PUT("/api/v1/users/{user}/memberships/{membership}", { params, body: { role_in_account: role } }),
          ).then(() => undefined);
    },
    onSuccess,
    onError: notifyFailed,
  });
  return { invite, change, link, endSessions, removeFactor, setRole };
}
