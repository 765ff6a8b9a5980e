import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { answered, at, framesOf, streamed } from "../peer-bugs/scene.ts";
import {
  candidate,
  chunk,
  completion,
  message,
  messageEnd,
  messageStart,
  responseFrames,
  responseMessage,
  responseObject,
  textBlock,
  usageChunk,
} from "../peer-bugs/wire-frames.ts";
import { type Letter, letters } from "../testing/letters.ts";
import { ended, path } from "./streams.ts";

/** Counters that must stand there, 0 for "absent or 0". */
type Counters = Readonly<Record<string, number>>;

/** A call as each family counts it; absent: the family cannot tell it. The first is what the guide's example begins with. */
interface Example {
  name: string;
  upstream: Partial<Record<Letter, JsonObject>>;
  client: Readonly<Record<Letter, Counters>>;
}

const openai = (
  prompt: number,
  output: number,
  details: { read?: number; write?: number; reasoning?: number } = {},
) => ({
  C: {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: details.read ?? 0, cache_write_tokens: details.write ?? 0 },
    completion_tokens_details: { reasoning_tokens: details.reasoning ?? 0 },
  },
  R: {
    input_tokens: prompt,
    output_tokens: output,
    total_tokens: prompt + output,
    input_tokens_details: { cached_tokens: details.read ?? 0, cache_write_tokens: details.write ?? 0 },
    output_tokens_details: { reasoning_tokens: details.reasoning ?? 0 },
  },
});
const openaiCounters = (...told: Parameters<typeof openai>): { C: Counters; R: Counters } => {
  const [prompt, output, { read = 0, write = 0, reasoning = 0 } = {}] = told;
  return {
    C: {
      prompt_tokens: prompt,
      completion_tokens: output,
      total_tokens: prompt + output,
      "prompt_tokens_details.cached_tokens": read,
      "prompt_tokens_details.cache_write_tokens": write,
      "completion_tokens_details.reasoning_tokens": reasoning,
    },
    R: {
      input_tokens: prompt,
      output_tokens: output,
      total_tokens: prompt + output,
      "input_tokens_details.cached_tokens": read,
      "input_tokens_details.cache_write_tokens": write,
      "output_tokens_details.reasoning_tokens": reasoning,
    },
  };
};

const examples: readonly Example[] = [
  {
    name: "reads: 15305 of which 15104 cached, 5 written",
    upstream: {
      ...openai(15305, 5, { read: 15104 }),
      M: { input_tokens: 201, cache_read_input_tokens: 15104, cache_creation_input_tokens: 0, output_tokens: 5 },
      G: { promptTokenCount: 15305, cachedContentTokenCount: 15104, candidatesTokenCount: 5, totalTokenCount: 15310 },
    },
    client: {
      ...openaiCounters(15305, 5, { read: 15104 }),
      M: { input_tokens: 201, cache_read_input_tokens: 15104, cache_creation_input_tokens: 0, output_tokens: 5 },
      G: { promptTokenCount: 15305, cachedContentTokenCount: 15104, candidatesTokenCount: 5, totalTokenCount: 15310 },
    },
  },
  {
    name: "writes: 7540 of which 7537 go into the cache",
    upstream: {
      ...openai(7540, 9, { write: 7537 }),
      M: { input_tokens: 3, cache_read_input_tokens: 0, cache_creation_input_tokens: 7537, output_tokens: 9 },
    },
    client: {
      ...openaiCounters(7540, 9, { write: 7537 }),
      M: { input_tokens: 3, cache_read_input_tokens: 0, cache_creation_input_tokens: 7537, output_tokens: 9 },
      G: { promptTokenCount: 7540, cachedContentTokenCount: 0, candidatesTokenCount: 9, totalTokenCount: 7549 },
    },
  },
  {
    name: "reads and writes of both lifetimes, told in a sum and in its parts",
    upstream: {
      M: {
        input_tokens: 3,
        cache_read_input_tokens: 10,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
        output_tokens: 5,
      },
    },
    client: {
      ...openaiCounters(43, 5, { read: 10, write: 30 }),
      M: { input_tokens: 3, cache_read_input_tokens: 10, cache_creation_input_tokens: 30, output_tokens: 5 },
      G: { promptTokenCount: 43, cachedContentTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 48 },
    },
  },
  {
    name: "thoughts: 200 written and 5000 thought",
    upstream: {
      ...openai(10, 5200, { reasoning: 5000 }),
      G: { promptTokenCount: 10, candidatesTokenCount: 200, thoughtsTokenCount: 5000, totalTokenCount: 5210 },
    },
    client: {
      ...openaiCounters(10, 5200, { reasoning: 5000 }),
      M: { input_tokens: 10, output_tokens: 5200 },
      G: { promptTokenCount: 10, candidatesTokenCount: 200, thoughtsTokenCount: 5000, totalTokenCount: 5210 },
    },
  },
  {
    name: "what a provider's tool gave back is input beside the prompt",
    upstream: {
      G: { promptTokenCount: 10, toolUsePromptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 35 },
    },
    client: {
      ...openaiCounters(30, 5),
      M: { input_tokens: 30, output_tokens: 5 },
      G: { promptTokenCount: 10, toolUsePromptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 35 },
    },
  },
  {
    name: "more cached than read is never negative",
    upstream: { ...openai(100, 5, { read: 200 }) },
    client: {
      ...openaiCounters(100, 5, { read: 100 }),
      M: { input_tokens: 0, cache_read_input_tokens: 100, output_tokens: 5 },
      G: { promptTokenCount: 100, cachedContentTokenCount: 100, candidatesTokenCount: 5, totalTokenCount: 105 },
    },
  },
];

