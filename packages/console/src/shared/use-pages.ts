import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";

interface Page<Item> {
  items: readonly Item[];
  next: string | null;
}

/** A list that is read page by page, in the form that `DataTable` takes: `<DataTable {...usePages(key, load)} … />`. */
export function usePages<Item>(
  queryKey: QueryKey,
  load: (cursor: string | undefined) => Promise<Page<Item>>,
  options: { refetchMs?: number } = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
    ...(options.refetchMs === undefined ? {} : { refetchInterval: options.refetchMs }),
  });
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  return {
    rows,
    error,
    onRetry: () => void refetch(),
    more: { has: hasNextPage, loading: isFetchingNextPage, load: () => void fetchNextPage() },
  };
}
