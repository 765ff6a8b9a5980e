import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components, operations } from "../../api/schema.d.ts";
import { notifyFailed } from "../../shared/notify.tsx";

export type RoutingRule = components["schemas"]["RoutingRule"];
export type RoutingAction = components["schemas"]["RoutingAction"];
export type RouteExplanation = components["schemas"]["RouteExplanation"];
export type NewRule = operations["createARoutingRule"]["requestBody"]["content"]["application/json"];
type ExplainQuery = operations["explainARoute"]["parameters"]["query"];
export type Protocol = ExplainQuery["client_protocol"];

export const rulesQuery = {
  queryKey: ["routing-rules"] as const,
  queryFn: () => unwrap(api.GET("/api/v1/routing-rules")),
};

/** The names of all channels, for rules to choose from. */
export const channelNamesQuery = {
  queryKey: ["channels"] as const,
  queryFn: () => unwrap(api.GET("/api/v1/channels")),
  select: ({ items }: { items: readonly { name: string }[] }) => items.map(({ name }) => name),
};

/** Some accounts whose names begin so. */
export function accountsQuery(search: string) {
  return {
    queryKey: ["accounts", "named", search] as const,
    queryFn: () => unwrap(api.GET("/api/v1/accounts", { params: { query: { limit: 20, ...(search && { search }) } } })),
    select: ({ items }: { items: readonly { id: string; name: string }[] }) =>
      items.map(({ id, name }) => ({ id, name })),
  };
}

export function explainQuery(query: ExplainQuery) {
  return {
    queryKey: ["routing-explain", query] as const,
    queryFn: () => unwrap(api.GET("/api/v1/routing/explain", { params: { query } })),
    staleTime: 0,
  };
}

/** What can be done with rules. Failures are told, but those of `create` and `save`, which a form shows. */
export function useRuleChanges() {
  const queries = useQueryClient();
  const reload = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: rulesQuery.queryKey }),
      queries.invalidateQueries({ queryKey: ["routing-explain"] }),
    ]);
  const create = useMutation({
    mutationFn: (body: NewRule) => unwrap(api.POST("/api/v1/routing-rules", { body })),
    onSuccess: reload,
  });
  const save = useMutation({
    mutationFn: ({ rule, changes }: { rule: RoutingRule; changes: Partial<NewRule> }) =>
      unwrap(
        api.PATCH("/api/v1/routing-rules/{rule}", {
          params: { path: { rule: rule.id } },
          body: { ...changes, version: rule.version },
        }),
      ),
    onSettled: reload,
  });
  const remove = useMutation({
    mutationFn: (rule: string) => unwrap(api.DELETE("/api/v1/routing-rules/{rule}", { params: { path: { rule } } })),
    onSuccess: reload,
    onError: notifyFailed,
  });
  const order = useMutation({
    mutationFn: (ids: string[]) => unwrap(api.PUT("/api/v1/routing-rules", { body: { order: ids } })),
    // The rows move at once; the answer puts them right.
    onMutate: async (ids) => {
      await queries.cancelQueries({ queryKey: rulesQuery.queryKey });
      queries.setQueryData<{ items: RoutingRule[]; next: string | null }>(rulesQuery.queryKey, (data) =>
        data === undefined
          ? data
          : { ...data, items: data.items.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) },
      );
    },
    onError: notifyFailed,
    onSettled: reload,
  });
  return { create, save, remove, order };
}
