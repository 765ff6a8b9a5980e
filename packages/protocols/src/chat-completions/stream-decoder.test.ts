import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CanonicalResponse, JsonObject, StreamEvent } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { chatDelta, chatStream, decodeStream, gated, utf8 } from "../testing/chat-completions-fixture.ts";
import { checkEncoderOrder } from "../testing/event-order.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";

const streams = recordings("chat-completions").flatMap(({ id, sse }) => (sse ? [{ id, sse }] : []));
const role = chatDelta({ role: "assistant", content: "" });
const done = "[DONE]";

function read(...chunks: (JsonObject | string)[]): StreamEvent[] {
  const events = gated(decodeStream([utf8(chatStream(...chunks))]));
  checkEncoderOrder(events);
  return events;
}

function answer(...chunks: (JsonObject | string)[]): CanonicalResponse {
  return accumulate(read(...chunks));
}

function parts(...chunks: (JsonObject | string)[]) {
  return answer(...chunks).candidates[0]?.parts;
}

function errorOf(events: readonly StreamEvent[]) {
  const last = events.at(-1);
  return last?.type === "error" ? last.error : undefined;
}

/** One fragment of a tool call. */
function fragment(
  index: number | undefined,
  more: { id?: string | null; name?: string | null; args?: string },
): JsonObject {
  return chatDelta({
    tool_calls: [
      {
        ...(index === undefined ? {} : { index }),
        ...(more.id === undefined ? {} : { id: more.id, type: more.id === null ? null : "function" }),
        function: {
          ...(more.name === undefined ? {} : { name: more.name }),
          ...(more.args === undefined ? {} : { arguments: more.args }),
        },
      },
    ],
  });
}

function call(callId: string, name: string, args: string) {
  return { type: "tool-call", callId, name, toolKind: "function", arguments: args };
}

const toolEnd = chatDelta({}, "tool_calls");

