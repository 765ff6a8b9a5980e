import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components, operations } from "../../api/schema.d.ts";
import { notifyFailed } from "../../shared/notify.tsx";

export type AccessKey = components["schemas"]["AccessKey"];
export type KeySettings = operations["createAnAccessKey"]["requestBody"]["content"]["application/json"];
type KeyQuery = NonNullable<operations["listAccessKeys"]["parameters"]["query"]>;

interface KeyPage {
  items: AccessKey[];
  next: string | null;
}

export const keyStates = ["enabled", "disabled", "expired", "revoked"] as const;
export const keySorts = ["newest", "name", "used"] as const;
export const quotaPeriods = ["total", "day", "week", "month"] as const;

export function keysQueryKey(account: string, query: KeyQuery = {}) {
  return ["keys", account, query] as const;
}

export function loadKeys(account: string, query: KeyQuery): Promise<KeyPage> {
  return unwrap(api.GET("/api/v1/accounts/{account}/keys", { params: { path: { account }, query } }));
}

export function keyQuery(account: string, key: string) {
  return {
    queryKey: ["key", account, key] as const,
    queryFn: () => unwrap(api.GET("/api/v1/accounts/{account}/keys/{key}", { params: { path: { account, key } } })),
  };
}

/** Puts what a change answered into all lists that show the key, so that its row changes at once. */
function replaceKey(queries: QueryClient, account: string, changed: AccessKey): void {
  queries.setQueryData(keyQuery(account, changed.id).queryKey, changed);
  queries.setQueriesData<InfiniteData<KeyPage>>({ queryKey: ["keys", account] }, (data) => {
    if (data === undefined || !("pages" in data)) return data;
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.map((key) => (key.id === changed.id ? changed : key)),
    }));
    return { ...data, pages };
  });
}

/** What can be done with keys of an account. Failures are told; promises reject nevertheless. */
export function useKeyChanges(account: string) {
  const queries = useQueryClient();
  const done = (key: AccessKey) => replaceKey(queries, account, key);
  const reload = () => queries.invalidateQueries({ queryKey: ["keys", account] });
  const pathOf = (key: string) => ({ path: { account, key } });

  const setEnabled = useMutation({
    mutationFn: ({ key, enabled }: { key: AccessKey; enabled: boolean }) =>
      enabled
        ? unwrap(api.POST("/api/v1/accounts/{account}/keys/{key}/enable", { params: pathOf(key.id) }))
        : unwrap(
            api.POST("/api/v1/accounts/{account}/keys/{key}/disable", {
              params: pathOf(key.id),
              body: { terminate: false },
            }),
          ),
    // The switch moves at once; an answer or failure puts it right.
    onMutate: ({ key, enabled }) => done({ ...key, state: enabled ? "enabled" : "disabled" }),
    onSuccess: done,
    onError: (error, { key }) => {
      done(key);
      notifyFailed(error);
    },
  });
  const create = useMutation({
    mutationFn: (body: KeySettings) =>
      unwrap(api.POST("/api/v1/accounts/{account}/keys", { params: { path: { account } }, body })),
    onSuccess: reload,
  });
  const change = useMutation({
    mutationFn: ({ key, body }: { key: string; body: KeySettings }) =>
      unwrap(api.PATCH("/api/v1/accounts/{account}/keys/{key}", { params: pathOf(key), body })),
    onSuccess: done,
  });
  const rotate = useMutation({
    mutationFn: ({ key, graceMs }: { key: string; graceMs: number }) =>
      unwrap(
        api.POST("/api/v1/accounts/{account}/keys/{key}/rotate", { params: pathOf(key), body: { grace_ms: graceMs } }),
      ),
    onSuccess: ({ key }) => done(key),
    onError: notifyFailed,
  });
  const revoke = useMutation({
    mutationFn: ({ id, name }: AccessKey) =>
      unwrap(
        api.POST("/api/v1/accounts/{account}/keys/{key}/revoke", {
          params: pathOf(id),
          body: { name, terminate: false },
        }),
      ),
    onSuccess: reload,
    onError: notifyFailed,
  });
  const disableAll = useMutation({
    mutationFn: (ids: string[]) =>
      unwrap(
        api.POST("/api/v1/accounts/{account}/keys/disable", {
          params: { path: { account } },
          body: { ids, terminate: false },
        }),
      ),
    onSuccess: ({ items }) => items.forEach(done),
    onError: notifyFailed,
  });
  return { setEnabled, create, change, rotate, revoke, disableAll };
}
