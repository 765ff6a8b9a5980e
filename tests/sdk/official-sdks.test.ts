import { protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { sdkClients } from "./clients.ts";

/**
 * The official SDKs and the Vercel AI SDK, current and older majors, as clients of the running gateway, in front of the
 * strict simulated provider in each of the four protocols: text, a tool loop whose second turn
 * replays what the SDK kept, and structured output; streaming and not.
 */
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ sandbox: true });
});

afterAll(async () => {
  await gateway?.close();
});

for (const client of sdkClients) {
  for (const upstream of protocolNames) {
    const model = `sandbox-${upstream}`;
    for (const stream of [false, true]) {
      describe(`${client.name} on ${upstream}${stream ? ", streaming" : ""}`, () => {
        test("text and usage", async () => {
          const answer = await client.text(gateway.caller, model, stream, "What is the colour of snow?");
          expect(answer.text).toContain("simulated");
          expect(answer.text).toContain("What is the colour of snow?");
          expect(answer.inputTokens).toBeGreaterThan(0);
          expect(answer.outputTokens).toBeGreaterThan(0);
        });

        test("a tool call and the turn after it", async () => {
          const asked: string[] = [];
          const text = await client.toolLoop(gateway.caller, model, stream, "Call get_weather, please.", (city) => {
            asked.push(city);
            return `It snows in ${city}.`;
          });
          expect(asked.length).toBeGreaterThan(0);
          for (const city of asked) expect(typeof city).toBe("string");
          expect(text).toContain("It snows");
        });

        test("structured output", async () => {
          const text = await client.structured(gateway.caller, model, stream, "Name a place.");
          expect(JSON.parse(text)).toEqual({ city: expect.any(String) });
        });
      });
    }
  }
}
