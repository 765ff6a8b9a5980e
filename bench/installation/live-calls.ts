import { startUpstreamSim } from "@interlingua/upstream-sim";
import { createAccessKeys } from "../../packages/gateway/src/accounts/access-keys.ts";
import { checkPepper, createPepper } from "../../packages/gateway/src/accounts/pepper.ts";
import { loadSecret } from "../../packages/gateway/src/accounts/secret.ts";
import { startGateway } from "../../packages/gateway/src/app.ts";
import type { Platform } from "../../packages/gateway/src/platform.ts";
import { openDatabase } from "../../packages/gateway/src/storage/open-database.ts";
import { createLog } from "../../packages/gateway/src/telemetry/log.ts";
import { accountIds } from "./accounts.ts";
import { installationConfig, loadInstallationConfig } from "./installation-config.ts";

/** Keys that somebody knows, whose content is kept. */
export interface KnownKeys {
  /** Of the largest account. */
  large: string;
  /** Of the small one. */
  small: string;
}

/**
 * Makes two keys, and a few real calls by each through a gateway of the installation: the calls whose content is kept, with
 * everything that the gateway itself records of them. Resolves with the keys when the hours are summed up, too.
 */
export async function makeLiveCalls(databaseFile: string, platform: Platform): Promise<KnownKeys> {
  const sim = await startUpstreamSim({ clock: platform.now, ids: () => platform.id("sim"), keepRequests: 0 });
  try {
    const text = installationConfig({ databaseFile, listen: "127.0.0.1:0", upstream: sim.url });
    const config = await loadInstallationConfig(text);
    const keys = await makeKeys(databaseFile, platform);
    const log = createLog({ now: platform.now, level: "silent", destination: { write: () => undefined } });
    const gateway = await startGateway({ config, platform, log });
    try {
      for (const key of [keys.large, keys.small])
        for (const request of requests) await send(gateway.address, key, request);
    } finally {
      await gateway.close({ drainMs: 1000 });
    }
    return keys;
  } finally {
    await sim.close();
  }
}

async function makeKeys(databaseFile: string, platform: Platform): Promise<KnownKeys> {
  const config = { kind: "sqlite", path: databaseFile } as const;
  const database = await openDatabase(config);
  try {
    const secret = loadSecret({ secret: null, database: config }, platform);
    const pepper = createPepper(secret);
    await checkPepper(database, pepper, secret);
    const accessKeys = createAccessKeys({ database, pepper, platform });
    const actor = { kind: "command", id: null, name: "command line", address: null } as const;
    const make = async (account: string) =>
      (await accessKeys.create({ name: "laptop", account, contentLogging: true }, actor)).key;
    return { large: await make(accountIds.large), small: await make(accountIds.small) };
  } finally {
    await database.close();
  }
}

interface LiveRequest {
  path: string;
  body: object;
  headers?: Readonly<Record<string, string>>;
}

const question = "Which of our three warehouses should restock first, and why? Answer in two sentences.";
const system = "You are a careful assistant of a logistics team.";
const stock = {
  name: "read_stock",
  description: "Reads how many pieces a warehouse has of an article.",
  parameters: {
    type: "object",
    properties: { warehouse: { type: "string" }, article: { type: "string" } },
    required: ["warehouse"],
  },
};

/** Every protocol on the caller's side, both lanes, streams and whole answers, losses, and one that is refused. */
const requests: readonly LiveRequest[] = [
  {
    path: "/v1/messages",
    body: {
      model: "gpt-5.2",
      max_tokens: 400,
      top_k: 5,
      stream: true,
      system,
      messages: [{ role: "user", content: question }],
    },
  },
  {
    path: "/v1/messages",
    body: {
      model: "claude-sonnet-4-5",
      max_tokens: 400,
      stream: true,
      system,
      messages: [{ role: "user", content: question }],
    },
  },
  {
    path: "/v1/chat/completions",
    body: {
      model: "claude-haiku-4-5",
      stream: true,
      logit_bias: { "50256": -100 },
      messages: [
        { role: "system", content: system },
        { role: "user", content: question },
      ],
      tools: [{ type: "function", function: stock }],
    },
  },
  {
    path: "/v1/chat/completions",
    body: { model: "deepseek-v3.2", messages: [{ role: "user", content: question }], max_tokens: 300 },
  },
  {
    path: "/v1/responses",
    body: { model: "gemini-3-pro", instructions: system, input: question, store: false, stream: true },
  },
  { path: "/v1/responses", body: { model: "gpt-5-mini", instructions: system, input: question, store: false } },
  {
    path: "/v1beta/models/claude-opus-4-5:generateContent",
    body: {
      contents: [{ role: "user", parts: [{ text: question }] }],
      generationConfig: { topK: 20, maxOutputTokens: 300 },
    },
  },
  {
    path: "/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse",
    body: { contents: [{ role: "user", parts: [{ text: question }] }] },
  },
  {
    path: "/v1/messages",
    headers: { "x-sim-script": "error-500" },
    body: { model: "claude-opus-4-5", max_tokens: 200, messages: [{ role: "user", content: question }] },
  },
  { path: "/v1/chat/completions", body: { model: "no-such-model", messages: [{ role: "user", content: question }] } },
];

async function send(address: string, key: string, { path, body, headers }: LiveRequest): Promise<void> {
  const response = await fetch(address + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  await response.text();
}
