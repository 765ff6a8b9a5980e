import { expect, test } from "vitest";
import { startTestGateway } from "../testing/test-gateway.ts";

test("S18 the gateway's own listener serves the console beside the calls, and each keeps its own errors", async () => {
  await using gateway = await startTestGateway();
  const get = (path: string) => fetch(gateway.address + path);
  expect((await get("/setup")).headers.get("content-security-policy")).toContain("default-src 'none'");
  const me = await get("/api/v1/me");
  expect(me.status).toBe(401);
  expect(await me.json()).toMatchObject({ error: { code: "not_signed_in", request_id: expect.any(String) } });
  expect((await get("/api/hello")).status).toBe(200);
  // What is neither is a call's error, in the shape of its family.
  expect(await (await get("/v1/nothing")).json()).toMatchObject({ error: { type: "invalid_request_error" } });
});
