import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { carry } from "../testing/carrying.ts";
import { pairs, sides } from "../testing/protocol-sides.ts";
import { answered, at, list, refused, sent, streamed, wire } from "./scene.ts";
import {
  callPart,
  candidate,
  chunk,
  completion,
  fragment,
  message,
  messageEnd,
  messageStart,
  responseCall,
  responseFrames,
  responseMessage,
  textBlock,
  toolBlock,
  toolCall,
} from "./wire-frames.ts";

const done = "[DONE]";
const hello = [{ role: "user", content: "Hi" }];
const ends = [chunk({}, "tool_calls"), done];

describe("peer bug 142: calls are told apart by more than their place", () => {
  const cases: Record<string, JsonObject[]> = {
    "S4 two heads on one index": [fragment(0, "c1", "read", '{"a":1}'), fragment(0, "c2", "read", '{"a":2}')],
    "S5 head and tail disagree": [
      fragment(0, "c1", "read", '{"a":1}'),
      fragment(0, "c2", "read", '{"a"'),
      fragment(1, undefined, undefined, ":2}"),
    ],
    "S3 no index at all": [
      fragment(undefined, "c1", "read", '{"a"'),
      fragment(undefined, "c1", undefined, ":1}"),
      fragment(undefined, "c2", "read", '{"a":2}'),
    ],
  };
  test.each(Object.entries(cases))("%s", (_name, fragments) => {
    expect(list(streamed("M->C", [...fragments, ...ends]).whole, "content")).toMatchObject([
      { id: "c1", input: { a: 1 } },
      { id: "c2", input: { a: 2 } },
    ]);
  });
});

test.each(["", "{}", null])(
  "peer bug 143 T14: arguments of %j in a history are an object for Messages and Gemini",
  (text) => {
    const messages = [
      ...hello,
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: text } }],
      },
      { role: "tool", tool_call_id: "c1", content: "x" },
    ];
    expect(at(sent("C->M", { messages }).body, "messages", 1, "content", 0, "input")).toEqual({});
    expect(at(sent("C->G", { messages }).body, "contents", 1, "parts", 0, "functionCall", "args")).toEqual({});
  },
);

test.each<["C->C" | "C->M" | "C->R" | "C->G", (JsonObject | string)[]]>([
  ["C->C", [chunk({ content: "Hi" }, "stop"), done]],
  ["C->M", [messageStart(), ...textBlock(0, "Hi"), ...messageEnd("end_turn")]],
  ["C->R", responseFrames([responseMessage("msg_1", "Hi")])],
  ["C->G", [candidate([{ text: "Hi" }], "STOP")]],
])("peer bug 144 S9: %s: the first delta has the role", (path, frames) => {
  const deltas = streamed(path, frames).frames.flatMap((frame) => list(frame, "choices").map(({ delta }) => delta));
  expect(deltas[0]).toMatchObject({ role: "assistant" });
  expect(deltas.filter((delta) => at(delta, "role") !== undefined)).toHaveLength(1);
});

test("peer bug 145: input tokens that only the last message_delta tells are counted", () => {
  const end = messageEnd("end_turn", { input_tokens: 1200, output_tokens: 7 });
  const frames = [messageStart({ input_tokens: 0, output_tokens: 0 }), ...textBlock(0, "Hi"), ...end];
  expect(streamed("C->M", frames).frames.at(-1)?.usage).toMatchObject({ prompt_tokens: 1200, total_tokens: 1207 });
});

test("peer bug 146: usage inside an envelope is counted", () => {
  const usage = { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 };
  const frames = [{ response: candidate([{ text: "Hi" }]) }, { response: candidate([{ text: "!" }], "STOP", usage) }];
  const { frames: got, text } = streamed("C->G", frames);
  expect(got.at(-1)?.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 7 });
  expect(text).toContain("Hi");
});

