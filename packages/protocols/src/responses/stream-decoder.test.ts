import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { settleFinish } from "../canonical/index.ts";
import { decodeStream, responseBody, utf8 } from "../testing/responses-fixture.ts";
import { answer, completed, created, delta, events, parts } from "../testing/responses-stream-fixture.ts";
import { decodeResponse } from "./response-decoder.ts";

describe("responses stream decoder", () => {
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
