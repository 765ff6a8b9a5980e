import { describe, expect, it } from "vitest";
import type { JsonObject, Proof } from "../canonical/index.ts";
import { answered, at, broken, list, type Path, sent, wire } from "../peer-bugs/scene.ts";
import {
  callPart,
  candidate,
  completion,
  message,
  messageStart,
  responseCall,
  responseMessage,
  responseObject,
} from "../peer-bugs/wire-frames.ts";
import { plainVault } from "../shared/vault.ts";

/** Where the proof of another family lies in a client's answer, so that the client brings it back (conversion.md 2.5). */

const thinking = { type: "thinking", thinking: "Hm.", signature: "c2lnbmF0dXJl" };
const redacted = { type: "redacted_thinking", data: "cmVkYWN0ZWQ=" };
const uses = ["a", "b"].map((id) => ({ type: "tool_use", id, name: "f", input: {} }));
const said = { type: "text", text: "Yes." };
const anthropic = (value: string, kind: Proof["kind"] = "signature") => ({ family: "anthropic", kind, value });

const reasoning = (summary: string[]): JsonObject => ({
  ...{ type: "reasoning", id: "rs_1", encrypted_content: "ZW5jcnlwdGVk" },
  summary: summary.map((text) => ({ type: "summary_text", text })),
});
const outputs = { call: responseCall("a", "f", "{}"), message: responseMessage("msg_1", "Yes.") };
const openai = expect.objectContaining({ family: "openai", kind: "encrypted", value: "ZW5jcnlwdGVk", itemId: "rs_1" });

const signedCalls = [callPart("f", {}, "Z2VtaW5p"), callPart("f", { x: 1 })];
const gemini = expect.objectContaining({ family: "gemini", value: "Z2VtaW5p" });

const open = (value: unknown) => (typeof value === "string" ? plainVault().open(value) : undefined);
const shows: Partial<Record<string, JsonObject>> = {
  G: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
};
const answer = (path: Path, body: JsonObject) => answered(path, body, shows[path.charAt(0)]);

describe("responses: a reasoning item with encrypted_content", () => {
  it("with the text as its summary, one item a block", () => {
    const items = list(answer("R->M", message([thinking, redacted, said])), "output");
    expect(items.map(({ type }) => type)).toEqual(["reasoning", "reasoning", "message"]);
    expect(items[0]?.summary).toEqual([{ type: "summary_text", text: "Hm." }]);
    expect(items[1]?.summary).toEqual([]);
    expect(items.slice(0, 2).map((item) => open(item.encrypted_content))).toEqual([
      anthropic("c2lnbmF0dXJl"),
      anthropic("cmVkYWN0ZWQ=", "redacted"),
    ]);
  });
  it("directly before the call that was signed; the unsigned sibling has none", () => {
    const items = list(answer("R->G", candidate(signedCalls, "STOP")), "output");
    expect(items.map(({ type }) => type)).toEqual(["reasoning", "function_call", "function_call"]);
    expect(open(items[0]?.encrypted_content)).toEqual(gemini);
  });
});

describe("messages: a thinking block with its signature, or redacted_thinking without text", () => {
  const blocks = (body: JsonObject) => list(answer("M->R", body), "content");
  it("with the text", () => {
    const [first] = blocks(responseObject([reasoning(["Hm."]), outputs.message]));
    expect([first?.type, first?.thinking, open(first?.signature)]).toEqual(["thinking", "Hm.", openai]);
  });
  it("without text", () => {
    const [first] = blocks(responseObject([reasoning([]), outputs.call]));
    expect([first?.type, open(first?.data)]).toEqual(["redacted_thinking", openai]);
  });
  it("a block of its own before the call that was signed", () => {
    const content = list(answer("M->G", candidate(signedCalls, "STOP")), "content");
    expect(content.map(({ type }) => type)).toEqual(["redacted_thinking", "tool_use", "tool_use"]);
    expect(open(content[0]?.data)).toEqual(gemini);
  });
  it("never bare: where the upstream gave no proof, a stand-in that no upstream gets", () => {
    const content = list(answer("M->C", completion({ content: "Yes.", reasoning_content: "Hm." })), "content");
    expect(open(content[0]?.signature)?.family).toBe("unsigned");
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content },
      { role: "user", content: "And?" },
    ];
    for (const path of ["M->R", "M->G", "M->C"] as const) expect(sent(path, { messages }).text).not.toContain("gw0E");
  });
});

