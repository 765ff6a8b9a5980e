import type { AuthenticatedKey } from "../accounts/auth-result.ts";

/** A key of an account that owes without bound, with room for any test. */
export function exampleKey(values: Partial<AuthenticatedKey> = {}): AuthenticatedKey {
  return {
    id: "key_1",
    name: "k",
    accountId: "acct_default",
    account: { id: "acct_default", name: "default", billing: "postpaid", markupPpm: 1_000_000, limits: {} },
    lossy: "allow",
    limits: { requestsPerMinute: 1000, tokensPerMinute: 1_000_000, concurrency: 100 },
    models: null,
    addresses: null,
    quota: null,
    contentLogging: false,
    ...values,
  };
}
