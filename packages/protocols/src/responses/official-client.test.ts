import fc from "fast-check";
import OpenAI6 from "openai6";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { responseToEvents } from "../shared/accumulate.ts";
import { isObject } from "../shared/read.ts";
import { gateway, readBySdk } from "../testing/responses-clients-fixture.ts";
import { anyAnswer, call, start, text, thought } from "../testing/responses-events-fixture.ts";
import { encodeStream } from "../testing/responses-fixture.ts";
import { checkStream } from "../testing/responses-grammar.ts";

/** An item as Codex parses it (conversion.md 5.2): what it cannot parse it drops in silence. */
function codexItems(stream: string): JsonObject[] {
  const items: JsonObject[] = [];
  let completed = false;
  for (const block of stream.split("\n\n")) {
    const data = block.split("\n").find((line) => line.startsWith("data: "));
    if (!data) continue;
    const event: unknown = JSON.parse(data.slice(6));
    if (!isObject(event)) throw new Error("no object");
    if (event.type === "response.output_item.done" && isObject(event.item)) items.push(event.item);
    if (event.type !== "response.completed" || !isObject(event.response)) continue;
    completed = true;
    expect(typeof event.response.id).toBe("string");
    if (!isObject(event.response.usage)) continue;
    for (const key of ["input_tokens", "output_tokens", "total_tokens"]) {
      expect(Number.isInteger(event.response.usage[key])).toBe(true);
    }
  }
  expect(completed).toBe(true);
  for (const item of items) {
    if (item.type === "message") expect(Array.isArray(item.content) && typeof item.role === "string").toBe(true);
    if (item.type === "reasoning") expect(Array.isArray(item.summary)).toBe(true);
    if (item.type === "function_call") expect([item.name, item.arguments, item.call_id].every(isText)).toBe(true);
    if (item.type === "custom_tool_call") expect([item.name, item.input, item.call_id].every(isText)).toBe(true);
  }
  return items;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

describe("clients read a responses stream", () => {
  test("the official SDK's strict helper reads every kind of item", async () => {
    const stream = encodeStream([
      start,
      ...thought("r", ["Let me ", "think."], "sig"),
      ...text("t1", "Hel", "lo"),
      ...text("t2", " world"),
      ...call("c1", "read", ['{"p":', "1}"]),
      ...call("c2", "list", []),
      ...call("c3", "patch", ["*** Begin", " Patch"], "custom"),
      {
        type: "part",
        candidate: 0,
        part: { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } },
      },
      { type: "usage", usage: { input: { uncached: 3 }, output: { total: 4 } } },
      { type: "finish", candidate: 0, finish: { reason: "tool" } },
      { type: "end" },
    ]);
    checkStream(stream);
    const older = await new OpenAI6(gateway(stream)).responses.stream({ model: "m", input: "Hi" }).finalResponse();
    const { final, types } = await readBySdk(stream);
    expect(types.at(-1)).toBe("response.completed");
    for (const read of [final, older]) {
      expect(read.status).toBe("completed");
      expect(read.output_text).toBe("Hello world");
      expect(read.output.map((item) => item.type)).toEqual([
        "reasoning",
        "message",
        "function_call",
        "function_call",
        "custom_tool_call",
        "image_generation_call",
      ]);
      expect(read.output[3]).toMatchObject({ name: "list", arguments: "{}" });
      expect(read.usage?.total_tokens).toBe(7);
    }
  });

  test("the official SDK's strict helper takes any answer of ours", async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, async (answer) => {
        const { final } = await readBySdk(encodeStream(responseToEvents(answer)));
        expect(final.id).toMatch(/^resp_/);
      }),
      { numRuns: 40 },
    );
  });

  test("Codex finds every item with the keys it needs", () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        fc.pre(["stop", "tool"].includes(answer.candidates[0]?.finish.reason ?? ""));
        codexItems(encodeStream(responseToEvents(answer)));
      }),
    );
  });
});
