import { describe, expect, test } from "vitest";
import type { ProtocolName, ReasoningControl } from "../canonical/index.ts";
import { codecs } from "../codecs.ts";
import { minimalRequest } from "../testing/chat-completions-fixture.ts";

/** A model of each upstream that thinks not at all, or not unless it is asked to. */
const silent: [ProtocolName, string][] = [
  ["chat-completions", "gpt-4o"],
  ["responses", "gpt-4o"],
  ["messages", "claude-3-5-haiku-latest"],
  ["messages", "claude-opus-4-6"],
  ["generate-content", "gemini-2.0-flash"],
];

const told = (protocol: ProtocolName, model: string, reasoning: ReasoningControl) =>
  codecs[protocol]
    .encodeRequest(minimalRequest({ maxOutputTokens: 4000, stream: false, reasoning }), { model, stream: false })
    .notices.map(({ field, verdict }) => `${verdict} ${field}`);

describe.each(silent)("%s, %s: nothing will be shown", (protocol, model) => {
  test("who only wished to see the thinking is told so", () => {
    expect(told(protocol, model, { show: "summary" })).toEqual(["dropped thinking.display"]);
  });

  test("who wants no thinking, or not to see any, misses nothing", () => {
    expect(told(protocol, model, { show: "none" })).toEqual([]);
    expect(told(protocol, model, { effort: "none", show: "summary" })).toEqual([]);
  });
});
