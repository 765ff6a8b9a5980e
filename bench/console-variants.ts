import { accountIds } from "./installation/accounts.ts";

const dayMs = 86_400_000;
const now = Date.now();
const days = (count: number) => `from=${now - count * dayMs}&to=${now}`;

const ofCalls = [
  "",
  "limit=200",
  "order=oldest",
  `to=${now - 15 * dayMs}`,
  days(1),
  "failed=true",
  "status=429",
  "status=5xx",
  "outcome=client_closed",
  "error_kind=timeout",
  "losses=true",
  "model=claude-sonnet-4-5",
  "model=mistral-large-3",
  "model=no-such-model",
  "channel=azure-east",
  "client_protocol=generate-content",
  "stream=false",
  "min_charge=200000000",
  "access_key=key_01made00000000000000000000",
  "access_key=key_01made00000000000000123456",
  "id=call_01",
  "model=mistral-large-3&failed=true&client_protocol=generate-content",
];

const ofUsage = (dimensions: readonly string[]) => [
  "",
  ...dimensions.map((dimension) => `${days(30)}&dimension=${dimension}`),
  ...dimensions.map((dimension) => `${days(1)}&by=hour&dimension=${dimension}`),
  `${days(7)}&by=hour&dimension=model&zone_minutes=60`,
  `${days(15)}&dimension=model&model=gpt-5.2`,
];

/** The parameters with which an operation of the API is asked; without any where nothing stands here. */
const known: Record<string, readonly string[]> = {
  "/api/v1/calls": [...ofCalls, `account=${accountIds.large}`, `account=${accountIds.small}&failed=true`],
  "/api/v1/accounts/{account}/calls": ofCalls,
  "/api/v1/accounts/{account}/keys": [
    "",
    "limit=200",
    "sort=name",
    "sort=used",
    "state=disabled",
    "state=revoked",
    "state=expired",
    "search=vision",
    "search=vision-ci-39",
    "search=0042",
    "search=nothing-like-it",
    "sort=used&state=enabled",
  ],
  "/api/v1/accounts/{account}/ledger": [
    "",
    "limit=200",
    "kind=charge",
    "kind=credit",
    "kind=refund",
    "kind=top_up",
    `to=${now - 15 * dayMs}`,
    "key=key_01made00000000000000000000",
    "key=key_01made00000000000000123456",
  ],
  "/api/v1/accounts/{account}/usage": [
    ...ofUsage(["model", "key", "client_protocol", "channel"]),
    `${days(30)}&dimension=model&key=key_01made00000000000000000000`,
  ],
  "/api/v1/usage": [
    ...ofUsage(["account", "model", "key", "client_protocol", "channel"]),
    `${days(30)}&dimension=model&account=${accountIds.middle}`,
  ],
  "/api/v1/accounts/{account}/overview": ["", "zone_minutes=480"],
  "/api/v1/overview": ["", "zone_minutes=480"],
  "/api/v1/accounts": ["", "limit=200", "search=bergen", "search=acct_05", "state=suspended"],
  "/api/v1/users": ["", "limit=200", "search=bea"],
  "/api/v1/audit-events": [
    "",
    "limit=200",
    "action=price.set",
    `from=${now - 7 * dayMs}`,
    `account=${accountIds.large}`,
  ],
};

/** The query strings to ask an operation with, each with its question mark. */
export function variants(path: string): string[] {
  return (known[path] ?? [""]).map((query) => (query === "" ? "" : `?${query}`));
}
