import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { repair as chatCompletions } from "../chat-completions/repair.ts";
import { repair as generateContent } from "../generate-content/repair.ts";
import { repair as messages } from "../messages/repair.ts";
import { repair as responses } from "../responses/repair.ts";
import { absentSignature } from "./absent-signature.ts";
import { isRefusedProof } from "./refused-proof.ts";

const failure = (message: string, status = 400) => ({ status, headers: {}, body: { error: { message } } });
const signature = failure("messages.1.content.0: Invalid `signature` in `thinking` block");

describe("a refused proof is known by its code or its words (conversion.md 2.5)", () => {
  it.each([
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    "messages.3.content.1: Invalid `data` in `redacted_thinking` block",
    "The thinking block is bound to a different conversation.",
    "The encrypted content gAAA...x could not be verified.",
    "The encrypted content for item rs_1 could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
    "Encrypted content item_id did not match the target item id.",
    "Reasoning item rs_1 was not issued to this caller.",
    "Corrupted thought signature.",
    "Invalid thought signature.",
    "Unable to submit request because Thought signature is not valid. Learn more: https://example.com",
    "Function call is missing a thought_signature in functionCall parts.",
    "Invalid value at 'contents[1].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed for \"x\"",
    "Item with id 'rs_abc' not found. Items are not persisted when `store` is set to false.",
  ])("%s", (message) => {
    expect(isRefusedProof(failure(message))).toBe(true);
    expect(isRefusedProof(failure(message, 500))).toBe(false);
  });

  it("by the code alone", () => {
    const body = { error: { message: "Bad request.", code: "invalid_encrypted_content" } };
    expect(isRefusedProof({ status: 400, headers: {}, body })).toBe(true);
  });

  it.each([
    "Invalid function name.",
    "Unsupported parameter: 'temperature'.",
    "The signature of the tool is documented.",
    "",
  ])("and not seen in: %s", (message) => {
    expect(isRefusedProof(failure(message))).toBe(false);
  });
});

const thinking = { type: "thinking", thinking: "Hm.", signature: "s" };
const call = { type: "tool_use", id: "t", name: "f", input: {} };
const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "ok" }] };

