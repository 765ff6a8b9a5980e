import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

/** Tries again only what may go better the next time. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: true,
        retry: (count, error) =>
          count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
        retryDelay: (count) => 400 * 2 ** count,
      },
    },
  });
}
