import { describe, expect, it } from "vitest";
import type { CanonicalRequest, Turn } from "../canonical/index.ts";
import { showing } from "../testing/generate-content-fixture.ts";
import { encode, refused, user } from "../testing/generate-content-request-fixture.ts";
import { generateContent } from "./codec.ts";

const { reasoning: _, ...plain } = showing;

describe("knobs", () => {
  it.each<[string, Partial<CanonicalRequest>, string[]]>([
    ["P9 logit bias", { sampling: { logitBias: { "1": 1 } } }, ["logit_bias dropped"]],
    ["P16 verbosity", { verbosity: "low" }, ["verbosity dropped"]],
    ["T10 one call at a time", { parallelToolCalls: false }, ["parallel_tool_calls dropped"]],
    ["max_tool_calls", { maxToolCalls: 2 }, ["max_tool_calls dropped"]],
    ["P19 cache key", { cache: { key: "k" } }, ["prompt_cache_key dropped"]],
    ["P18 user and metadata", { caller: { userId: "u", metadata: { a: "b" } } }, ["user dropped", "metadata dropped"]],
    ["R2 store", { state: { store: true } }, ["store dropped"]],
    ["P15 an unknown tier", { serviceTier: "scale" }, ["service_tier dropped"]],
    ["P11 stops beyond five", { stopSequences: ["1", "2", "3", "4", "5", "6"] }, ["stop emulated"]],
    ["seed", { sampling: { seed: 2 ** 40 } }, ["seed approximated"]],
  ])("%s is told", (_name, more, notices) => {
    expect(encode(more).notices).toEqual(notices);
  });
  it("P11 the stops beyond five are left to the gateway", () => {
    const { body, plan } = encode({ stopSequences: ["1", "2", "3", "4", "5", "6"] });
    expect(body.generationConfig).toEqual({ stopSequences: ["1", "2", "3", "4", "5"] });
    expect(plan.stopSequences).toEqual(["6"]);
  });
  it.each<[string, Partial<CanonicalRequest>]>([
    ["previous_response_id", { state: { previousResponseId: "r" } }],
    ["conversation", { state: { conversation: "c" } }],
    ["background", { state: { background: true } }],
    ["truncation", { state: { truncation: "auto" } }],
    ["audio", { audioOutput: { voice: "a" }, modalities: ["text", "audio"] }],
  ])("%s is refused", (field, more) => {
    expect(refused(more)).toBe(field);
  });
  it("H14 an unfinished model turn is refused, and counted all the same", () => {
    const turns: Turn[] = [user, { role: "assistant", at: "messages[1]", parts: [{ type: "text", text: "{" }] }];
    expect(refused({ turns })).toBe("messages[1]");
    const count = generateContent.tokenCounting.upstream?.encodeRequest(
      { ...plain, turns },
      { model: "gemini-3-flash", stream: false },
    );
    expect(count).toMatchObject({
      generateContentRequest: { model: "models/gemini-3-flash", contents: [{}, { role: "model" }] },
    });
  });
  it("J3 a format that older models refuse beside functions is asked for in words", () => {
    const more: Partial<CanonicalRequest> = { format: { type: "json" }, tools: [{ type: "function", name: "f" }] };
    const { body, plan, notices } = encode(more, "gemini-2.5-flash");
    expect(body.generationConfig).toBeUndefined();
    expect(JSON.stringify(body.systemInstruction)).toContain("JSON");
    expect(plan.unfenceJson).toBe(true);
    expect(notices).toEqual(["response_format emulated"]);
    expect(encode(more).body.generationConfig).toEqual({ responseMimeType: "application/json" });
  });
});
