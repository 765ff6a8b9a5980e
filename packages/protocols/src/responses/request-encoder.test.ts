import { describe, expect, test } from "vitest";
import type { CanonicalRequest } from "../canonical/index.ts";
import { encode, input, refusedField } from "../testing/responses-request-fixture.ts";
import { assistant, call, result, text, user } from "../testing/turns-fixture.ts";

describe("responses request encoder", () => {
  test("pair 1 nothing is stored and encrypted reasoning is always asked for", () => {
    expect(encode().body).toEqual({
      model: "gpt-5.6",
      input: [{ type: "message", role: "user", content: "Hi" }],
      include: ["reasoning.encrypted_content"],
      store: false,
    });
    expect(encode({ state: { store: true } }).body.store).toBe(true);
  });

  test("P2 a tiny limit is raised to 16 and said", () => {
    const { body, notices } = encode({ maxOutputTokens: 1 });
    expect(body.max_output_tokens).toBe(16);
    expect(notices).toMatchObject([{ field: "max_tokens", verdict: "approximated" }]);
  });

  test("P8, P9 knobs that this protocol has not are told, each by its name", () => {
    const { body, notices } = encode({
      sampling: { topK: 1, seed: 2, frequencyPenalty: 1, presencePenalty: 1, logitBias: { "1": 2 } },
    });
    expect(notices.map((notice) => [notice.field, notice.verdict])).toEqual(
      ["top_k", "seed", "frequency_penalty", "presence_penalty", "logit_bias"].map((field) => [field, "dropped"]),
    );
    expect(Object.keys(body).sort()).toEqual(["include", "input", "model", "store"]);
  });

  test("P6 a reasoning model's sampling is dropped with a notice, but taken with effort none", () => {
    const sampling = { temperature: 0.2, topP: 0.5 };
    const plain = encode({ sampling }, "gpt-5.1");
    expect(plain.body.temperature).toBeUndefined();
    expect(plain.notices.map((notice) => notice.field)).toEqual(["temperature", "top_p"]);
    expect(encode({ sampling, reasoning: { effort: "none" } }, "gpt-5.1").body).toMatchObject({
      temperature: 0.2,
      top_p: 0.5,
    });
    expect(encode({ sampling }, "some-new-model").body).toMatchObject({ temperature: 0.2, top_p: 0.5 });
    expect(encode({ sampling: { temperature: 1 } }, "gpt-5").notices).toEqual([]);
  });

  test("P10 stop sequences are left to the gateway, and said to be emulated", () => {
    const { body, notices, plan } = encode({ stopSequences: ["END"] });
    expect(plan.stopSequences).toEqual(["END"]);
    expect(JSON.stringify(body)).not.toContain("END");
    expect(notices).toMatchObject([{ field: "stop", verdict: "emulated" }]);
  });

  test.each<[string, Partial<CanonicalRequest>, string]>([
    ["P13 several answers", { candidates: 2 }, "n"],
    ["P17 audio output", { modalities: ["text", "audio"] }, "modalities"],
    ["P17 audio settings", { audioOutput: { voice: "x" } }, "audio"],
    ["P21 a foreign cache handle", { cache: { contentHandle: "cachedContents/1" } }, "cachedContent"],
    [
      "H14 a started answer",
      { turns: [user(text("a")), { ...assistant(text("b")), at: "messages[1]" }] },
      "messages[1]",
    ],
    [
      "M4 a foreign file",
      { turns: [user({ type: "image", source: { type: "file", id: "f", family: "anthropic" }, at: "x[0]" })] },
      "x[0]",
    ],
    [
      "M8 video",
      { turns: [user({ type: "video", source: { type: "url", url: "https://a.test" }, at: "x[1]" })] },
      "x[1]",
    ],
    [
      "M7 audio of another format",
      {
        turns: [user({ type: "audio", source: { type: "base64", mediaType: "audio/flac", data: "AAAA" }, at: "x[2]" })],
      },
      "x[2]",
    ],
    [
      "T7 a forced foreign tool",
      { toolChoice: { mode: "server", protocol: "messages", payload: { name: "x" } } },
      "tool_choice",
    ],
    [
      "T7 a required choice with foreign tools only",
      {
        tools: [{ type: "server", tool: "code_execution", protocol: "messages", payload: {}, at: "tools[0]" }],
        toolChoice: { mode: "required" },
      },
      "tools[0]",
    ],
  ])("%s is refused by its field", (_name, more, field) => {
    expect(refusedField(() => encode(more))).toBe(field);
  });

  test("P18 a long end-user id is hashed; P15 tiers map by name", () => {
    const { body } = encode({ caller: { userId: "x".repeat(65) }, serviceTier: "standard_only" });
    expect(body.safety_identifier).toMatch(/^[0-9a-f]{64}$/);
    expect(body.service_tier).toBe("default");
    expect(encode({ serviceTier: "turbo" }).notices).toMatchObject([{ field: "service_tier" }]);
  });

  test("P20 cache marks become breakpoints only where the model takes them", () => {
    const turns = [user({ type: "text", text: "a", cache: {} })];
    expect(encode({ turns }).body.input).toMatchObject([
      { content: [{ prompt_cache_breakpoint: { mode: "explicit" } }] },
    ]);
    expect(encode({ turns }, "gpt-5").body.input).toEqual([{ type: "message", role: "user", content: "a" }]);
  });

  test("L7 a longer conversation begins with the same items", () => {
    const start = [user(text("a")), assistant(text("t"), call("1")), user(result("1", text("x")))];
    const short = input(...start);
    const long = input(...start, assistant(text("b")), user(text("c")));
    expect(
      Array.isArray(short) &&
        Array.isArray(long) &&
        JSON.stringify(long).startsWith(JSON.stringify(short).slice(0, -1)),
    ).toBe(true);
  });
});
