import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api, unwrap } from "../../api/client.ts";
import { meQuery } from "../../app/session.ts";

export const waysQuery = queryOptions({
  queryKey: ["me", "sign-in"],
  queryFn: () => unwrap(api.GET("/api/v1/me/sign-in")),
});

export const sessionsQuery = queryOptions({
  queryKey: ["me", "sessions"],
  queryFn: () => unwrap(api.GET("/api/v1/me/sessions")),
});

export const tokensQuery = queryOptions({
  queryKey: ["me", "api-tokens"],
  queryFn: () => unwrap(api.GET("/api/v1/me/api-tokens")),
});

export type Passkey = Awaited<ReturnType<NonNullable<typeof waysQuery.queryFn>>>["passkeys"][number];
export type Session = Awaited<ReturnType<NonNullable<typeof sessionsQuery.queryFn>>>["items"][number];
export type ApiToken = Awaited<ReturnType<NonNullable<typeof tokensQuery.queryFn>>>["items"][number];

/** Loads everything about the user again: a change of how one signs in gives a new session, with a new token for changes. */
export function useReloadMe(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    await queries.refetchQueries({ queryKey: meQuery.queryKey, exact: true });
    await queries.invalidateQueries({ queryKey: meQuery.queryKey });
  }, [queries]);
}
