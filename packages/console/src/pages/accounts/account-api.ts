import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components, operations } from "../../api/schema.d.ts";
import { notifyFailed } from "../../shared/notify.tsx";

export type Account = components["schemas"]["OperatedAccount"];
export type AccountSettings = operations["changeAnAccount"]["requestBody"]["content"]["application/json"];
export type BulkChange = operations["changeManyAccounts"]["requestBody"]["content"]["application/json"];
type AccountQuery = NonNullable<operations["listAccounts"]["parameters"]["query"]>;

export const accountStates = ["active", "suspended"] as const;
export const billings = ["prepaid", "postpaid"] as const;
export const accountSorts = ["name", "newest", "balance"] as const;

export function loadAccounts(query: AccountQuery) {
  return unwrap(api.GET("/api/v1/accounts", { params: { query } }));
}

export function accountQuery(account: string) {
  return {
    queryKey: ["operated-account", account] as const,
    queryFn: () => unwrap(api.GET("/api/v1/accounts/{account}/operation", { params: { path: { account } } })),
  };
}

/** What operators do with accounts. Each change has the lists read again. */
export function useAccountChanges() {
  const queries = useQueryClient();
  const reload = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["operated-accounts"] }),
      queries.invalidateQueries({ queryKey: ["operated-account"] }),
    ]);
  };
  const create = useMutation({
    mutationFn: (body: AccountSettings & { name: string }) => {
      const { state: _, ...settings } = body;
      return unwrap(api.POST("/api/v1/accounts", { body: settings }));
    },
    onSuccess: reload,
  });
  const change = useMutation({
    mutationFn: ({ account, body }: { account: string; body: AccountSettings }) =>
      unwrap(api.PATCH("/api/v1/accounts/{account}", { params: { path: { account } }, body })),
    onSuccess: reload,
  });
  const setState = useMutation({
    mutationFn: ({ account, state }: { account: string; state: "active" | "suspended" }) =>
      unwrap(api.PATCH("/api/v1/accounts/{account}", { params: { path: { account } }, body: { state } })),
    onSuccess: reload,
    onError: notifyFailed,
  });
  const credit = useMutation({
    mutationFn: ({
      account,
      body,
    }: {
      account: string;
      body: operations["creditAnAccount"]["requestBody"]["content"]["application/json"];
    }) => unwrap(api.POST("/api/v1/accounts/{account}/credits", { params: { path: { account } }, body })),
    onSuccess: reload,
  });
  const bulk = useMutation({
    mutationFn: (body: BulkChange) => unwrap(api.POST("/api/v1/account-changes", { body })),
    onSuccess: reload,
    onError: notifyFailed,
  });
  return { create, change, setState, credit, bulk };
}
