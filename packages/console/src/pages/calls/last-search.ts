import type { PageScope } from "../../app/account.ts";

const place = (scope: PageScope) =>
  `interlingua.calls.search.${scope.kind === "account" ? scope.accountId : "installation"}`;

/** Keeps what the list was asked for, so that a call leads back to it. */
export function keepSearch(scope: PageScope, search: Readonly<Record<string, string>>): void {
  sessionStorage.setItem(place(scope), new URLSearchParams(search).toString());
}

/** What the list was asked for last in this tab. */
export function lastSearch(scope: PageScope): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(sessionStorage.getItem(place(scope)) ?? ""));
}