describe("a request without its proofs", () => {
  it("messages: thinking blocks go, and a message that held nothing else", () => {
    const body: JsonObject = {
      model: "m",
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [thinking, { type: "redacted_thinking", data: "d" }, call] },
        result,
        { role: "assistant", content: [thinking] },
        { role: "user", content: "And?" },
      ],
    };
    const mended = messages.withoutProofs(body, signature);
    expect(mended?.body).toEqual({
      model: "m",
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [call] },
        result,
        { role: "user", content: "And?" },
      ],
    });
    expect(mended?.notices).toEqual([expect.objectContaining({ field: "reasoning", verdict: "dropped" })]);
    expect(messages.withoutProofs(mended?.body ?? {}, signature)).toBeUndefined();
  });

  it("messages: a budget of thinking goes off in the middle of a loop, for which the vendor demands the thinking", () => {
    const turns = [{ role: "assistant", content: [thinking, call] }, result];
    const clearing = { edits: [{ type: "clear_thinking_20251015" }, { type: "clear_tool_uses_20250919" }] };
    const body = { messages: turns, thinking: { type: "enabled", budget_tokens: 1024 }, context_management: clearing };
    const mended = messages.withoutProofs(body, signature);
    expect(mended?.body.thinking).toEqual({ type: "disabled" });
    expect(mended?.body.context_management).toEqual({ edits: [{ type: "clear_tool_uses_20250919" }] });
    expect(mended?.notices.map(({ field }) => field)).toEqual(["reasoning", "thinking"]);
    const adaptive = messages.withoutProofs({ messages: turns, thinking: { type: "adaptive" } }, signature);
    expect(adaptive?.body.thinking).toEqual({ type: "adaptive" });
  });

  it("responses: items go whole, for none may be without an id, and the id of what came out of them", () => {
    const message = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes." }] };
    const functionCall = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    const output = { type: "function_call_output", call_id: "c", output: "ok", id: "fco_1" };
    const summary = [{ type: "summary_text", text: "Thought." }];
    const input: JsonValue[] = [
      { ...message, id: "msg_0" },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" },
      { type: "web_search_call", id: "ws_1", status: "completed" },
      { ...message, id: "msg_1" },
      { role: "user", content: "And?" },
      { type: "reasoning", id: "rs_2", summary, encrypted_content: "y" },
      { ...functionCall, id: "fc_1" },
      output,
      { ...message, id: "msg_2" },
    ];
    const mended = responses.withoutProofs({ input }, failure("The encrypted content could not be verified."));
    expect(mended?.body.input).toEqual([
      { ...message, id: "msg_0" },
      message,
      { role: "user", content: "And?" },
      functionCall,
      output,
      { ...message, id: "msg_2" },
    ]);
    expect(mended?.notices.map(({ field }) => field)).toEqual(["reasoning", "input"]);
  });

  it("generateContent: the stand-in takes the place of the signature, on the first call of a batch alone", () => {
    const calls = ["a", "b"].map((name) => ({ functionCall: { name, args: {} } }));
    const contents: JsonValue[] = [
      {
        role: "model",
        parts: [{ text: "Hm.", thought: true }, { ...calls[0], thoughtSignature: "x" }, ...calls.slice(1)],
      },
      { role: "model", parts: [{ text: "Yes.", thought_signature: "y" }] },
      { role: "model", parts: [{ text: "Done." }, { text: "", thoughtSignature: "z" }] },
      { role: "model", parts: [...calls] },
    ];
    const mended = generateContent.withoutProofs({ contents }, failure("Corrupted thought signature."));
    expect(mended?.body.contents).toEqual([
      {
        role: "model",
        parts: [{ text: "Hm.", thought: true }, { ...calls[0], thoughtSignature: absentSignature }, ...calls.slice(1)],
      },
      { role: "model", parts: [{ text: "Yes." }] },
      { role: "model", parts: [{ text: "Done." }] },
      { role: "model", parts: [...calls] },
    ]);
    expect(generateContent.withoutProofs(mended?.body ?? {}, failure("Corrupted thought signature."))).toBeUndefined();
  });

  it("generateContent: a missed signature gets the stand-in, and the others stay what they are", () => {
    const [signed, bare] = [{ functionCall: { name: "a" }, thoughtSignature: "x" }, { functionCall: { name: "b" } }];
    const contents = [
      { role: "model", parts: [signed, bare] },
      { role: "model", parts: [bare, bare] },
    ];
    const mended = generateContent.withoutProofs(
      { contents },
      failure("Function call is missing a thought_signature in functionCall parts."),
    );
    expect(mended?.body.contents).toEqual([
      { role: "model", parts: [signed, bare] },
      { role: "model", parts: [{ ...bare, thoughtSignature: absentSignature }, bare] },
    ]);
  });

  it("chat completions: details go, the text stays; a call that Gemini signed gets the stand-in", () => {
    const extra = (value: string) => ({ google: { thought_signature: value } });
    const body = {
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: null,
          reasoning_content: "Hm.",
          reasoning_details: [{ type: "reasoning.encrypted", data: "x" }],
          tool_calls: [
            { id: "1", type: "function", extra_content: extra("s") },
            { id: "2", type: "function", extra_content: { ...extra("t"), other: 1 } },
          ],
        },
      ],
    };
    const mended = chatCompletions.withoutProofs(body, failure("Thought signature is not valid"));
    expect(mended?.body.messages).toEqual([
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: null,
        reasoning_content: "Hm.",
        tool_calls: [
          { id: "1", type: "function", extra_content: extra(absentSignature) },
          { id: "2", type: "function", extra_content: { other: 1 } },
        ],
      },
    ]);
  });

  it.each([
    "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    '[{"type":"extra_forbidden","loc":["body","messages",1,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted"}]',
  ])("chat completions: a server that does not know reasoning in a conversation gets it without: %s", (message) => {
    const body = { messages: [{ role: "assistant", content: "Hi", reasoning_content: "Hm.", reasoning_details: [] }] };
    const mended = chatCompletions.withoutProofs(body, failure(message));
    expect(mended?.body.messages).toEqual([{ role: "assistant", content: "Hi", reasoning_details: [] }]);
  });

  it("chat completions: the same told by a list of what is wrong", () => {
    const loc = ["body", "messages", 0, "assistant", "reasoning_content"];
    const detail = [{ type: "extra_forbidden", loc, msg: "Extra inputs are not permitted", input: "Hm." }];
    const body = { messages: [{ role: "assistant", content: "Hi", reasoning_content: "Hm." }] };
    const refusal = { status: 422, headers: {}, body: { object: "error", message: { detail } } };
    expect(chatCompletions.withoutProofs(body, refusal)?.body.messages).toEqual([{ role: "assistant", content: "Hi" }]);
  });

  it.each([messages, responses, generateContent, chatCompletions])(
    "nothing is made of a request that holds none",
    (repair) => {
      const body = {
        messages: [{ role: "user", content: "Hi" }],
        input: "Hi",
        contents: [{ parts: [{ text: "Hi" }] }],
      };
      for (const each of [body, {}, { messages: 1, input: [1], contents: [null, { parts: 1 }] }]) {
        expect(repair.withoutProofs(each, signature)).toBeUndefined();
        expect(repair.withoutProofs(each, failure("Corrupted thought signature."))).toBeUndefined();
      }
    },
  );
});
