import { describe, expect, it } from "vitest";
import { assistant, decode, part, user, vault } from "../testing/chat-completions-body-fixture.ts";

describe("what a request says", () => {
  it("null and default values count as absent", () => {
    const given = decode({
      n: 1,
      stream: null,
      parallel_tool_calls: true,
      logprobs: false,
      store: false,
      top_p: 1,
      frequency_penalty: 0,
      stop: null,
      response_format: { type: "text" },
      modalities: ["text"],
      service_tier: "auto",
      metadata: {},
      logit_bias: {},
      temperature: null,
    });
    expect(given).toEqual({
      model: "m",
      stream: false,
      turns: [{ role: "user", at: "messages[0]", parts: [{ type: "text", text: "Hi", at: "messages[0].content" }] }],
      tools: [],
      sampling: {},
      stopSequences: [],
    });
  });

  it("both ends of the temperature's range are lawful", () => {
    expect(decode({ temperature: 0 }).sampling.temperature).toBe(0);
    expect(decode({ temperature: 2 }).sampling.temperature).toBe(2);
  });

  it("P4 the newer limit wins", () => {
    expect(decode({ max_tokens: 5, max_completion_tokens: 7 }).maxOutputTokens).toBe(7);
  });

  it("unknown fields are kept at their level", () => {
    const given = decode({
      top_k: 4,
      messages: [{ role: "user", prefix: true, content: [{ type: "text", text: "a", weight: 2 }] }],
      tools: [{ type: "function", note: 1, function: { name: "f", returns: {} } }],
    });
    expect(given.extras).toEqual({ "chat-completions": { top_k: 4 } });
    expect(given.turns[0]?.extras).toEqual({ "chat-completions": { prefix: true } });
    expect(given.turns[0]?.parts[0]?.extras).toEqual({ "chat-completions": { weight: 2 } });
    expect(given.tools[0]?.extras).toEqual({ "chat-completions": { function: { returns: {} }, tool: { note: 1 } } });
  });

  it("R7 unknown parts and roles are kept, readable where they bear text", () => {
    const given = decode({
      messages: [
        { role: "user", content: [{ type: "document_url", document_url: "https://x" }] },
        { role: "critic", content: "Bad." },
      ],
    });
    expect(given.turns[0]?.parts[0]).toMatchObject({ type: "opaque", nativeType: "document_url" });
    expect(given.turns[1]?.parts[0]).toMatchObject({ type: "opaque", nativeType: "message:critic", text: "Bad." });
  });

  it("the old functions become tools, and old calls and results pair", () => {
    const given = decode({
      functions: [{ name: "f", parameters: { type: "object" } }],
      function_call: { name: "f" },
      messages: [
        user,
        { role: "assistant", content: null, function_call: { name: "f", arguments: '{"a":1}' } },
        { role: "function", name: "f", content: "4" },
      ],
    });
    expect(given.tools).toEqual([{ type: "function", name: "f", parameters: { type: "object" }, at: "functions[0]" }]);
    expect(given.toolChoice).toEqual({ mode: "tool", name: "f" });
    const call = given.turns[1]?.parts[0];
    const result = given.turns[2]?.parts[0];
    expect(call).toMatchObject({ type: "tool-call", arguments: '{"a":1}' });
    expect(result).toMatchObject({ type: "tool-result", callId: call?.type === "tool-call" ? call.callId : "" });
  });

  it("the flat tool shapes of the responses protocol are taken too", () => {
    const given = decode({
      tools: [
        { type: "function", name: "f", parameters: {} },
        { type: "custom", name: "p", format: { type: "grammar", syntax: "lark", definition: "x" } },
      ],
      tool_choice: { type: "function", name: "f" },
    });
    expect(given.tools).toMatchObject([
      { type: "function", name: "f" },
      { type: "custom", name: "p", grammar: { syntax: "lark", definition: "x" } },
    ]);
    expect(given.toolChoice).toEqual({ mode: "tool", name: "f" });
  });

  it("H5 tool messages in a row are one user turn", () => {
    const calls = ["a", "b"].map((id) => ({ id, type: "function", function: { name: "f", arguments: "" } }));
    const given = decode({
      messages: [
        user,
        { role: "assistant", content: "", tool_calls: calls },
        { role: "tool", tool_call_id: "a", content: "1" },
        { role: "tool", tool_call_id: "b", content: [{ type: "text", text: "Error: 2" }] },
        user,
      ],
    });
    expect(given.turns.map((turn) => turn.parts.length)).toEqual([1, 2, 2, 1]);
    expect(given.turns[1]?.parts[0]).toMatchObject({ type: "tool-call", arguments: "{}" });
    expect(given.turns[2]?.parts[1]).toMatchObject({ isError: true, content: [{ text: "2" }] });
  });

  it("M3 a PDF in the place of an image is a document", () => {
    const given = decode(part({ type: "image_url", image_url: { url: "data:application/pdf;base64,AAAA" } }));
    expect(given.turns[0]?.parts[0]).toMatchObject({ type: "document", source: { mediaType: "application/pdf" } });
  });

  it("P20 cache marks are read in both spellings", () => {
    const given = decode({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "1h" } },
            { type: "text", text: "b", prompt_cache_breakpoint: { mode: "explicit" } },
          ],
        },
      ],
    });
    expect(given.turns[0]?.parts.map((one) => one.cache)).toEqual([{ ttl: "1h" }, {}]);
  });
});

describe("2.5 proofs come back as what they were", () => {
  const anthropic = { family: "anthropic", kind: "signature", value: "c2ln" } as const;
  const openai = { family: "openai", kind: "encrypted", value: "ZW5j", itemId: "rs_1" } as const;
  const gemini = { family: "gemini", kind: "signature", value: "Z2Vt" } as const;

  it("L19 from reasoning details and from calls, with the text they sign", () => {
    const given = decode(
      assistant({
        content: null,
        reasoning_content: "think",
        reasoning_details: [
          { type: "reasoning.text", text: "think", signature: vault.seal(anthropic), index: 0 },
          { type: "reasoning.summary", summary: "short", index: 1 },
          { type: "reasoning.encrypted", data: vault.seal(openai), index: 1 },
        ],
        tool_calls: [
          {
            id: "a",
            type: "function",
            function: { name: "f", arguments: "{}" },
            extra_content: { google: { thought_signature: vault.seal(gemini) } },
          },
        ],
      }),
    );
    expect(given.turns[1]?.parts).toMatchObject([
      { type: "reasoning", text: "think", proof: anthropic },
      { type: "reasoning", summary: ["short"], proof: openai },
      { type: "tool-call", proof: gemini },
    ]);
  });

  it("a value that is no envelope belongs to the server that made it", () => {
    const entry = { type: "reasoning.encrypted", data: "xyz", format: "openai-responses-v1", id: "rs_1", index: 0 };
    const given = decode(assistant({ content: "x", reasoning_details: [entry] }));
    expect(given.turns[1]?.parts[0]).toMatchObject({
      type: "reasoning",
      proof: { family: "chat-completions", kind: "encrypted", value: JSON.stringify(entry) },
    });
  });
});
