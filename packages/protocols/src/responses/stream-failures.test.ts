import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalError, type StreamEvent } from "../canonical/index.ts";
import { responseToEvents } from "../shared/accumulate.ts";
import { readBySdk } from "../testing/responses-clients-fixture.ts";
import { anyAnswer, call, start, text } from "../testing/responses-events-fixture.ts";
import { answerContext, encodeStream } from "../testing/responses-fixture.ts";
import { checkStream } from "../testing/responses-grammar.ts";
import { createStreamEncoder } from "./stream-encoder.ts";

describe("responses streams that fail or stop short", () => {
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
});