function whole(upstream: Letter, usage: JsonObject): JsonObject {
  switch (upstream) {
    case "C":
      return completion({ content: "Hi" }, "stop", usage);
    case "R":
      return responseObject([responseMessage("msg_1", "Hi")], "completed", { usage });
    case "M":
      return message([{ type: "text", text: "Hi" }], "end_turn", { usage });
    case "G":
      return candidate([{ text: "Hi" }], "STOP", usage);
  }
}

function frames(upstream: Letter, usage: JsonObject): (JsonObject | string)[] {
  switch (upstream) {
    case "C": {
      const [finish = "", done = ""] = ended("stop");
      return [chunk({ role: "assistant", content: "Hi" }), finish, usageChunk(usage), done];
    }
    case "R":
      return responseFrames([responseMessage("msg_1", "Hi")], "completed", { usage });
    case "M": {
      const { output_tokens = 0, ...input } = usage;
      return [
        messageStart({ ...input, output_tokens: 1 }),
        ...textBlock(0, "Hi"),
        ...messageEnd("end_turn", { output_tokens }),
      ];
    }
    case "G":
      return [
        candidate([{ text: "H" }], undefined, { promptTokenCount: 1, totalTokenCount: 1 }),
        candidate([{ text: "i" }], "STOP", usage),
      ];
  }
}

/** Checks each counter; a dot in its name leads into the object of details. */
function expectCounters(told: JsonValue | undefined, wanted: Counters): void {
  const got = Object.fromEntries(Object.keys(wanted).map((name) => [name, at(told, ...name.split(".")) ?? 0]));
  expect(got).toEqual(wanted);
}

describe.each(examples)("1.5.6: $name", ({ upstream, client }) => {
  for (const from of letters) {
    const usage = upstream[from];
    if (!usage) continue;
    for (const to of letters) {
      test(`1.5.6: ${to} from ${from}, whole`, () => {
        const body = answered(path(to, from), whole(from, usage));
        expectCounters(to === "G" ? body.usageMetadata : body.usage, client[to]);
      });

      test(`1.5.6: ${to} from ${from}, streamed`, () => {
        const got = streamed(path(to, from), frames(from, usage));
        const inChunk = framesOf(got.text).findLast((frame) => frame.usage)?.usage;
        expectCounters(to === "C" ? inChunk : (got.whole.usage ?? got.whole.usageMetadata), client[to]);
      });
    }
  }
});

describe("1.5.6: the words of compatible servers are read and never written", () => {
  test.each<[string, JsonObject, Counters]>([
    [
      "hits and misses",
      { prompt_cache_hit_tokens: 80, prompt_cache_miss_tokens: 20, completion_tokens: 5 },
      { prompt_tokens: 100, "prompt_tokens_details.cached_tokens": 80 },
    ],
    [
      "cached tokens at the top",
      { prompt_tokens: 100, cached_tokens: 80, completion_tokens: 5 },
      { prompt_tokens: 100, "prompt_tokens_details.cached_tokens": 80 },
    ],
    [
      "created tokens in the details",
      { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cache_creation_tokens: 70 } },
      { "prompt_tokens_details.cache_write_tokens": 70 },
    ],
    [
      "created tokens at the top",
      { prompt_tokens: 100, completion_tokens: 5, cache_creation_tokens: 70 },
      { "prompt_tokens_details.cache_write_tokens": 70 },
    ],
    [
      "reasoning at the top",
      { prompt_tokens: 10, completion_tokens: 50, reasoning_tokens: 40, total_tokens: 60 },
      { completion_tokens: 50, "completion_tokens_details.reasoning_tokens": 40 },
    ],
    [
      "reasoning beside the completion",
      { prompt_tokens: 10, completion_tokens: 10, reasoning_tokens: 40, total_tokens: 60 },
      { completion_tokens: 50, "completion_tokens_details.reasoning_tokens": 40 },
    ],
  ])("1.5.6: %s", (_name, usage, wanted) => {
    const body = answered("C->C", completion({ content: "Hi" }, "stop", usage));
    expectCounters(body.usage, wanted);
    expect(JSON.stringify(body.usage)).not.toMatch(/cache_hit|cache_miss|cache_creation/);
    expect(Object.keys(body.usage ?? {})).not.toContain("reasoning_tokens");
  });

  test("1.5.6: usage in a vendor's block counts", () => {
    const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
    const [finish = {}] = ended("stop");
    const last = typeof finish === "string" ? {} : { ...finish, x_groq: { id: "r", usage } };
    const got = streamed("R->C", [chunk({ role: "assistant", content: "Hi" }), last, "[DONE]"]);
    expect(at(got.whole, "usage", "total_tokens")).toBe(13);
  });

  test("1.5.6: a counter that nobody told is absent, 0 only where the target must have a number", () => {
    const body = answered(
      "G->M",
      message([{ type: "text", text: "Hi" }], "end_turn", { usage: { input_tokens: 5, output_tokens: 7 } }),
    );
    expect(body.usageMetadata).not.toHaveProperty("cachedContentTokenCount");
    expect(body.usageMetadata).not.toHaveProperty("thoughtsTokenCount");
    expect(answered("C->C", completion({ content: "Hi" }))).not.toHaveProperty("usage");
    expect(answered("G->C", completion({ content: "Hi" }))).not.toHaveProperty("usageMetadata");
    expect(answered("R->C", completion({ content: "Hi" })).usage).toBeNull();
    expect(at(answered("M->C", completion({ content: "Hi" })), "usage", "input_tokens")).toBe(0);
  });
});
