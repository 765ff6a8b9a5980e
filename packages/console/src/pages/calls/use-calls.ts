import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { PageScope } from "../../app/account.ts";
import { type Call, type CallQuery, type CallSearch, queryOf } from "./call-search.ts";

const pageSize = 100;
/** Rows that a table shows before it begins anew further back. */
export const mostRows = 1000;
const liveEveryMs = 2000;
const mostLive = 500;

/** A page of the list, of one account or of all. */
function loadCalls(scope: PageScope, query: CallQuery) {
  if (scope.kind === "installation") return unwrap(api.GET("/api/v1/calls", { params: { query } }));
  const { account: _, ...own } = query;
  return unwrap(
    api.GET("/api/v1/accounts/{account}/calls", { params: { path: { account: scope.accountId }, query: own } }),
  );
}

/** The calls that the address asks for, page by page, and, while `live` is on, those that have ended since. */
export function useCalls(scope: PageScope, { live, at, ...search }: CallSearch) {
  const key = [scope, search, at ?? null] as const;
  const list = useInfiniteQuery({
    queryKey: ["calls", ...key],
    queryFn: ({ pageParam }) =>
      loadCalls(scope, {
        ...queryOf(search, Date.now()),
        limit: pageSize,
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      }),
    initialPageParam: at,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: 30_000,
    // Ten pages at once are more than a look at another window is worth.
    refetchOnWindowFocus: false,
  });
  const first = list.data?.pages[0];
  const fresh = useLive(scope, search, live === true && at === undefined ? first?.live : undefined);
  const pages = list.data?.pages;
  const rows = useMemo(
    () =>
      pages
        ? merged(
            fresh.calls,
            pages.flatMap(({ items }) => items),
          )
        : undefined,
    [pages, fresh.calls],
  );
  const last = pages?.at(-1);
  return {
    rows,
    error: list.error ?? fresh.error,
    refetch: () => void list.refetch(),
    refreshing: list.isRefetching && !list.isFetchingNextPage,
    more: {
      has: list.hasNextPage,
      loading: list.isFetchingNextPage,
      load: () => void list.fetchNextPage(),
      /** The search was ended before the page was full, having looked at all calls up to this time. */
      searchedTo: last?.searched_to ?? undefined,
      cursor: last?.next ?? undefined,
      failed: list.isFetchNextPageError,
    },
    behind: fresh.behind,
  };
}

/** Whether there was ever a call; asked for where a time without calls is shown. Undefined while it is not known. */
export function useHasCalls(scope: PageScope, enabled: boolean): boolean | undefined {
  const { data } = useQuery({
    queryKey: ["calls-ever", scope],
    enabled,
    queryFn: () => loadCalls(scope, { limit: 1 }),
  });
  return data && data.items.length > 0;
}

const nothing: readonly Call[] = [];

/** Asks every two seconds for what has ended, as long as the page is looked at. `since`: undefined for not at all. */
function useLive(scope: PageScope, search: CallSearch, since: string | undefined) {
  const state = useRef({ since, after: since, calls: nothing });
  const query = useQuery({
    queryKey: ["calls-live", scope, search, since],
    enabled: since !== undefined,
    refetchInterval: liveEveryMs,
    gcTime: 0,
    retry: false,
    async queryFn() {
      if (state.current.since !== since) state.current = { since, after: since, calls: nothing };
      const { after } = state.current;
      const page = await loadCalls(scope, {
        ...queryOf(search, Date.now()),
        limit: 200,
        ...(after === undefined ? {} : { after }),
      });
      const calls = page.items.length === 0 ? state.current.calls : merged(page.items, state.current.calls);
      state.current = { since, after: page.live, calls: calls.slice(0, mostLive) };
      return { calls: state.current.calls, behind: page.next !== null && page.searched_to === null };
    },
  });
  const shown = since === undefined ? undefined : query.data;
  return {
    calls: shown?.calls ?? nothing,
    behind: shown?.behind ?? false,
    error: since === undefined ? null : query.error,
  };
}

/** Both, each call once, the newest first. */
function merged(fresh: readonly Call[], known: readonly Call[]): readonly Call[] {
  if (fresh.length === 0) return known;
  const ids = new Set(known.map(({ id }) => id));
  const added = fresh.filter(({ id }) => !ids.has(id));
  if (added.length === 0) return known;
  return [...added, ...known].sort((a, b) => b.started_at - a.started_at || (a.id < b.id ? 1 : -1));
}
