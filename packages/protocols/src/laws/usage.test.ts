import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  inputTokens,
  type JsonObject,
  type JsonValue,
  mergeUsage,
  type ProtocolName,
  type Usage,
} from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { usage } from "../testing/arbitraries.ts";
import { carry, runStream, utf8, wireAnswer, wireFrames } from "../testing/carrying.ts";
import { pairs, type Side, sides } from "../testing/protocol-sides.ts";

const seed = 14;

/** Usage as any of the four families tells it. */
const told = fc.oneof(
  usage(),
  usage({ cacheRead: true, reasoning: true }),
  usage({ cacheRead: true, cacheWrite: true, reasoning: true }),
  usage({ cacheRead: true, cacheLifetimes: true }),
  usage({ cacheRead: true, toolPrompt: true, reasoning: true }),
);

/** Input and output tokens by the arithmetic of conversion.md 1.5.6, checked on the way. */
const totals: Record<ProtocolName, (body: JsonObject) => { input: number; output: number }> = {
  "chat-completions": ({ usage: counters }) => {
    const input = count(counters, "prompt_tokens");
    const output = count(counters, "completion_tokens");
    expect(count(counters, "total_tokens")).toBe(input + output);
    return { input, output };
  },
  responses: ({ usage: counters }) => {
    const input = count(counters, "input_tokens");
    const output = count(counters, "output_tokens");
    expect(count(counters, "total_tokens")).toBe(input + output);
    return { input, output };
  },
  messages: ({ usage: counters }) => ({
    input:
      count(counters, "input_tokens") +
      count(counters, "cache_read_input_tokens") +
      count(counters, "cache_creation_input_tokens"),
    output: count(counters, "output_tokens"),
  }),
  "generate-content": ({ usageMetadata: counters }) => {
    const input = count(counters, "promptTokenCount") + count(counters, "toolUsePromptTokenCount");
    const output = count(counters, "candidatesTokenCount") + count(counters, "thoughtsTokenCount");
    expect(count(counters, "totalTokenCount")).toBe(input + output);
    return { input, output };
  },
};

/** A counter; absent counts as none. No counter may be negative or broken. */
function count(counters: JsonValue | undefined, name: string): number {
  const value = isObject(counters) ? counters[name] : undefined;
  if (value === undefined || value === null) return 0;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
    throw new Error(`${name} is ${String(value)}.`);
  return value;
}

function answerWith(counters: Usage) {
  return {
    id: "r",
    model: "m",
    candidates: [{ index: 0, parts: [{ type: "text" as const, text: "Hi" }], finish: { reason: "stop" as const } }],
    usage: counters,
  };
}

describe("L14 the totals of one usage are equal in all four encodings", () => {
  for (const side of Object.values(sides)) {
    test(side.name, () => {
      fc.assert(
        fc.property(told, (counters) => {
          const body = wireAnswer(side, answerWith(counters));
          if (!isObject(body)) throw new Error("The answer is no object.");
          expect(totals[side.name](body)).toEqual({ input: inputTokens(counters), output: counters.output.total });
        }),
        { numRuns: 200, seed },
      );
    });
  }

  for (const { name, client, upstream } of pairs()) {
    test(`${name}: whole, streamed and metered`, () => {
      fc.assert(
        fc.property(upstream.answers, (drawn) => {
          const answer = { ...drawn, candidates: drawn.candidates.slice(0, 1) };
          const { usage: counters } = answer;
          if (!counters) throw new Error("The answer tells no usage.");
          const wanted = { input: inputTokens(counters), output: counters.output.total };
          const whole = carry(client, upstream, client.body(1, false)).convertResponse(wireAnswer(upstream, answer));
          expect(totals[client.name](whole.body)).toEqual(wanted);
          const stream = carry(client, upstream, client.body(1, true), { stream: true }).createStream();
          const { text } = runStream(stream, wireFrames(upstream, answer).map(utf8));
          expect(totals[client.name](streamed(client, text))).toEqual(wanted);
          expect(whole.usage && inputTokens(whole.usage)).toBe(wanted.input);
          expect(stream.usage && inputTokens(stream.usage)).toBe(wanted.input);
          expect(stream.usage?.output.total).toBe(wanted.output);
        }),
        { numRuns: 25, seed },
      );
    });
  }
});

/** A streamed answer's body; chat completions tells usage in a chunk of its own. */
function streamed(client: Side, text: string): JsonObject {
  const [, chunk] = /^data: (.*"choices":\[\],"usage":\{.*)$/m.exec(text) ?? [];
  return chunk === undefined ? client.whole(text, 1) : JSON.parse(chunk);
}

describe("L15 merging cumulative reports", () => {
  test("a report that is seen twice counts once", () => {
    fc.assert(
      fc.property(told, told, (first, second) => {
        const merged = mergeUsage(first, second);
        expect(mergeUsage(merged, second)).toEqual(merged);
        expect(mergeUsage(mergeUsage(undefined, first), first)).toEqual(first);
      }),
      { numRuns: 200, seed },
    );
  });

  test("reports of different counters may come in any order, and in any grouping", () => {
    fc.assert(
      fc.property(told, told, told, ({ input }, { output }, third) => {
        const read: Usage = { input, output: {} };
        const written: Usage = { input: {}, output };
        expect(mergeUsage(read, written)).toEqual(mergeUsage(written, read));
        expect(mergeUsage(mergeUsage(read, written), third)).toEqual(mergeUsage(read, mergeUsage(written, third)));
      }),
      { numRuns: 200, seed },
    );
  });

  for (const { name, client, upstream } of pairs()) {
    test(`${name}: frames that come twice are not billed twice`, () => {
      fc.assert(
        fc.property(upstream.answers, (drawn) => {
          const answer = { ...drawn, candidates: drawn.candidates.slice(0, 1) };
          const frames = wireFrames(upstream, answer);
          const metered = (pieces: string[]) => {
            const stream = carry(client, upstream, client.body(1, true), { stream: true }).createStream();
            runStream(stream, pieces.map(utf8));
            return stream.usage;
          };
          const doubled = frames.flatMap((frame) => (/"usage(Metadata)?":\{/.test(frame) ? [frame, frame] : [frame]));
          expect(metered(doubled)).toEqual(metered(frames));
        }),
        { numRuns: 15, seed },
      );
    });
  }
});
