import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { answered, sent, streamed } from "../peer-bugs/scene.ts";
import { chunk, completion } from "../peer-bugs/wire-frames.ts";
import type { CapabilityOverrides } from "../shared/capabilities.ts";
import type { CarryOptions } from "../testing/carrying.ts";
import { letters } from "../testing/letters.ts";
import { seen, seenOf } from "../traps/seen.ts";
import { ended, path } from "../traps/streams.ts";
import { chatCompletions } from "./codec.ts";

/** A server without a parser for what its model thinks. */
const server = (capabilities: CapabilityOverrides, model = "qwen3-8b"): CarryOptions => ({
  model,
  upstreamTraits: { dialect: "vllm", capabilities },
});
const tagged = server({ thoughtsInText: "tagged" });
const open = server({ thoughtsInText: "open" });

describe.each(letters)("what a model thinks in its text, for a client of %s", (client) => {
  test.each([
    ["tagged", tagged, "<think>\nHm.\n</think>\n\nYes"],
    ["open", open, "Hm.\n</think>\n\nYes"],
  ])("is reasoning, whole and streamed (%s)", (_kind, options, content) => {
    const expected = { reasoning: "Hm.", text: "Yes" };
    expect(seen(client, answered(path(client, "C"), completion({ content }), {}, options))).toMatchObject(expected);
    const chunks = [...content].map((letter) => chunk({ content: letter }));
    expect(seenOf(client, streamed(path(client, "C"), [...chunks, ...ended("stop")], {}, options))).toMatchObject(
      expected,
    );
  });

  test("is text where nobody says that it is more", () => {
    const content = "<think>Hm.</think>Yes";
    const frames = [chunk({ content }), ...ended("stop")];
    expect(seenOf(client, streamed(path(client, "C"), frames)).text).toBe(content);
  });
});

describe("on the next turn", () => {
  const messages = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Yes", reasoning_content: "Hm." },
    { role: "user", content: "And?" },
  ];

  test("it is not sent back up, and that is told", () => {
    const { text, notices } = sent("C->C", { messages }, tagged);
    expect(text).not.toContain("Hm.");
    expect(notices).toMatchObject([{ field: "messages[1].reasoning_content", verdict: "dropped" }]);
  });

  test("it is sent where the operator says how", () => {
    const options = server({ thoughtsInText: "tagged", reasoningHistory: "reasoning_content" });
    const { body, notices } = sent("C->C", { messages }, options);
    expect(body.messages).toMatchObject([{}, { reasoning_content: "Hm." }, {}]);
    expect(notices).toEqual([]);
  });
});

describe("a prompt that opens the thought", () => {
  const plain = (more: JsonObject, options: CarryOptions) =>
    seen("C", answered("C->C", completion({ content: "Yes" }), more, options));

  test("makes all that never closes it a thought", () => {
    expect(plain({}, open)).toMatchObject({ reasoning: "Yes", text: "" });
  });

  test.each([
    ["the caller's effort of none", { reasoning_effort: "none" }],
    ["the caller's own switch", { enable_thinking: false }],
    ["the caller's own switch in the template", { chat_template_kwargs: { enable_thinking: false } }],
    ["the caller's switch of another kind", { thinking: { type: "disabled" } }],
  ])("does not where thinking is turned off by %s", (_how, more) => {
    expect(plain(more, open)).toMatchObject({ reasoning: "", text: "Yes" });
  });
});

test("only such a model's answers are converted for clients of the same protocol", () => {
  const must = (capabilities?: CapabilityOverrides) => chatCompletions.mustConvert?.({ capabilities }) ?? false;
  expect([must({ thoughtsInText: "tagged" }), must({ thoughtsInText: "open" })]).toEqual([true, true]);
  expect([must(), must({}), must({ thoughtsInText: "none" })]).toEqual([false, false, false]);
});
