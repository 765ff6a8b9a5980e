import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { ConfigError, type ConfigIssue } from "./config-error.ts";
import { loadConfig } from "./load-config.ts";
import { findLocalModels } from "./local-models.ts";
import type { Environment } from "./substitute-environment.ts";

const fileSystem = (text: string | undefined) => ({ read: async () => text });
const load = (text: string, env: Environment = {}) =>
  loadConfig({ file: "interlingua.yaml", env, fileSystem: fileSystem(text) });
const loadDefaults = (env: Environment = {}, localModels: string[] = []) =>
  loadConfig({ env, fileSystem: fileSystem(undefined), localModels: async () => localModels });

async function issuesOf(text: string, env: Environment = {}): Promise<ConfigIssue[]> {
  const error = await load(text, env).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConfigError)) throw new Error(`expected a ConfigError, got ${String(error)}`);
  return [...error.issues];
}

const lines = (issues: ConfigIssue[]) => issues.map((issue) => `${issue.line} ${issue.path}: ${issue.message}`);

test("the example of the design loads as it says", async () => {
  const config = await load(
    `
listen: 127.0.0.1:8080
database: sqlite:data/interlingua.db
redis: redis://host:6379
channels:
  - name: openai
    protocols: [responses, chat-completions]
    base_url: https://api.openai.com/v1
    api_key: \${OPENAI_API_KEY}
    models: [gpt-5.2, { id: fast, upstream_id: gpt-5-mini }]
  - name: gemini
    protocols: [generate-content]
    base_url: https://generativelanguage.googleapis.com/
    api_key: \${GEMINI_API_KEY}
    status: under_observation
    models: ["gemini-*"]
access_keys:
  - { name: ci, key: "\${CI_ACCESS_KEY}" }
`,
    { OPENAI_API_KEY: "sk-1", GEMINI_API_KEY: "AIza1", CI_ACCESS_KEY: "x".repeat(32) },
  );
  expect(config).toMatchObject({
    file: "interlingua.yaml",
    listen: { host: "127.0.0.1", port: 8080 },
    database: { kind: "sqlite", path: "data/interlingua.db" },
    accessKeys: [{ name: "ci", key: "x".repeat(32), lossy: "allow" }],
    secret: null,
    formerSecrets: [],
  });
  expect(config.channels).toEqual([
    {
      name: "openai",
      sandbox: false,
      protocols: ["responses", "chat-completions"],
      baseUrl: "https://api.openai.com/v1",
      apiKey: "sk-1",
      models: [{ id: "gpt-5.2" }, { id: "fast", upstreamId: "gpt-5-mini" }],
      status: "operational",
      headers: {},
    },
    {
      name: "gemini",
      sandbox: false,
      protocols: ["generate-content"],
      baseUrl: "https://generativelanguage.googleapis.com",
      apiKey: "AIza1",
      models: [{ id: "gemini-*" }],
      status: "under_observation",
      headers: {},
    },
  ]);
  expect(config).toMatchObject({ redis: "redis://host:6379", limits: { redisDown: "local" }, notices: [] });
});

test("S18 without a file: loopback, a file database, the sandbox, and the defaults of the reliability sheet", async () => {
  const config = await loadDefaults();
  expect(config.file).toBeNull();
  expect(config.listen).toEqual({ host: "127.0.0.1", port: 8080 });
  expect(config.database).toEqual({ kind: "sqlite", path: "data/interlingua.db" });
  expect(config.channels.map((channel) => channel.name)).toEqual(["sandbox"]);
  expect(config.channels[0]).toMatchObject({
    sandbox: true,
    models: [
      { id: "sandbox" },
      { id: "sandbox-chat-completions", protocols: ["chat-completions"] },
      { id: "sandbox-responses", protocols: ["responses"] },
      { id: "sandbox-messages", protocols: ["messages"] },
      { id: "sandbox-generate-content", protocols: ["generate-content"] },
    ],
  });
  expect(config.limits).toMatchObject({ bodyBytes: 33_554_432, jsonDepth: 64, jsonValues: 200_000 });
  expect(config.server).toMatchObject({ headersTimeoutMs: 10_000, keepAliveMs: 75_000, pingIntervalMs: 15_000 });
  expect(config.drain).toEqual({ delayMs: 5000, timeoutMs: 120_000 });
});

