import { describe, expect, test } from "vitest";
import type { CanonicalRequest, Part } from "../canonical/index.ts";
import { cacheKeyOf } from "./cache-key.ts";

const text = (value: string, more: Pick<Part, "cache"> = {}): Part => ({ type: "text", text: value, ...more });
const asked = (more: Partial<CanonicalRequest>, first: Part = text("Be kind.", { cache: {} })): CanonicalRequest => ({
  model: "m",
  stream: false,
  turns: [
    { role: "system", parts: [first] },
    { role: "user", parts: [text("Hi")] },
  ],
  tools: [],
  sampling: {},
  stopSequences: [],
  ...more,
});

describe("P19 the key of a cache", () => {
  test("is the caller's own where it has one", () => {
    expect(cacheKeyOf(asked({ cache: { key: "mine" } }))).toBe("mine");
  });

  test("is none for a caller that marks nothing to be cached", () => {
    expect(cacheKeyOf(asked({}, text("Be kind.")))).toBeUndefined();
  });

  test("is the same for every turn of a conversation", () => {
    const first = asked({});
    const later = asked({
      turns: [
        ...first.turns,
        { role: "assistant", parts: [text("Hello.")] },
        { role: "user", parts: [text("And?", { cache: { ttl: "1h" } })] },
      ],
    });
    expect(cacheKeyOf(later)).toBe(cacheKeyOf(first));
    expect(cacheKeyOf(first)).toMatch(/^[0-9a-f]{32}$/);
  });

  test.each<[string, Partial<CanonicalRequest>, Part?]>([
    ["another end user", { caller: { userId: "ann" } }],
    ["other tools", { tools: [{ type: "function", name: "look" }] }],
    ["other instructions", {}, text("Be brief.", { cache: {} })],
  ])("is another for %s", (_what, more, first) => {
    expect(cacheKeyOf(asked(more, first))).not.toBe(cacheKeyOf(asked({})));
  });

  test.each<[string, CanonicalRequest]>([
    ["a tool", asked({ tools: [{ type: "function", name: "look", cache: {} }] }, text("Be kind."))],
    [
      "a text in a tool's result",
      asked(
        {
          turns: [
            {
              role: "user",
              parts: [
                { type: "tool-result", toolKind: "function", callId: "1", content: [text("seen", { cache: {} })] },
              ],
            },
          ],
        },
        text("Be kind."),
      ),
    ],
  ])("is made for a mark on %s too", (_where, request) => {
    expect(cacheKeyOf(request)).toMatch(/^[0-9a-f]{32}$/);
  });
});
