import fc from "fast-check";
import OpenAI from "openai";
import OpenAI6 from "openai6";
import { describe, expect, test } from "vitest";
import { type CanonicalResponse, canonicalError, type JsonObject, type StreamEvent } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { responseToEvents } from "../shared/accumulate.ts";
import { isObject } from "../shared/read.ts";
import { citation, logprobs, proof, reasoningPart, response, textPart, usage } from "../testing/arbitraries.ts";
import {
  answerContext,
  decodeStream,
  encodeStream,
  gated,
  minimalRequest,
  utf8,
} from "../testing/responses-fixture.ts";
import { checkStream } from "../testing/responses-grammar.ts";
import { createStreamEncoder } from "./stream-encoder.ts";

const start: StreamEvent = { type: "start", id: "up", model: "claude", createdAt: 1_700_000_001 };
const end: StreamEvent[] = [{ type: "finish", candidate: 0, finish: { reason: "stop" } }, { type: "end" }];

function text(key: string, ...pieces: string[]): StreamEvent[] {
  return [
    { type: "part-start", candidate: 0, key, part: { type: "text" } },
    ...pieces.map(
      (piece): StreamEvent => ({ type: "part-delta", candidate: 0, key, delta: { type: "text", text: piece } }),
    ),
    { type: "part-stop", candidate: 0, key },
  ];
}

function call(key: string, name: string, args: string[], toolKind: "function" | "custom" = "function"): StreamEvent[] {
  return [
    { type: "part-start", candidate: 0, key, part: { type: "tool-call", callId: `call_${key}`, name, toolKind } },
    ...args.map(
      (piece): StreamEvent => ({ type: "part-delta", candidate: 0, key, delta: { type: "arguments", text: piece } }),
    ),
    { type: "part-stop", candidate: 0, key },
  ];
}

function thought(key: string, pieces: string[], secret?: string): StreamEvent[] {
  return [
    { type: "part-start", candidate: 0, key, part: { type: "reasoning" } },
    ...pieces.map(
      (piece): StreamEvent => ({ type: "part-delta", candidate: 0, key, delta: { type: "reasoning", text: piece } }),
    ),
    ...(secret === undefined
      ? []
      : [
          {
            type: "part-delta",
            candidate: 0,
            key,
            delta: { type: "proof", proof: { family: "anthropic", kind: "signature", value: secret } },
          } satisfies StreamEvent,
        ]),
    { type: "part-stop", candidate: 0, key },
  ];
}

/** A gateway that answers with this stream. */
function gateway(stream: string) {
  return {
    apiKey: "test",
    baseURL: "http://gateway.test/v1",
    maxRetries: 0,
    fetch: async () => new Response(stream, { headers: { "content-type": "text/event-stream" } }),
  };
}

/** The official SDK reading our stream. */
async function readBySdk(stream: string) {
  const client = new OpenAI(gateway(stream));
  const types: string[] = [];
  const helper = client.responses.stream({ model: "m", input: "Hi" });
  for await (const event of helper) types.push(event.type);
  return { types, final: await helper.finalResponse() };
}

