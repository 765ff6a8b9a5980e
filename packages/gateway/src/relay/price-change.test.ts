import { expect, test } from "vitest";
import { setPrice } from "../catalogue/prices/operator-prices.ts";
import { systemPlatform } from "../platform.ts";
import { dollar, paying, purseOf, send, usage } from "../testing/paying-gateway.ts";

const actor = { kind: "command", id: null, name: "command line", address: null } as const;

test("M18 a price that changes while a stream runs is not this call's, and is the next one's once the gateway has seen it", async () => {
  await using gateway = await paying(
    { balance: 100n * dollar },
    {
      script: (request) => ({
        steps: [{ kind: "text", text: "One two three." }],
        usage,
        ...(request.stream ? { fault: { kind: "stall", afterEvents: 4, ms: 3000 } } : {}),
      }),
    },
  );
  const body = { model: "to-messages", max_tokens: 100, stream: true, messages: [{ role: "user", content: "Hi" }] };
  const response = await gateway.post("/v1/messages", body);
  const reader = response.body?.getReader();
  await reader?.read();

  const platform = systemPlatform();
  const prices = { input: 2_000n * 1_000_000n, output: 20_000n * 1_000_000n };
  const price = { model: "*", channel: null, prices, perRequest: 0n };
  const set = await gateway.withDatabase((database) => setPrice({ database, platform }, price, actor));
  let followed = false;
  // The gateway looks every half a second; that it never follows is told by the test's own time limit.
  while (!followed) {
    await send(gateway, "messages", "to-messages", false);
    followed = (await gateway.calls()).some((call) => !call.stream && call.priceVersion === set.id);
  }

  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) break;
  }
  const calls = await gateway.calls();
  const stream = calls.find((call) => call.stream);
  expect(stream).toMatchObject({ outcome: "succeeded", charge: 600_000n });
  expect(stream?.priceVersion).not.toBe(set.id);
  const later = calls.filter((call) => call.priceVersion === set.id);
  expect(later.map(({ charge }) => charge)).toEqual(later.map(() => 1_200_000n));
  const charged = calls.reduce((sum, { charge }) => sum + charge, 0n);
  expect(await purseOf(gateway)).toEqual({ balance: 100n * dollar - charged, reserved: 0n });
});
