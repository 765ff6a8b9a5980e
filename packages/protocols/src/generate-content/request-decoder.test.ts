import { describe, expect, it } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { decode, vault } from "../testing/generate-content-fixture.ts";
import { generateContent } from "./codec.ts";

const contents = [{ role: "user", parts: [{ text: "Hi" }] }];

describe("what clients write in their own ways", () => {
  it("both spellings of every field, but not inside the caller's own data", () => {
    const request = decode({
      system_instruction: { parts: { text: "Be brief." } },
      contents: [
        { role: "user", parts: [{ inline_data: { mime_type: "image/png", data: "AAAA" } }] },
        {
          role: "model",
          parts: [{ function_call: { name: "f", args: { user_id: 1, userId: 2 } }, thought_signature: "c2ln" }],
        },
        { role: "user", parts: [{ function_response: { name: "f", response: { some_key: { inner_key: 1 } } } }] },
      ],
      tools: [
        {
          function_declarations: [
            { name: "f", parameters_json_schema: { type: "object", properties: { user_id: { type: "integer" } } } },
          ],
        },
      ],
      tool_config: { function_calling_config: { mode: "any", allowed_function_names: ["f"] } },
      generation_config: {
        max_output_tokens: 5,
        stop_sequences: ["x"],
        thinking_config: { include_thoughts: true, thinking_budget: "128" },
      },
      safety_settings: [{ category: "A", threshold: "B" }],
      labels: { team_name: "a" },
    });
    expect(request.turns.map((turn) => turn.role)).toEqual(["system", "user", "assistant", "user"]);
    expect(request.turns[1]?.parts[0]).toMatchObject({ type: "image", source: { mediaType: "image/png" } });
    expect(request.turns[2]?.parts[0]).toMatchObject({
      arguments: '{"user_id":1,"userId":2}',
      proof: { family: "gemini", value: "c2ln" },
    });
    expect(request.turns[3]?.parts[0]).toMatchObject({ content: [{ text: '{"some_key":{"inner_key":1}}' }] });
    expect(request.tools[0]).toMatchObject({ parameters: { properties: { user_id: { type: "integer" } } } });
    expect(request.toolChoice).toEqual({ mode: "tool", name: "f" });
    expect(request).toMatchObject({
      maxOutputTokens: 5,
      stopSequences: ["x"],
      reasoning: { show: "summary", budgetTokens: 128 },
    });
    expect(request.extras?.["generate-content"]).toEqual({
      safetySettings: [{ category: "A", threshold: "B" }],
      labels: { team_name: "a" },
    });
  });

  it("types in capitals, nullable and counters as text become ordinary JSON Schema", () => {
    const schema = {
      type: "OBJECT",
      properties: {
        a: { type: "STRING", nullable: true },
        b: { type: "ARRAY", maxItems: "5", items: { type: "INTEGER" } },
      },
    };
    const ordinary = {
      type: "object",
      properties: { a: { type: ["string", "null"] }, b: { type: "array", maxItems: 5, items: { type: "integer" } } },
    };
    const viaParameters = decode({ contents, tools: [{ functionDeclarations: [{ name: "f", parameters: schema }] }] });
    expect(viaParameters.tools[0]).toMatchObject({ parameters: ordinary });
    for (const key of ["responseSchema", "responseJsonSchema", "_responseJsonSchema"]) {
      const request = decode({ contents, generationConfig: { responseMimeType: "application/json", [key]: schema } });
      expect(request.format).toEqual({ type: "schema", schema: ordinary });
    }
  });

  it("neighbouring contents of one role are one turn, and streamed chunks one text", () => {
    const request = decode({
      contents: [
        { parts: [{ text: "a" }] },
        { role: "user", parts: [{ text: "b" }] },
        { role: "model", parts: [{ text: "think", thought: true }] },
        { role: "model", parts: [{ text: "ing", thought: true }] },
        { role: "model", parts: [{ text: "Hel" }] },
        { role: "model", parts: [{ text: "lo" }] },
        { role: "model", parts: [{ text: "" }] },
        { role: "model", parts: [] },
        { role: "user", parts: [{ text: "c" }] },
      ],
    });
    expect(request.turns).toEqual([
      {
        role: "user",
        at: "contents[0]",
        parts: [
          { type: "text", text: "a", at: "contents[0].parts[0]" },
          { type: "text", text: "b", at: "contents[1].parts[0]" },
        ],
      },
      {
        role: "assistant",
        at: "contents[2]",
        parts: [
          { type: "reasoning", summary: ["thinking"], at: "contents[2].parts[0]" },
          { type: "text", text: "Hello", at: "contents[4].parts[0]" },
        ],
      },
      { role: "user", at: "contents[8]", parts: [{ type: "text", text: "c", at: "contents[8].parts[0]" }] },
    ]);
  });

  it("T3, H9 calls without ids get the same ids on every replay, and results pair by name, else by place", () => {
    const body = {
      contents: [
        { role: "user", parts: [{ text: "a" }] },
        {
          role: "model",
          parts: [{ functionCall: { name: "f" } }, { functionCall: { name: "g" } }, { functionCall: { name: "f" } }],
        },
        {
          role: "function",
          parts: ["g", "f", "f"].map((name) => ({ functionResponse: { name, response: { output: name } } })),
        },
      ],
    };
    const [, calls, results] = decode(body).turns;
    const ids = (calls?.parts ?? []).map((one) => (one.type === "tool-call" ? one.callId : ""));
    expect(new Set(ids).size).toBe(3);
    expect(results?.parts.map((one) => (one.type === "tool-result" ? one.callId : ""))).toEqual([
      ids[1],
      ids[0],
      ids[2],
    ]);
    expect(decode(body).turns).toEqual(decode(structuredClone(body)).turns);
  });

  it("unknown fields, roles and parts are kept at their level and come back", () => {
    const body: JsonObject = {
      contents: [
        { role: "narrator", mood: 1, parts: [{ text: "a", partMetadata: { x: 1 } }, { newKind: { text: "shown" } }] },
        { role: "model", parts: [{ text: "m" }] },
        {
          role: "user",
          parts: [
            { fileData: { fileUri: "gs://b/v", mimeType: "video/mp4", displayName: "v" }, videoMetadata: { fps: 2 } },
          ],
        },
      ],
      tools: [{ functionDeclarations: [{ name: "f", behavior: "BLOCKING" }] }, { googleMaps: { widget: true } }],
      toolConfig: { retrievalConfig: { languageCode: "en" } },
      generationConfig: { speechConfig: { a: 1 }, newKnob: 2 },
      newTop: { b: 1 },
    };
    const request = decode(body);
    expect(request.turns[0]?.parts[1]).toMatchObject({ type: "opaque", nativeType: "newKind", text: "shown" });
    expect(generateContent.encodeRequest(request, { model: "gemini-3-flash", stream: false }).body).toEqual(body);
  });

  it("values at their default are absent", () => {
    const request = decode({
      contents,
      store: false,
      serviceTier: "STANDARD",
      generationConfig: {
        candidateCount: 1,
        responseModalities: ["TEXT"],
        responseMimeType: "text/plain",
        thinkingConfig: { includeThoughts: false },
      },
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
    });
    const { turns: _, ...rest } = request;
    expect(rest).toEqual({ model: "gemini-test", stream: false, tools: [], sampling: {}, stopSequences: [] });
  });

  it("the path's model wins over the body's and loses its prefix", () => {
    const request = generateContent.decodeRequest(
      { contents, model: "models/b" },
      { model: "models/a", stream: true },
      { vault },
    );
    expect(request).toMatchObject({ model: "a", stream: true });
    expect(generateContent.decodeRequest({ contents, model: "models/b" }, {}, { vault }).model).toBe("b");
  });

  it("L21 a foreign proof goes to the reasoning before it, also when the thought was dropped or came in chunks", () => {
    const foreign = { family: "anthropic", kind: "signature" as const, value: "SIG" };
    const sealed = vault.seal(foreign);
    const history = (parts: JsonObject[][]) =>
      decode({
        contents: [...contents, ...parts.map((list) => ({ role: "model", parts: list })), ...contents],
      }).turns[1]?.parts.map(({ at: _, ...one }) => one);
    const call = { functionCall: { name: "f", id: "c", args: {} } };
    expect(
      history([
        [
          { text: "t", thought: true },
          { ...call, thoughtSignature: sealed },
        ],
      ]),
    ).toMatchObject([{ type: "reasoning", summary: ["t"], proof: foreign }, { type: "tool-call" }]);
    expect(history([[{ ...call, thoughtSignature: sealed }]])).toMatchObject([
      { type: "reasoning", proof: foreign },
      { type: "tool-call" },
    ]);
    expect(
      history([[{ text: "t", thought: true }], [{ text: "He", thoughtSignature: sealed }], [{ text: "llo" }]]),
    ).toEqual([
      { type: "reasoning", summary: ["t"], proof: foreign },
      { type: "text", text: "Hello" },
    ]);
    expect(history([[{ text: "", thoughtSignature: sealed }]])).toEqual([{ type: "reasoning", proof: foreign }]);
  });
});
