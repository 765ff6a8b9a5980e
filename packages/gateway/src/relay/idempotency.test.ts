import { describe, expect, it } from "vitest";
import { clientCall } from "../testing/client-call.ts";
import { answer, dollar, fill, paying, purseOf, usage } from "../testing/paying-gateway.ts";

describe("M8 an idempotency key", () => {
  const key = { "idempotency-key": "order 66" };
  const body = clientCall("messages", "to-messages", false).body;

  it("runs and charges once; the second call learns of the first", async () => {
    await using gateway = await paying({ balance: dollar }, { script: answer({ usage }) });
    const first = await gateway.post("/v1/messages", body, key);
    expect(first.status).toBe(200);
    const again = await gateway.post("/v1/messages", body, key);
    expect(again.status).toBe(409);
    expect(await again.text()).toContain(first.headers.get("x-request-id"));
    expect((await gateway.post("/v1/messages", { ...body, max_tokens: 9 }, key)).status).toBe(422);
    expect(gateway.sim.requests).toHaveLength(1);
    expect(await purseOf(gateway)).toEqual({ balance: dollar - 600_000n, reserved: 0n });
  });

  it("tells of the first call also where that one took the last of the money", async () => {
    await using gateway = await paying({ balance: dollar }, { script: answer({ usage }) });
    const first = await gateway.post("/v1/messages", body, key);
    await fill(gateway, 0n);
    const again = await gateway.post("/v1/messages", body, key);
    expect(again.status).toBe(409);
    expect(await again.text()).toContain(first.headers.get("x-request-id"));
    expect((await gateway.post("/v1/messages", body)).status).toBe(403);
  });

  it("is free again where the call came to nothing", async () => {
    let fails = true;
    await using gateway = await paying(
      { balance: dollar },
      { script: () => (fails ? answer({ fault: { kind: "http-error", status: 500 } }) : answer({ usage })) },
    );
    expect((await gateway.post("/v1/messages", body, key)).status).toBe(500);
    fails = false;
    expect((await gateway.post("/v1/messages", body, key)).status).toBe(200);
  });
});
