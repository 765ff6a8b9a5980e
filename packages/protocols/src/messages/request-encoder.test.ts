import { describe, expect, test } from "vitest";
import type { CanonicalRequest, Part } from "../canonical/index.ts";
import { sha256Hex } from "../shared/sha256.ts";
import { encode, refusal, signed, told, tool } from "../testing/messages-request-fixture.ts";
import { assistant, call, result, system, text, user } from "../testing/turns-fixture.ts";
import { encodeRequest } from "./request-encoder.ts";

describe("output limit", () => {
  test("P1, 84 a missing limit is the model's own, at most 32000; only an unknown model gets 8192 and a notice", () => {
    const { maxOutputTokens: _none, ...rest } = { maxOutputTokens: undefined };
    const limit = (model: string) => {
      const { body, notices } = encodeRequest(
        { model: "m", stream: false, turns: [user(text("x"))], tools: [], sampling: {}, stopSequences: [], ...rest },
        { model, stream: false },
      );
      return [body.max_tokens, notices.length];
    };
    expect(limit("claude-3-haiku-20240307")).toEqual([4096, 0]);
    expect(limit("claude-sonnet-4-5")).toEqual([32_000, 0]);
    expect(limit("glm-4.6")).toEqual([8192, 1]);
  });

  test("P3 a limit above the model's is its own, with a notice", () => {
    const encoded = encode({ maxOutputTokens: 9000 }, "claude-3-haiku-20240307");
    expect(encoded.body.max_tokens).toBe(4096);
    expect(told(encoded)).toEqual(["approximated max_tokens"]);
  });
});

describe("sampling", () => {
  test("P5, 82 temperature above 1 is 1 with a notice, and is never rescaled", () => {
    const at = (temperature: number) => encode({ sampling: { temperature } }, "claude-sonnet-4-5");
    expect([0, 0.7, 1, 1.2, 2].map((value) => at(value).body.temperature)).toEqual([0, 0.7, 1, 1, 1]);
    expect([0.7, 1.2].map((value) => told(at(value)))).toEqual([[], ["approximated temperature"]]);
  });

  test("P6 newest models take none, both of them old ones do not take together", () => {
    const knobs = { temperature: 0.5, topP: 0.5, topK: 5 };
    const none = encode({ sampling: knobs });
    expect(none.body).not.toHaveProperty("temperature");
    expect(told(none)).toEqual(["dropped temperature", "dropped top_p", "dropped top_k"]);
    const one = encode({ sampling: knobs }, "claude-sonnet-4-5");
    expect(one.body).toMatchObject({ temperature: 0.5, top_k: 5 });
    expect(told(one)).toEqual(["dropped top_p"]);
    expect(told(encode({ sampling: { temperature: 1 } }))).toEqual([]);
  });

  test("P7 a model that thinks takes temperature 1 only", () => {
    const encoded = encode({ sampling: { temperature: 0.2 }, reasoning: { budgetTokens: 2000 } }, "claude-sonnet-4-5");
    expect(encoded.body).toMatchObject({ thinking: { type: "enabled", budget_tokens: 2000 } });
    expect(encoded.body).not.toHaveProperty("temperature");
    expect(told(encoded)).toEqual(["dropped temperature"]);
  });

  test("P9 knobs that the family has not are told by the caller's own names", () => {
    const sampling = { seed: 1, frequencyPenalty: 1, presencePenalty: 1, logitBias: { "5": 1 } };
    expect(told(encode({ sampling }))).toEqual([
      "dropped seed",
      "dropped frequency_penalty",
      "dropped presence_penalty",
      "dropped logit_bias",
    ]);
  });

  test("P12, 22 a blank stop sequence is watched for by the gateway", () => {
    const encoded = encode({ stopSequences: ["END", "\n"] });
    expect(encoded.body.stop_sequences).toEqual(["END"]);
    expect(encoded.plan.stopSequences).toEqual(["\n"]);
    expect(told(encoded)).toEqual(["emulated stop"]);
  });
});

describe("what is refused before any call", () => {
  const image: Part = {
    type: "image",
    source: { type: "file", id: "file-1", family: "openai" },
    at: "messages[0].content[0]",
  };
  const cases: [string, Partial<CanonicalRequest>][] = [
    ["n", { candidates: 2 }],
    ["logprobs", { sampling: { logprobs: { top: 2 } } }],
    ["modalities", { modalities: ["text", "audio"] }],
    ["cachedContent", { cache: { contentHandle: "cachedContents/1" } }],
    ["previous_response_id", { state: { previousResponseId: "resp_1" } }],
    ["messages[0].content[0]", { turns: [user(image)] }],
    ["audio", { turns: [user({ type: "audio", source: { type: "base64", mediaType: "audio/wav", data: "aGk=" } })] }],
    ["video", { turns: [user({ type: "video", source: { type: "url", url: "https://a.example/v.mp4" } })] }],
    [
      "document",
      { turns: [user({ type: "document", source: { type: "base64", mediaType: "application/zip", data: "aGk=" } })] },
    ],
    ["tool_choice", { toolChoice: { mode: "required" } }],
  ];
  test.each(cases)("%s", (param, more) => {
    expect(refusal(more)).toMatchObject({ kind: "bad_request", status: 400, param });
  });

  test("H14 a prefill is kept by models up to 4.5 and refused by later ones", () => {
    const turns = [user(text("Count")), assistant(text("One, "))];
    expect(encode({ turns }, "claude-haiku-4-5").body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "text", text: "One," }] },
    ]);
    expect(refusal({ turns }).kind).toBe("bad_request");
  });

  test("a paused answer goes back on every model (76)", () => {
    const search: Part = {
      type: "server-tool",
      role: "call",
      tool: "web_search",
      protocol: "messages",
      payload: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
    };
    expect(encode({ turns: [user(text("Search")), assistant(search)] }).body.messages).toHaveLength(2);
  });
});

describe("caller", () => {
  const id = (userId: string) => encode({ caller: { userId } }).body.metadata;

  test("P18, 34 an id that looks like a contact or is too long is hashed", () => {
    expect(id("user_1")).toEqual({ user_id: "user_1" });
    expect(id("ann@example.com")).toEqual({ user_id: sha256Hex("ann@example.com") });
    expect(id("+47 22 33 44 55")).toEqual({ user_id: sha256Hex("+47 22 33 44 55") });
    expect(id("x".repeat(300))).toEqual({ user_id: sha256Hex("x".repeat(300)) });
  });

  test("96 an id that is JSON is opaque", () => {
    const json = '{"device_id":"a","session_id":"b"}';
    expect(id(json)).toEqual({ user_id: json });
  });

  test("metadata, cache keys and tool-call limits are told", () => {
    const encoded = encode({
      caller: { metadata: { a: "b" } },
      cache: { key: "k" },
      maxToolCalls: 3,
      verbosity: "low",
    });
    expect(told(encoded)).toEqual([
      "dropped verbosity",
      "dropped max_tool_calls",
      "dropped prompt_cache_key",
      "dropped metadata",
    ]);
  });
});

test("L7 a longer conversation extends the body of the shorter one", () => {
  const first = [system("S"), user(text("a"))];
  const second = [...first, assistant(signed("EqoB", "Hm."), call("t")), user(result("t", text("ok")))];
  const short = JSON.stringify(encode({ turns: first, tools: [tool] }).body.messages);
  const long = JSON.stringify(encode({ turns: second, tools: [tool] }).body.messages);
  expect(long.startsWith(short.slice(0, -1))).toBe(true);
});
