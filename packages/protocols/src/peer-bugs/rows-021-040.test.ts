import { describe, expect, test } from "vitest";
import { answered, at, broken, list, sent, streamed, wire } from "./scene.ts";
import {
  candidate,
  chunk,
  completion,
  message,
  messageEnd,
  messageStart,
  responseCall,
  responseFrames,
  responseMessage,
  responseObject,
  textBlock,
  toolBlock,
  usageChunk,
} from "./wire-frames.ts";

const done = "[DONE]";
const parameters = { type: "object", properties: {} };
const hello = [{ role: "user", content: "Hi" }];

test("peer bug 21 S32: the chunks of several answers bear their own index", () => {
  const frames = [
    candidate([{ text: "a" }]),
    { candidates: [{ index: 1, content: { role: "model", parts: [{ text: "b" }] }, finishReason: "STOP" }] },
    candidate([{ text: "c" }], "STOP"),
  ];
  for (const [path, upstream] of [
    ["C->G", frames],
    ["C->C", [chunk({ content: "a" }), chunk({ content: "b" }, "stop", 1), chunk({ content: "c" }, "stop"), done]],
  ] as const) {
    const { frames: got } = streamed(path, upstream, { n: 2 });
    const said = ["", ""];
    for (const { index, delta } of got.flatMap((frame) => list(frame, "choices"))) {
      said[Number(index)] += String(at(delta, "content") ?? "");
    }
    expect(said).toEqual(["ac", "b"]);
  }
});

test("peer bug 22 P12: a blank stop sequence is neither sent nor lost", () => {
  const { body, fields } = sent("C->M", { stop: "\n" });
  expect(body).not.toHaveProperty("stop_sequences");
  expect(fields).toContain("stop");
  const answer = answered("C->M", message([{ type: "text", text: "one\ntwo" }]), { stop: "\n" });
  expect(at(answer, "choices", 0, "message", "content")).toBe("one");
});

test("peer bug 23 T11: thinking and a forced tool are never sent together; thinking and a schema are", () => {
  const tools = [{ type: "function", function: { name: "read", parameters } }];
  const tool_choice = { type: "function", function: { name: "read" } };
  const forced = sent("C->M", { tools, tool_choice, reasoning_effort: "high" }, { model: "claude-sonnet-4-5" });
  expect(forced.body.tool_choice).toMatchObject({ type: "tool", name: "read" });
  expect(at(forced.body, "thinking", "type") ?? "disabled").toBe("disabled");
  expect(forced.fields).toContain("reasoning_effort");
  const schema = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  const response_format = { type: "json_schema", json_schema: { name: "x", schema, strict: true } };
  const shaped = sent("C->M", { response_format, reasoning_effort: "high" }, { model: "claude-sonnet-4-5" });
  expect(at(shaped.body, "thinking", "type")).toBe("enabled");
  expect(shaped.body).not.toHaveProperty("tool_choice");
});

