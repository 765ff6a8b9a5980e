import { expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { loadConfig } from "./load-config.ts";

const load = (text: string) =>
  loadConfig({ file: "interlingua.yaml", env: {}, fileSystem: { read: async () => text } });
const key = "k".repeat(32);

/** What is wrong, without its place. */
async function issuesOf(text: string): Promise<string[]> {
  const error = await load(text).catch((thrown: unknown) => thrown);
  if (!(error instanceof ConfigError)) throw new Error(`expected a ConfigError, got ${String(error)}`);
  return error.issues.map((issue) => `${issue.path}: ${issue.message}`);
}

test("accounts and all that can be set of a key are read, money exact", async () => {
  const config = await load(`
accounts:
  - { name: team, billing: postpaid, credit_limit: 100.5, markup: 10%, requests_per_minute: 5 }
  - { name: plain }
access_keys:
  - name: ci
    key: ${key}
    account: team
    expires: 2026-12-31
    models: [gpt-5.2, "claude-*"]
    addresses: [192.0.2.7, 10.0.0.0/8, "2001:db8::/32"]
    quota: "0.000000001"
    quota_period: week
    content_logging: true
  - { name: bare, key: ${key}x, quota: 25 }
server: { trusted_proxies: [127.0.0.1] }
`);
  expect(config.accounts).toEqual([
    {
      name: "team",
      billing: "postpaid",
      creditLimit: 100_500_000_000n,
      markupPpm: 1_100_000,
      limits: { requestsPerMinute: 5 },
    },
    { name: "plain", billing: "prepaid", creditLimit: null, markupPpm: 1_000_000, limits: {} },
  ]);
  expect(config.accessKeys).toEqual([
    {
      name: "ci",
      key,
      account: "team",
      lossy: "allow",
      expiresAt: Date.UTC(2027, 0, 1),
      models: ["gpt-5.2", "claude-*"],
      addresses: ["192.0.2.7", "10.0.0.0/8", "2001:db8::/32"],
      quota: { amount: 1n, period: "week" },
      contentLogging: true,
    },
    { name: "bare", key: `${key}x`, lossy: "allow", quota: { amount: 25_000_000_000n, period: "total" } },
  ]);
  expect(config.server.trustedProxies).toEqual(["127.0.0.1"]);
});

test("an empty list stays one: it means none, not all", async () => {
  const { accessKeys } = await load(`access_keys: [{ name: ci, key: ${key}, models: [], addresses: [] }]`);
  expect(accessKeys[0]).toMatchObject({ models: [], addresses: [] });
});

test.each([
  ["name: a, billing: later", "accounts[0].billing: must be prepaid or postpaid"],
  [
    "name: a, credit_limit: 5",
    "accounts[0].credit_limit: can be given to a postpaid account only: a prepaid one has no credit",
  ],
  [
    "name: a, billing: postpaid, credit_limit: -5",
    /^accounts\[0\]\.credit_limit: must be from \$0\.00 to \$9000000000\.00$/,
  ],
  ["name: a, billing: postpaid, credit_limit: 1e3x", "accounts[0].credit_limit: must be dollars, such as 12.50"],
  ["name: a, markup: 10", "accounts[0].markup: must be a percentage such as 10%"],
  ["name: a, markup: -101%", /^accounts\[0\]\.markup: must be a percentage from -100% to 99900%/],
  ["name: a b", /^accounts\[0\]\.name: must be 1 to 64 letters/],
  ["name: a, balance: 5", /^accounts\[0\]\.balance: unknown setting/],
  ["name: a }, { name: a", "accounts[1].name: another account has this name"],
])("accounts: [{ %s }] is told", async (entry, expected) => {
  expect(await issuesOf(`accounts: [{ ${entry} }]`)).toEqual([
    typeof expected === "string" ? expected : expect.stringMatching(expected),
  ]);
});

test.each([
  ["expires: 30d", /^access_keys\[0\]\.expires: must be a date such as 2026-12-31, or a time/],
  ["models: [a b]", /^access_keys\[0\]\.models\[0\]: must be 1 to 128 letters/],
  ["models: all", "access_keys[0].models: must be a list of models"],
  ["addresses: [10.0.0.0/33]", /^access_keys\[0\]\.addresses\[0\]: must be an address such as/],
  ["quota: 9000000.01", "access_keys[0].quota: must be from $0.00 to $9000000.00"],
  ["quota: 1, quota_period: year", "access_keys[0].quota_period: must be total, day, week or month"],
  ["quota_period: day", "access_keys[0].quota_period: has a meaning only together with quota"],
  ["account: ''", "access_keys[0].account: must be the name of an account"],
  ["content_logging: maybe", "access_keys[0].content_logging: must be true or false"],
])("access_keys with %s is told", async (entry, expected) => {
  expect(await issuesOf(`access_keys: [{ name: ci, key: ${key}, ${entry} }]`)).toEqual([
    typeof expected === "string" ? expected : expect.stringMatching(expected),
  ]);
});

test("server.trusted_proxies takes addresses alone", async () => {
  expect(await issuesOf("server: { trusted_proxies: [proxy.example.com] }")).toEqual([
    expect.stringMatching(/^server\.trusted_proxies\[0\]: must be an address such as/),
  ]);
});