test("without a file the environment's keys and a local server make channels", async () => {
  const env = { OPENAI_API_KEY: "o", ANTHROPIC_API_KEY: "a", GOOGLE_API_KEY: "g", UNUSED: "x" };
  const config = await loadDefaults(env, ["llama3:8b"]);
  const channels = config.channels.map((channel) => [channel.name, channel.sandbox ? "" : (channel.apiKey ?? "none")]);
  expect(channels).toEqual([
    ["sandbox", ""],
    ["openai", "o"],
    ["anthropic", "a"],
    ["gemini", "g"],
    ["ollama", "none"],
  ]);
  expect(config.channels.at(-1)).toMatchObject({ baseUrl: "http://127.0.0.1:11434/v1", models: [{ id: "llama3:8b" }] });
});

test("of the two names of the Gemini key the first counts, and an empty one is none", async () => {
  const both = await loadDefaults({ GEMINI_API_KEY: "first", GOOGLE_API_KEY: "second", OPENAI_API_KEY: " " });
  expect(both.channels.map((channel) => channel.name)).toEqual(["sandbox", "gemini"]);
  expect(both.channels[1]).toMatchObject({ apiKey: "first" });
});

test("with a file only what it declares: no sandbox and no keys of the environment, unless it says so", async () => {
  const env = { OPENAI_API_KEY: "o" };
  expect((await load("", env)).channels).toEqual([]);
  expect((await load("", env)).notices).toEqual([expect.stringContaining("channels: none")]);
  expect((await load("sandbox: true", env)).channels.map((channel) => channel.name)).toEqual(["sandbox"]);
});

test("a named file that is not there is an error, the default one is not", async () => {
  const missing = loadConfig({ file: "other.yaml", env: {}, fileSystem: fileSystem(undefined) });
  await expect(missing).rejects.toThrow("other.yaml: there is no such file");
});

test("limits of keys: the defaults of the specification, those of the file, and a key's own", async () => {
  const key = "x".repeat(32);
  expect((await load("")).limits).toMatchObject({
    requestsPerMinute: 600,
    tokensPerMinute: 2_000_000,
    concurrency: 100,
  });
  const config = await load(
    `limits: { requests_per_minute: 60 }\naccess_keys: [{ name: ci, key: ${key}, tokens_per_minute: 5000, concurrency: 2 }]`,
  );
  expect(config.limits).toMatchObject({ requestsPerMinute: 60, tokensPerMinute: 2_000_000, concurrency: 100 });
  expect(config.accessKeys).toEqual([
    { name: "ci", key, lossy: "allow", limits: { tokensPerMinute: 5000, concurrency: 2 } },
  ]);
  const wrong = await issuesOf(`limits: { concurrency: 0 }\naccess_keys: [{ name: ci, key: ${key}, concurrency: 0 }]`);
  expect(lines(wrong)).toEqual([
    "1 limits.concurrency: must be from 1 to 1000000000",
    "2 access_keys[0].concurrency: must be from 1 to 1000000000",
  ]);
});

