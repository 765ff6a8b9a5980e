import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { answered, at, list, sent, streamed } from "./scene.ts";
import {
  callPart,
  candidate,
  chunk,
  completion,
  fragment,
  message,
  messageEnd,
  messageStart,
  textBlock,
  thinkingBlock,
  toolCall,
  usageChunk,
} from "./wire-frames.ts";

const done = "[DONE]";
const parameters = { type: "object", properties: {} };
const hello = [{ role: "user", content: "Hi" }];

/** A chat history with one call of this id and its result. */
function calledBy(...ids: string[]): JsonObject[] {
  return [
    ...hello,
    { role: "assistant", content: null, tool_calls: ids.map((id) => toolCall(id, "read", "{}")) },
    ...ids.map((id) => ({ role: "tool", tool_call_id: id, content: `of ${id}` })),
  ];
}

test("peer bug 81 2.5: no stand-in is put onto a call that is lawfully unsigned", () => {
  const answer = answered("C->G", candidate([callPart("read", {}, "c2ln"), callPart("read", {})], "STOP"));
  const assistant = at(answer, "choices", 0, "message") ?? null;
  const results = list(assistant, "tool_calls").map(({ id }) => ({
    role: "tool",
    tool_call_id: id ?? "",
    content: "x",
  }));
  const { body, text } = sent("C->G", { messages: [...hello, assistant, ...results] });
  expect(text).not.toContain("skip_thought_signature_validator");
  const signatures = list(body, "contents", 1, "parts").map(({ thoughtSignature }) => thoughtSignature);
  expect(signatures).toEqual(["c2ln", undefined]);
});

test.each([
  [0, 0, false],
  [1, 1, false],
  [1.2, 1, true],
  [2, 1, true],
])("peer bug 82 P5: temperature %d goes to Messages as %d", (temperature, expected, told) => {
  const { body, fields } = sent("C->M", { temperature }, { model: "claude-sonnet-4-5" });
  expect(body.temperature ?? 1).toBe(expected);
  expect(fields.includes("temperature")).toBe(told);
});

test("peer bug 83 H12: a text that a history has behind calls does not stand behind them for Messages", () => {
  const input = [
    { role: "user", content: "Hi" },
    { type: "function_call", call_id: "c1", name: "read", arguments: "{}" },
    { role: "assistant", content: "Reading." },
    { type: "function_call_output", call_id: "c1", output: "x" },
  ];
  const { body } = sent("R->M", { input });
  expect(list(body, "messages", 1, "content").map(({ type }) => type)).toEqual(["text", "tool_use"]);
  expect(list(body, "messages").at(-1)?.role).toBe("user");
});

test("peer bug 84 P1: a missing limit is the model's own, not one number for all", () => {
  const limits = ["claude-3-5-haiku", "claude-opus-4-1", "claude-sonnet-4-5"].map(
    (model) => sent("C->M", {}, { model }).body.max_tokens,
  );
  expect(limits.every((limit) => typeof limit === "number" && limit >= 8192)).toBe(true);
  expect(new Set(limits).size).toBeGreaterThan(1);
});

test("peer bug 85: a signature is read in a stream as in a whole answer", () => {
  const frames = [
    messageStart(),
    ...thinkingBlock(0, "Hm.", "c2ln"),
    ...textBlock(1, "Yes."),
    ...messageEnd("end_turn"),
  ];
  const content = [
    { type: "thinking", thinking: "Hm.", signature: "c2ln" },
    { type: "text", text: "Yes." },
  ];
  expect(streamed("M->M", frames).whole.content).toMatchObject(content);
  expect(answered("M->M", message(content)).content).toMatchObject(content);
  const sealed = (items: JsonObject[]) => items.find(({ type }) => type === "reasoning")?.encrypted_content;
  const inStream = sealed(list(streamed("R->M", frames).whole, "output"));
  expect(inStream).toBe(sealed(list(answered("R->M", message(content)), "output")));
  expect(typeof inStream).toBe("string");
});

test.each<[string, JsonObject[]]>([
  ["the part behind the thought", [{ text: "Hm.", thought: true }, callPart("read", {}, "c2ln")]],
  ["an empty thought", [{ text: "", thought: true, thoughtSignature: "c2ln" }, callPart("read", {})]],
  ["an empty text", [{ text: "", thoughtSignature: "c2ln" }, callPart("read", {})]],
])("peer bug 86 S18: a signature on %s goes back with the call", (_place, parts) => {
  const frames = parts.map((part, index) => candidate([part], index === parts.length - 1 ? "STOP" : undefined));
  const { whole } = streamed("M->G", frames);
  const use = list(whole, "content").find(({ type }) => type === "tool_use");
  const { body } = sent("M->G", {
    messages: [
      ...hello,
      { role: "assistant", content: whole.content ?? [] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: use?.id ?? "", content: "x" }] },
    ],
  });
  const call = list(body, "contents", 1, "parts").find((part) => part.functionCall);
  expect(call?.thoughtSignature).toBe("c2ln");
});

