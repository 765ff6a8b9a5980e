import { expect, it } from "vitest";
import { loadConfig } from "./load-config.ts";
import { showConfig } from "./show-config.ts";

const file = `
listen: "[::1]:9000"
database: sqlite:other/place.db
sandbox: true
channels:
  - name: one
    protocols: [responses, chat-completions]
    base_url: https://api.example.com/v1
    api_key: secret-of-the-provider
    headers: { x-team: secret-of-the-team }
    credential_header: x-own-key
    status: under_observation
    on_disconnect: drain
    dialect: llama.cpp
    models: ["gpt-*", { id: fast, upstream_id: gpt-5-mini, protocols: [responses] }]
accounts:
  - { name: team, billing: postpaid, credit_limit: 100, markup: 10%, concurrency: 50 }
  - { name: other, markup: -2.5% }
access_keys:
  - name: full
    key: secret-of-the-caller-0123456789-0123
    account: team
    expires: 2026-12-31
    models: [gpt-5.2, "claude-*"]
    addresses: []
    quota: 25.000000001
    quota_period: month
    content_logging: true
  - { name: ci, key: secret-of-the-caller-9876543210-9876, lossy: refuse, tokens_per_minute: 5000, concurrency: 3 }
prices:
  - model: "gpt-*"
    channel: one
    input: 1.25
    cache_read: "0.125"
    output: 10
    tools: { web_search_requests: 0.01 }
    above: [{ input_tokens: 200000, input: 2.5, output: 15 }]
    service_tiers: { flex: 50%, priority: 170.5% }
  - { model: image, request: 0.04 }
capabilities:
  - { model: "gpt-*", protocol: chat-completions, channel: one, set: { limit_field: max_tokens, efforts: [low] } }
  - { model: "*", protocol: messages, set: { max_output: 32000, forced_tools: false } }
billing: { on_disconnect: free, unpriced: refuse, assumed_output: 8000 }
server: { keep_alive: 90s, max_connections: 12, trusted_proxies: [10.0.0.0/8, "::1"] }
limits: { body: 3MiB, json_depth: 7, requests_per_minute: 30, redis_down: allow }
upstream: { idle: 2m }
drain: { delay: 0ms }
`;
const secrets = /secret-of-the-(provider|team|caller-[0-9]{10}-[0-9]{4})/g;
const load = (text: string) => loadConfig({ file: "f", env: {}, fileSystem: { read: async () => text } });

it("S1 shows no secret, and is a file that loads to the same configuration but for the masks", async () => {
  const config = await load(file);
  const shown = showConfig(config);
  expect(shown).not.toMatch(secrets);
  let masks = 0;
  const back = await load(
    shown.replace(/ key: "\*{3}"/g, () => ` key: masked-0123456789-0123456789-012345678${masks++}`),
  );
  // What is shown names everything.
  const plain = (value: object) =>
    JSON.stringify({ ...value, named: [] }, (_, each) => (typeof each === "bigint" ? String(each) : each));
  const masked = plain(config)
    .replace("secret-of-the-caller-0123456789-0123", "masked-0123456789-0123456789-0123456780")
    .replace("secret-of-the-caller-9876543210-9876", "masked-0123456789-0123456789-0123456781")
    .replace(secrets, "***");
  expect(JSON.parse(plain(back))).toEqual(JSON.parse(masked));
});

it("S1 shows where the database is, without its password, and what is missing for it", async () => {
  const shown = showConfig(
    await load("database: postgres://user:secret-of-the-team@host:5433/name?sslmode=verify-full"),
  );
  expect(shown).not.toMatch(secrets);
  expect(shown).toContain("database: postgres://user:***@host:5433/name?sslmode=verify-full");
  expect(shown).toContain("missing: set INTERLINGUA_SECRET");
  const redis = showConfig(await load("redis: rediss://user:secret-of-the-team@host:6380/1"));
  expect(redis).not.toMatch(secrets);
  expect(redis).toContain("redis: rediss://user:***@host:6380/1");
});
