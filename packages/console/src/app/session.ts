import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { ApiError, api, setCsrfToken, unwrap } from "../api/client.ts";
import { askSignIn } from "../api/sign-in.ts";

/** Who is signed in; null where nobody is. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  staleTime: 60_000,
  async queryFn() {
    const { me } = await unwrap(api.GET("/api/v1/session"));
    if (me) setCsrfToken(me.csrf_token);
    return me;
  },
});

export type Me = NonNullable<Awaited<ReturnType<NonNullable<typeof meQuery.queryFn>>>>;

/** Whoever may or may not be signed in, on public pages. Undefined while it is being asked. */
export function useMaybeMe(): Me | null | undefined {
  return useQuery(meQuery).data;
}

/** The signed-in user; only below the shell, which has made sure. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(meQuery);
  if (!data) throw new ApiError(401, "not_signed_in", "Sign in first.");
  return data;
}

export type AccountRole = Me["memberships"][number]["role"];

const rank: Readonly<Record<AccountRole, number>> = { viewer: 1, member: 2, owner: 3 };

/** Whether the user has the role in the account, or more. Operators have every role everywhere. */
export function hasRole(me: Me, accountId: string, role: AccountRole): boolean {
  if (me.user.operator) return true;
  return me.memberships.some(({ account, role: mine }) => account.id === accountId && rank[mine] >= rank[role]);
}

/** Ends the session and forgets everything that was loaded with it. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    await askSignIn("POST", "/sign-out");
    setCsrfToken("");
    queries.clear();
    window.location.assign("/sign-in");
  }, [queries]);
}