describe("tool calls", () => {
  it("S1 a whole call in one chunk keeps its arguments", () => {
    expect(parts(role, fragment(0, { id: "c1", name: "Bash", args: '{"command":"ls"}' }), toolEnd, done)).toEqual([
      call("c1", "Bash", '{"command":"ls"}'),
    ]);
  });

  it("S2 interleaved parallel calls are sorted, and the first goes out at once", () => {
    const chunks = [
      role,
      fragment(0, { id: "a", name: "f", args: '{"a"' }),
      fragment(1, { id: "b", name: "g", args: '{"b"' }),
      fragment(0, { args: ":1}" }),
      fragment(1, { args: ":2}" }),
      toolEnd,
      done,
    ];
    expect(parts(...chunks)).toEqual([call("a", "f", '{"a":1}'), call("b", "g", '{"b":2}')]);
    const early = gated(decodeStream([utf8(chatStream(...chunks.slice(0, 2)))]).slice(0, -1));
    expect(early.some((event) => event.type === "part-delta" && event.delta.type === "arguments")).toBe(true);
  });

  it("S2 text that arrives behind a whole call does not wait for the end", () => {
    const events = decodeStream([
      utf8(chatStream(role, fragment(0, { id: "a", name: "f", args: "{}" }), chatDelta({ content: "x" }))),
    ]);
    const stop = events.findIndex((event) => event.type === "part-stop");
    const text = events.findIndex((event) => event.type === "part-start" && event.part.type === "text");
    expect(stop).toBeGreaterThan(0);
    expect(text).toBeGreaterThan(stop);
  });

  it("S2 a call whose text is not complete stays open behind later text", () => {
    const got = parts(
      role,
      fragment(0, { id: "a", name: "f", args: '{"a"' }),
      chatDelta({ content: "x" }),
      fragment(0, { args: ":1}" }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "f", '{"a":1}'), { type: "text", text: "x" }]);
  });

  it("S3 calls without index are told apart by id", () => {
    const got = parts(
      role,
      fragment(undefined, { id: "a", name: "f", args: "{" }),
      fragment(undefined, { id: "a", args: "}" }),
      fragment(undefined, { id: "b", name: "g", args: "{}" }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "f", "{}"), call("b", "g", "{}")]);
  });

  it("S3 calls with neither index nor id are told apart by name, and get ids", () => {
    const got = parts(
      role,
      fragment(undefined, { name: "f", args: "{}" }),
      fragment(undefined, { name: "f", args: '{"x":1}' }),
      toolEnd,
      done,
    );
    const ids = got?.map((part) => (part.type === "tool-call" ? part.callId : ""));
    expect(got).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
    expect(ids?.every((id) => /^call_[0-9a-f]{22}$/.test(id))).toBe(true);
  });

  it("S4 a new id on a known index is a new call", () => {
    const got = parts(
      role,
      fragment(0, { id: "a", name: "read", args: '{"p":1}' }),
      fragment(0, { id: "b", name: "read", args: '{"p":2}' }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "read", '{"p":1}'), call("b", "read", '{"p":2}')]);
  });

  it("S5 a tail under an unknown index goes to the one call that is not complete", () => {
    const got = parts(
      role,
      fragment(0, { id: "a", name: "f", args: "{}" }),
      fragment(0, { id: "b", name: "g", args: '{"x"' }),
      fragment(1, { args: ":1}" }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "f", "{}"), call("b", "g", '{"x":1}')]);
  });

  it("S5 a piece that belongs to no call is an error, not a guess", () => {
    expect(errorOf(read(role, fragment(3, { args: "{}" }), toolEnd, done))?.kind).toBe("upstream_bad");
  });

  it("S6 a late name holds the call back, an empty one counts as none", () => {
    const got = parts(
      role,
      fragment(0, { id: "a", name: "", args: '{"x"' }),
      fragment(0, { args: ":1" }),
      fragment(0, { name: "bash", args: "}" }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "bash", '{"x":1}')]);
  });

  it("S6 a call that never gets a name is an error", () => {
    expect(errorOf(read(role, fragment(0, { id: "a", args: "{}" }), toolEnd, done))?.kind).toBe("upstream_bad");
  });

  it("S7 nulls in later fragments count as absent", () => {
    const got = parts(
      role,
      fragment(0, { id: "a", name: "f", args: "{" }),
      fragment(0, { id: null, name: null, args: "}" }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "f", "{}")]);
  });

  it("S35 a call without any argument text has empty arguments", () => {
    expect(parts(role, fragment(0, { id: "a", name: "f" }), toolEnd, done)).toEqual([call("a", "f", "{}")]);
  });

  it("the old function_call form becomes a call", () => {
    const got = parts(
      role,
      chatDelta({ function_call: { name: "f", arguments: "{" } }),
      chatDelta({ function_call: { arguments: "}" } }),
      chatDelta({}, "function_call"),
      done,
    );
    expect(got).toEqual([{ ...call("", "f", "{}"), callId: expect.stringMatching(/^call_/) }]);
  });

  it("a custom call keeps its raw text", () => {
    const opened = { index: 0, id: "a", type: "custom", custom: { name: "patch", input: "*** " } };
    const got = parts(
      role,
      chatDelta({ tool_calls: [opened] }),
      chatDelta({ tool_calls: [{ index: 0, custom: { input: "Begin" } }] }),
      toolEnd,
      done,
    );
    expect(got).toEqual([{ ...call("a", "patch", "*** Begin"), toolKind: "custom" }]);
  });

  it("a thought signature that comes behind its call is kept", () => {
    const late = { index: 0, extra_content: { google: { thought_signature: "c2ln" } } };
    const got = parts(
      role,
      fragment(0, { id: "a", name: "f", args: "{}" }),
      chatDelta({ tool_calls: [late] }),
      toolEnd,
      done,
    );
    expect(got).toEqual([{ ...call("a", "f", "{}"), proof: { family: "gemini", kind: "signature", value: "c2ln" } }]);
  });
});

