import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components, operations } from "../../api/schema.d.ts";

export type Balance = components["schemas"]["Balance"];
export type LedgerEntry = components["schemas"]["LedgerEntry"];
export type Order = components["schemas"]["PaymentOrder"];
type LedgerQuery = NonNullable<operations["listLedgerEntries"]["parameters"]["query"]>;

/** All that shows an account's money begins with these. */
export const moneyKeys = {
  balance: (account: string) => ["balance", account] as const,
  ledger: (account: string) => ["ledger", account] as const,
  orders: (account: string) => ["orders", account] as const,
};

export function balanceQuery(account: string) {
  return queryOptions({
    queryKey: moneyKeys.balance(account),
    refetchInterval: 15_000,
    queryFn: () => unwrap(api.GET("/api/v1/accounts/{account}/balance", { params: { path: { account } } })),
  });
}

export function loadLedger(account: string, query: LedgerQuery) {
  return unwrap(api.GET("/api/v1/accounts/{account}/ledger", { params: { path: { account }, query } }));
}

export function ordersQuery(account: string) {
  return queryOptions({
    queryKey: moneyKeys.orders(account),
    queryFn: () =>
      unwrap(api.GET("/api/v1/accounts/{account}/orders", { params: { path: { account }, query: { limit: 20 } } })),
  });
}

export function alertSettingsQuery(account: string) {
  return queryOptions({
    queryKey: ["alert-settings", account],
    queryFn: () => unwrap(api.GET("/api/v1/accounts/{account}/alert-settings", { params: { path: { account } } })),
  });
}
