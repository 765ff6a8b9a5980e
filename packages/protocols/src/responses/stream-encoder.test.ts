import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { responseToEvents } from "../shared/accumulate.ts";
import { isObject } from "../shared/read.ts";
import { readBySdk } from "../testing/responses-clients-fixture.ts";
import { anyAnswer, call, end, start, text } from "../testing/responses-events-fixture.ts";
import { answerContext, decodeStream, encodeStream, gated, utf8 } from "../testing/responses-fixture.ts";
import { checkStream } from "../testing/responses-grammar.ts";
import { createStreamEncoder } from "./stream-encoder.ts";

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

  test("S31 one response id everywhere; S40 numbers are dense and our own", () => {
    const { events } = checkStream(encodeStream([start, ...text("t", "x"), ...end]));
    const ids = new Set(events.flatMap((event) => (isObject(event.response) ? [event.response.id] : [])));
    expect(ids.size).toBe(1);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
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
});