test("peer bug 87: thinking that broke off before its signature is not replayed as signed", () => {
  const content = [
    { type: "thinking", thinking: "I wa", signature: "" },
    { type: "text", text: "Sorry." },
  ];
  const { body, text } = sent("M->M", { messages: [...hello, { role: "assistant", content }, ...hello] });
  expect(list(body, "messages", 1, "content").map(({ type }) => type)).toEqual(["text"]);
  expect(text).not.toContain('"signature"');
});

test("peer bug 88: a signature that is the last delta of its block reaches the client's stream", () => {
  const frames = [messageStart(), ...thinkingBlock(0, "", "c2ln"), ...textBlock(1, "Yes."), ...messageEnd("end_turn")];
  const { frames: got } = streamed("M->M", frames);
  expect(got.filter((frame) => at(frame, "delta", "type") === "signature_delta")).toMatchObject([
    { index: 0, delta: { signature: "c2ln" } },
  ]);
});

test("peer bug 89 2.4: ids of several families in one history become legal and stay apart", () => {
  const ids = ["functions.Bash:0", "functions.Bash:1", "call_ok", "toolu_ok", "chatcmpl-tool-1", "a|b", "a:b"];
  const { body } = sent("C->M", { messages: calledBy(...ids) });
  const uses = list(body, "messages", 1, "content").map(({ id }) => String(id));
  expect(uses.every((id) => /^[a-zA-Z0-9_-]+$/.test(id))).toBe(true);
  expect(new Set(uses).size).toBe(ids.length);
  expect(list(body, "messages", 2, "content").map(({ tool_use_id }) => tool_use_id)).toEqual(uses);
  expect(uses).toEqual(expect.arrayContaining(["call_ok", "toolu_ok", "chatcmpl-tool-1"]));
});

test("peer bug 90: pieces of parallel calls in any order give each call its own arguments", () => {
  const inputs = [{ a: "first" }, { b: ["second"] }, { c: 3 }];
  fc.assert(
    fc.property(fc.array(fc.nat(2), { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (order, size) => {
      const left = inputs.map((input) => JSON.stringify(input));
      const frames = inputs.map((_, index) => fragment(index, `c${index}`, `tool_${index}`, ""));
      const take = (index: number, length: number) => {
        const text = left[index] ?? "";
        if (text !== "") frames.push(fragment(index, undefined, undefined, text.slice(0, length)));
        left[index] = text.slice(length);
      };
      for (const index of order) take(index, size);
      for (const index of left.keys()) take(index, 100);
      for (const path of ["M->C", "R->C", "G->C"] as const) {
        const { whole, text } = streamed(path, [...frames, chunk({}, "tool_calls"), done]);
        if (path === "M->C") expect(list(whole, "content").map(({ input }) => input)).toEqual(inputs);
        else for (const word of ["first", "second"]) expect(text).toContain(word);
      }
    }),
    { numRuns: 60, seed: 90 },
  );
});

test("peer bug 91 T15: a picture is never written as text into the response of a function", () => {
  const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
  const messages = [
    ...hello,
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "see", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "image", source }] }] },
  ];
  for (const model of ["gemini-3-flash", "gemini-2.0-flash"]) {
    const { body, text } = sent("M->G", { messages }, { model });
    expect(text).toContain('"inlineData"');
    const [part] = list(body, "contents", 2, "parts");
    expect(JSON.stringify(at(part, "functionResponse", "response") ?? {})).not.toContain("iVBOR");
  }
});

test("peer bug 92 H2: a system turn among the messages of an agent is taken and stays in its place", () => {
  const messages = [
    ...hello,
    { role: "system", content: "The date has changed." },
    { role: "assistant", content: "Yes." },
    ...hello,
  ];
  const { body } = sent(
    "M->C",
    { system: [{ type: "text", text: "You are an agent." }], messages },
    { model: "qwen3" },
  );
  expect(list(body, "messages").map(({ role }) => role)).toEqual(["system", "user", "system", "assistant", "user"]);
});

