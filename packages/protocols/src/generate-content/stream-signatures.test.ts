import { describe, expect, it } from "vitest";
import type { Proof } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import {
  call,
  contentsOf,
  end,
  finish,
  foreign,
  partsOf,
  sealed,
  start,
  text,
  thought,
} from "../testing/generate-content-events-fixture.ts";
import { answerContext, decode, writeStream } from "../testing/generate-content-fixture.ts";
import { checkStream } from "../testing/generate-content-grammar.ts";
import { generateContent } from "./codec.ts";
import { absentSignature } from "./wire.ts";

describe("proofs in a Gemini stream", () => {
  it("2.5 the proof of reasoning on the part that follows, on the first chunk of a text, on a filler at the end", () => {
    expect(
      partsOf(
        writeStream([start, ...thought("1", "t", foreign("A")), ...call("2"), ...call("3"), finish("tool"), end]),
      )[0],
    ).toMatchObject([
      { text: "t", thought: true },
      { functionCall: { id: "call_2" }, thoughtSignature: sealed("A") },
      { functionCall: { id: "call_3" } },
    ]);
    expect(
      partsOf(
        writeStream([
          start,
          ...thought("1", "t", foreign("A")),
          ...thought("2", "u", foreign("B")),
          ...text("3", "a", "b"),
          finish(),
          end,
        ]),
      )[0],
    ).toEqual([
      { text: "t", thought: true },
      { text: "", thoughtSignature: sealed("A") },
      { text: "u", thought: true },
      { text: "ab", thoughtSignature: sealed("B") },
    ]);
    expect(
      partsOf(writeStream([start, ...text("1", "a"), ...thought("2", "t", foreign("A")), finish(), end]))[0],
    ).toEqual([{ text: "a" }, { text: "t", thought: true }, { text: "", thoughtSignature: sealed("A") }]);
  });

  it("the documented stand-in on the first call of a step that nobody signed, which the way back takes for none", () => {
    const events = [start, ...call("1"), ...call("2"), ...text("3", "a"), ...call("4"), finish("tool"), end];
    const [parts] = partsOf(writeStream(events));
    expect(parts?.map((part) => part.thoughtSignature)).toEqual([
      absentSignature,
      undefined,
      undefined,
      absentSignature,
    ]);
    const whole = generateContent.encodeResponse(accumulate(events), answerContext());
    expect(contentsOf(whole)[0]?.parts).toEqual(parts);
    expect(generateContent.decodeResponse(whole).candidates[0]?.parts.some((part) => part.proof)).toBe(false);
    for (const thoughtSignature of [absentSignature, absentSignature.replaceAll("_", "/"), btoa(absentSignature)]) {
      const model = { role: "model", parts: [{ functionCall: { name: "f" }, thoughtSignature }] };
      const asking = { role: "user", parts: [{ text: "Hi" }] };
      expect(decode({ contents: [asking, model, asking] }).turns[1]?.parts[0]?.proof).toBeUndefined();
    }
  });

  it("its own family's proof as it is", () => {
    const proof: Proof = { family: "gemini", kind: "signature", value: "c2ln" };
    expect(partsOf(writeStream([start, ...call("1", "{}", proof), finish("tool"), end]))[0]).toMatchObject([
      { thoughtSignature: "c2ln" },
    ]);
  });
});

describe("2.6 pair 12: two turns of a loop with signed reasoning (L19)", () => {
  it("brings every proof back to its reasoning", () => {
    const stream = writeStream([
      start,
      ...thought("1", "why", foreign("A")),
      ...text("2", "Let me", " see."),
      ...thought("3", "then", foreign("B")),
      ...call("4"),
      ...call("5"),
      finish("tool"),
      end,
    ]);
    // The official client keeps one content for each chunk.
    const contents = checkStream(stream).chunks.flatMap(contentsOf);
    const results = ["call_4", "call_5"].map((id) => ({
      functionResponse: { id, name: "f", response: { output: "ok" } },
    }));
    const [, model] = decode({
      contents: [{ role: "user", parts: [{ text: "Hi" }] }, ...contents, { role: "user", parts: results }],
    }).turns;
    expect(model?.parts.map(({ at: _, ...part }) => part)).toEqual([
      { type: "reasoning", summary: ["why"], proof: foreign("A") },
      { type: "text", text: "Let me see." },
      { type: "reasoning", summary: ["then"], proof: foreign("B") },
      { type: "tool-call", callId: "call_4", name: "f", toolKind: "function", arguments: "{}" },
      { type: "tool-call", callId: "call_5", name: "f", toolKind: "function", arguments: "{}" },
    ]);
  });
});
