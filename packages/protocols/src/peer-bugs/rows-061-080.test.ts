import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { carry, runStream, utf8 } from "../testing/carrying.ts";
import { sides } from "../testing/protocol-sides.ts";
import { answered, answerNotices, at, broken, list, type Path, sent, streamed, wire } from "./scene.ts";
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
  toolBlock,
  toolCall,
} from "./wire-frames.ts";

const done = "[DONE]";
const hello = [{ role: "user", content: "Hi" }];
const cache_control = { type: "ephemeral" };

test("peer bug 61 T7: what a provider-run tool did is told, where it cannot be sent", () => {
  const input = [
    { role: "user", content: "Hi" },
    { type: "tool_search_call", call_id: "s1", execution: "server", arguments: {}, status: "completed" },
    { type: "tool_search_output", call_id: "s1", execution: "server", status: "completed", tools: [] },
    { role: "user", content: "Go on" },
  ];
  expect(sent("R->M", { input }).fields.join()).toMatch(/input\[[12]\]/);
});

test("peer bug 62 L19: a turn with signed thinking goes back as it came", () => {
  const content = [
    { type: "thinking", thinking: "  odd \n white space\t", signature: "c2ln" },
    { type: "redacted_thinking", data: "cmVk" },
    { type: "text", text: "Yes. " },
    { type: "tool_use", id: "toolu_1", name: "read", input: { z: 1, a: [1, { b: null }] } },
  ];
  const messages = [
    ...hello,
    { role: "assistant", content },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "x" }] },
  ];
  const { body } = sent("M->M", { messages });
  expect(JSON.stringify(at(body, "messages", 1, "content"))).toBe(JSON.stringify(content));
});

test.each(["max_tokens", "max_completion_tokens"])("peer bug 63 P4: %s reaches every target", (field) => {
  const more = { [field]: 77 };
  expect(sent("C->C", more, { model: "gpt-5.6" }).body).toMatchObject({ max_completion_tokens: 77 });
  expect(sent("C->C", more, { model: "deepseek-chat" }).body).toMatchObject({ max_tokens: 77 });
  expect(sent("C->M", more).body).toMatchObject({ max_tokens: 77 });
  expect(sent("C->R", more).body).toMatchObject({ max_output_tokens: 77 });
  expect(sent("C->G", more).body).toMatchObject({ generationConfig: { maxOutputTokens: 77 } });
});

test("peer bug 64: the third call has index 2", () => {
  const { frames } = streamed("C->M", [
    messageStart(),
    ...toolBlock(0, "t1", "a", "{}"),
    ...toolBlock(1, "t2", "b", "{}"),
    ...toolBlock(2, "t3", "c", "{}"),
    ...messageEnd("tool_use"),
  ]);
  const heads = frames.flatMap((frame) => list(frame, "choices", 0, "delta", "tool_calls")).filter(({ id }) => id);
  expect(heads.map(({ index }) => index)).toEqual([0, 1, 2]);
});

test("peer bug 65 S10: the start's and the end's usage of a Messages stream are one usage", () => {
  const usage = { input_tokens: 9, cache_read_input_tokens: 4, cache_creation_input_tokens: 0, output_tokens: 1 };
  const { frames } = streamed("C->M", [messageStart(usage), ...textBlock(0, "Hi"), ...messageEnd("end_turn")]);
  expect(frames.at(-1)?.usage).toMatchObject({ prompt_tokens: 13, completion_tokens: 7, total_tokens: 20 });
});

test("peer bug 66 M3 M5: a PDF is a document, in its own field and in the place of a picture", () => {
  const url = "data:application/pdf;base64,JVBERi0xLjQ=";
  const content = [
    { type: "image_url", image_url: { url } },
    { type: "file", file: { filename: "a.pdf", file_data: url } },
    { type: "text", text: "Read." },
  ];
  const { body } = sent("C->M", { messages: [{ role: "user", content }] });
  const source = { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjQ=" };
  expect(list(body, "messages", 0, "content").slice(0, 2)).toMatchObject([
    { type: "document", source },
    { type: "document", source },
  ]);
});

test("peer bug 67 P20: cache marks on calls and results survive", () => {
  const { body } = sent("C->M", {
    messages: [
      ...hello,
      { role: "assistant", content: null, tool_calls: [{ ...toolCall("c1", "read", "{}"), cache_control }] },
      { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "x", cache_control }] },
    ],
  });
  expect(at(body, "messages", 1, "content", 0)).toMatchObject({ type: "tool_use", cache_control });
  expect(JSON.stringify(at(body, "messages", 2))).toContain('"cache_control":{"type":"ephemeral"}');
});

