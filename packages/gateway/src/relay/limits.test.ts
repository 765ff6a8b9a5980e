import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import type { Script } from "@interlingua/upstream-sim";
import { describe, expect, it } from "vitest";
import { commandActor } from "../cli/command-actor.ts";
import { withAccessKeys } from "../cli/keys-command.ts";
import type { Config, KeyLimits } from "../config/config.ts";
import { systemPlatform } from "../platform.ts";
import { openDatabase } from "../storage/open-database.ts";
import { clientCall } from "../testing/client-call.ts";
import { startTestGateway, type TestGateway, testKey } from "../testing/test-gateway.ts";

const answer: Script = { steps: [{ kind: "text", text: "One two three." }], usage: { input: 11, output: 7 } };

/** A gateway whose test key has these limits, and whose monotonic clock can be set on. */
async function stage(limits: Partial<KeyLimits>, script: Script = answer) {
  const clock = { ahead: 0 };
  const platform = { ...systemPlatform(), monotonic: () => performance.now() + clock.ahead };
  const kept: { config?: Config } = {};
  const test = await startTestGateway({
    script,
    platform,
    config: (base) => {
      kept.config = { ...base, limits: { ...base.limits, ...limits } };
      return kept.config;
    },
  });
  if (!kept.config) throw new Error("the gateway started without its configuration");
  return { test, clock, config: kept.config };
}

async function call(test: TestGateway, client: ProtocolName = "chat-completions", stream = false, key = testKey) {
  const { path, body } = clientCall(client, "to-messages", stream);
  const response = await test.post(path, body, { authorization: `Bearer ${key}` });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function eventually<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const shapes: Record<ProtocolName, unknown> = {
  "chat-completions": { error: { type: "rate_limit_error", code: "rate_limit_exceeded" } },
  responses: { error: { type: "rate_limit_error", code: "rate_limit_exceeded" } },
  messages: { type: "error", error: { type: "rate_limit_error" } },
  "generate-content": {
    error: {
      code: 429,
      status: "RESOURCE_EXHAUSTED",
      details: expect.arrayContaining([
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: expect.stringMatching(/^(19|20)s$/) },
      ]),
    },
  },
};

describe.each(protocolNames)("C13 beyond the requests a minute, %s", (client) => {
  it("is 429 in the family's shape, with the wait, recorded, and unseen by the upstream", async () => {
    const { test, clock } = await stage({ requestsPerMinute: 3 });
    await using _ = test;
    for (let use = 0; use < 3; use += 1) expect((await call(test, client, use === 1)).status).toBe(200);
    const refused = await Promise.all(
      Array.from({ length: 20 }, (_each, index) => call(test, client, index % 2 === 0)),
    );
    for (const { status, headers, text } of refused) {
      expect(status).toBe(429);
      expect(headers.get("retry-after")).toMatch(/^(19|20)$/);
      expect(JSON.parse(text)).toMatchObject(shapes[client] as object);
      expect(text).toMatch(/limit of 3 requests per minute is reached. Please try again in (19|20)s/);
      expect(text).not.toMatch(/PerDay|limit: 0/);
    }
    expect(test.sim.requests).toHaveLength(3);
    const calls = await test.calls();
    expect(calls.filter(({ outcome }) => outcome === "refused")).toHaveLength(20);
    expect(calls.find(({ outcome }) => outcome === "refused")).toMatchObject({
      status: 429,
      errorKind: "rate_limit",
      model: "to-messages",
      channel: null,
      usage: null,
    });
    clock.ahead += 20_000;
    expect((await call(test, client)).status).toBe(200);
  });
});

const headersOf: Record<ProtocolName, Record<string, RegExp> | undefined> = {
  "chat-completions": openaiHeaders(),
  responses: openaiHeaders(),
  messages: {
    "anthropic-ratelimit-requests-limit": /^2$/,
    "anthropic-ratelimit-requests-remaining": /^[01]$/,
    "anthropic-ratelimit-requests-reset": /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    "anthropic-ratelimit-tokens-limit": /^1000000000$/,
    "anthropic-ratelimit-tokens-remaining": /^(99999\d{4}|1000000000)$/,
    "anthropic-ratelimit-tokens-reset": /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  },
  "generate-content": undefined,
};

function openaiHeaders(): Record<string, RegExp> {
  return {
    "x-ratelimit-limit-requests": /^2$/,
    "x-ratelimit-remaining-requests": /^[01]$/,
    "x-ratelimit-reset-requests": /^(\d+m)?\d+(\.\d+)?s$/,
    "x-ratelimit-limit-tokens": /^1000000000$/,
    "x-ratelimit-remaining-tokens": /^(99999\d{4}|1000000000)$/,
    "x-ratelimit-reset-tokens": /^(\d+ms|0s)$/,
  };
}

