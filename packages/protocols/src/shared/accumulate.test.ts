import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CanonicalResponse,
  canonicalError,
  type Part,
  ProtocolError,
  type StreamEvent,
} from "../canonical/index.ts";
import * as arbitrary from "../testing/arbitraries.ts";
import { checkEncoderOrder } from "../testing/event-order.ts";
import { accumulate, responseToEvents } from "./accumulate.ts";

const answers = fc.oneof(
  arbitrary.response({
    candidates: true,
    customTools: true,
    serviceTier: true,
    usage: arbitrary.usage({ cacheRead: true, reasoning: true }),
    reasoning: arbitrary.reasoningPart({ family: "anthropic", content: "text", proof: "sometimes" }),
    content: arbitrary.refusalPart(),
  }),
  arbitrary.response({
    reasoning: arbitrary.reasoningPart({ family: "openai", content: "summary", proof: "always", kind: "encrypted" }),
    content: arbitrary.imagePart(["base64"], "openai"),
  }),
);

function answer(...parts: Part[]): CanonicalResponse {
  return { candidates: [{ index: 0, parts, finish: { reason: "stop" } }] };
}

describe("L8", () => {
  test("an answer told as events accumulates to itself, and the events are in encoder order", () => {
    fc.assert(
      fc.property(answers, (response) => {
        const events = responseToEvents(response);
        checkEncoderOrder(events);
        expect(accumulate(events)).toEqual(response);
      }),
    );
  });

  test("how the text was cut into deltas does not matter", () => {
    fc.assert(
      fc.property(answers, (response) => {
        const events = responseToEvents(response).flatMap((event): StreamEvent[] => {
          if (event.type !== "part-delta" || !("text" in event.delta)) return [event];
          const { delta } = event;
          return [...delta.text].map((text) => ({ ...event, delta: { ...delta, text } }));
        });
        expect(accumulate(events)).toEqual(response);
      }),
    );
  });

  test("everything that a text carries comes back: citations, log probabilities, a signature", () => {
    const full = answer({
      type: "text",
      text: "Hi",
      citations: [{ kind: "url", url: "https://example.com", start: 0, end: 2 }],
      logprobs: [{ token: "Hi", logprob: -0.5 }],
      proof: { family: "gemini", kind: "signature", value: "s" },
    });
    expect(accumulate(responseToEvents(full))).toEqual(full);
  });
});

test("S35 a function call without any argument text is {}, a custom one is empty", () => {
  const call = { type: "tool-call", callId: "1", name: "f", toolKind: "function", arguments: "" } as const;
  expect(accumulate(responseToEvents(answer(call))).candidates[0]?.parts).toEqual([{ ...call, arguments: "{}" }]);
  const custom = { ...call, toolKind: "custom" } as const;
  expect(accumulate(responseToEvents(answer(custom))).candidates[0]?.parts).toEqual([custom]);
});

test("the usage of the start and of the end are one", () => {
  const response = accumulate([
    { type: "start", usage: { input: { uncached: 5 }, output: {} } },
    { type: "usage", usage: { input: {}, output: { total: 2 } } },
    { type: "finish", candidate: 0, finish: { reason: "stop" } },
    { type: "end" },
  ]);
  expect(response.usage).toEqual({ input: { uncached: 5 }, output: { total: 2 } });
});

describe("what is no whole answer", () => {
  const error = canonicalError("overloaded", "later");

  test("an error event is thrown as it is", () => {
    expect(() => accumulate([{ type: "start" }, { type: "error", error }])).toThrow(new ProtocolError(error));
  });

  test("S25 events without an end are an incomplete answer", () => {
    const cut = responseToEvents(answer({ type: "text", text: "Hi" })).slice(0, -1);
    expect(() => accumulate(cut)).toThrow(ProtocolError);
  });
});
