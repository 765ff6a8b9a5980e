import { describe, expect, it } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { chatDelta } from "../testing/chat-completions-fixture.ts";
import { answer, done, parts, role } from "../testing/chat-completions-stream-fixture.ts";

describe("text and reasoning", () => {
  it("S8 empty things open no part", () => {
    const got = parts(
      role,
      chatDelta({}),
      chatDelta({ content: null, tool_calls: [] }),
      chatDelta({ content: "", reasoning_content: "", refusal: "" }),
      { ...role, choices: [] },
      chatDelta({ content: "Hi", tool_calls: [] }),
      chatDelta({}, "stop"),
      done,
    );
    expect(got).toEqual([{ type: "text", text: "Hi" }]);
  });

  it("S9 a late, repeated or absent role changes nothing", () => {
    const got = parts(
      chatDelta({ content: "a" }),
      chatDelta({ role: "assistant", content: "b" }),
      chatDelta({}, "stop"),
      done,
    );
    expect(got).toEqual([{ type: "text", text: "ab" }]);
  });

  it("S17 reasoning before, between and behind text makes parts in that order", () => {
    const got = parts(
      role,
      chatDelta({ reasoning_content: "think" }),
      chatDelta({ content: "say" }),
      chatDelta({ reasoning: "again" }),
      chatDelta({}, "stop"),
      done,
    );
    expect(got).toEqual([
      { type: "reasoning", text: "think" },
      { type: "text", text: "say" },
      { type: "reasoning", text: "again" },
    ]);
  });

  it("typed reasoning beats the plain copy beside it and keeps its proof whole", () => {
    const got = parts(
      role,
      chatDelta({ reasoning: "a", reasoning_details: [{ type: "reasoning.text", text: "a", index: 0, format: "f" }] }),
      chatDelta({ reasoning: "b", reasoning_details: [{ type: "reasoning.text", text: "b", index: 0, format: "f" }] }),
      chatDelta({ reasoning_details: [{ type: "reasoning.text", signature: "sig", index: 0 }] }),
      chatDelta({ content: "x" }, "stop"),
      done,
    );
    const value = JSON.stringify({ type: "reasoning.text", index: 0, format: "f", signature: "sig" });
    expect(got).toEqual([
      { type: "reasoning", text: "ab", proof: { family: "chat-completions", kind: "signature", value } },
      { type: "text", text: "x" },
    ]);
  });

  it("S33 a refusal ends as a refusal", () => {
    const got = answer(
      role,
      chatDelta({ refusal: "I can" }),
      chatDelta({ refusal: "not." }),
      chatDelta({}, "stop"),
      done,
    );
    expect(got.candidates[0]).toEqual({
      index: 0,
      parts: [{ type: "refusal", text: "I cannot." }],
      finish: { reason: "refusal" },
    });
  });

  it("S32 candidates keep their own state", () => {
    const second = (delta: JsonObject, finish: string | null = null) => ({
      ...chatDelta(delta),
      choices: [{ index: 1, delta, finish_reason: finish }],
    });
    const got = answer(
      role,
      second({ content: "b" }),
      chatDelta({ content: "a" }),
      second({ content: "B" }, "length"),
      chatDelta({}, "stop"),
      done,
    );
    expect(got.candidates.map((candidate) => [candidate.parts, candidate.finish.reason])).toEqual([
      [[{ type: "text", text: "a" }], "stop"],
      [[{ type: "text", text: "bB" }], "length"],
    ]);
  });

  it("S38 obfuscation padding is not content", () => {
    const got = parts(chatDelta({ content: "a" }, null, { obfuscation: "zzzz" }), chatDelta({}, "stop"), done);
    expect(got).toEqual([{ type: "text", text: "a" }]);
  });
});
