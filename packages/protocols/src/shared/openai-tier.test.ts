import { expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { answered, framesOf, streamed } from "../peer-bugs/scene.ts";
import { message, messageEnd, messageStart, textBlock } from "../peer-bugs/wire-frames.ts";
import { openAiTier } from "./openai-tier.ts";

const told: [string, { C: string | undefined; R: string }][] = [
  ["standard", { C: "default", R: "default" }],
  ["priority", { C: "priority", R: "priority" }],
  ["batch", { C: undefined, R: "default" }],
];

test.each(told)(
  "P15: clients of OpenAI's protocols read the tier '%s' of Messages in their own words",
  (tier, words) => {
    const usage = { input_tokens: 5, output_tokens: 7, service_tier: tier };
    const whole = message([{ type: "text", text: "Hi" }], "end_turn", { usage });
    const frames = [messageStart(usage), ...textBlock(0, "Hi"), ...messageEnd("end_turn")];

    expect(answered("C->M", whole).service_tier).toBe(words.C);
    expect(answered("R->M", whole).service_tier).toBe(words.R);
    const tiers = (path: "C->M" | "R->M", of: (frame: JsonObject) => unknown) => [
      ...new Set(framesOf(streamed(path, frames).text).map(of)),
    ];
    expect(tiers("C->M", (chunk) => chunk.service_tier)).toEqual([words.C]);
    const ofResponse = ({ response }: JsonObject) => response && Object(response).service_tier;
    expect(tiers("R->M", ofResponse).filter((found) => found !== undefined)).toEqual([words.R]);
  },
);

test("a tier that was not told stays untold", () => {
  expect(openAiTier(undefined)).toBeUndefined();
});
