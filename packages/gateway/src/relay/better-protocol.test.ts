import type { JsonObject } from "@interlingua/protocols";
import { afterAll, beforeAll, expect, it } from "vitest";
import { simChannel, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway({
    channels: (url) => [
      simChannel(url, "chat-completions", {
        name: "both",
        protocols: ["chat-completions", "responses"],
        models: [{ id: "gpt-5.6" }, { id: "chat-alone", upstreamId: "gpt-5.6", protocols: ["chat-completions"] }],
      }),
    ],
  });
});
afterAll(() => test[Symbol.asyncDispose]());

const tools = [{ type: "function", function: { name: "read", parameters: { type: "object", properties: {} } } }];

async function sentBy(model: string, fields: JsonObject) {
  const messages = [{ role: "user", content: "Read it." }];
  const response = await test.post("/v1/chat/completions", { model, messages, ...fields });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ object: "chat.completion" });
  const [call] = await test.calls();
  const { route } = test.sim.requests.at(-1) ?? {};
  return { by: route?.kind === "generate" ? route.protocol : undefined, recorded: call?.upstreamProtocol };
}

it("a model that refuses tools beside reasoning over chat completions is reached by responses, where it can be", async () => {
  const responses = { by: "responses", recorded: "responses" };
  expect(await sentBy("gpt-5.6", { tools })).toEqual(responses);
  expect(await sentBy("gpt-5.6", { tools, reasoning_effort: "high" })).toEqual(responses);
});

it("and by chat completions, as it is, for all that it takes there or can be reached by nothing else", async () => {
  const direct = { by: "chat-completions", recorded: "chat-completions" };
  expect(await sentBy("gpt-5.6", {})).toEqual(direct);
  expect(await sentBy("gpt-5.6", { tools, reasoning_effort: "none" })).toEqual(direct);
  expect(await sentBy("chat-alone", { tools })).toEqual(direct);
});
