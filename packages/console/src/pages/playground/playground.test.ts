import { codecs, protocolNames, type Turn } from "@interlingua/protocols";
import { expect, test } from "vitest";
import { noticesOf, streamedAnswer, wholeAnswer } from "./answer.ts";
import { codeSamples } from "./code-samples.ts";
import { canonicalRequest, exampleSchema, exampleTools, handoverOf, newSettings, openCalls } from "./conversation.ts";
import { rawFrames } from "./raw-frames.ts";

const settings = { ...newSettings, protocol: "messages", model: "m", system: "Be short." } as const;
const turns: Turn[] = [
  { role: "user", parts: [{ type: "text", text: "Weather in Paris?" }] },
  {
    role: "assistant",
    parts: [
      { type: "tool-call", callId: "call_1", name: "get_weather", toolKind: "function", arguments: '{"city":"Paris"}' },
    ],
  },
  {
    role: "user",
    parts: [{ type: "tool-result", callId: "call_1", toolKind: "function", content: [{ type: "text", text: "Rain" }] }],
  },
];

test.each(protocolNames)(
  "one conversation with tools and a schema goes out as %s and comes back the same",
  (protocol) => {
    const request = canonicalRequest(
      { ...settings, tools: exampleTools, schema: exampleSchema, maxTokens: 100 },
      turns,
    );
    const codec = codecs[protocol];
    const { body } = codec.encodeRequest(request, { model: "m", stream: true });
    const decoded = codec.decodeRequest(
      body,
      { model: "m", stream: true },
      { vault: { seal: () => "", open: () => undefined } },
    );
    const taken = handoverOf(protocol, decoded);
    expect(taken.settings).toMatchObject({ protocol, model: "m", system: "Be short.", maxTokens: 100 });
    expect(JSON.parse(taken.settings.tools)).toMatchObject([{ name: "get_weather" }]);
    expect(JSON.parse(taken.settings.schema)).toMatchObject({ required: ["answer", "confidence"] });
    expect(taken.turns.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
      ["user", ["text"]],
      ["assistant", ["tool-call"]],
      ["user", ["tool-result"]],
    ]);
  },
);

test("settings that cannot be read are named; other spellings of tools are understood", () => {
  expect(() => canonicalRequest({ ...settings, tools: "[{]" }, turns)).toThrow(
    expect.objectContaining({ field: "tools" }),
  );
  expect(() => canonicalRequest({ ...settings, tools: "[{}]" }, turns)).toThrow("[0].name");
  expect(() => canonicalRequest({ ...settings, schema: "[]" }, turns)).toThrow(
    expect.objectContaining({ field: "schema" }),
  );
  const spelt = JSON.stringify([
    { type: "function", function: { name: "a", parameters: { type: "object" } } },
    { name: "b", input_schema: { type: "object" } },
  ]);
  expect(canonicalRequest({ ...settings, tools: spelt }, turns).tools).toMatchObject([
    { name: "a", parameters: { type: "object" } },
    { name: "b", parameters: { type: "object" } },
  ]);
});

test("calls of the last turn wait for their results, and no others", () => {
  const entries = turns.map((turn, id) => ({ id, turn }));
  expect(openCalls(entries.slice(0, 2)).map(({ callId }) => callId)).toEqual(["call_1"]);
  expect(openCalls(entries)).toEqual([]);
});

const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;

test("a stream is put together however its bytes are cut; one that breaks off is an error", () => {
  const text =
    chunk({ role: "assistant", content: "Hél" }) +
    chunk({ content: "lo" }) +
    chunk({}, { finish_reason: "stop" }) +
    `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\n\n` +
    "data: [DONE]\n\n";
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, 4096]) {
    const answer = streamedAnswer("chat-completions");
    for (let at = 0; at < bytes.length; at += size) answer.push(bytes.subarray(at, at + size));
    answer.close();
    expect(answer.parts()).toMatchObject([{ type: "text", text: "Héllo" }]);
    expect(answer.finish()).toMatchObject({ reason: "stop" });
    expect(answer.usage()).toMatchObject({ output: { total: 2 } });
    expect(answer.error()).toBeUndefined();
  }
  const broken = streamedAnswer("chat-completions");
  broken.push(bytes.subarray(0, 200));
  broken.close();
  expect(broken.error()).toBeDefined();
  expect(broken.finish()).toBeUndefined();
});

test("a whole answer is read by its protocol", () => {
  const answer = wholeAnswer("messages", {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [{ type: "text", text: "Hello" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 1 },
  });
  expect(answer.parts()).toMatchObject([{ type: "text", text: "Hello" }]);
});

test("raw events come as they were written, also where a piece ends in the middle of a line's end", () => {
  const frames = rawFrames();
  expect(frames.push("event: a\r\ndata: 1\r", 5)).toEqual([]);
  expect(frames.push("\n\r\ndata: 2\ndata: 3\n\n", 6)).toEqual([
    { at: 6, event: "a", data: "1" },
    { at: 6, event: undefined, data: "2\n3" },
  ]);
  expect(frames.push("data: 4", 7)).toEqual([]);
  expect(frames.close(8)).toEqual([{ at: 8, event: undefined, data: "4" }]);
});

test("notices are read from their header; what cannot be read is told, not left out", () => {
  const notice = { field: "top_k", verdict: "dropped", detail: "d" };
  expect(noticesOf(null)).toEqual([]);
  expect(noticesOf(JSON.stringify([notice]))).toEqual([notice]);
  expect(noticesOf("[{")).toMatchObject([{ field: "x-interlingua-notices", detail: "[{" }]);
});

test.each(protocolNames)("S1 code for %s holds address, model and body, and no secret", (protocol) => {
  const request = canonicalRequest({ ...settings, protocol }, turns.slice(0, 1));
  const { body } = codecs[protocol].encodeRequest(request, { model: "m/1", stream: true });
  const sampled = { address: "https://gateway.example", protocol, model: "m/1", stream: true, body };
  for (const { code } of codeSamples(sampled)) {
    expect(code).toContain("https://gateway.example");
    expect(code).toContain("m/1");
    expect(code).toContain("Weather in Paris?");
    expect(code).toContain("INTERLINGUA_KEY");
  }
});
