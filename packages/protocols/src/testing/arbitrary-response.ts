import fc from "fast-check";
import type { CanonicalResponse, Finish, FinishReason, Part, Usage } from "../canonical/index.ts";
import { textPart, toolCallPart } from "./arbitrary-parts.ts";

/** What of an answer a protocol can say. */
export interface ResponseOptions {
  /** Parts in front of text and calls, for example reasoning. */
  reasoning?: fc.Arbitrary<Part>;
  /** Further parts in the place of texts. */
  content?: fc.Arbitrary<Part>;
  customTools?: boolean;
  /** Several candidates. */
  candidates?: boolean;
  /** Finishes without a call. `tool` is set where there is a call. Absent: `stop` and `length`. */
  finishes?: readonly FinishReason[];
  usage?: fc.Arbitrary<Usage>;
  serviceTier?: boolean;
}

/** Answers within the options; at most one text a candidate, because some protocols know no more. */
export function response(options: ResponseOptions = {}): fc.Arbitrary<CanonicalResponse> {
  const candidate = fc
    .tuple(
      options.reasoning ? fc.array(options.reasoning, { maxLength: 1 }) : fc.constant<Part[]>([]),
      fc.array<Part>(options.content ? fc.oneof(textPart(), options.content) : textPart(), { maxLength: 1 }),
      fc.uniqueArray(toolCallPart(options.customTools ? { custom: true } : {}), {
        maxLength: 2,
        selector: (call) => call.callId,
      }),
      finish(options.finishes ?? ["stop", "length"]),
    )
    .map(([before, content, calls, end]) => ({
      parts: [...before, ...content, ...calls],
      finish: calls.length > 0 ? ({ reason: "tool" } as const) : end,
    }));
  return fc
    .record(
      {
        id: fc.stringMatching(/^id_[a-z0-9]{8}$/),
        model: fc.stringMatching(/^[a-z][a-z0-9.-]{2,15}$/),
        createdAt: fc.integer({ min: 1_600_000_000, max: 2_000_000_000 }),
        candidates: fc.array(candidate, { minLength: 1, maxLength: options.candidates ? 3 : 1 }),
        usage: options.usage ?? usage(),
        ...(options.serviceTier ? { serviceTier: fc.constantFrom("default", "priority") } : {}),
      },
      { requiredKeys: ["id", "model", "createdAt", "candidates", "usage"], noNullPrototype: true },
    )
    .map((drawn) => ({ ...drawn, candidates: drawn.candidates.map((one, index) => ({ index, ...one })) }));
}

function finish(reasons: readonly FinishReason[]): fc.Arbitrary<Finish> {
  return fc
    .constantFrom(...reasons)
    .map((reason) => (reason === "stop_sequence" ? { reason, stopSequence: "END" } : { reason }));
}

/** Which counters a protocol tells besides uncached input and total output. */
export interface UsageOptions {
  cacheRead?: boolean;
  cacheWrite?: boolean;
  cacheLifetimes?: boolean;
  toolPrompt?: boolean;
  reasoning?: boolean;
}

/** Usage whose counters agree with each other: reasoning is a part of the output. */
export function usage(options: UsageOptions = {}): fc.Arbitrary<Usage> {
  const count = fc.integer({ min: 0, max: 200_000 });
  return fc.tuple(count, count, count, count, count, count).map(([a, b, c, d, e, f]) => {
    const told: Usage = { input: { uncached: a }, output: { total: b } };
    if (options.cacheRead) told.input.cacheRead = c;
    if (options.cacheWrite) told.input.cacheWrite = d;
    if (options.cacheLifetimes) Object.assign(told.input, { cacheWrite5m: d, cacheWrite1h: e });
    if (options.toolPrompt) told.input.toolPrompt = f;
    if (options.reasoning) told.output.reasoning = Math.min(b, f);
    return told;
  });
}