/** An item as Codex parses it (conversion.md 5.2): what it cannot parse it drops in silence. */
function codexItems(stream: string): JsonObject[] {
  const items: JsonObject[] = [];
  let completed = false;
  for (const block of stream.split("\n\n")) {
    const data = block.split("\n").find((line) => line.startsWith("data: "));
    if (!data) continue;
    const event: unknown = JSON.parse(data.slice(6));
    if (!isObject(event)) throw new Error("no object");
    if (event.type === "response.output_item.done" && isObject(event.item)) items.push(event.item);
    if (event.type !== "response.completed" || !isObject(event.response)) continue;
    completed = true;
    expect(typeof event.response.id).toBe("string");
    if (!isObject(event.response.usage)) continue;
    for (const key of ["input_tokens", "output_tokens", "total_tokens"]) {
      expect(Number.isInteger(event.response.usage[key])).toBe(true);
    }
  }
  expect(completed).toBe(true);
  for (const item of items) {
    if (item.type === "message") expect(Array.isArray(item.content) && typeof item.role === "string").toBe(true);
    if (item.type === "reasoning") expect(Array.isArray(item.summary)).toBe(true);
    if (item.type === "function_call") expect([item.name, item.arguments, item.call_id].every(isText)).toBe(true);
    if (item.type === "custom_tool_call") expect([item.name, item.input, item.call_id].every(isText)).toBe(true);
  }
  return items;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** Answers with everything that this protocol's answers can hold. */
const anyAnswer = response({
  reasoning: fc.oneof(
    reasoningPart({ family: "openai", content: "summary", proof: "sometimes", kind: "encrypted" }),
    reasoningPart({ family: "anthropic", content: "text", proof: "always" }),
  ),
  content: fc
    .tuple(textPart(), fc.array(citation(), { maxLength: 2 }), logprobs(), fc.option(proof("gemini")))
    .map(([part, citations, tokens, signature]) => ({
      ...part,
      citations,
      logprobs: tokens,
      ...(signature ? { proof: signature } : {}),
    })),
  customTools: true,
  finishes: [
    "stop",
    "length",
    "context",
    "filter",
    "refusal",
    "paused",
    "recitation",
    "malformed_tool",
    "error",
    "other",
  ],
  usage: usage({ cacheRead: true, cacheWrite: true, reasoning: true }),
  serviceTier: true,
});

describe("responses stream encoder", () => {
  test("L11 every stream obeys the grammar of 3.1", () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        const { end: ending, terminal } = checkStream(encodeStream(responseToEvents(answer)));
        expect(ending).not.toBe("error");
        expect(terminal.usage).not.toBeNull();
      }),
    );
  });

  test("L13 an error at any moment gives one failed end and no success mark", () => {
    fc.assert(
      fc.property(anyAnswer, fc.nat(), fc.boolean(), (answer, cut, ping) => {
        const events = responseToEvents(answer).slice(0, -1);
        const encoder = createStreamEncoder(answerContext());
        const kept = events.slice(0, cut % (events.length + 1));
        let stream = "";
        for (const event of kept) stream += encoder.write(event) + (ping ? encoder.ping() : "");
        stream += encoder.write({ type: "error", error: canonicalError("overloaded", "Busy.") });
        const checked = checkStream(stream);
        expect(checked.end).toBe(kept.length === 0 ? "error" : "failed");
        expect(stream).not.toContain("response.completed");
        expect(encoder.ping()).toBe("");
        expect(encoder.write({ type: "error", error: canonicalError("internal", "Again.") })).toBe("");
      }),
    );
  });

  test("L8 what a client accumulates is what was said", () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        fc.pre(!["malformed_tool", "error"].includes(answer.candidates[0]?.finish.reason ?? ""));
        const events = gated(decodeStream([utf8(encodeStream(responseToEvents(answer)))]));
        const heard = events.flatMap((event) => (event.type === "part-delta" ? [event.delta] : []));
        const said = responseToEvents(answer).flatMap((event) => (event.type === "part-delta" ? [event.delta] : []));
        for (const type of ["text", "arguments"] as const) {
          const join = (deltas: typeof heard) =>
            deltas.map((delta) => (delta.type === type ? delta.text : "")).join("");
          if (type === "text" && answer.candidates[0]?.finish.reason === "refusal") continue;
          expect(join(heard)).toBe(join(said));
        }
      }),
    );
  });

  test("the official SDK's strict helper reads every kind of item", async () => {
    const stream = encodeStream([
      start,
      ...thought("r", ["Let me ", "think."], "sig"),
      ...text("t1", "Hel", "lo"),
      ...text("t2", " world"),
      ...call("c1", "read", ['{"p":', "1}"]),
      ...call("c2", "list", []),
      ...call("c3", "patch", ["*** Begin", " Patch"], "custom"),
      {
        type: "part",
        candidate: 0,
        part: { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } },
      },
      { type: "usage", usage: { input: { uncached: 3 }, output: { total: 4 } } },
      { type: "finish", candidate: 0, finish: { reason: "tool" } },
      { type: "end" },
    ]);
    checkStream(stream);
    const older = await new OpenAI6(gateway(stream)).responses.stream({ model: "m", input: "Hi" }).finalResponse();
    const { final, types } = await readBySdk(stream);
    expect(types.at(-1)).toBe("response.completed");
    for (const read of [final, older]) {
      expect(read.status).toBe("completed");
      expect(read.output_text).toBe("Hello world");
      expect(read.output.map((item) => item.type)).toEqual([
        "reasoning",
        "message",
        "function_call",
        "function_call",
        "custom_tool_call",
        "image_generation_call",
      ]);
      expect(read.output[3]).toMatchObject({ name: "list", arguments: "{}" });
      expect(read.usage?.total_tokens).toBe(7);
    }
  });

  test("the official SDK's strict helper takes any answer of ours", async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, async (answer) => {
        const { final } = await readBySdk(encodeStream(responseToEvents(answer)));
        expect(final.id).toMatch(/^resp_/);
      }),
      { numRuns: 40 },
    );
  });

  test("S28 beats between events leave the strict helper alive, and before the start only a comment is lawful", async () => {
    const encoder = createStreamEncoder(answerContext());
    let stream = encoder.ping();
    expect(stream).toMatch(/^: /);
    for (const event of [start, ...text("t", "a", "b"), ...call("c", "f", ["{}"]), ...end]) {
      stream += encoder.write(event) + encoder.ping();
    }
    const { events } = checkStream(stream);
    expect(events.filter((event) => event.type === "response.in_progress").length).toBeGreaterThan(5);
    expect((await readBySdk(stream)).final.output_text).toBe("ab");
  });

  test("Codex finds every item with the keys it needs", () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        fc.pre(["stop", "tool"].includes(answer.candidates[0]?.finish.reason ?? ""));
        codexItems(encodeStream(responseToEvents(answer)));
      }),
    );
  });

  test("S13 a custom call is a custom_tool_call from its first frame", () => {
    const { events } = checkStream(
      encodeStream([start, ...call("c", "apply_patch", ["*** ", "End"], "custom"), ...end]),
    );
    const added = events.find((event) => event.type === "response.output_item.added");
    expect(added?.item).toMatchObject({ type: "custom_tool_call", name: "apply_patch", input: "" });
    expect(JSON.stringify(events)).not.toContain("function_call");
  });

  test("S31 one response id everywhere; S40 numbers are dense and our own", () => {
    const { events } = checkStream(encodeStream([start, ...text("t", "x"), ...end]));
    const ids = new Set(events.flatMap((event) => (isObject(event.response) ? [event.response.id] : [])));
    expect(ids.size).toBe(1);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
  });

  test("S24 an error after the start closes the open message as incomplete and fails with a code", () => {
    const stream = encodeStream([
      start,
      ...text("t", "Hel").slice(0, -1),
      { type: "error", error: canonicalError("rate_limit", "Slow down.", { retryAfterSeconds: 7 }) },
    ]);
    const { end: ending, items, terminal } = checkStream(stream);
    expect(ending).toBe("failed");
    expect(items).toMatchObject([{ type: "message", status: "incomplete", content: [{ text: "Hel" }] }]);
    expect(terminal.error).toEqual({ code: "rate_limit_exceeded", message: "Slow down. Please try again in 7s." });
  });

  test("S25 half a call never looks whole: no done event, not in the output", async () => {
    for (const kind of ["function", "custom"] as const) {
      const stream = encodeStream([
        start,
        ...call("c1", "read", ['{"a":1}']),
        ...call("c2", "write", ["{"], kind).slice(0, -1),
        { type: "error", error: canonicalError("upstream_incomplete", "Cut.", { code: "stream_incomplete" }) },
      ]);
      const { items, terminal } = checkStream(stream);
      expect(items).toMatchObject([{ name: "read", status: "completed" }]);
      expect(terminal.error).toMatchObject({ code: "stream_incomplete" });
      expect((await readBySdk(stream)).final.status).toBe("failed");
    }
  });

  test("an error before the start is the error event alone", () => {
    const stream = encodeStream([{ type: "error", error: canonicalError("overloaded", "Busy.") }]);
    expect(checkStream(stream).terminal).toMatchObject({
      type: "error",
      code: "overloaded",
      message: "Busy.",
      param: null,
    });
  });

  test.each([
    ["context_too_long", "context_length_exceeded"],
    ["too_large", "context_length_exceeded"],
    ["billing", "insufficient_quota"],
    ["rate_limit", "rate_limit_exceeded"],
  ] as const)("an agent recognises %s in a stream as %s", (kind, code) => {
    const stream = encodeStream([start, { type: "error", error: canonicalError(kind, "No.") }]);
    expect(checkStream(stream).terminal.error).toMatchObject({ code });
  });

  test("an answer cut by its limit ends incomplete, its last item too; a whole call before the cut stays whole", () => {
    const length: StreamEvent[] = [{ type: "finish", candidate: 0, finish: { reason: "length" } }, { type: "end" }];
    const cut = checkStream(encodeStream([start, ...call("c", "f", ['{"a":']), ...length]));
    expect(cut.terminal).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
    expect(cut.items).toMatchObject([{ status: "incomplete", arguments: '{"a":' }]);
    const whole = checkStream(encodeStream([start, ...call("c", "f", ['{"a":1}']), ...length]));
    expect(whole.items).toMatchObject([{ status: "completed" }]);
    const message = checkStream(encodeStream([start, ...text("t", "abc"), ...length]));
    expect(message.items).toMatchObject([{ status: "incomplete" }]);
  });

  test("S33 a refusal without words of its own is shown as a refusal, never as an empty answer", () => {
    const refusal: StreamEvent[] = [{ type: "finish", candidate: 0, finish: { reason: "refusal" } }, { type: "end" }];
    const { items } = checkStream(encodeStream([start, ...refusal]));
    expect(items).toMatchObject([{ type: "message", content: [{ type: "refusal" }] }]);
  });

  test("neighbouring texts are parts of one message, and a message ends where something else begins", () => {
    const { items } = checkStream(
      encodeStream([start, ...text("a", "1"), ...text("b", "2"), ...call("c", "f", ["{}"]), ...text("d", "3"), ...end]),
    );
    expect(items.map((item) => item.type)).toEqual(["message", "function_call", "message"]);
    expect(items[0]).toMatchObject({ content: [{ text: "1" }, { text: "2" }] });
  });

  test("S36 annotations come after the text they count in, with byte offsets turned into UTF-16", () => {
    const source = { kind: "url", url: "https://a.test", title: "A" } as const;
    const { items } = checkStream(
      encodeStream([
        start,
        { type: "part-start", candidate: 0, key: "t", part: { type: "text" } },
        { type: "part-delta", candidate: 0, key: "t", delta: { type: "citation", citation: { ...source } } },
        {
          type: "part-delta",
          candidate: 0,
          key: "t",
          delta: { type: "citation", citation: { ...source, start: 2, end: 6, unit: "byte" } },
        },
        { type: "part-delta", candidate: 0, key: "t", delta: { type: "text", text: "é😀!" } },
        { type: "part-stop", candidate: 0, key: "t" },
        ...end,
      ]),
    );
    expect(items).toMatchObject([
      {
        content: [
          {
            annotations: [
              { start_index: 0, end_index: 4 },
              { start_index: 1, end_index: 3 },
            ],
          },
        ],
      },
    ]);
  });

  test("2.5 a foreign signature is sealed into the reasoning item and comes back whole", () => {
    const context = answerContext();
    const { items } = checkStream(
      encodeStream([start, ...thought("r", ["Hm."], "SECRET-SIG"), ...text("t", "x"), ...end], context),
    );
    const [item] = items;
    expect(item).toMatchObject({ type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] });
    const sealed = item?.encrypted_content;
    expect(sealed).not.toContain("SECRET-SIG");
    expect(typeof sealed === "string" && context.vault.open(sealed)).toEqual({
      family: "anthropic",
      kind: "signature",
      value: "SECRET-SIG",
    });
  });

  test("pair 6 a signed call has its proof in a reasoning item directly before it, a signed text behind it", () => {
    const signature = { family: "gemini", kind: "signature", value: "sig" } as const;
    const head = { type: "tool-call", callId: "c", name: "f", toolKind: "function", proof: signature } as const;
    const { items } = checkStream(
      encodeStream([
        start,
        { type: "part-start", candidate: 0, key: "t", part: { type: "text" } },
        { type: "part-delta", candidate: 0, key: "t", delta: { type: "text", text: "x" } },
        { type: "part-delta", candidate: 0, key: "t", delta: { type: "proof", proof: signature } },
        { type: "part-stop", candidate: 0, key: "t" },
        { type: "part-start", candidate: 0, key: "c", part: head },
        { type: "part-stop", candidate: 0, key: "c" },
        ...end,
      ]),
    );
    expect(items.map((item) => item.type)).toEqual(["message", "reasoning", "reasoning", "function_call"]);
    expect(items[2]).toMatchObject({ summary: [] });
  });

  test("an own proof that belongs to another item id is sealed with that id", () => {
    const context = answerContext();
    const own = { family: "openai", kind: "encrypted", value: "gAAA", itemId: "rs_up" } as const;
    const { items } = checkStream(
      encodeStream(
        [
          start,
          { type: "part-start", candidate: 0, key: "r", part: { type: "reasoning" } },
          { type: "part-delta", candidate: 0, key: "r", delta: { type: "proof", proof: own } },
          { type: "part-stop", candidate: 0, key: "r" },
          ...text("t", "x"),
          ...end,
        ],
        context,
      ),
    );
    const sealed = items[0]?.encrypted_content;
    expect(typeof sealed === "string" && context.vault.open(sealed)).toEqual(own);
  });

  test("every response object repeats the client's settings, never the upstream's", () => {
    const tools = [{ type: "function", name: "f", parameters: {}, strict: true }];
    const clientBody: JsonObject = {
      model: "alias",
      input: "Hi",
      instructions: "Be brief.",
      tools,
      tool_choice: "required",
      parallel_tool_calls: false,
      temperature: 0.3,
      top_p: 0.5,
      text: { verbosity: "low" },
      reasoning: { effort: "high", summary: "auto" },
      metadata: { a: "b" },
      max_output_tokens: 99,
      store: true,
    };
    const { events } = checkStream(encodeStream([start, ...text("t", "x"), ...end], answerContext({ clientBody })));
    const objects = events.flatMap((event) => (isObject(event.response) ? [event.response] : []));
    expect(objects.length).toBe(3);
    for (const object of objects) {
      expect(object).toMatchObject({
        instructions: "Be brief.",
        tools,
        tool_choice: "required",
        parallel_tool_calls: false,
        temperature: 0.3,
        top_p: 0.5,
        text: { format: { type: "text" }, verbosity: "low" },
        reasoning: { effort: "high", summary: "auto" },
        metadata: { a: "b" },
        max_output_tokens: 99,
        store: false,
        truncation: "disabled",
        previous_response_id: null,
      });
    }
  });

  test("T6, T8 namespaced and typed tools are called in the client's own spelling", () => {
    const request = minimalRequest({
      tools: [
        {
          type: "function",
          name: "crm__find",
          extras: { responses: { $namespace: { name: "crm", local: "find" } } },
        },
        { type: "function", name: "local_shell", extras: { responses: { $typed: { type: "local_shell" } } } },
        {
          type: "function",
          name: "apply_patch",
          extras: { responses: { $typed: { type: "apply_patch" } } },
        },
      ],
    });
    const context: AnswerContext = answerContext({ request });
    const { items } = checkStream(
      encodeStream(
        [
          start,
          ...call("a", "crm__find", ['{"q":1}']),
          ...call("b", "local_shell", ['{"command":', '["ls"]}']),
          ...call("c", "apply_patch", ['{"type":"delete_file","path":"x"}']),
          ...end,
        ],
        context,
      ),
    );
    expect(items).toMatchObject([
      { type: "function_call", namespace: "crm", name: "find", arguments: '{"q":1}' },
      { type: "local_shell_call", call_id: "call_b", action: { type: "exec", command: ["ls"], env: {} } },
      { type: "apply_patch_call", call_id: "call_c", operation: { type: "delete_file", path: "x" } },
    ]);
  });

  test("illegal orders throw", () => {
    const encoder = () => createStreamEncoder(answerContext());
    expect(() => encoder().write({ type: "end" })).toThrow("before 'start'");
    const twice = encoder();
    twice.write(start);
    expect(() => twice.write(start)).toThrow("twice");
    const inside = encoder();
    for (const event of [start, ...text("a", "x").slice(0, -1)]) inside.write(event);
    expect(() => inside.write({ type: "part-start", candidate: 0, key: "b", part: { type: "text" } })).toThrow(
      "inside",
    );
    expect(() => inside.write({ type: "end" })).toThrow("inside");
    expect(() =>
      inside.write({ type: "part-delta", candidate: 0, key: "z", delta: { type: "text", text: "" } }),
    ).toThrow();
    const other = encoder();
    other.write(start);
    expect(() => other.write({ type: "part-start", candidate: 1, key: "b", part: { type: "text" } })).toThrow(
      "one answer",
    );
    const over = encoder();
    for (const event of [start, ...end]) over.write(event);
    expect(() => over.write(start)).toThrow("after the end");
  });

  test("parts without a place here are told, not lost in silence", () => {
    const context = answerContext();
    const audio = { type: "audio", source: { type: "base64", mediaType: "audio/wav", data: "AAAA" } } as const;
    checkStream(encodeStream([start, { type: "part", candidate: 0, part: audio }, ...end], context));
    expect(context.notices).toMatchObject([{ field: "audio", verdict: "dropped" }]);
  });

  test("lone surrogates and line separators survive", () => {
    const answer: CanonicalResponse = {
      candidates: [
        { index: 0, parts: [{ type: "text", text: "\ud800 \u2028 \n\n data: x" }], finish: { reason: "stop" } },
      ],
    };
    const { items } = checkStream(encodeStream(responseToEvents(answer)));
    expect(items).toMatchObject([{ content: [{ text: "\ud800 \u2028 \n\n data: x" }] }]);
  });
});
