import { afterAll, beforeAll, expect, test } from "vitest";
import { clientCall } from "../testing/client-call.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/* The two versions of Anthropic's API (messages.md 0): the newer one refuses samplers, so that converted calls name the older. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const lastVersion = () => gateway.sim.requests.at(-1)?.headers["anthropic-version"];
const versions = ["2023-06-01", "2026-10-21"];
const asked = { max_tokens: 50, messages: [{ role: "user", content: "Hi" }] };

test.each(["chat-completions", "responses", "generate-content"] as const)(
  "P6 %s to messages names the older version, beside which samplers are lawful",
  async (client) => {
    const { path, body } = clientCall(client, "to-messages", false);
    const warm =
      client === "generate-content"
        ? { ...body, generationConfig: { temperature: 0.5 } }
        : { ...body, temperature: 0.5 };
    const response = await gateway.post(path, warm);
    expect(response.status).toBe(200);
    expect(lastVersion()).toBe("2023-06-01");
    expect(Buffer.from(gateway.sim.requests.at(-1)?.body ?? []).toString()).toContain('"temperature":0.5');
  },
);

test.each(versions)(
  "P6 messages to messages forwards the client's own version %s, for calls and for counts",
  async (version) => {
    for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
      const body = path.endsWith("tokens") ? { messages: asked.messages } : asked;
      const response = await gateway.post(path, { model: "to-messages", ...body }, { "anthropic-version": version });
      expect(response.status).toBe(200);
      expect(lastVersion()).toBe(version);
    }
  },
);

test.each(versions.flatMap((version) => [true, false].map((stream) => [version, stream] as const)))(
  "a client of version %s reads answers of another family, stream %s",
  async (version, stream) => {
    const response = await gateway.post(
      "/v1/messages",
      { model: "to-responses", stream, ...asked },
      { "anthropic-version": version },
    );
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(stream ? "message_stop" : '"stop_reason":"end_turn"');
    expect(lastVersion()).toBeUndefined();
  },
);

test("a sampler under the newer version is the upstream's to judge, not ours", async () => {
  const headers = { "anthropic-version": "2026-10-21", "x-interlingua-lossy": "refuse" };
  const response = await gateway.post("/v1/messages", { model: "to-messages", temperature: 1, ...asked }, headers);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("temperature");
  expect(lastVersion()).toBe("2026-10-21");
});
