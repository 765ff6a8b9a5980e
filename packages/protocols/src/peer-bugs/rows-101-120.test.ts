import { expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { carry, runStream, utf8 } from "../testing/carrying.ts";
import { type Side, sides } from "../testing/protocol-sides.ts";
import { answered, at, framesOf, list, refused, sent, streamed, wire } from "./scene.ts";
import {
  candidate,
  chunk,
  completion,
  fragment,
  messageEnd,
  messageStart,
  responseCall,
  responseFrames,
  responseMessage,
  responseObject,
  textBlock,
  toolCall,
} from "./wire-frames.ts";

const done = "[DONE]";
const hello = [{ role: "user", content: "Hi" }];
const spoken = { role: "user", content: "Hi" };

test("peer bug 101: a streamed tool call of responses ends chat completions with tool_calls", () => {
  const { whole } = streamed("C->R", responseFrames([responseCall("c1", "read", '{"a":1}')]));
  expect(at(whole, "choices", 0)).toMatchObject({
    finish_reason: "tool_calls",
    message: { tool_calls: [{ id: "c1", function: { arguments: '{"a":1}' } }] },
  });
});

test("peer bug 102 2.5: whether unsigned calls get the stand-in is a question of the model, and it goes to the first alone", () => {
  const messages = [
    ...hello,
    { role: "assistant", content: null, tool_calls: [toolCall("c1", "a", "{}"), toolCall("c2", "b", "{}")] },
    { role: "tool", tool_call_id: "c1", content: "x" },
    { role: "tool", tool_call_id: "c2", content: "y" },
  ];
  const signatures = (model: string) =>
    list(sent("C->G", { messages }, { model }).body, "contents", 1, "parts").map((part) => part.thoughtSignature);
  expect(signatures("gemini-3-flash")).toEqual(["skip_thought_signature_validator", undefined]);
  expect(signatures("gemini-2.5-pro")).toEqual([undefined, undefined]);
});

test.each(["commentary", "final_answer", "a_word_of_tomorrow"])(
  "peer bug 103: a message of the phase %s is shown",
  (phase) => {
    const answer = { ...responseMessage("msg_1", "Yes."), phase };
    for (const path of ["R->R", "C->R", "M->R", "G->R"] as const) {
      expect(streamed(path, responseFrames([answer])).text).toContain("Yes.");
      expect(JSON.stringify(answered(path, responseObject([answer])))).toContain("Yes.");
    }
  },
);

test("peer bug 104: fields of responses do not leak to chat completions", () => {
  const more = {
    truncation: "disabled",
    client_metadata: { a: "b" },
    background: false,
    include: ["reasoning.encrypted_content"],
    some_field_of_tomorrow: 1,
    max_tool_calls: 3,
    text: { verbosity: "low" },
  };
  const { body, fields } = sent("R->C", more);
  for (const key of [
    "truncation",
    "client_metadata",
    "background",
    "include",
    "some_field_of_tomorrow",
    "text",
    "input",
  ]) {
    expect(body).not.toHaveProperty(key);
  }
  expect(fields).toEqual(expect.arrayContaining(["max_tool_calls"]));
  expect(refused("R->C", { truncation: "auto" })).toMatchObject({ status: 400, param: "truncation" });
});

test("peer bug 105 H6 H7: calls and results that a compaction left alone, of every kind, never reach an upstream alone", () => {
  const action = { type: "exec", command: ["ls"], env: {} };
  const calls: JsonObject[] = [
    { type: "function_call", call_id: "f", name: "read", arguments: "{}" },
    { type: "custom_tool_call", call_id: "u", name: "apply_patch", input: "x" },
    { type: "local_shell_call", id: "lsh_1", call_id: "s", action, status: "completed" },
  ];
  const results: JsonObject[] = [
    { type: "function_call_output", call_id: "F", output: "of function" },
    { type: "custom_tool_call_output", call_id: "U", output: "of custom" },
    { type: "local_shell_call_output", id: "S", call_id: "S", output: "of shell" },
  ];
  for (const path of ["R->M", "R->C", "R->G"] as const) {
    for (const item of calls) {
      const { text } = sent(path, { input: [spoken, item, spoken] });
      expect(text).toContain("no result was returned");
    }
    for (const item of results) {
      const { text, body } = sent(path, { input: [spoken, item] });
      expect(text).toContain(String(item.output));
      expect(text).not.toMatch(/tool_use_id|tool_call_id|functionResponse/);
      expect(body).toBeDefined();
    }
  }
});

test("peer bug 107: an attribution line that changes with every call does not lead the prompt elsewhere", () => {
  const system = (mark: string) => [
    { type: "text", text: `x-anthropic-billing-header: cc_version=1; cch=${mark};` },
    { type: "text", text: "You are an agent." },
  ];
  for (const path of ["M->R", "M->C", "M->G"] as const) {
    const one = sent(path, { system: system("11111") }).text;
    expect(sent(path, { system: system("22222") }).text).toBe(one);
    expect(one).toContain("You are an agent.");
  }
});

test("peer bug 108 2.4: a call id of 65 characters is cut for responses, alike for call and result", () => {
  const id = "t".repeat(65);
  const messages = [
    ...hello,
    { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "x" }] },
  ];
  const ids = list(sent("M->R", { messages }).body, "input").flatMap(({ call_id }) => call_id ?? []);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(String(ids[0]).length).toBeLessThanOrEqual(64);
});

