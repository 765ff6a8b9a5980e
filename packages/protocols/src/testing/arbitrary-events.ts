import fc from "fast-check";
import {
  canonicalError,
  type FinishReason,
  type PartDelta,
  type PartHead,
  type StreamEvent,
} from "../canonical/index.ts";
import { citation, logprobs, proof, usage } from "./arbitraries.ts";
import { text } from "./arbitrary-text.ts";

const candidate = fc.nat(2);
/** The first letter tells the kind of the part. */
const key = fc.constantFrom("t0", "t1", "c0", "c1", "r0", "f0");

function headOf(name: string): PartHead {
  switch (name[0]) {
    case "t":
      return { type: "text" };
    case "c":
      return { type: "tool-call", callId: name, name, toolKind: "function" };
    case "f":
      return { type: "refusal" };
    default:
      return { type: "reasoning" };
  }
}

/** Arguments in pieces, whole, and broken. */
const argumentText = fc.oneof(fc.constantFrom("{", '{"a"', ":1", "}", "{}", "[", '"'), text());

function deltaOf(name: string): fc.Arbitrary<PartDelta> {
  const told = text().map((value): PartDelta => ({ type: "text", text: value }));
  const proved = proof("openai").map((value): PartDelta => ({ type: "proof", proof: value }));
  switch (name[0]) {
    case "t":
      return fc.oneof(
        { weight: 4, arbitrary: told },
        { weight: 1, arbitrary: citation().map((value): PartDelta => ({ type: "citation", citation: value })) },
        { weight: 1, arbitrary: logprobs().map((value): PartDelta => ({ type: "logprobs", logprobs: value })) },
      );
    case "c":
      return argumentText.map((value): PartDelta => ({ type: "arguments", text: value }));
    case "f":
      return told;
    default:
      return fc.oneof(
        text().map((value): PartDelta => ({ type: "reasoning", text: value })),
        fc.tuple(fc.nat(2), text()).map(([index, value]): PartDelta => ({ type: "summary", index, text: value })),
        proved,
      );
  }
}

const finishes: readonly FinishReason[] = ["stop", "tool", "length", "filter", "refusal", "other", "error"];

const event: fc.Arbitrary<StreamEvent> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<StreamEvent>({ type: "start", id: "x" }) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(candidate, key)
      .map(([c, k]): StreamEvent => ({ type: "part-start", candidate: c, key: k, part: headOf(k) })),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(candidate, key)
      .chain(([c, k]) => deltaOf(k).map((delta): StreamEvent => ({ type: "part-delta", candidate: c, key: k, delta }))),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(candidate, key).map(([c, k]): StreamEvent => ({ type: "part-stop", candidate: c, key: k })),
  },
  {
    weight: 2,
    arbitrary: candidate.map(
      (c): StreamEvent => ({
        type: "part",
        candidate: c,
        part: { type: "opaque", protocol: "responses", nativeType: "x", payload: null },
      }),
    ),
  },
  { weight: 2, arbitrary: usage().map((told): StreamEvent => ({ type: "usage", usage: told })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(candidate, fc.constantFrom(...finishes))
      .map(([c, reason]): StreamEvent => ({ type: "finish", candidate: c, finish: { reason } })),
  },
  { weight: 1, arbitrary: fc.constant<StreamEvent>({ type: "end" }) },
  {
    weight: 1,
    arbitrary: fc.constant<StreamEvent>({ type: "error", error: canonicalError("overloaded", "later") }),
  },
);

/** Events of an answer in any order, nonsense among them. */
export const anyEvents: fc.Arbitrary<StreamEvent[]> = fc.array(event, { maxLength: 60 });
