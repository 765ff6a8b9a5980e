import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accumulate } from "../shared/accumulate.ts";
import { chatDelta, chatStream, decodeStream, gated, utf8 } from "../testing/chat-completions-fixture.ts";
import {
  answer,
  done,
  errorOf,
  fragment,
  parts,
  read,
  role,
  toolEnd,
} from "../testing/chat-completions-stream-fixture.ts";
import { checkEncoderOrder } from "../testing/event-order.ts";

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