describe("generateContent: thoughtSignature on the part that follows", () => {
  const parts = (path: Path, body: JsonObject) => list(answer(path, body), "candidates", 0, "content", "parts");
  const proofs = (found: JsonObject[]) => found.map((part) => open(part.thoughtSignature));
  it("the first call of a batch", () => {
    expect(proofs(parts("G->M", message([thinking, ...uses])))).toEqual([
      undefined,
      anthropic("c2lnbmF0dXJl"),
      undefined,
    ]);
    const [, first] = proofs(parts("G->R", responseObject([reasoning(["Hm."]), outputs.call])));
    expect(first).toEqual(openai);
  });
  it("a text where there is no call, in characters of base64 alone", () => {
    const [, text] = parts("G->R", responseObject([reasoning(["Hm."]), outputs.message]));
    expect([text?.text, open(text?.thoughtSignature)]).toEqual(["Yes.", openai]);
    expect(text?.thoughtSignature).toMatch(/^[A-Za-z0-9+/]+=*$/);
  });
});

describe("chat completions: reasoning_details, and extra_content on a call that was signed", () => {
  const told = (path: Path, body: JsonObject) => {
    const choice = at(answer(path, body), "choices", 0, "message");
    return { details: list(choice, "reasoning_details"), calls: list(choice, "tool_calls") };
  };
  it("text with its signature, and a proof without text", () => {
    const { details } = told("C->M", message([thinking, redacted, said]));
    expect(details.map(({ type }) => type)).toEqual(["reasoning.text", "reasoning.encrypted"]);
    expect([open(details[0]?.signature), open(details[1]?.data)]).toEqual([
      anthropic("c2lnbmF0dXJl"),
      anthropic("cmVkYWN0ZWQ=", "redacted"),
    ]);
  });
  it("a summary with its encrypted content", () => {
    const { details } = told("C->R", responseObject([reasoning(["Hm."]), outputs.message]));
    expect(details.map(({ type }) => type)).toEqual(["reasoning.summary", "reasoning.encrypted"]);
    expect(open(details[1]?.data)).toEqual(openai);
  });
  it("the first call of a batch alone", () => {
    const { calls } = told("C->G", candidate(signedCalls, "STOP"));
    expect(calls.map((call) => open(at(call, "extra_content", "google", "thought_signature")))).toEqual([
      gemini,
      undefined,
    ]);
  });
});

describe("aborted streams: reasoning whose proof never came is not replayed as signed", () => {
  it("from messages", () => {
    const frames = wire([
      messageStart(),
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Half a thou" } },
    ]);
    const { text } = broken("R->M", frames);
    expect(text).toContain("Half a thou");
    const [, carried] = /"encrypted_content":"([^"]+)"/.exec(text) ?? [];
    // Nothing, or the stand-in for clients that asked for encrypted reasoning.
    expect([undefined, "unsigned"]).toContain(open(carried)?.family);
    const proof = carried === undefined ? {} : { encrypted_content: carried };
    const input = [
      { role: "user", content: "Hi" },
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Half a thou" }], ...proof },
      { role: "assistant", content: "Yes." },
      { role: "user", content: "And?" },
    ];
    expect(sent("R->M", { input }).text).not.toMatch(/thinking"|Half/);
  });
  it("from responses, to a client that keeps the block without a signature", () => {
    const item = { type: "reasoning", id: "rs_1", summary: [] };
    const frames = wire([
      { type: "response.created", sequence_number: 0, response: responseObject([], "in_progress") },
      { type: "response.output_item.added", sequence_number: 1, output_index: 0, item },
      {
        type: "response.reasoning_summary_part.added",
        sequence_number: 2,
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        part: { type: "summary_text", text: "" },
      },
      {
        type: "response.reasoning_summary_text.delta",
        sequence_number: 3,
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        delta: "Half a thou",
      },
    ]);
    const { text } = broken("M->R", frames);
    expect(text).toContain("Half a thou");
    expect(text).not.toContain("signature_delta");
    for (const block of [
      { type: "thinking", thinking: "Half a thou", signature: "" },
      { type: "thinking", thinking: "Half a thou" },
    ]) {
      const content = [block, { type: "text", text: "Yes." }];
      const messages = [
        { role: "user", content: "Hi" },
        { role: "assistant", content },
        { role: "user", content: "And?" },
      ];
      expect(list(sent("M->R", { messages }).body, "input").map(({ type }) => type)).not.toContain("reasoning");
    }
  });
});