describe("peer bug 68: the framing of a stream changes nothing, usage included", () => {
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
  const plain = wire([chunk({ content: "Hi" }), { ...chunk({}, "stop"), usage }, done]).join("");
  const framings: Record<string, string> = {
    "as usual": plain,
    "without the space": plain.replaceAll("data: ", "data:"),
    "CR LF": plain.replaceAll("\n", "\r\n"),
    "CR alone": plain.replaceAll("\n", "\r"),
    "with comments": `: hello\n\n${plain.replaceAll("data: ", ": beat\ndata: ")}`,
    "with a byte order mark": `\uFEFF${plain}`,
  };
  test.each(Object.entries(framings))("%s", (_name, text) => {
    const client = sides.messages;
    const { createStream } = carry(client, sides["chat-completions"], client.body(1, true), { stream: true });
    const carried = runStream(createStream(), [utf8(text)]);
    expect(client.whole(carried.text, 1)).toMatchObject({
      content: [{ type: "text", text: "Hi" }],
      usage: { input_tokens: 5, output_tokens: 2 },
    });
  });
});

test.each<[Path, JsonObject]>([
  ["C->M", message([{ type: "text", text: "Hi" }], "brand_new_reason")],
  ["C->G", candidate([{ text: "Hi" }], "BRAND_NEW_REASON")],
  ["M->C", completion({ content: "Hi" }, "brand_new_reason")],
])("peer bug 69 1.5.7: %s: a reason that nobody knows is told, and never silently an ordinary end", (path, answer) => {
  const told = answerNotices(path, answer).map(({ detail }) => detail);
  expect(told.join()).toMatch(/brand_new_reason/i);
});

test("peer bug 70 S24: an error inside a stream is one error at any place, and never an end", () => {
  const frames = wire([messageStart(), ...textBlock(0, "Hi"), ...toolBlock(1, "t1", "a", "{}")]);
  const error = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}\n\n';
  for (let place = 0; place <= frames.length; place += 1) {
    const { text, frames: got } = broken("C->M", [...frames.slice(0, place), error, ...frames.slice(place)]);
    expect(got.filter((frame) => frame.error !== undefined)).toHaveLength(1);
    expect(text).toContain("Busy");
    expect(text).not.toContain(done);
  }
});

test("peer bug 71: a signature is read in the very shape in which it was given", () => {
  const answer = answered("C->G", candidate([{ text: "Hm." }, callPart("read", { a: 1 }, "c2ln")], "STOP"));
  const assistant = at(answer, "choices", 0, "message") ?? null;
  const { body } = sent("C->G", {
    messages: [
      ...hello,
      assistant,
      { role: "tool", tool_call_id: at(assistant, "tool_calls", 0, "id") ?? "", content: "x" },
    ],
  });
  const call = list(body, "contents", 1, "parts").find((part) => part.functionCall);
  expect(call?.thoughtSignature).toBe("c2ln");
});

test("peer bug 72 T12: strict is sent where the model takes it, and its loss is told", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  const tools = [{ type: "function", function: { name: "t", parameters: schema, strict: true } }];
  expect(at(sent("C->M", { tools }, { model: "claude-opus-5-5" }).body, "tools", 0, "strict")).toBe(true);
  const old = sent("C->M", { tools }, { model: "claude-3-5-haiku" });
  expect(at(old.body, "tools", 0, "strict")).toBeUndefined();
  expect(old.fields.join()).toContain("strict");
});

test("peer bug 73 T5 T6: tools that an input item brings are offered, and a custom call keeps its kind", () => {
  const patch = "*** Begin Patch";
  const more = {
    input: [
      {
        type: "additional_tools",
        role: "developer",
        tools: [{ type: "custom", name: "apply_patch", description: "Edits." }],
      },
      { role: "user", content: "Edit." },
      { type: "custom_tool_call", call_id: "c0", name: "apply_patch", input: patch },
      { type: "custom_tool_call_output", call_id: "c0", output: "ok" },
    ],
    tool_choice: "required",
  };
  const { body } = sent("R->C", more, { model: "deepseek-chat" });
  expect(list(body, "tools")).toMatchObject([{ type: "function", function: { name: "apply_patch" } }]);
  expect(body.tool_choice).toBe("required");
  const { whole } = streamed(
    "R->C",
    [
      fragment(0, "c1", "apply_patch", '{"input":"*** '),
      fragment(0, undefined, undefined, 'Begin"}'),
      chunk({}, "tool_calls"),
      done,
    ],
    more,
    { model: "deepseek-chat" },
  );
  expect(list(whole, "output")).toMatchObject([{ type: "custom_tool_call", name: "apply_patch", input: "*** Begin" }]);
});

