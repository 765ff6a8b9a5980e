import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { notifyFailed } from "../notify.tsx";

export type MoneyAlert = components["schemas"]["Alert"];

function alertsQuery(accountId: string) {
  return queryOptions({
    queryKey: ["alerts", accountId],
    staleTime: 30_000,
    refetchInterval: 60_000,
    queryFn: () => unwrap(api.GET("/api/v1/accounts/{account}/alerts", { params: { path: { account: accountId } } })),
  });
}

/** What an account is to be told of its money, as long as nobody has seen it. */
export function useAlerts(accountId: string) {
  return useQuery(alertsQuery(accountId));
}

/** Marks an alert as seen, for everybody of the account; it is gone from the page at once. */
export function useAcknowledge(accountId: string) {
  const queries = useQueryClient();
  const { queryKey } = alertsQuery(accountId);
  return useMutation({
    mutationFn: (alert: MoneyAlert) =>
      unwrap(
        api.POST("/api/v1/accounts/{account}/alerts/{alert}/acknowledge", {
          params: { path: { account: accountId, alert: alert.id } },
        }),
      ),
    onMutate: (alert) =>
      queries.setQueryData(queryKey, (list) => list && { items: list.items.filter(({ id }) => id !== alert.id) }),
    onError: notifyFailed,
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}