describe("text and reasoning", () => {
  it("S8 empty things open no part", () => {
    const got = parts(
      role,
      chatDelta({}),
      chatDelta({ content: null, tool_calls: [] }),
      chatDelta({ content: "", reasoning_content: "", refusal: "" }),
      { ...role, choices: [] },
      chatDelta({ content: "Hi", tool_calls: [] }),
      chatDelta({}, "stop"),
      done,
    );
    expect(got).toEqual([{ type: "text", text: "Hi" }]);
  });

  it("S9 a late, repeated or absent role changes nothing", () => {
    const got = parts(
      chatDelta({ content: "a" }),
      chatDelta({ role: "assistant", content: "b" }),
      chatDelta({}, "stop"),
      done,
    );
    expect(got).toEqual([{ type: "text", text: "ab" }]);
  });

  it("S17 reasoning before, between and behind text makes parts in that order", () => {
    const got = parts(
      role,
      chatDelta({ reasoning_content: "think" }),
      chatDelta({ content: "say" }),
      chatDelta({ reasoning: "again" }),
      chatDelta({}, "stop"),
      done,
    );
    expect(got).toEqual([
      { type: "reasoning", text: "think" },
      { type: "text", text: "say" },
      { type: "reasoning", text: "again" },
    ]);
  });

  it("typed reasoning beats the plain copy beside it and keeps its proof whole", () => {
    const got = parts(
      role,
      chatDelta({ reasoning: "a", reasoning_details: [{ type: "reasoning.text", text: "a", index: 0, format: "f" }] }),
      chatDelta({ reasoning: "b", reasoning_details: [{ type: "reasoning.text", text: "b", index: 0, format: "f" }] }),
      chatDelta({ reasoning_details: [{ type: "reasoning.text", signature: "sig", index: 0 }] }),
      chatDelta({ content: "x" }, "stop"),
      done,
    );
    const value = JSON.stringify({ type: "reasoning.text", index: 0, format: "f", signature: "sig" });
    expect(got).toEqual([
      { type: "reasoning", text: "ab", proof: { family: "chat-completions", kind: "signature", value } },
      { type: "text", text: "x" },
    ]);
  });

  it("S33 a refusal ends as a refusal", () => {
    const got = answer(
      role,
      chatDelta({ refusal: "I can" }),
      chatDelta({ refusal: "not." }),
      chatDelta({}, "stop"),
      done,
    );
    expect(got.candidates[0]).toEqual({
      index: 0,
      parts: [{ type: "refusal", text: "I cannot." }],
      finish: { reason: "refusal" },
    });
  });

  it("S32 candidates keep their own state", () => {
    const second = (delta: JsonObject, finish: string | null = null) => ({
      ...chatDelta(delta),
      choices: [{ index: 1, delta, finish_reason: finish }],
    });
    const got = answer(
      role,
      second({ content: "b" }),
      chatDelta({ content: "a" }),
      second({ content: "B" }, "length"),
      chatDelta({}, "stop"),
      done,
    );
    expect(got.candidates.map((candidate) => [candidate.parts, candidate.finish.reason])).toEqual([
      [[{ type: "text", text: "a" }], "stop"],
      [[{ type: "text", text: "bB" }], "length"],
    ]);
  });

  it("S38 obfuscation padding is not content", () => {
    const got = parts(chatDelta({ content: "a" }, null, { obfuscation: "zzzz" }), chatDelta({}, "stop"), done);
    expect(got).toEqual([{ type: "text", text: "a" }]);
  });
});

describe("usage and the end", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const told = { input: { uncached: 10 }, output: { total: 5 } };
  const text = chatDelta({ content: "a" });
  const stop = chatDelta({}, "stop");

  it.each([
    ["in a chunk of its own behind the finish", [text, stop, { ...stop, choices: [], usage }, done]],
    ["in the finish chunk", [text, { ...stop, usage }, done]],
    [
      "on every chunk, cumulative",
      [{ ...text, usage: { ...usage, completion_tokens: 1, total_tokens: 11 } }, { ...stop, usage }, done],
    ],
    ["with an empty chunk behind it", [text, stop, { ...stop, choices: [], usage }, { ...stop, choices: [] }, done]],
    ["in a vendor block", [text, { ...stop, x_groq: { usage } }, done]],
  ])("S10 usage %s", (_place, chunks) => {
    expect(answer(...chunks).usage).toEqual(told);
  });

  it("S12 of two finishes the stronger counts, and text behind a finish is kept", () => {
    const got = answer(text, stop, chatDelta({ content: "b" }), chatDelta({}, "length"), done);
    expect(got.candidates[0]).toEqual({
      index: 0,
      parts: [{ type: "text", text: "ab" }],
      finish: { reason: "length" },
    });
  });

  it("law 1: a call with finish stop ends as a call", () => {
    const got = answer(role, fragment(0, { id: "a", name: "f", args: "{}" }), stop, done);
    expect(got.candidates[0]?.finish).toEqual({ reason: "tool" });
  });

  it("S22 nothing counts behind the end mark", () => {
    expect(parts(text, stop, done, chatDelta({ content: "late" }), '{"error":{"message":"late"}}')).toEqual([
      { type: "text", text: "a" },
    ]);
  });

  it("S23 closing behind a finish is a good end, also without the mark", () => {
    expect(answer(text, stop).candidates[0]?.finish).toEqual({ reason: "stop" });
    expect(answer(text, stop, " [DONE] ").candidates).toHaveLength(1);
  });

  it("S25 closing before a finish is an error, never a success", () => {
    expect(errorOf(read(text))).toMatchObject({ kind: "upstream_incomplete", code: "stream_incomplete" });
    expect(errorOf(read())).toMatchObject({ kind: "upstream_incomplete" });
    expect(errorOf(read(done))?.kind).toBe("upstream_bad");
  });

  it.each([
    ["an error object", { error: { message: "boom", type: "server_error", code: null } }, "internal"],
    ["an error text", { error: "boom" }, "upstream_bad"],
    ["an overload", { error: { message: "boom", type: "overloaded_error" } }, "overloaded"],
    ["a numeric code", { error: { message: "boom", code: 429 } }, "rate_limit"],
    ["a finish that says error", chatDelta({}, "error"), "upstream_bad"],
  ])("S24 %s inside the stream is one error, and a later end mark changes nothing", (_name, frame, kind) => {
    const events = read(text, frame, done);
    expect(errorOf(events)?.kind).toBe(kind);
    expect(events.filter((event) => event.type === "end")).toHaveLength(0);
  });

  it("S24 an event named error is one without an error key, too", () => {
    const raw = `${chatStream(text)}event: error\ndata: {"message":"boom"}\n\n`;
    expect(errorOf(gated(decodeStream([utf8(raw)])))?.message).toBe("boom");
  });

  it("error null is harmless", () => {
    expect(parts({ ...text, error: null }, stop, done)).toEqual([{ type: "text", text: "a" }]);
  });

  it("L13 an error at any place gives one error and no end", () => {
    const chunks = [role, text, fragment(0, { id: "a", name: "f", args: "{" }), toolEnd];
    for (let at = 0; at <= chunks.length; at += 1) {
      const events = read(...chunks.slice(0, at), { error: { message: "boom" } }, ...chunks.slice(at), done);
      expect(events.filter((event) => event.type === "error")).toHaveLength(1);
      expect(events.at(-1)?.type).toBe("error");
    }
  });

  it("broken JSON and HTML are errors", () => {
    expect(errorOf(read(text, "{nope"))?.kind).toBe("upstream_bad");
    expect(errorOf(gated(decodeStream([utf8("<html><body>502</body></html>")])))?.retryable).toBe(true);
  });

  it("S34 a whole answer where a stream was expected becomes one", () => {
    const whole = {
      id: "x",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
      usage,
    };
    const got = accumulate(gated(decodeStream([utf8(JSON.stringify(whole))])));
    expect(got).toMatchObject({ candidates: [{ parts: [{ type: "text", text: "Hi" }] }], usage: told });
    const failed = gated(decodeStream([utf8('{"error":{"message":"no","type":"invalid_request_error"}}')]));
    expect(errorOf(failed)?.kind).toBe("bad_request");
  });
});