test("peer bug 75 H4: a user's text behind a result stands in the same user turn, behind it", () => {
  const { body } = sent("C->M", {
    messages: [
      ...hello,
      { role: "assistant", content: null, tool_calls: [toolCall("c1", "read", "{}")] },
      { role: "tool", tool_call_id: "c1", content: "x" },
      { role: "user", content: "And now?" },
    ],
  });
  expect(list(body, "messages").map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(list(body, "messages", 2, "content").map(({ type }) => type)).toEqual(["tool_result", "text"]);
});

test("peer bug 76 H12: a provider's tool and the client's tool in one turn keep their pairs on the second request", () => {
  const content = [
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
    { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
    { type: "tool_use", id: "toolu_1", name: "read", input: {} },
  ];
  const messages = [
    ...hello,
    { role: "assistant", content },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "x" }] },
  ];
  const { body } = sent("M->M", { messages });
  expect(at(body, "messages", 1, "content")).toEqual(content);
  expect(list(body, "messages", 2, "content")).toMatchObject([{ type: "tool_result", tool_use_id: "toolu_1" }]);
});

test("peer bug 77 P20: a cache mark on the later of two merged results stays", () => {
  const { body } = sent("C->M", {
    messages: [
      ...hello,
      { role: "assistant", content: null, tool_calls: [toolCall("c1", "a", "{}"), toolCall("c2", "b", "{}")] },
      { role: "tool", tool_call_id: "c1", content: "x" },
      { role: "tool", tool_call_id: "c2", content: [{ type: "text", text: "y" }], cache_control },
    ],
  });
  const results = list(body, "messages", 2, "content").map((part) => JSON.stringify(part));
  expect(results[0]).not.toContain("cache_control");
  expect(results[1]).toContain("cache_control");
});

test.each<[string, JsonObject[]]>([
  ["in the first fragment", [fragment(0, "c1", "read", '{"a":'), fragment(0, undefined, undefined, "1}")]],
  ["behind arguments", [fragment(0, "c1", undefined, '{"a":'), fragment(0, undefined, "read", "1}")]],
  [
    "first empty",
    [fragment(0, "c1", "", '{"a":'), fragment(0, undefined, "read", ""), fragment(0, undefined, "", "1}")],
  ],
])("peer bug 78 S6: a call whose name comes %s is whole", (_order, fragments) => {
  const { whole } = streamed("M->C", [...fragments, chunk({}, "tool_calls"), done]);
  expect(list(whole, "content")).toMatchObject([{ type: "tool_use", id: "c1", name: "read", input: { a: 1 } }]);
});

test("peer bug 79 L14: Gemini's thoughts are part of the output, and the total is the sum", () => {
  const usage = { promptTokenCount: 10, candidatesTokenCount: 20, thoughtsTokenCount: 300, totalTokenCount: 330 };
  expect(answered("C->G", candidate([{ text: "Hi" }], "STOP", usage)).usage).toMatchObject({
    prompt_tokens: 10,
    completion_tokens: 320,
    total_tokens: 330,
    completion_tokens_details: { reasoning_tokens: 300 },
  });
  expect(answered("M->G", candidate([{ text: "Hi" }], "STOP", usage)).usage).toMatchObject({
    input_tokens: 10,
    output_tokens: 320,
  });
});

test("peer bug 80: the signature of two parallel calls returns to Gemini with the first, and both are there", () => {
  const parts = [callPart("read", { a: 1 }, "c2ln"), callPart("read", { a: 2 })];
  const { whole } = streamed("R->G", [candidate(parts, "STOP")]);
  const output = list(whole, "output");
  const results = output
    .filter(({ type }) => type === "function_call")
    .map(({ call_id }) => ({ type: "function_call_output", call_id: call_id ?? "", output: "x" }));
  expect(results).toHaveLength(2);
  const { body } = sent("R->G", { input: [{ role: "user", content: "Hi" }, ...output, ...results] });
  const calls = list(body, "contents", 1, "parts").filter((part) => part.functionCall);
  expect(calls.map(({ thoughtSignature }) => thoughtSignature)).toEqual(["c2ln", undefined]);
  expect(list(body, "contents", 2, "parts")).toHaveLength(2);
});