test("peer bug 93 T10: serial calls of Messages are the inverse switch of chat completions", () => {
  const tools = [{ name: "read", input_schema: parameters }];
  const serial = sent("M->C", { tools, tool_choice: { type: "auto", disable_parallel_tool_use: true } });
  expect(serial.body.parallel_tool_calls).toBe(false);
  expect(sent("M->C", { tools }).body.parallel_tool_calls ?? true).toBe(true);
});

test("peer bug 94: the usage chunk has no choice", () => {
  const { frames } = streamed("C->M", [messageStart(), ...textBlock(0, "Hi"), ...messageEnd("end_turn")]);
  const told = frames.filter(({ usage }) => usage !== undefined && usage !== null);
  expect(told).toHaveLength(1);
  expect(told[0]?.choices).toEqual([]);
});

test("peer bug 95 2.3: an ordinary schema goes into the field for ordinary schemas, else into the subset", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  const response_format = { type: "json_schema", json_schema: { name: "x", schema, strict: true } };
  const newer = at(sent("C->G", { response_format }).body, "generationConfig");
  expect(newer).toMatchObject({ responseJsonSchema: { additionalProperties: false } });
  expect(newer).not.toHaveProperty("responseSchema");
  const older = at(sent("C->G", { response_format }, { model: "gemini-2.0-flash" }).body, "generationConfig");
  expect(older).toHaveProperty("responseSchema");
  expect(JSON.stringify(older)).not.toContain("additionalProperties");
});

test("peer bug 96 P18: a caller's id that is JSON is opaque", () => {
  const user_id = JSON.stringify({ device_id: "d", account_uuid: "a", session_id: "s" });
  expect(at(sent("M->M", { metadata: { user_id } }).body, "metadata", "user_id")).toBe(user_id);
  const { body } = sent("M->R", { metadata: { user_id } });
  expect(String(body.safety_identifier).length).toBeLessThanOrEqual(64);
  expect(body.metadata).toBeUndefined();
});

test("peer bug 98: the completed answer has id, model and output, and every item its places and done events", () => {
  const { whole, frames } = streamed("R->C", [
    chunk({ content: "Hi" }),
    fragment(0, "c1", "read", "{}"),
    chunk({}, "tool_calls"),
    usageChunk({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }),
    done,
  ]);
  expect(whole).toMatchObject({ model: expect.any(String), output: [{ type: "message" }, { type: "function_call" }] });
  for (const item of list(whole, "output")) {
    const place = frames.filter((frame) => at(frame, "item", "id") === item.id);
    expect(place.map(({ type }) => type)).toEqual(["response.output_item.added", "response.output_item.done"]);
    expect(new Set(place.map(({ output_index }) => output_index)).size).toBe(1);
  }
});

test("peer bug 99 2.4: an id of 85 characters with a newline is legal everywhere, alike for call and result", () => {
  const id = `call_${"x".repeat(40)}\nfc_${"y".repeat(36)}`;
  expect(id).toHaveLength(85);
  for (const path of ["C->M", "C->R", "C->G", "C->C"] as const) {
    const { body } = sent(path, { messages: calledBy(id) }, { model: path === "C->C" ? "gpt-5.6" : undefined });
    const found = [...JSON.stringify(body).matchAll(/"(?:tool_call_id|tool_use_id|call_id|id)":"([^"]*)"/g)].map(
      ([, one]) => one,
    );
    expect(found).toHaveLength(2);
    expect(new Set(found).size).toBe(1);
    expect(found[0]).toMatch(path === "C->M" ? /^[a-zA-Z0-9_-]+$/ : /^.{1,64}$/);
  }
});

test("peer bug 100: cache counters are the same in a stream and in a whole answer, both ways", () => {
  const native = { input_tokens: 3, cache_read_input_tokens: 80, cache_creation_input_tokens: 17, output_tokens: 5 };
  const frames = [
    messageStart({ ...native, output_tokens: 1 }),
    ...textBlock(0, "Hi"),
    ...messageEnd("end_turn", native),
  ];
  const unary = answered("C->M", message([{ type: "text", text: "Hi" }], "end_turn", { usage: native })).usage;
  expect(unary).toMatchObject({ prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 80 } });
  expect(streamed("C->M", frames).frames.at(-1)?.usage).toEqual(unary);
  const details = { cached_tokens: 80 };
  const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, prompt_tokens_details: details };
  const { whole } = streamed("M->C", [chunk({ content: "Hi" }, "stop"), usageChunk(usage), done]);
  expect(whole.usage).toMatchObject({ input_tokens: 20, cache_read_input_tokens: 80, output_tokens: 5 });
  expect(answered("M->C", completion({ content: "Hi" }, "stop", usage)).usage).toEqual(whole.usage);
});
