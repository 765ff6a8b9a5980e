import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import type { Script } from "@interlingua/upstream-sim";
import { describe, expect, it } from "vitest";
import { clientCall } from "../testing/client-call.ts";
import { answer, dollar, paying, purseOf, send, usage } from "../testing/paying-gateway.ts";
import { simChannel, type TestGateway, testKey } from "../testing/test-gateway.ts";

describe("M6 M12 what an upstream tells", () => {
  const call = async (told: Script["usage"], stream: boolean) => {
    await using gateway = await paying({ balance: dollar }, { script: answer({ usage: told }), strict: false });
    const { status } = await send(gateway, "chat-completions", "to-chat-completions", stream, { max_tokens: 100 });
    expect(status).toBe(200);
    const purse = await purseOf(gateway);
    const [record] = await gateway.calls();
    expect(purse).toEqual({ balance: dollar - (record?.charge ?? 0n), reserved: 0n });
    const lines = (record?.priceLines ?? []).reduce((sum, line) => sum + line.amount, 0n);
    expect(lines).toBe(record?.charge);
    return record;
  };

  it.each([false, true])(
    "more than was set aside is charged up to it, the rest is shown (stream: %s)",
    async (stream) => {
      const record = await call({ input: 100, output: 300 }, stream);
      expect(record).toMatchObject({ usageDisputed: false, usage: { output: { total: 300 } } });
      expect(record?.charge).toBe(record?.reserved);
      expect((record?.charge ?? 0n) + (record?.overrun ?? 0n)).toBe(3_100_000n);
    },
  );

  it.each([false, true])("figures many times the bound are not believed, and marked (stream: %s)", async (stream) => {
    const record = await call({ input: 10_000_000, output: 5 }, stream);
    expect(record).toMatchObject({ usageDisputed: true, overrun: 0n, usage: { estimated: true } });
    expect(record?.charge).toBeLessThan(100_000n);
  });

  it.each(["none", "negative", "not-a-number", "huge"] as const)("%s is counted here, and marked", async (told) => {
    for (const stream of [false, true]) {
      const record = await call(told, stream);
      expect(record?.usage).toMatchObject({ estimated: true });
      expect(record?.usage?.output.total).toBeGreaterThanOrEqual(3);
      expect(record?.charge).toBeGreaterThan(0n);
    }
  });

  it("far less than was streamed is not believed", async () => {
    const steps = [{ kind: "text", text: "some words that count ".repeat(20) }] as const;
    await using gateway = await paying({ balance: dollar }, { script: { steps: [...steps], usage: { output: 2 } } });
    await send(gateway, "messages", "to-messages", true);
    const [record] = await gateway.calls();
    expect(record).toMatchObject({ usageDisputed: true });
    expect(record?.usage?.output.total).toBeGreaterThan(60);
  });

  it("M6 a stream that goes on beyond what is paid for is ended, and costs what was set aside", async () => {
    const steps = [{ kind: "text", text: "some words that count ".repeat(400) }] as const;
    await using gateway = await paying({ balance: dollar }, { script: { steps: [...steps] }, strict: false });
    const { body } = await send(gateway, "chat-completions", "to-chat-completions", true, { max_tokens: 100 });
    expect(body).not.toMatch(/\[DONE\]/);
    const [record] = await gateway.calls();
    expect(record).toMatchObject({ outcome: "upstream_incomplete", abortReason: "reservation_used_up" });
    expect(record?.charge).toBeLessThanOrEqual(record?.reserved ?? 0n);
    expect(record?.charge).toBeGreaterThanOrEqual(1_000_000n);
  });
});

describe("M7 several channels, one charge", () => {
  it("pays for the delivered answer alone, and every attempt is told", async () => {
    await using gateway = await paying(
      { balance: dollar },
      {
        script: (request) =>
          request.path.includes("chat") ? answer({ fault: { kind: "http-error", status: 500 } }) : answer({ usage }),
        channels: (url) => [
          simChannel(url, "chat-completions", { name: "first", models: [{ id: "m", upstreamId: "sandbox" }] }),
          simChannel(url, "messages", { name: "second", models: [{ id: "m", upstreamId: "sandbox" }] }),
        ],
      },
    );
    expect((await send(gateway, "chat-completions", "m", false)).status).toBe(200);
    expect((await gateway.calls())[0]?.charge).toBe(600_000n);
    const attempts = await gateway.withDatabase(({ read }) =>
      read.selectFrom("attempt").selectAll().orderBy("number").execute(),
    );
    expect(attempts).toMatchObject([
      { number: 1, channel: "first", status: 500, error_kind: "internal", possibly_billed: 1 },
      { number: 2, channel: "second", status: 200, error_kind: null, possibly_billed: 0 },
    ]);
    expect(attempts[1]?.end_ms).toBeGreaterThan(0);
  });

  it("an answer that never began costs nothing", async () => {
    await using gateway = await paying(
      { balance: dollar },
      { script: answer({ fault: { kind: "http-error", status: 500 } }) },
    );
    await send(gateway, "messages", "to-messages", true);
    expect(await purseOf(gateway)).toEqual({ balance: dollar, reserved: 0n });
  });
});

