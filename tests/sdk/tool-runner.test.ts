import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

/**
 * The tool runner of the Anthropic SDK goes over a thread, which the vendor's servers hold (R1). Models of other families
 * hold none: it is told so, and sends the whole conversation.
 */
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ sandbox: true });
});

afterAll(async () => {
  await gateway?.close();
});

for (const upstream of protocolNames) {
  for (const stream of [false, true]) {
    test(`the Anthropic SDK's tool runner on ${upstream}${stream ? ", streaming" : ""}`, async () => {
      const client = new Anthropic({ apiKey: gateway.caller.key, baseURL: gateway.caller.url, maxRetries: 0 });
      const weather = {
        type: "custom" as const,
        name: "get_weather",
        input_schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
        parse: (input: unknown) => input,
        run: () => "It snows.",
      };
      const runner = client.beta.messages.toolRunner({
        model: `sandbox-${upstream}`,
        max_tokens: 500,
        messages: [{ role: "user", content: "Call get_weather, please." }],
        tools: [weather],
        stream,
      });
      const last = await runner.runUntilDone();
      expect(last.content).toMatchObject([{ text: expect.stringContaining("tool get_weather returned It snows.") }]);
    });
  }
}

for (const upstream of protocolNames.filter((name) => name !== "messages")) {
  test(`the Anthropic SDK's memory tool is a function that is called and answered on ${upstream} (T8)`, async () => {
    const client = new Anthropic({ apiKey: gateway.caller.key, baseURL: gateway.caller.url, maxRetries: 0 });
    const seen: string[] = [];
    const note = (word: string) => () => {
      seen.push(word);
      return "Kept.";
    };
    const memory = betaMemoryTool({
      view: note("view"),
      create: note("create"),
      str_replace: note("str_replace"),
      insert: note("insert"),
      delete: note("delete"),
      rename: note("rename"),
    });
    const runner = client.beta.messages.toolRunner({
      model: `sandbox-${upstream}`,
      max_tokens: 500,
      messages: [{ role: "user", content: "Call memory, please." }],
      tools: [memory],
    });
    const last = await runner.runUntilDone();
    expect(last.content).toMatchObject([{ text: expect.stringContaining("tool memory returned Kept.") }]);
    expect(seen).toHaveLength(1);
  });
}
