import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { PageScope } from "../../app/account.ts";
import { type Dimension, queryOf, type UsageSearch } from "./usage-search.ts";

/** The report that the address asks for. */
export function useUsage(scope: PageScope, search: UsageSearch, dimension: Dimension) {
  const { measure: _, ...asked } = search;
  return useQuery({
    queryKey: ["usage", scope, dimension, asked],
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    queryFn() {
      const query = queryOf(search, dimension, new Date());
      if (scope.kind === "installation") return unwrap(api.GET("/api/v1/usage", { params: { query } }));
      const { account: _account, dimension: by, ...own } = query;
      return unwrap(
        api.GET("/api/v1/accounts/{account}/usage", {
          params: {
            path: { account: scope.accountId },
            query: { ...own, ...(by !== "account" && by && { dimension: by }) },
          },
        }),
      );
    },
  });
}

/** Where the same is to be had as a file. */
export function exportAddress(scope: PageScope, search: UsageSearch, dimension: Dimension): string {
  const query = queryOf(search, dimension, new Date());
  const params = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  if (scope.kind === "installation") return `/api/v1/usage/export?${params}`;
  params.delete("account");
  return `/api/v1/accounts/${encodeURIComponent(scope.accountId)}/usage/export?${params}`;
}