describe("M11 a caller that leaves", () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index} `).join("");
  const script: Script = { steps: [{ kind: "text", text: words }], usage: { input: 40, output: 200 } };

  /** Reads the first content and hangs up; resolves when the call is recorded. */
  async function leave(gateway: TestGateway, client: ProtocolName, model: string) {
    const { path, body } = clientCall(client, model, true);
    const outgoing = httpRequest(gateway.address + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${testKey}`,
        "content-type": "application/json",
        ...(client === "messages" ? { "anthropic-version": "2023-06-01" } : {}),
      },
    });
    outgoing.on("error", () => undefined);
    outgoing.end(JSON.stringify(body));
    const [response] = await once(outgoing, "response");
    for await (const chunk of response) if (String(chunk).includes("word3")) break;
    outgoing.destroy();
    await expect.poll(async () => (await gateway.calls()).length, { timeout: 10_000 }).toBe(1);
    return (await gateway.calls())[0];
  }

  it.each(protocolNames)("of %s pays for the input and for what was produced until then", async (client) => {
    const stalled: Script = { ...script, fault: { kind: "stall", afterEvents: 14 } };
    await using gateway = await paying({ balance: dollar }, { script: stalled, strict: false });
    const record = await leave(gateway, client, `to-${client}`);
    expect(record).toMatchObject({ outcome: "client_closed", abortReason: "client_closed" });
    // This family tells its counters with each piece of the answer.
    if (client !== "generate-content") {
      expect(record?.usage?.estimated).toBe(true);
      expect(record?.usage?.output.total).toBeGreaterThan(3);
      expect(record?.usage?.output.total).toBeLessThan(200);
    }
    expect(record?.charge).toBeGreaterThan(0n);
    expect(await purseOf(gateway)).toEqual({ balance: dollar - (record?.charge ?? 0n), reserved: 0n });
  });

  it("drain: pays what the upstream tells at its end", async () => {
    // Long enough for the caller to be gone before the answer goes on, on a busy machine, too.
    const slow: Script = { ...script, fault: { kind: "stall", afterEvents: 14, ms: 2000 } };
    await using gateway = await paying({ balance: dollar }, { script: slow, billing: { onDisconnect: "drain" } });
    const record = await leave(gateway, "messages", "to-messages");
    expect(record).toMatchObject({ outcome: "client_closed", charge: 2_040_000n, usage: { output: { total: 200 } } });
  });

  it("free: pays nothing, and the usage stands on the record", async () => {
    const stalled: Script = { ...script, fault: { kind: "stall", afterEvents: 14 } };
    await using gateway = await paying({ balance: dollar }, { script: stalled, billing: { onDisconnect: "free" } });
    const record = await leave(gateway, "messages", "to-messages");
    expect(record).toMatchObject({ outcome: "client_closed", charge: 0n });
    expect(record?.usage?.output.total).toBeGreaterThan(3);
  });

  it("while the next channel has said nothing yet pays nothing, though the one before it had refused", async () => {
    let asked = 0;
    const silent = Promise.withResolvers<void>();
    await using gateway = await paying(
      { balance: dollar },
      {
        channels: (url) => ["first", "second"].map((name) => simChannel(url, "messages", { name })),
        script: () => {
          asked++;
          if (asked === 1) return { fault: { kind: "http-error", status: 500 } };
          silent.resolve();
          return { fault: { kind: "stall-before-headers" } };
        },
      },
    );
    const { path, body } = clientCall("messages", "to-messages", true);
    const leaving = new AbortController();
    const called = fetch(gateway.address + path, {
      method: "POST",
      headers: { "x-api-key": testKey, "anthropic-version": "2023-06-01", "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await silent.promise;
    leaving.abort();
    await expect(called).rejects.toThrow();
    await expect.poll(async () => (await gateway.calls()).length, { timeout: 10_000 }).toBe(1);
    const [record] = await gateway.calls();
    expect(record).toMatchObject({ outcome: "client_closed", charge: 0n });
    expect(asked).toBe(2);
    expect(await purseOf(gateway)).toEqual({ balance: dollar, reserved: 0n });
  });
});