test("all that is wrong is told at once, by line", async () => {
  const issues = await issuesOf(`listen: nowhere
databse: sqlite:x.db
channels:
  - name: openai
    protocols: [responses, chat]
    base_url: api.openai.com
    api_key: \${NOPE}
    modles: [gpt-5.2]
  - name: other
    protocols: [messages]
    base_url: https://user:pw@host
    models: [{ id: "a-*", upstream_id: b }, 7]
limits: { body: 32, json_depth: 9999 }
server: 7
`);
  expect(lines(issues)).toEqual([
    "1 listen: must be host:port, such as 127.0.0.1:8080 or [::1]:8080",
    "2 databse: unknown setting, did you mean database?",
    "4 channels[0].models: is missing",
    "5 channels[0].protocols[1]: must be one of chat-completions, responses, messages, generate-content",
    "6 channels[0].base_url: must be an address such as https://api.example.com/v1",
    "7 channels[0].api_key: the environment variable NOPE is not set",
    "8 channels[0].modles: unknown setting, did you mean models?",
    "11 channels[1].base_url: must not hold a user or password: use api_key",
    "12 channels[1].models[0].upstream_id: cannot be given together with * in id: the caller's own identifier is sent",
    "12 channels[1].models[1]: must be a model name or { id, upstream_id, protocols }",
    "13 limits.body: must be a size with its unit, such as 64KiB or 32MiB",
    "13 limits.json_depth: must be from 1 to 512",
    "14 server: must be a mapping of settings",
  ]);
});

test("the message begins with file, line and column", async () => {
  await expect(load("listen: 127.0.0.1:8080\nserver:\n  keep_alive: soon\n")).rejects.toThrow(
    "interlingua.yaml:3:3: server.keep_alive: must be a time with its unit",
  );
});

test.each([
  ["a: [", 1],
  ["listen: 127.0.0.1:1\nlisten: 127.0.0.1:2\n", 2],
  ["- 1", 1],
])("YAML that is no mapping of settings is told by line: %j", async (text, line) => {
  const issues = await issuesOf(text);
  expect(issues[0]?.line).toBe(line);
});

test.each([
  [
    "names of two channels",
    "channels:\n  - &c { name: a, protocols: [messages], base_url: 'https://h', models: [m] }\n  - *c\n",
  ],
  [
    "the sandbox's name",
    "sandbox: true\nchannels:\n  - { name: sandbox, protocols: [messages], base_url: 'https://h', models: [m] }\n",
  ],
])("%s must differ", async (_name, text) => {
  expect(lines(await issuesOf(text))[0]).toMatch(/channels\[\d\]\.name: another channel has this name/);
});

test("a model's protocols must be among the channel's", async () => {
  const text =
    "channels: [{ name: a, protocols: [messages], base_url: 'https://h', models: [{ id: m, protocols: [responses] }] }]";
  expect(lines(await issuesOf(text))).toEqual([
    "1 channels[0].models[0].protocols: the channel does not speak responses",
  ]);
});

test("a PostgreSQL database is named by its address; unsafe servers are for the environment to allow", async () => {
  for (const url of ["postgres://u:p%40ss@h:5433/d", "postgresql://h/d?sslmode=verify-full"]) {
    const text = `database: ${url}`;
    expect((await load(text)).database).toEqual({ kind: "postgres", url, allowUnsafe: false });
    const unsafe = await load(text, { INTERLINGUA_ALLOW_UNSAFE_DATABASE: "1" });
    expect(unsafe.database).toMatchObject({ allowUnsafe: true });
    expect(unsafe.notices.join()).toContain("acknowledged calls may be lost");
  }
});

test.each([
  ["postgres://h", /must be postgres:.*name/],
  ["postgres://u:p#s@h/d", /must be postgres:.*%XX/],
  ["postgres://u:100%@h/d", /must be postgres:.*%XX/],
  ["postgres:d", /must be postgres:/],
  ["postgres://h/d?options=-csynchronous_commit%3Doff", /no other parameters than sslmode/],
  ["mysql://h/d", /must be sqlite:<file>.* or postgres:/],
])("the database %s is refused", async (url, message) => {
  expect(lines(await issuesOf(`database: "${url}"`))[0]).toMatch(message);
});