describe.each(protocolNames)("the limits are told to the caller, %s", (client) => {
  it("on a whole answer, a stream and a refusal", async () => {
    const { test } = await stage({ requestsPerMinute: 2 });
    await using _ = test;
    const expected = headersOf[client];
    for (const [index, status] of [200, 200, 429].entries()) {
      const { headers, status: got } = await call(test, client, index === 1);
      expect(got).toBe(status);
      const told = [...headers.keys()].filter((name) => name.includes("ratelimit"));
      expect(told.toSorted()).toEqual(Object.keys(expected ?? {}).toSorted());
      for (const [name, form] of Object.entries(expected ?? {}))
        expect([name, headers.get(name)]).toEqual([name, expect.stringMatching(form)]);
      const remaining =
        headers.get("x-ratelimit-remaining-requests") ?? headers.get("anthropic-ratelimit-requests-remaining");
      if (expected) expect(remaining).toBe(String(Math.max(0, 1 - index)));
    }
  });
});

describe("calls at once", () => {
  const stalled: Script = { ...answer, fault: { kind: "stall", afterEvents: 4 } };

  /** Waits until so many calls are recorded with this outcome. */
  async function ended(config: Config, outcome: string, count: number): Promise<void> {
    const database = await openDatabase(config.database);
    await eventually(async () => {
      const rows = await database.read.selectFrom("call").select(["id", "outcome"]).execute();
      return rows.filter((row) => row.outcome === outcome).length === count ? true : undefined;
    });
    await database.close();
  }

  /** Opens a stream over a socket of its own; resolves with its head. */
  async function open(test: TestGateway): Promise<{ status: number; response: IncomingMessage; leave: () => void }> {
    const { path, body } = clientCall("messages", "to-chat-completions", true);
    const headers = {
      authorization: `Bearer ${testKey}`,
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
    };
    const request = httpRequest(test.address + path, { method: "POST", headers, agent: false });
    request.end(JSON.stringify(body));
    const [response]: IncomingMessage[] = await once(request, "response");
    if (!response) throw new Error("no response");
    response.on("error", () => undefined).resume();
    return { status: response.statusCode ?? 0, response, leave: () => request.destroy() };
  }

  it("T04 of 500 together exactly 10 run, and no place is lost when they are left, fail or are drained", async () => {
    const { test, config } = await stage({ concurrency: 10 }, stalled);
    await using _ = test;
    const wave = async (size: number) => {
      const opened = await Promise.all(Array.from({ length: size }, () => open(test)));
      const running = opened.filter(({ status }) => status === 200);
      expect(opened.filter(({ status }) => status === 429)).toHaveLength(size - running.length);
      return running;
    };
    const first = await wave(500);
    expect(first).toHaveLength(10);
    expect(test.sim.requests).toHaveLength(10);
    expect(await call(test)).toMatchObject({ status: 429, text: expect.stringContaining("10 calls at once") });

    // They leave: every place comes back.
    for (const { leave } of first) leave();
    await ended(config, "client_closed", 10);
    // They fail, before and after the first byte.
    for (const fault of [
      { kind: "http-error", status: 500 },
      { kind: "cut", afterEvents: 3 },
    ] as const) {
      test.sim.setScript({ ...answer, fault });
      for (let use = 0; use < 12; use += 1) expect((await call(test, "messages", true)).status).not.toBe(429);
      test.sim.setScript(answer);
    }
    // What is refused before it is let in takes no place.
    for (let use = 0; use < 12; use += 1) {
      const broken = await test.post("/v1/chat/completions", "{");
      expect(broken.status).toBe(400);
      await broken.arrayBuffer();
    }
    test.sim.setScript(stalled);
    const second = await wave(30);
    expect(second).toHaveLength(10);
    const closed = second.map(({ response }) => once(response, "close"));
    await test.gateway.close({ drainMs: 0 });
    await Promise.all(closed);
    expect((await test.calls()).filter(({ outcome }) => outcome === "drained")).toHaveLength(10);
  }, 60_000);

  it("a caller that has its answer may send the next call at once", async () => {
    const { test } = await stage({ concurrency: 1 });
    await using _ = test;
    for (let use = 0; use < 30; use += 1) expect((await call(test, "messages", use % 2 === 0)).status).toBe(200);
  });
});

