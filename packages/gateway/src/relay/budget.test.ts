import { protocolNames } from "@interlingua/protocols";
import { describe, expect, it, test } from "vitest";
import type { Config } from "../config/config.ts";
import { answer, dollar, fill, paying, purseOf, send, usage } from "../testing/paying-gateway.ts";

describe.each(protocolNames)("%s", (client) => {
  test.each([false, true])(
    "M2 who cannot pay gets 403 in the family's shape, and nothing is sent (stream: %s)",
    async (stream) => {
      await using gateway = await paying({ balance: 0n }, { script: answer() });
      const { status, headers, body } = await send(gateway, client, `to-${client}`, stream);
      expect(status).toBe(403);
      expect(headers.get("x-should-retry")).toBe("false");
      expect(headers.get("retry-after")).toBeNull();
      const shape = {
        "chat-completions": { error: { code: "insufficient_quota", type: "insufficient_quota" } },
        responses: { error: { code: "insufficient_quota", type: "insufficient_quota" } },
        messages: { type: "error", error: { type: "permission_error" } },
        "generate-content": { error: { code: 403, status: "PERMISSION_DENIED" } },
      }[client];
      expect(JSON.parse(body)).toMatchObject(shape);
      expect(gateway.sim.requests).toEqual([]);
      expect(await gateway.calls()).toMatchObject([{ status: 403, outcome: "refused", charge: 0n, reserved: 0n }]);
      expect(await purseOf(gateway)).toEqual({ balance: 0n, reserved: 0n });
    },
  );

  test("M1 M6 is charged by the usage told, once, with its lines, whatever serves it", async () => {
    await using gateway = await paying({ balance: dollar }, { script: answer({ usage }) });
    let balance = dollar;
    for (const upstream of protocolNames) {
      for (const stream of [false, true]) {
        expect((await send(gateway, client, `to-${upstream}`, stream)).status).toBe(200);
        const [call] = await gateway.calls();
        expect(call).toMatchObject({ outcome: "succeeded", charge: 600_000n, overrun: 0n, usageDisputed: false });
        expect(call?.priceLines.map(({ class: name, quantity, amount }) => [name, quantity, amount])).toEqual([
          ["input", 100, 100_000n],
          ["output", 50, 500_000n],
        ]);
        balance -= 600_000n;
        expect(await purseOf(gateway)).toEqual({ balance, reserved: 0n });
      }
    }
  });

  test("M5 the answer's cap is lowered to what the balance pays, and the caller is told, whatever serves it", async () => {
    await using gateway = await paying({ balance: 2_000_000n }, { script: answer({ usage }) });
    for (const upstream of protocolNames) {
      for (const stream of [false, true]) {
        await fill(gateway, 2_000_000n);
        const { status, headers } = await send(gateway, client, `to-${upstream}`, stream);
        expect(status).toBe(200);
        const sent = JSON.parse(Buffer.from(gateway.sim.requests.at(-1)?.body ?? []).toString("utf8"));
        const cap =
          sent.max_tokens ??
          sent.max_completion_tokens ??
          sent.max_output_tokens ??
          sent.generationConfig?.maxOutputTokens;
        expect(cap).toBeGreaterThanOrEqual(16);
        expect(cap).toBeLessThan(200);
        expect(headers.get("x-interlingua-notices")).toMatch(/Lowered to|affords/);
        const [call] = await gateway.calls();
        expect(call?.reserved).toBeLessThanOrEqual(2_000_000n);
        expect(call?.notices).toContainEqual(expect.objectContaining({ verdict: "approximated" }));
      }
    }
  });
});

describe("M5 what a caller asks for", () => {
  it("is not touched where the balance pays it", async () => {
    await using gateway = await paying({ balance: 1000n * dollar }, { script: answer({ usage }) });
    await send(gateway, "chat-completions", "to-chat-completions", false);
    const sent = Buffer.from(gateway.sim.requests[0]?.body ?? []).toString("utf8");
    expect(sent).not.toMatch(/max_/);
    expect((await gateway.calls())[0]?.notices).toEqual([]);
  });

  it("counts for every answer that is wanted", async () => {
    await using gateway = await paying({ balance: 1000n * dollar }, { script: answer({ usage }), strict: false });
    await send(gateway, "chat-completions", "to-chat-completions", false, { n: 3, max_tokens: 1000 });
    expect((await gateway.calls())[0]?.reserved).toBeGreaterThanOrEqual(30_000_000n);
  });

  it("a quota is told apart from a balance", async () => {
    await using gateway = await paying({ billing: "postpaid", quota: 5n }, { script: answer() });
    const { status, body } = await send(gateway, "chat-completions", "to-messages", false);
    expect({ status, body }).toMatchObject({ status: 403, body: expect.stringMatching(/quota is used up/) });
  });

  it("a postpaid account without a bound owes", async () => {
    await using gateway = await paying({ billing: "postpaid" }, { script: answer({ usage }) });
    await send(gateway, "messages", "to-messages", false);
    expect(await purseOf(gateway)).toEqual({ balance: -600_000n, reserved: 0n });
  });
});

describe("models without a price", () => {
  const call = async (unpriced: Config["billing"]["unpriced"], billing: "prepaid" | "postpaid") => {
    await using gateway = await paying(
      { balance: dollar, billing },
      { script: answer(), billing: { unpriced }, prices: [] },
    );
    const { status } = await send(gateway, "messages", "to-messages", false);
    return { status, sent: gateway.sim.requests.length };
  };

  it.each([
    ["allow", "prepaid", 200],
    ["postpaid_only", "prepaid", 403],
    ["postpaid_only", "postpaid", 200],
    ["refuse", "postpaid", 403],
  ] as const)("%s: a %s account gets %i", async (unpriced, billing, status) => {
    expect(await call(unpriced, billing)).toEqual({ status, sent: status === 200 ? 1 : 0 });
  });
});