test("peer bug 147 2.2: a thinking budget is at least 1024 and below the limit, or there is none", () => {
  const effort = fc.constantFrom("minimal", "low", "medium", "high");
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64_000 }), effort, (max_tokens, reasoning_effort) => {
      const { body } = sent("C->M", { max_tokens, reasoning_effort }, { model: "claude-sonnet-4-5" });
      expect(body.max_tokens).toBe(max_tokens);
      const budget = at(body, "thinking", "budget_tokens");
      if (budget === undefined) return;
      expect(budget).toBeGreaterThanOrEqual(1024);
      expect(budget).toBeLessThan(max_tokens);
    }),
    { numRuns: 100, seed: 147 },
  );
});

test.each([400, 404, 413, 429])(
  "peer bug 148 1.5.8: an upstream's %i is the caller's %i, in every protocol",
  (status) => {
    for (const { name, client, upstream } of pairs()) {
      const error = { message: "No.", type: "invalid_request_error" };
      const decoded = upstream.codec.decodeError({ status, headers: {}, body: { error } });
      expect(client.codec.encodeError(decoded, "call_1").status, name).toBe(status);
    }
  },
);

test("peer bug 149: a chat completions stream ends with [DONE]", () => {
  const { text } = streamed("C->M", [messageStart(), ...toolBlock(0, "t1", "read", "{}"), ...messageEnd("tool_use")]);
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
});

test("peer bug 150 H13: a turn that only calls stays one that only calls", () => {
  const messages = [
    ...hello,
    { role: "assistant", content: null, tool_calls: [toolCall("c1", "read", "{}")] },
    { role: "tool", tool_call_id: "c1", content: "x" },
  ];
  expect(list(sent("C->M", { messages }).body, "messages", 1, "content").map(({ type }) => type)).toEqual(["tool_use"]);
  expect(list(sent("C->G", { messages }).body, "contents", 1, "parts").every((part) => part.functionCall)).toBe(true);
  const { body } = sent("C->R", { messages });
  expect(list(body, "input").filter(({ role }) => role === "assistant")).toEqual([]);
});

test("peer bug 151 T7: a tool of the provider that nobody knows goes on to its own family and is a 400 or told elsewhere", () => {
  const tools = [{ type: "tool_of_tomorrow_20301231", name: "tomorrow" }];
  expect(list(sent("M->M", { tools }).body, "tools")).toMatchObject(tools);
  for (const path of ["M->C", "M->R", "M->G"] as const) {
    const { body, notices } = sent(path, { tools });
    expect(JSON.stringify(body.tools ?? [])).not.toContain("tomorrow");
    expect(notices.length).toBeGreaterThan(0);
    const forced = refused(path, { tools, tool_choice: { type: "tool", name: "tomorrow" } });
    expect(forced.status).toBe(400);
  }
});

test("peer bug 152 T4: two parallel calls and their results reach Gemini, by name and in order", () => {
  const { body } = sent("C->G", {
    messages: [
      ...hello,
      {
        role: "assistant",
        content: null,
        tool_calls: [toolCall("c1", "a", '{"x":1}'), toolCall("c2", "b", '{"x":2}')],
      },
      { role: "tool", tool_call_id: "c2", content: "two" },
      { role: "tool", tool_call_id: "c1", content: "one" },
    ],
  });
  expect(list(body, "contents", 1, "parts")).toMatchObject([
    { functionCall: { name: "a", args: { x: 1 } } },
    { functionCall: { name: "b", args: { x: 2 } } },
  ]);
  expect(list(body, "contents", 2, "parts")).toMatchObject([
    { functionResponse: { name: "a", response: { output: "one" } } },
    { functionResponse: { name: "b", response: { output: "two" } } },
  ]);
});

test("peer bug 153 S25: a call that the limit cut is told as cut, not dropped behind a finished turn", () => {
  const frames = [messageStart(), ...toolBlock(0, "t1", "read", '{"path":"a'), ...messageEnd("max_tokens")];
  expect(at(streamed("C->M", frames).whole, "choices", 0)).toMatchObject({ finish_reason: "length" });
  expect(streamed("R->M", frames).whole).toMatchObject({ status: "incomplete" });
});

