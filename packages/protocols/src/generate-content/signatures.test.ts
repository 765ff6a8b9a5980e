import { describe, expect, it } from "vitest";
import type { JsonObject, Part, Proof, Turn } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { call, encode, gemini, result, user } from "../testing/generate-content-request-fixture.ts";
import { absentSignature } from "./wire.ts";

const foreign: Proof = { family: "anthropic", kind: "signature", value: "CANARY" };

function modelParts(parts: Part[], model = "gemini-3-flash"): JsonObject[] {
  const results = parts.flatMap((part) => (part.type === "tool-call" ? [result(part.callId)] : []));
  const after: Turn = { role: "user", parts: results.length > 0 ? results : user.parts };
  const { body } = encode({ turns: [user, { role: "assistant", parts }, after] }, model);
  const second = Array.isArray(body.contents) ? body.contents[1] : undefined;
  if (!isObject(second) || !Array.isArray(second.parts)) throw new Error("no model content");
  return second.parts.filter(isObject);
}

const signatures = (parts: JsonObject[]) => parts.map((part) => part.thoughtSignature);

describe("2.5 signatures", () => {
  it("stand where they stood; the stand-in never replaces one", () => {
    expect(signatures(modelParts([call("a", gemini("S1")), call("b")]))).toEqual(["S1", undefined]);
  });
  it("the stand-in goes onto the first call only, and only where models demand it", () => {
    expect(signatures(modelParts([{ type: "text", text: "x" }, call("a"), call("b")]))).toEqual([
      undefined,
      absentSignature,
      undefined,
    ]);
    expect(signatures(modelParts([call("a"), call("b")], "gemini-2.5-flash"))).toEqual([undefined, undefined]);
  });
  it("one parked on reasoning goes back onto the call behind it", () => {
    const parts = modelParts([{ type: "reasoning", text: "t", proof: gemini("S1") }, call("a"), call("b")]);
    expect(parts[0]).toEqual({ text: "t", thought: true });
    expect(signatures(parts)).toEqual([undefined, "S1", undefined]);
  });
  it("several find each their own part", () => {
    const parked = (value: string): Part => ({ type: "reasoning", proof: gemini(value) });
    expect(
      signatures(
        modelParts([parked("S1"), { type: "text", text: "x" }, parked("S2"), call("a"), parked("S3"), call("b")]),
      ),
    ).toEqual(["S1", "S2", "S3"]);
    expect(signatures(modelParts([{ type: "text", text: "x" }, parked("S1")]))).toEqual(["S1"]);
  });
  it("L20 a foreign proof never leaves; its text stays as a thought", () => {
    const parts = modelParts([
      { type: "reasoning", text: "why", proof: foreign },
      { type: "text", text: "x" },
    ]);
    expect(parts).toEqual([{ text: "why", thought: true }, { text: "x" }]);
    expect(JSON.stringify(modelParts([{ ...call("a"), proof: foreign }]))).not.toContain("CANARY");
  });
  it("L7 a turn keeps its bytes when the conversation goes on", () => {
    const history: Turn[] = [user, { role: "assistant", parts: [call("a")] }, { role: "user", parts: [result("a")] }];
    const longer: Turn[] = [...history, { role: "assistant", parts: [{ type: "text", text: "x" }] }, user];
    const short = JSON.stringify(encode({ turns: history }).body.contents).slice(0, -1);
    expect(JSON.stringify(encode({ turns: longer }).body.contents).startsWith(short)).toBe(true);
  });
});