test.each([
  "host:6379",
  "http://host:6379",
  "redis://",
  "redis://h/name",
  "redis://u:p#s@h",
  "redis://u:100%@h",
  "redis://h?commandTimeout=60000",
])("the redis address %s is refused", async (url) => {
  expect(lines(await issuesOf(`redis: "${url}"`))[0]).toMatch(/^1 redis: must be redis:.*%XX/);
});

test.each(["redis://host", "rediss://user:p%40ss@host:6380/3", "redis://:password@[::1]:6379/"])(
  "the redis address %s is taken as it is, and the mode for its absence beside it",
  async (url) => {
    const config = await load(`redis: "${url}"\nlimits: { redis_down: deny }`);
    expect(config).toMatchObject({ redis: url, limits: { redisDown: "deny" } });
  },
);

test("S1 no message repeats a value: it may be a secret", async () => {
  const canary = "canary-value";
  const texts = [
    `access_keys: [{ name: ci, key: "${canary}" }]`,
    `database: "postgres://u:${canary}@h"`,
    `database: "postgres://u:${canary}#@h/d"`,
    `database: "postgres://u:${canary}@h/d?options=${canary}"`,
    `channels: [{ name: a, protocols: [messages], base_url: "https://u:${canary}@h", api_key: "a ${canary}", models: [m] }]`,
    `channels: [{ name: a, headers: { x: "\\n${canary}" } }]`,
    `listen: "${canary}" "${canary}"`,
    `api_key: *${canary}`,
    `redis: ${canary}`,
    `redis: "redis://u:${canary}@h/x"`,
    `redis: "redis://u:${canary}%@h"`,
    `redis: "redis://u:p@h?password=${canary}"`,
  ];
  for (const text of texts) {
    const error = await load(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).not.toContain(canary);
  }
});

test("variables stand anywhere in a text, numbers too; a doubled $ keeps the braces as they are", async () => {
  const text = `listen: \${HOST}:\${PORT}\nlimits: { json_depth: '\${DEPTH}' }\ndatabase: 'sqlite:$\${x}.db'`;
  const config = await load(text, { HOST: "127.0.0.1", PORT: "9", DEPTH: "12" });
  expect(config.listen).toEqual({ host: "127.0.0.1", port: 9 });
  expect(config.limits.jsonDepth).toBe(12);
  expect(config.database).toEqual({ kind: "sqlite", path: `\${x}.db` });
});

test("a variable's value is text, whatever it holds: it cannot bring settings of its own", async () => {
  const issues = await issuesOf(`listen: \${EVIL}`, { EVIL: "127.0.0.1:1\nsandbox: true" });
  expect(lines(issues)).toEqual(["1 listen: must be host:port, such as 127.0.0.1:8080 or [::1]:8080"]);
});

test("a variable that is set to nothing counts as not set", async () => {
  expect(lines(await issuesOf(`listen: \${EMPTY}`, { EMPTY: "" }))).toEqual([
    "1 listen: the environment variable EMPTY is not set",
  ]);
});

test("S11 __proto__ is a setting like any other: unknown", async () => {
  expect(lines(await issuesOf("__proto__: { listen: 'x' }"))[0]).toMatch(/__proto__: unknown setting/);
});

test("a local Ollama is found by its list; anything else that answers there, or not in time, is none", async () => {
  const answers: Record<string, string> = {
    good: '{"models":[{"name":"llama3:8b"},{"no":1}]}',
    html: "<html>",
    odd: "[1]",
  };
  let answer = "good";
  const server = createServer((_request, response) => {
    if (answer !== "never") response.end(answers[answer]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP listener's address is always of this shape.
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const found: Record<string, string[]> = {};
  for (answer of ["good", "html", "odd", "never"])
    found[answer] = await findLocalModels(answer === "never" ? 50 : 5000, address);
  expect(found).toEqual({ good: ["llama3:8b"], html: [], odd: [], never: [] });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await findLocalModels(300, address)).toEqual([]);
});