test.each([
  [1, 16],
  [15, 16],
  [16, 16],
  [17, 17],
])("peer bug 109 P2: a limit of %i goes to responses as %i", (max_tokens, expected) => {
  expect(sent("M->R", { max_tokens, thinking: { type: "disabled" } }).body.max_output_tokens).toBe(expected);
});

test("peer bug 110: message_delta has usage, also where the upstream never told any", () => {
  const { frames } = streamed("M->C", [chunk({ content: "Hi" }, "stop"), done]);
  const delta = frames.find(({ type }) => type === "message_delta");
  expect(typeof at(delta, "usage", "output_tokens")).toBe("number");
});

test.each<["M->C" | "M->G" | "M->R", (JsonObject | string)[]]>([
  [
    "M->C",
    [
      chunk({ content: "Hi" }, "stop"),
      { ...chunk({}), choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } },
      done,
    ],
  ],
  [
    "M->G",
    [candidate([{ text: "Hi" }], "STOP", { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 })],
  ],
  ["M->R", responseFrames([responseMessage("msg_1", "Hi")])],
])("peer bug 111 S11: %s: the end tells the input tokens that the start could not know", (path, frames) => {
  const { frames: got } = streamed(path, frames);
  const delta = got.find(({ type }) => type === "message_delta");
  expect(delta?.usage).toMatchObject({ input_tokens: 5, output_tokens: 7 });
});

test("peer bug 112 H9: a result without an id belongs to the call that waits for one", () => {
  const { body, text } = sent("C->M", {
    messages: [
      ...hello,
      { role: "assistant", content: null, tool_calls: [toolCall("c1", "read", "{}")] },
      { role: "tool", content: "x" },
    ],
  });
  expect(at(body, "messages", 2, "content", 0)).toMatchObject({ type: "tool_result", tool_use_id: "c1" });
  expect(text).not.toContain("undefined");
});

test("peer bug 113 S28: a silent Messages stream has a ping to send", () => {
  const client = sides.messages;
  const stream = carry(client, sides["chat-completions"], client.body(1, true), { stream: true }).createStream();
  const [first = "", ...rest] = wire([chunk({ content: "Hi" }), chunk({}, "stop"), done]);
  const start = stream.push(utf8(first)).text;
  const ping = stream.ping();
  expect(ping).toContain("event: ping");
  const { text } = runStream(stream, rest.map(utf8));
  expect(client.verdict(start + ping + text, 1)).toBe("good");
});

test("peer bug 114 S23: only clients of chat completions get [DONE]", () => {
  const frames = [chunk({ content: "Hi" }), chunk({}, "stop"), done];
  for (const path of ["G->C", "M->C", "R->C"] as const) expect(streamed(path, frames).text).not.toContain(done);
  expect(streamed("C->C", frames).text).toContain("data: [DONE]");
});

