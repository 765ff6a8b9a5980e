import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import type { PageScope } from "../../app/account.ts";

export type CallDetail = components["schemas"]["CallDetail"];
export type CallContent = components["schemas"]["CallContent"];
export type ContentPart = CallContent["parts"][number]["part"];

export const contentParts: readonly ContentPart[] = [
  "client_request",
  "upstream_request",
  "client_answer",
  "upstream_answer",
];

/** One call, which does not change any more. */
export function callQuery(scope: PageScope, call: string) {
  return queryOptions({
    queryKey: ["call", scope, call],
    staleTime: 60_000,
    queryFn: () =>
      scope.kind === "installation"
        ? unwrap(api.GET("/api/v1/calls/{call}", { params: { path: { call } } }))
        : unwrap(
            api.GET("/api/v1/accounts/{account}/calls/{call}", {
              params: { path: { account: scope.accountId, call } },
            }),
          ),
  });
}

/** Its bodies. Each time they are read stands in the audit log: they are not asked for again by themselves. */
export function contentQuery(scope: PageScope, call: string) {
  return queryOptions({
    queryKey: ["call-content", scope, call],
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    queryFn: () =>
      scope.kind === "installation"
        ? unwrap(api.GET("/api/v1/calls/{call}/content", { params: { path: { call } } }))
        : unwrap(
            api.GET("/api/v1/accounts/{account}/calls/{call}/content", {
              params: { path: { account: scope.accountId, call } },
            }),
          ),
  });
}
