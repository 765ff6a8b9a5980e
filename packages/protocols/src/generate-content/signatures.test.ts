import { describe, expect, it } from "vitest";
import type { JsonObject, Part, Proof, Turn } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { showing } from "../testing/generate-content-fixture.ts";
import { call, encode, gemini, result, user } from "../testing/generate-content-request-fixture.ts";
import { generateContent } from "./codec.ts";
import { absentSignature } from "./wire.ts";

const { reasoning: _reasoning, ...encodable } = showing;
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

  describe("a call without a signature (2.5, order of the fallbacks)", () => {
    const turns: Turn[] = [
      user,
      { role: "assistant", parts: [{ type: "text", text: "x" }, call("a"), call("b")] },
      {
        role: "user",
        parts: [result("a", "snow"), { ...result("b", "no"), isError: true }, { type: "text", text: "And?" }],
      },
      { role: "assistant", parts: [call("c", gemini("S1"))] },
      { role: "user", parts: [result("c")] },
    ];
    const sent = (capabilities: Record<string, boolean>) => {
      const request = { ...encodable, turns };
      return generateContent.encodeRequest(request, { model: "gemini-3-flash", stream: false, capabilities });
    };
    const first = (body: JsonObject) => JSON.stringify(Array.isArray(body.contents) ? body.contents[1] : undefined);

    it("(a) goes plain where the model asks for none", () => {
      expect(first(sent({ signedCalls: false }).body)).not.toContain("thoughtSignature");
    });
    it("(b) has the stand-in on the first of a batch where the model asks for one", () => {
      const text = first(sent({}).body);
      expect(text.split(absentSignature)).toHaveLength(2);
      expect(text.indexOf(absentSignature)).toBeLessThan(text.lastIndexOf("functionCall"));
    });
    it("(c) is told in words where the host refuses the stand-in, and signed calls stay calls", () => {
      const { body, notices } = sent({ signatureStandIn: false });
      expect(body.contents).toEqual([
        { role: "user", parts: [{ text: "Hi" }] },
        { role: "model", parts: [{ text: "x" }] },
        {
          role: "user",
          parts: [
            { text: "The tool 'f' was called with {} and answered: snow" },
            { text: "The tool 'f' was called with {} and failed: no" },
            { text: "And?" },
          ],
        },
        { role: "model", parts: [{ functionCall: { id: "c", name: "f", args: {} }, thoughtSignature: "S1" }] },
        { role: "user", parts: [{ functionResponse: { id: "c", name: "f", response: { output: "ok" } } }] },
      ]);
      expect(notices).toEqual([expect.objectContaining({ verdict: "approximated" })]);
    });
  });
});
