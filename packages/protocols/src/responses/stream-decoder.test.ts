import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CanonicalResponse,
  type JsonObject,
  type Part,
  type StreamEvent,
  settleFinish,
} from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { isObject } from "../shared/read.ts";
import { checkEncoderOrder } from "../testing/event-order.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";
import {
  decodeStream,
  encodeStream,
  gated,
  responseBody,
  responsesStream,
  utf8,
} from "../testing/responses-fixture.ts";
import { checkStream } from "../testing/responses-grammar.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeUsage } from "./usage.ts";

const streams = recordings("responses").flatMap((recording) =>
  recording.sse ? [{ ...recording, sse: recording.sse }] : [],
);
const good = streams.filter(({ id }) => !id.includes("failed"));
/** Its deltas were shortened by hand: they and the terminal event are two different texts. */
const whole = good.filter(({ id }) => id !== "responses/stream-server-shell-text");

const created = { type: "response.created", response: responseBody({ status: "in_progress" }) };
const item = { id: "fc_1", type: "function_call", call_id: "call_1", name: "f", arguments: "" };
const delta = (text: string, more: JsonObject = {}): JsonObject => ({
  type: "response.function_call_arguments.delta",
  item_id: "fc_1",
  output_index: 0,
  delta: text,
  ...more,
});
const completed = (more: JsonObject = {}): JsonObject => ({ type: "response.completed", response: responseBody(more) });

function events(...wire: JsonObject[]): StreamEvent[] {
  return decodeStream([utf8(responsesStream(...wire))]);
}

function answer(...wire: JsonObject[]): CanonicalResponse {
  const ordered = gated(events(...wire));
  checkEncoderOrder(ordered);
  return accumulate(ordered);
}

function parts(...wire: JsonObject[]): Part[] {
  return answer(...wire).candidates[0]?.parts ?? [];
}

/** The terminal event's response object of a recorded stream. */
function terminalResponse(sse: Uint8Array): JsonObject {
  for (const block of new TextDecoder()
    .decode(sse)
    .split(/\r?\n\r?\n/)
    .reverse()) {
    const data = block.split("\n").find((line) => line.startsWith("data:"));
    const event: unknown = data && !data.includes("[DONE]") ? JSON.parse(data.slice(5)) : undefined;
    if (isObject(event) && isObject(event.response)) return event.response;
  }
  throw new Error("The recording has no terminal event.");
}

/** What of an answer a stream can carry: marks for the way back are left out. */
function comparable(response: CanonicalResponse): unknown {
  const { extras: _extras, createdAt: _at, serviceTier: _tier, ...rest } = response;
  return {
    ...rest,
    candidates: rest.candidates.map((candidate) => ({
      ...candidate,
      parts: candidate.parts.map((part) => {
        const { extras: _marks, ...bare } = part;
        return bare;
      }),
    })),
  };
}

/** The vendor encrypts anew for every event, so secrets are only known to be there. */
function withoutSecrets(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, inner) =>
    typeof inner === "string" && inner.startsWith("gAAAA") ? "secret" : inner,
  );
  return JSON.parse(text);
}

