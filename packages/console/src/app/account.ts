import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { type AccountRole, hasRole, type Me, useMe } from "./session.ts";

/** The account of the address `/a/$account/...`. */
export function useAccountId(): string {
  const { account }: { account?: string } = useParams({ strict: false });
  if (account === undefined) throw new Error("This page is not about an account");
  return account;
}

/** What a page that serves accounts and operators shows: one account's things, or everybody's. */
export type PageScope = { kind: "account"; accountId: string } | { kind: "installation" };

/** The account of the address, or the whole installation below `/operator`. */
export function usePageScope(): PageScope {
  const { account }: { account?: string } = useParams({ strict: false });
  return account === undefined ? { kind: "installation" } : { kind: "account", accountId: account };
}

/** The role that the user has at least in the account of the address. */
export function useMay(role: AccountRole): boolean {
  return hasRole(useMe(), useAccountId(), role);
}

const stored = "interlingua.account";

/** The account that was looked at last, or the first one. */
export function homeAccount(me: Me): string | undefined {
  const last = localStorage.getItem(stored);
  const known = me.memberships.map(({ account }) => account.id);
  return last !== null && (known.includes(last) || me.user.operator) ? last : known[0];
}

export function useRememberAccount(accountId: string | undefined): void {
  useEffect(() => {
    if (accountId !== undefined) localStorage.setItem(stored, accountId);
  }, [accountId]);
}