test("peer bug 24 H13: an empty text block that comes back is not sent on", () => {
  const messages = [
    ...hello,
    {
      role: "assistant",
      content: [
        { type: "text", text: "" },
        { type: "tool_use", id: "t1", name: "read", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", content: "ok" },
        { type: "text", text: "" },
      ],
    },
  ];
  for (const path of ["M->C", "M->R", "M->G", "M->M"] as const) {
    expect(sent(path, { messages }).text).not.toMatch(/"(text|content)":""/);
  }
});

test("peer bug 25 S25: a stream that is cut anywhere ends by an error", () => {
  const frames = wire([
    messageStart(),
    ...textBlock(0, "Hi"),
    ...toolBlock(1, "toolu_1", "read", "{}"),
    ...messageEnd("tool_use"),
  ]);
  const end = frames.findIndex((frame) => frame.includes("message_delta"));
  const whole = frames.slice(0, end).join("");
  for (let cut = 0; cut < whole.length; cut += 1) {
    const { text } = broken("M->M", [whole.slice(0, cut)]);
    expect(text).toContain("event: error");
    expect(text).not.toContain("message_stop");
  }
});

describe("peer bug 26 S33: a refusal is shown as one", () => {
  const content = [{ type: "refusal", refusal: "I will not." }];
  const item = { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
  const expected = { stop_reason: "refusal", content: [{ type: "text", text: "I will not." }] };
  test("whole", () => {
    expect(answered("M->R", responseObject([item]))).toMatchObject(expected);
  });
  test("streamed", () => {
    const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
    const { whole } = streamed("M->R", [
      { type: "response.created", response: responseObject([], "in_progress") },
      { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
      { type: "response.refusal.delta", ...place, delta: "I will not." },
      { type: "response.refusal.done", ...place, refusal: "I will not." },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: responseObject([item]) },
    ]);
    expect(whole).toMatchObject(expected);
  });
});

test("peer bug 27 1.5.7: a content filter is never shown as the end of a turn", () => {
  expect(answered("M->C", completion({ content: "" }, "content_filter")).stop_reason).toBe("refusal");
  const { whole } = streamed("M->C", [chunk({ content: "a" }), chunk({}, "content_filter"), done]);
  expect(whole.stop_reason).toBe("refusal");
});

test("peer bug 28 M1: a picture by its address stays an address where the upstream fetches itself", () => {
  const url = "https://pictures.example/a.png";
  const { body } = sent("C->M", {
    messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
  });
  expect(at(body, "messages", 0, "content", 0, "source")).toEqual({ type: "url", url });
});

test("peer bug 29 S10: usage counts also where an empty chunk follows it", () => {
  const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
  const frames = [
    chunk({ content: "a" }, "stop"),
    usageChunk(usage),
    { id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [] },
    done,
  ];
  const { frames: got } = streamed("C->C", frames);
  expect(got.at(-1)?.usage).toMatchObject(usage);
  expect(streamed("M->C", frames).whole.usage).toMatchObject({ input_tokens: 11, output_tokens: 3 });
});

test("peer bug 30 S8 S9: choices that are empty and roles that are missing stop nothing", () => {
  const empty = { id: "x", object: "chat.completion.chunk", created: 1, model: "m" };
  const frames = [
    { ...empty, choices: [] },
    { ...empty, choices: null },
    empty,
    chunk({}),
    chunk(null),
    chunk({ role: null, content: null }),
    chunk({ content: "Hi" }),
    { ...empty, choices: [{ index: 0, finish_reason: null }] },
    chunk({ role: "assistant" }, "stop"),
    done,
  ];
  expect(at(streamed("C->C", frames).whole, "choices", 0, "message", "content")).toBe("Hi");
  expect(list(streamed("M->C", frames).whole, "content")).toMatchObject([{ type: "text", text: "Hi" }]);
  expect(list(streamed("R->C", frames).whole, "output")).toHaveLength(1);
});

test("peer bug 31: each result follows its own calls, and the reasoning stays before them", () => {
  const turn = (id: string) => [
    {
      role: "assistant",
      content: [
        { type: "text", text: `before ${id}` },
        { type: "tool_use", id, name: "read", input: {} },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: `of ${id}` }] },
  ];
  const { body } = sent("M->R", { messages: [...hello, ...turn("a"), ...turn("b")] });
  const order = list(body, "input").map(({ type, call_id }) => (call_id ? `${type} ${call_id}` : (type ?? "message")));
  expect(order).toEqual([
    "message",
    "message",
    "function_call a",
    "function_call_output a",
    "message",
    "function_call b",
    "function_call_output b",
  ]);
  const item = {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "Hm." }],
    encrypted_content: "ZW5j",
  };
  const content = at(answered("M->R", responseObject([item, responseCall("c1", "read", "{}")])), "content") ?? [];
  const again = sent("M->R", {
    messages: [
      ...hello,
      { role: "assistant", content },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "x" }] },
    ],
  });
  expect(list(again.body, "input").slice(1, 3)).toMatchObject([
    { type: "reasoning", id: "rs_1", encrypted_content: "ZW5j" },
    { type: "function_call", call_id: "c1" },
  ]);
});