function cuts(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const places = [0, ...[...at].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((place, index) => bytes.slice(places[index], place));
}

describeRecorded("responses stream decoder on recordings", () => {
  test.each(whole.map((recording) => [recording.id, recording.sse] as const))(
    "L8 %s: the stream says what its terminal event says",
    (_id, sse) => {
      const ordered = gated(decodeStream([sse]));
      checkEncoderOrder(ordered);
      const unary = comparable(decodeResponse(terminalResponse(sse)));
      expect(withoutSecrets(comparable(accumulate(ordered)))).toEqual(withoutSecrets(unary));
    },
  );

  test.each(good.map((recording) => [recording.id, recording.sse] as const))(
    "L2 %s: decoded, written and decoded again, it is the same answer",
    (_id, sse) => {
      const ordered = gated(decodeStream([sse]));
      const stream = encodeStream(ordered);
      checkStream(stream);
      const again = accumulate(gated(decodeStream([utf8(stream)])));
      expect(shown(again)).toEqual(shown(accumulate(ordered)));
    },
  );

  test.each(streams.map((recording) => [recording.id, recording.sse] as const))(
    "L9 %s: cut anywhere, the same events",
    (_id, sse) => {
      const expected = decodeStream([sse]);
      fc.assert(
        fc.property(fc.array(fc.nat(), { maxLength: 12 }), (at) => {
          expect(decodeStream(cuts(sse, at))).toEqual(expected);
        }),
        { numRuns: 8 },
      );
    },
  );

  test("L9 cut at every byte, the same events", () => {
    const short = [...good].sort((a, b) => a.sse.length - b.sse.length).slice(0, 3);
    for (const { sse } of short) {
      expect(decodeStream([...sse].map((byte) => new Uint8Array([byte])))).toEqual(decodeStream([sse]));
    }
  });

  test("L10 line ends, comments, a mark at the start and a missing space change nothing", () => {
    for (const { sse } of good.slice(0, 12)) {
      const text = new TextDecoder().decode(sse);
      const expected = decodeStream([sse]);
      for (const other of [
        text.replace(/\r?\n/g, "\r\n"),
        text.replace(/\r?\n/g, "\r"),
        `\ufeff${text}`,
        text.replace(/^data: /gm, "data:"),
        text.replace(/^event: .*\r?\n/gm, ""),
        text.replace(/\n\n/g, "\n\n: beat\n\n"),
        `${text}data: [DONE]\n\n`,
      ]) {
        expect(decodeStream([utf8(other)])).toEqual(expected);
      }
    }
  });

  test("L12 cut before the terminal event, no stream ever ends well", () => {
    for (const { sse } of good) {
      const text = new TextDecoder().decode(sse);
      const last = Math.max(
        text.lastIndexOf('"type":"response.completed"'),
        text.lastIndexOf('"type":"response.incomplete"'),
      );
      const bytes = utf8(text.slice(0, last));
      for (let step = 0; step < 8; step += 1) {
        const at = Math.floor((bytes.length * step) / 8) + 1;
        const cut = decodeStream([bytes.slice(0, at)]);
        expect(cut.some((event) => event.type === "end")).toBe(false);
        expect(cut.at(-1)).toMatchObject({
          type: "error",
          error: { kind: "upstream_incomplete", code: "stream_incomplete" },
        });
      }
    }
  });

  test("S24 the recorded failure is one error of its kind", () => {
    const failed = streams.find(({ id }) => id.includes("failed"));
    const last = failed ? decodeStream([failed.sse]) : [];
    expect(last.filter((event) => event.type === "error")).toMatchObject([{ error: { kind: "billing" } }]);
    expect(last.some((event) => event.type === "end")).toBe(false);
  });
});

/** Text, calls and summaries, whatever item they came in. */
function shown(response: CanonicalResponse): unknown {
  return response.candidates.map(({ parts: list, finish }) => ({
    finish,
    parts: list.map((part) => {
      if (part.type === "reasoning")
        return { text: part.text ?? part.summary?.join("\n\n") ?? "", value: part.proof?.value !== undefined };
      const { extras: _marks, ...bare } = part;
      return bare;
    }),
    usage: response.usage && encodeUsage(response.usage),
  }));
}

describe("responses stream decoder", () => {
  test("S14 items that the end repeats are not emitted twice", () => {
    const done = { ...item, arguments: '{"a":1}' };
    const got = parts(
      created,
      { type: "response.output_item.added", output_index: 0, item },
      delta('{"a":'),
      delta("1}"),
      { type: "response.function_call_arguments.done", item_id: "fc_1", output_index: 0, arguments: '{"a":1}' },
      { type: "response.output_item.done", output_index: 0, item: done },
      completed({ output: [done] }),
    );
    expect(got).toEqual([
      { type: "tool-call", callId: "call_1", name: "f", toolKind: "function", arguments: '{"a":1}' },
    ]);
  });

  test("S14 a host that tells everything at the end only is heard too", () => {
    const output = [
      { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "enc" },
      {
        id: "msg_1",
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Hi", annotations: [] }],
      },
      { ...item, arguments: "" },
    ];
    const got = answer(created, completed({ output }));
    expect(comparable(got)).toEqual(comparable(decodeResponse(responseBody({ output }))));
    expect(got.candidates[0]?.finish.reason).toBe("tool");
  });

  test("S14 ids that change in every event still name one item, by its place", () => {
    const got = parts(
      created,
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { id: "m1", type: "message", role: "assistant", content: [] },
      },
      { type: "response.output_text.delta", item_id: "m2", output_index: 0, content_index: 0, delta: "Hi" },
      {
        type: "response.output_item.done",
        output_index: 0,
        item: { id: "m3", type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] },
      },
      completed({ output: [{ id: "m4", type: "message", content: [{ type: "output_text", text: "Hi" }] }] }),
    );
    expect(got).toEqual([{ type: "text", text: "Hi" }]);
  });

  test("S15 deltas before their item, and parallel calls interleaved, find their call", () => {
    const second = { ...item, id: "fc_2", call_id: "call_2", name: "g" };
    const got = parts(
      created,
      delta('{"a"'),
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.added", output_index: 1, item: second },
      delta("[1", { item_id: "fc_2", output_index: 1 }),
      delta(":1}"),
      delta("]", { item_id: "fc_2", output_index: 1 }),
      { type: "response.output_item.done", output_index: 1, item: { ...second, arguments: "[1]" } },
      { type: "response.output_item.done", output_index: 0, item: { ...item, arguments: '{"a":1}' } },
      completed(),
    );
    expect(got).toMatchObject([
      { callId: "call_1", name: "f", arguments: '{"a":1}' },
      { callId: "call_2", name: "g", arguments: "[1]" },
    ]);
  });

  test("S15 a call without call_id takes the item's id; one without a name is an error", () => {
    const { call_id: _id, ...bare } = item;
    expect(parts(created, completed({ output: [bare] }))).toMatchObject([{ callId: "fc_1", arguments: "{}" }]);
    const nameless = events(created, delta("{}"), completed());
    expect(nameless.at(-1)).toMatchObject({ type: "error", error: { kind: "upstream_bad" } });
  });

  test("S1 a whole call in its done event keeps its arguments; S35 no arguments are {}", () => {
    const done = { type: "response.output_item.done", output_index: 0, item: { ...item, arguments: '{"x":1}' } };
    expect(parts(created, done, completed())).toMatchObject([{ arguments: '{"x":1}' }]);
    const added = { type: "response.output_item.added", output_index: 0, item };
    expect(parts(created, added, { ...done, item }, completed())).toMatchObject([{ arguments: "{}" }]);
  });

  test("S8 empty deltas and empty messages open nothing", () => {
    const message = { id: "msg_1", type: "message", role: "assistant", content: [] };
    const got = parts(
      created,
      { type: "response.output_item.added", output_index: 0, item: message },
      { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "" },
      {
        type: "response.output_item.done",
        output_index: 0,
        item: { ...message, content: [{ type: "output_text", text: "", annotations: [] }] },
      },
      { type: "response.output_item.done", output_index: 1, item: { id: "rs_1", type: "reasoning", summary: [] } },
      completed(),
    );
    expect(got).toEqual([]);
  });

  test("S22, S28, S38 beats, unknown events and padding are passed over", () => {
    const text = { type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: 0 };
    const got = parts(
      { type: "keepalive" },
      created,
      { type: "response.reasoning_part.added", part: {} },
      { type: "rate_limits.updated" },
      { ...text, delta: "Hi", obfuscation: "xyz" },
      { type: "response.in_progress", response: responseBody() },
      completed(),
    );
    expect(got).toEqual([{ type: "text", text: "Hi" }]);
  });

  test.each([
    ["flat", { type: "error", code: "rate_limit_exceeded", message: "Slow.", param: null }, "rate_limit"],
    ["nested", { type: "error", error: { type: "server_error", message: "Oh.", code: null } }, "internal"],
    [
      "untyped",
      { error: { message: "The prompt is too long: 9 tokens", code: "context_length_exceeded" } },
      "context_too_long",
    ],
    [
      "failed",
      {
        type: "response.failed",
        response: responseBody({ status: "failed", error: { code: "server_is_overloaded", message: "B" } }),
      },
      "overloaded",
    ],
    ["failed without words", { type: "response.failed", response: {} }, "upstream_bad"],
    ["cancelled", completed({ status: "cancelled" }), "cancelled"],
  ])("S24 a %s error inside the stream is an error of its kind, and nothing follows", (_name, frame, kind) => {
    const got = events(created, frame, completed());
    expect(got.at(-1)).toMatchObject({ type: "error", error: { kind } });
    expect(got.filter((event) => event.type === "end" || event.type === "error").length).toBe(1);
  });

  test("a failed answer still tells what it used", () => {
    const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };
    const failed = responseBody({ status: "failed", error: { code: "server_error", message: "x" }, usage });
    expect(events(created, { type: "response.failed", response: failed })).toContainEqual({
      type: "usage",
      usage: { input: { uncached: 5 }, output: { total: 2 } },
    });
  });

  test("an answer that was not streamed, an error body and a page are told apart", () => {
    const body = responseBody({
      output: [{ id: "m", type: "message", content: [{ type: "output_text", text: "Hi" }] }],
    });
    expect(decodeStream([utf8(JSON.stringify(body))]).at(-1)).toEqual({ type: "end" });
    const error = decodeStream([utf8('{"error":{"message":"No.","type":"invalid_request_error"}}')]);
    expect(error).toMatchObject([{ type: "error", error: { kind: "bad_request", message: "No." } }]);
    expect(decodeStream([utf8("<html>")])).toMatchObject([{ type: "error", error: { kind: "upstream_bad" } }]);
  });

  test("reasoning keeps its paragraphs, its text, its proof and the id the proof belongs to", () => {
    const base = { item_id: "rs_1", output_index: 0 };
    const got = parts(
      created,
      { type: "response.output_item.added", output_index: 0, item: { id: "rs_1", type: "reasoning", summary: [] } },
      { type: "response.reasoning_summary_text.delta", ...base, summary_index: 0, delta: "A" },
      { type: "response.reasoning_summary_text.delta", ...base, summary_index: 1, delta: "B" },
      { type: "response.reasoning_text.delta", ...base, content_index: 0, delta: "raw" },
      {
        type: "response.output_item.done",
        output_index: 0,
        item: {
          id: "rs_1",
          type: "reasoning",
          summary: [{ text: "A" }, { text: "B" }, { text: "C" }],
          encrypted_content: "enc",
        },
      },
      completed(),
    );
    expect(got).toEqual([
      {
        type: "reasoning",
        summary: ["A", "B", "C"],
        text: "raw",
        proof: { family: "openai", kind: "encrypted", value: "enc", itemId: "rs_1", model: "gpt-x" },
      },
    ]);
  });

  test("annotations and log probabilities that only the finished part tells are not lost", () => {
    const content = [
      {
        type: "output_text",
        text: "Hi",
        annotations: [{ type: "url_citation", url: "https://a.test", title: "A", start_index: 0, end_index: 2 }],
        logprobs: [{ token: "Hi", logprob: -1, bytes: [72, 105], top_logprobs: [] }],
      },
    ];
    const [part] = parts(
      created,
      {
        type: "response.output_text.delta",
        item_id: "m",
        output_index: 0,
        content_index: 0,
        delta: "Hi",
        logprobs: [],
      },
      { type: "response.output_item.done", output_index: 0, item: { id: "m", type: "message", content } },
      completed(),
    );
    expect(part).toEqual({
      type: "text",
      text: "Hi",
      citations: [{ kind: "url", url: "https://a.test", title: "A", start: 0, end: 2 }],
      logprobs: [{ token: "Hi", logprob: -1, bytes: [72, 105] }],
    });
  });

  test("L24 unary and stream finish alike", () => {
    for (const more of [
      {},
      { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      { status: "incomplete", incomplete_details: { reason: "steered" } },
    ]) {
      const terminal = {
        type: more.status ? "response.incomplete" : "response.completed",
        response: responseBody(more),
      };
      const unary = decodeResponse(responseBody(more)).candidates[0]?.finish;
      expect(answer(created, terminal).candidates[0]?.finish).toEqual(unary && settleFinish(unary, false));
    }
  });

  test("the decoder never throws on any bytes", () => {
    const wild = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.json().map((json) => utf8(`data: ${json}\n\n`)),
        fc
          .tuple(
            fc.constantFrom(
              created.type,
              "response.output_item.added",
              "response.output_item.done",
              delta("").type as string,
              "response.completed",
            ),
            fc.jsonValue(),
          )
          .map(([type, value]) =>
            utf8(
              `data: ${JSON.stringify({ type, item: value, delta: value, response: value, output_index: value })}\n\n`,
            ),
          ),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(wild, (pieces) => {
        const got = decodeStream(pieces);
        expect(got.filter((event) => event.type === "end" || event.type === "error").length).toBe(1);
      }),
    );
  });
});