test("peer bug 115 T5: the raw input of a free-text call is the same to the last character", () => {
  const input = '*** Begin Patch\n+ a "quoted"\\ \u{1F600} \t{}\n*** End Patch\n';
  const more = { tools: [{ type: "custom", name: "apply_patch" }] };
  const text = JSON.stringify({ input });
  const whole = answered(
    "R->C",
    completion({ tool_calls: [toolCall("c1", "apply_patch", text)] }, "tool_calls"),
    more,
    {
      model: "deepseek-chat",
    },
  );
  const pieces = [...text].map((character) => fragment(0, undefined, undefined, character));
  const inStream = streamed(
    "R->C",
    [fragment(0, "c1", "apply_patch", ""), ...pieces, chunk({}, "tool_calls"), done],
    more,
    {
      model: "deepseek-chat",
    },
  );
  for (const answer of [whole, inStream.whole]) {
    expect(list(answer, "output")).toMatchObject([{ type: "custom_tool_call", name: "apply_patch", input }]);
  }
});

test("peer bug 116 S21: characters that are split between reads are whole", () => {
  const said = "\u4F60\u597D \u{1F600} \u00E9";
  const upstreams: [Side, (JsonObject | string)[]][] = [
    [sides.messages, [messageStart(), ...textBlock(0, said), ...messageEnd("end_turn")]],
    [sides["chat-completions"], [chunk({ content: said }, "stop"), done]],
    [sides.responses, responseFrames([responseMessage("msg_1", said)])],
    [sides["generate-content"], [candidate([{ text: said }], "STOP")]],
  ];
  for (const [upstream, frames] of upstreams) {
    const isMessages = upstream.name === "chat-completions";
    const client = isMessages ? sides.messages : sides["chat-completions"];
    const stream = carry(client, upstream, client.body(1, true), { stream: true }).createStream();
    const bytes = [...utf8(wire(frames).join(""))].map((byte) => Uint8Array.of(byte));
    const whole = client.whole(runStream(stream, bytes).text, 1);
    expect(isMessages ? at(whole, "content", 0, "text") : at(whole, "choices", 0, "message", "content")).toBe(said);
  }
});

test.each([
  "http://169.254.169.254/latest/meta-data",
  "https://metadata.google.internal/x.png",
  "http://127.0.0.1/a.png",
  "http://[::ffff:10.0.0.1]/a.png",
  "https://pictures.example/a.png",
])("peer bug 117 M2: %s is refused, never fetched", (url) => {
  const messages = [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }];
  expect(refused("C->G", { messages }).status).toBe(400);
});

test("peer bug 118: no event of a responses stream comes before response.created", () => {
  for (const frames of [
    [chunk({ content: "Hi" }), chunk({}, "stop"), done],
    [chunk({ reasoning_content: "Hm." }), chunk({}, "stop"), done],
    [fragment(0, "c1", "read", "{}"), chunk({}, "tool_calls"), done],
  ]) {
    expect(streamed("R->C", frames).frames[0]).toMatchObject({ type: "response.created", sequence_number: 0 });
  }
});

test("peer bug 119: a responses stream has its whole life cycle, and nothing behind its end", () => {
  const client = sides.responses;
  const stream = carry(client, sides["chat-completions"], client.body(1, true), { stream: true }).createStream();
  const { text } = runStream(stream, wire([chunk({ content: "Hi" }), chunk({}, "stop"), done]).map(utf8));
  expect(framesOf(text).map(({ type }) => type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(stream.ping()).toBe("");
});

test("peer bug 120 S7: nulls in later fragments neither overwrite nor reach the client", () => {
  const later = { index: 0, id: null, type: null, function: { name: null, arguments: '{"a":1}' } };
  const frames = [fragment(0, "c1", "read", ""), chunk({ role: null, content: null, tool_calls: [later] })];
  const { whole, frames: got } = streamed("C->C", [...frames, chunk({}, "tool_calls"), done]);
  expect(list(whole, "choices", 0, "message", "tool_calls")).toMatchObject([
    { id: "c1", function: { name: "read", arguments: '{"a":1}' } },
  ]);
  const calls = got.flatMap((frame) => list(frame, "choices", 0, "delta", "tool_calls"));
  expect(JSON.stringify(calls)).not.toContain("null");
});