describeRecorded("recorded streams", () => {
  const framings: [string, (text: string) => string][] = [
    ["CRLF", (text) => text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n")],
    ["CR", (text) => text.replaceAll("\r\n", "\n").replaceAll("\n", "\r")],
    ["no space", (text) => text.replaceAll("data: ", "data:")],
    ["comments", (text) => text.replaceAll("data: ", ": beat\n\ndata: ")],
    ["BOM", (text) => `\uFEFF${text}`],
  ];

  it.each(streams)("L9 L10 $id: neither cuts nor framing change the events", ({ sse }) => {
    const whole = gated(decodeStream([sse]));
    checkEncoderOrder(whole);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: sse.length }), { maxLength: 40 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), sse.length];
        const pieces = places.slice(1).map((end, at) => sse.subarray(places[at], end));
        expect(gated(decodeStream(pieces))).toEqual(whole);
      }),
      { numRuns: 4 },
    );
    const text = new TextDecoder().decode(sse);
    for (const [, framing] of framings) expect(gated(decodeStream([utf8(framing(text))]))).toEqual(whole);
  });

  const short = streams.filter(({ sse }) => sse.length < 12_000).slice(0, 8);

  it.each(short)("L9 $id: one byte at a time", ({ sse }) => {
    const bytes = Array.from(sse, (_byte, at) => sse.subarray(at, at + 1));
    expect(gated(decodeStream(bytes))).toEqual(gated(decodeStream([sse])));
  });

  it.each(short)("L12 $id: a cut before the end mark is never a success, a cut behind it always", ({ sse }) => {
    const text = new TextDecoder().decode(sse);
    const whole = gated(decodeStream([sse]));
    if (whole.at(-1)?.type === "error") return;
    const finish = /"finish_reason":\s*"[^"]+"/.exec(text)?.index ?? Number.POSITIVE_INFINITY;
    const mark = Math.min(finish, text.indexOf("[DONE]"));
    for (let cut = 0; cut < mark; cut += 1) {
      const events = gated(decodeStream([utf8(text.slice(0, cut))]));
      expect(events.at(-1)?.type).toBe("error");
    }
  });
});

it("never throws, whatever the bytes", () => {
  const chunk = fc.oneof(
    fc.json(),
    fc.constantFrom("[DONE]", "{}", '{"choices":[{}]}', '{"choices":[{"delta":{"tool_calls":[{}]}}]}'),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(chunk, fc.string()), { maxLength: 5 }), (frames) => {
      const events = gated(decodeStream([utf8(chatStream(...frames))]));
      checkEncoderOrder(events);
      expect(["end", "error"]).toContain(events.at(-1)?.type);
    }),
    { numRuns: 500 },
  );
});
