import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { createUpstreamSimHandler } from "./handler.ts";
import { objectOf, objectsOf, parseJson } from "./json.ts";
import { HEADERS, post, testSim } from "./testing/test-sim.ts";

it("keeps the received requests in order, with bytes and headers", async () => {
  const sim = await testSim();
  await post(sim, "/v1/chat/completions?a=1", { model: "one", messages: [{ role: "user", content: "ä" }] });
  await post(sim, "/v1beta/models/two%3AgenerateContent", { contents: [{ parts: [{ text: "x" }] }] });
  expect(sim.requests.map((request) => [request.path, request.model, request.stream])).toEqual([
    ["/v1/chat/completions", "one", false],
    ["/v1beta/models/two%3AgenerateContent", "two", false],
  ]);
  expect(Buffer.from(sim.requests[0]?.body ?? []).toString()).toContain("ä");
  expect(sim.requests[0]?.headers.authorization).toBe("Bearer test");
});

it("records what it really delivered, also where the script breaks off", async () => {
  const delivered: { bytes: number; complete: boolean }[] = [];
  const sim = await testSim({ onDelivered: (_request, record) => delivered.push(record) });
  const body = JSON.stringify({ model: "m", input: "x" });
  const whole = await (await fetch(`${sim.url}/v1/responses`, { method: "POST", headers: HEADERS, body })).text();
  sim.setScript({ fault: { kind: "cut", afterBytes: 9 } });
  const cut = await fetch(`${sim.url}/v1/responses`, { method: "POST", headers: HEADERS, body });
  await expect(cut.text()).rejects.toThrow();
  expect(delivered).toEqual([
    { bytes: Buffer.byteLength(whole), complete: true },
    { bytes: 9, complete: false },
  ]);
});

it("forgets the oldest requests beyond its limit", async () => {
  const sim = await testSim({ keepRequests: 1 });
  for (const model of ["one", "two"]) await post(sim, "/v1/responses", { model, input: "x" });
  expect(sim.requests.map((request) => request.model)).toEqual(["two"]);
});

it("chooses a script per request and falls back to the sandbox", async () => {
  const sim = await testSim({
    script: (request) => (request.model === "special" ? { steps: [{ kind: "text", text: "scripted" }] } : undefined),
  });
  const ask = async (model: string) =>
    JSON.stringify((await post(sim, "/v1/responses", { model, input: "x" })).body.output);
  expect(await ask("special")).toContain("scripted");
  expect(await ask("sandbox")).toContain("no model was called");
});

it("lists its models in the shape of the family that asks", async () => {
  const sim = await testSim();
  const get = async (path: string, headers: Record<string, string>) =>
    objectOf(parseJson(await (await fetch(sim.url + path, { headers })).text()));
  const openai = await get("/v1/models", { authorization: "Bearer x" });
  expect(openai.object).toBe("list");
  expect(objectsOf(openai.data)[0]).toMatchObject({ id: "sandbox", object: "model" });
  const anthropic = await get("/v1/models", { "x-api-key": "x", "anthropic-version": "2023-06-01" });
  expect(anthropic.has_more).toBe(false);
  expect(objectsOf(anthropic.data)[0]).toMatchObject({ id: "sandbox", type: "model" });
  const google = await get("/v1beta/models?key=x", {});
  expect(objectsOf(google.models)[0]).toMatchObject({ name: "models/sandbox" });
  expect(await get("/v1/models/sandbox-tools", { "x-goog-api-key": "x" })).toMatchObject({
    name: "models/sandbox-tools",
  });
});

it("answers unknown paths with 404 and a body that is no JSON with 400", async () => {
  const sim = await testSim();
  expect((await post(sim, "/v1/embeddings", {})).status).toBe(404);
  const response = await fetch(`${sim.url}/v1/messages`, { method: "POST", headers: HEADERS, body: "{" });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
});

it("works as a handler of somebody else's server", async () => {
  let next = 0;
  const server = createServer(createUpstreamSimHandler({ clock: () => 0, ids: () => `h${++next}` }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/responses`, {
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify({ model: "sandbox", input: "x" }),
  });
  expect(response.status).toBe(200);
  server.close();
  server.closeAllConnections();
});