test("peer bug 154 1.4: cache writes count once, though they are told in a sum and in its parts", () => {
  const usage = {
    input_tokens: 3,
    cache_read_input_tokens: 10,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
    output_tokens: 5,
  };
  const answer = message([{ type: "text", text: "Hi" }], "end_turn", { usage });
  expect(answered("C->M", answer).usage).toMatchObject({ prompt_tokens: 43, total_tokens: 48 });
});

test.each([
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["SAFETY", "content_filter"],
  ["RECITATION", "content_filter"],
  ["BLOCKLIST", "content_filter"],
  ["PROHIBITED_CONTENT", "content_filter"],
  ["SPII", "content_filter"],
  ["LANGUAGE", "stop"],
  ["OTHER", "stop"],
  ["MALFORMED_FUNCTION_CALL", "stop"],
])("peer bug 155 1.5.7: %s of Gemini is %s", (reason, expected) => {
  const answer = candidate([{ text: "Hi" }], reason);
  expect(at(answered("C->G", answer), "choices", 0, "finish_reason")).toBe(expected);
  expect(at(streamed("C->G", [answer]).whole, "choices", 0, "finish_reason")).toBe(expected);
});

test("peer bug 156 L20: a signature that no vendor gave never reaches one, and is the same on every run", () => {
  const first = answered("M->C", completion({ reasoning_content: "Hm.", content: "Yes." }));
  expect(answered("M->C", completion({ reasoning_content: "Hm.", content: "Yes." }))).toEqual(first);
  const messages = [...hello, { role: "assistant", content: first.content ?? [] }, ...hello];
  const { body } = sent("M->M", { messages });
  expect(list(body, "messages", 1, "content").map(({ type }) => type)).toEqual(["text"]);
});

test("peer bug 157: each signature of a stream returns to its own part", () => {
  const parts = ["c2lnMQ==", "c2lnMg==", "c2lnMw=="].map((signature, a) => callPart("read", { a }, signature));
  const { whole } = streamed(
    "M->G",
    parts.map((part, index) => candidate([part], index === 2 ? "STOP" : undefined)),
  );
  const results = list(whole, "content")
    .filter(({ type }) => type === "tool_use")
    .map(({ id }) => ({ type: "tool_result", tool_use_id: id ?? "", content: "x" }));
  const messages = [...hello, { role: "assistant", content: whole.content ?? [] }, { role: "user", content: results }];
  const calls = list(sent("M->G", { messages }).body, "contents", 1, "parts").filter((part) => part.functionCall);
  expect(calls.map((call) => [at(call, "functionCall", "args", "a"), call.thoughtSignature])).toEqual([
    [0, "c2lnMQ=="],
    [1, "c2lnMg=="],
    [2, "c2lnMw=="],
  ]);
});

test("peer bug 158 S3: two calls without any index are two", () => {
  const calls = [fragment(undefined, "c1", "a", "{}"), fragment(undefined, "c2", "b", "{}")];
  expect(list(streamed("M->C", [...calls, ...ends]).whole, "content").map(({ name }) => name)).toEqual(["a", "b"]);
});

test("peer bug 159 S28: a keepalive at any place ends no stream and changes nothing", () => {
  const frames = responseFrames([responseMessage("msg_1", "Hi"), responseCall("c1", "read", "{}")]);
  const beat = { type: "keepalive", sequence_number: 3 };
  const { whole } = streamed("C->R", frames);
  for (let place = 0; place < frames.length; place += 1) {
    const beaten = [...frames.slice(0, place), beat, ...frames.slice(place)];
    expect(streamed("C->R", beaten).whole).toEqual(whole);
  }
});

test("peer bug 160 S28: before response.created a keep-alive is a comment, later an event with the next number", () => {
  const client = sides.responses;
  const stream = carry(client, sides["chat-completions"], client.body(1, true), { stream: true }).createStream();
  expect(stream.ping()).toMatch(/^:.*\n\n$/);
  const start = stream.push(new TextEncoder().encode(wire([chunk({ content: "Hi" })])[0])).text;
  const numbers = [...(start + stream.ping()).matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(numbers.map((_, index) => index));
});