test("peer bug 34 P18: a caller's id that looks like a contact, or is too long, is hashed", () => {
  for (const user of ["ann@example.com", "+49 170 1234567", "u".repeat(300)]) {
    const id = String(at(sent("C->M", { user }).body, "metadata", "user_id"));
    expect(id).toMatch(/^[\w-]{1,256}$/);
    expect(id).not.toBe(user);
  }
  expect(at(sent("C->M", { user: "customer_1" }).body, "metadata", "user_id")).toBe("customer_1");
});

test("peer bug 35 L14: cached tokens are part of a prompt and stand beside Messages' input", () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 5,
    total_tokens: 105,
    prompt_tokens_details: { cached_tokens: 80 },
  };
  expect(answered("M->C", completion({ content: "a" }, "stop", usage)).usage).toMatchObject({
    input_tokens: 20,
    cache_read_input_tokens: 80,
  });
  const native = { input_tokens: 20, cache_read_input_tokens: 80, cache_creation_input_tokens: 0, output_tokens: 5 };
  expect(answered("C->M", message([{ type: "text", text: "a" }], "end_turn", { usage: native })).usage).toMatchObject(
    usage,
  );
});

test.each([
  [80, 0],
  [0, 30],
  [60, 30],
])("peer bug 36 1.5.6: %i tokens read and %i written are subtracted once", (read, written) => {
  const details = { cached_tokens: read, cache_write_tokens: written };
  const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, prompt_tokens_details: details };
  const got = answered("M->C", completion({ content: "a" }, "stop", usage)).usage;
  expect(got).toMatchObject({ input_tokens: 100 - read - written, cache_read_input_tokens: read });
  expect(at(got, "cache_creation_input_tokens") ?? 0).toBe(written);
});

test("peer bug 37 P20: a cache mark on a chat body reaches text, tool and system", () => {
  const cache_control = { type: "ephemeral" };
  const { body } = sent("C->M", {
    messages: [
      { role: "system", content: [{ type: "text", text: "Be kind.", cache_control }] },
      { role: "user", content: [{ type: "text", text: "Hi", cache_control }] },
    ],
    tools: [{ type: "function", function: { name: "read", parameters }, cache_control }],
  });
  expect(at(body, "system", 0)).toMatchObject({ cache_control });
  expect(at(body, "tools", 0)).toMatchObject({ cache_control });
  expect(at(body, "messages", 0, "content", 0)).toMatchObject({ cache_control });
});

test("peer bug 38 P19: the cache key goes from chat completions to responses and back", () => {
  expect(sent("C->R", { prompt_cache_key: "k" }).body.prompt_cache_key).toBe("k");
  expect(sent("R->C", { prompt_cache_key: "k" }).body.prompt_cache_key).toBe("k");
});

test("peer bug 39 S14: the terminal event does not call a second time", () => {
  const items = [responseCall("c1", "read", '{"a":1}'), responseCall("c2", "read", '{"a":2}')];
  const { whole } = streamed("C->R", responseFrames(items));
  expect(list(whole, "choices", 0, "message", "tool_calls")).toMatchObject([
    { id: "c1", function: { arguments: '{"a":1}' } },
    { id: "c2", function: { arguments: '{"a":2}' } },
  ]);
});

test("peer bug 40 S15: text beside a call stays, a delta may come before its item, and why it is cut is told", () => {
  const call = responseCall("c1", "read", "{}");
  const [created] = responseFrames([]);
  const { whole } = streamed("C->R", [
    created ?? {},
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "Reading." },
    { type: "response.output_item.done", output_index: 0, item: responseMessage("msg_1", "Reading.") },
    { type: "response.output_item.done", output_index: 1, item: call },
    { type: "response.completed", response: responseObject([responseMessage("msg_1", "Reading."), call]) },
  ]);
  expect(at(whole, "choices", 0, "message")).toMatchObject({ content: "Reading.", tool_calls: [{ id: "c1" }] });
  const more = { incomplete_details: { reason: "max_output_tokens" } };
  const cut = streamed("C->R", responseFrames([responseMessage("msg_1", "Rea")], "incomplete", more));
  expect(at(cut.whole, "choices", 0, "finish_reason")).toBe("length");
});