describe("tokens a minute", () => {
  it("are charged as the upstream told them, and a failed call's are given back", async () => {
    const { test } = await stage({ tokensPerMinute: 3000 });
    await using _ = test;
    const remaining = async () => {
      const { headers, status } = await call(test, "messages");
      return { status, left: Number(headers.get("anthropic-ratelimit-tokens-remaining")) };
    };
    const before = await remaining();
    // 50 tokens come back in a second; a reserve that stayed would cost 256 and more.
    test.sim.setScript({ ...answer, fault: { kind: "http-error", status: 400 } });
    for (let use = 0; use < 20; use += 1) expect((await remaining()).status).toBe(400);
    test.sim.setScript({ ...answer, usage: { input: 20_000, output: 1000 } });
    const after = await remaining();
    expect(after.status).toBe(200);
    expect(after.left).toBeGreaterThanOrEqual(before.left - 18);
    const refused = await call(test, "messages");
    expect(refused).toMatchObject({ status: 429, text: expect.stringContaining("3000 tokens per minute") });
    // A debt of 18,000, at 50 a second.
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(360);
    expect(refused.headers.get("anthropic-ratelimit-tokens-remaining")).toBe("0");
  });

  it("an image counts by the piece, not by its length", async () => {
    const { test } = await stage({ tokensPerMinute: 20_000, concurrency: 5 });
    await using _ = test;
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(400_000) } };
    const { body } = clientCall("messages", "to-messages", false);
    const response = await test.post("/v1/messages", { ...body, messages: [{ role: "user", content: [image] }] });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    const left = Number(response.headers.get("anthropic-ratelimit-tokens-remaining"));
    expect(left).toBeGreaterThan(18_000);
    expect(left).toBeLessThan(19_000);
  });
});

describe("what is no call", () => {
  it("counts and lists have a limit of their own and use no tokens; probes have none", async () => {
    const { test } = await stage({ requestsPerMinute: 2, tokensPerMinute: 1 });
    await using _ = test;
    const { body } = clientCall("messages", "to-messages", false);
    const list = async () => {
      const response = await fetch(`${test.address}/v1/models`, { headers: { authorization: `Bearer ${testKey}` } });
      await response.arrayBuffer();
      return response;
    };
    const counted = await test.post("/v1/messages/count_tokens", { model: body.model, messages: body.messages });
    await counted.arrayBuffer();
    expect(counted.status).toBe(200);
    expect(counted.headers.get("anthropic-ratelimit-requests-remaining")).toBe("1");
    expect(counted.headers.has("anthropic-ratelimit-tokens-remaining")).toBe(false);
    const listed = await list();
    expect([listed.status, listed.headers.get("x-ratelimit-remaining-requests")]).toEqual([200, "0"]);
    const beyond = await list();
    expect([beyond.status, beyond.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^(29|30)$/)]);
    const upstreamBefore = test.sim.requests.length;
    const noCount = await test.post("/v1/messages/count_tokens", { model: body.model, messages: body.messages });
    expect(noCount.status).toBe(429);
    expect(await noCount.json()).toMatchObject({ type: "error", error: { type: "rate_limit_error" } });
    expect(test.sim.requests).toHaveLength(upstreamBefore);
    for (let probe = 0; probe < 10; probe += 1) {
      for (const path of ["/healthz", "/readyz", "/"]) expect((await fetch(test.address + path)).status).toBe(200);
    }
    expect((await call(test)).status).toBe(200);
  });
});

describe("limits of one key", () => {
  it("A1 hold for it alone, and a change takes effect in a running gateway by the next poll", async () => {
    const { test, config } = await stage({ requestsPerMinute: 1000 });
    await using _ = test;
    const from = <Result>(task: Parameters<typeof withAccessKeys<Result>>[2]) =>
      withAccessKeys(config, systemPlatform(), task);
    const key = (await from((keys) => keys.create({ name: "small", limits: { requestsPerMinute: 1 } }, commandActor)))
      .key;
    expect((await call(test, "messages", false, key)).status).toBe(200);
    expect((await call(test, "messages", false, key)).status).toBe(429);
    expect((await call(test)).headers.get("x-ratelimit-limit-requests")).toBe("1000");
    await from((keys) => keys.set("small", { limits: { requestsPerMinute: 500, concurrency: 7 } }, commandActor));
    const acknowledged = performance.now();
    const limit = await eventually(async () => {
      const { headers } = await call(test, "messages", false, key);
      const told = headers.get("anthropic-ratelimit-requests-limit");
      return told === "1" ? undefined : told;
    });
    expect(limit).toBe("500");
    expect(performance.now() - acknowledged).toBeLessThan(1000);
    expect((await call(test, "messages", false, key)).status).toBe(200);
    await from((keys) => keys.set("small", { limits: { requestsPerMinute: null } }, commandActor));
    await eventually(async () => {
      const { headers } = await call(test, "messages", false, key);
      return headers.get("anthropic-ratelimit-requests-limit") === "1000" ? true : undefined;
    });
  });
});
