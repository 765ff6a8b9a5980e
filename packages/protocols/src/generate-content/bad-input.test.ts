import { describe, expect, it } from "vitest";
import { type JsonObject, ProtocolError } from "../canonical/index.ts";
import { decode, vault } from "../testing/generate-content-fixture.ts";
import { generateContent } from "./codec.ts";

const contents = [{ role: "user", parts: [{ text: "Hi" }] }];

function refusal(body: JsonObject): { param: string | undefined; status: number } {
  try {
    decode(body);
  } catch (cause) {
    if (cause instanceof ProtocolError) return { param: cause.error.param, status: cause.error.status };
    throw cause;
  }
  throw new Error("The request was taken.");
}

const config = (generationConfig: JsonObject): JsonObject => ({ contents, generationConfig });
const part = (value: JsonObject): JsonObject => ({ contents: [{ parts: [{ text: "a" }, value] }] });
const at = "contents[0].parts[1]";

describe("every malformed field is a 400 that names it", () => {
  it.each<[string, JsonObject]>([
    ["contents", {}],
    ["contents", { contents: null }],
    ["contents", { contents: [] }],
    ["contents", { contents: "Hi" }],
    ["contents[0]", { contents: ["Hi"] }],
    ["contents[0].role", { contents: [{ role: 1, parts: [{ text: "a" }] }] }],
    ["contents[0].parts", { contents: [{ role: "user" }] }],
    ["contents[0].parts", { contents: [{ role: "user", parts: [] }] }],
    ["contents[0].parts", { contents: [{ role: "user", parts: "a" }] }],
    ["contents[0].parts[0]", { contents: [{ parts: ["a"] }] }],
    [`${at}.text`, part({ text: 1 })],
    [at, part({})],
    [at, part({ videoMetadata: { fps: 1 } })],
    [`${at}.thought`, part({ text: "a", thought: "yes" })],
    [`${at}.thoughtSignature`, part({ text: "a", thoughtSignature: 1 })],
    [`${at}.inlineData`, part({ inlineData: "a" })],
    [`${at}.inlineData.mimeType`, part({ inlineData: { data: "AAAA" } })],
    [`${at}.inlineData.data`, part({ inlineData: { mimeType: "image/png" } })],
    [`${at}.inlineData.data`, part({ inlineData: { mimeType: "image/png", data: "no base64!" } })],
    [`${at}.fileData.fileUri`, part({ fileData: { mimeType: "image/png" } })],
    [`${at}.functionCall.name`, part({ functionCall: { args: {} } })],
    [`${at}.functionCall.args`, part({ functionCall: { name: "f", args: "{}" } })],
    [`${at}.functionCall.id`, part({ functionCall: { name: "f", id: 1 } })],
    [`${at}.functionResponse.name`, part({ functionResponse: { response: {} } })],
    [`${at}.functionResponse.response`, part({ functionResponse: { name: "f", response: "text" } })],
    ["systemInstruction", { contents, systemInstruction: 1 }],
    ["systemInstruction.parts[0].text", { contents, systemInstruction: { parts: [{ text: 1 }] } }],
    ["tools", { contents, tools: "a" }],
    ["tools[0]", { contents, tools: ["a"] }],
    ["tools[0].functionDeclarations[0].name", { contents, tools: [{ functionDeclarations: [{}] }] }],
    ["tools[0].functionDeclarations[0].name", { contents, tools: [{ functionDeclarations: [{ name: "" }] }] }],
    [
      "tools[0].functionDeclarations[0].description",
      { contents, tools: [{ functionDeclarations: [{ name: "f", description: 1 }] }] },
    ],
    [
      "tools[0].functionDeclarations[0].parameters",
      { contents, tools: [{ functionDeclarations: [{ name: "f", parameters: [] }] }] },
    ],
    [
      "tools[0].functionDeclarations[0].parametersJsonSchema",
      { contents, tools: [{ functionDeclarations: [{ name: "f", parametersJsonSchema: 1 }] }] },
    ],
    ["toolConfig", { contents, toolConfig: 1 }],
    ["toolConfig.functionCallingConfig.mode", { contents, toolConfig: { functionCallingConfig: { mode: "SOME" } } }],
    [
      "toolConfig.functionCallingConfig.allowedFunctionNames[0]",
      { contents, toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [1] } } },
    ],
    ["generationConfig", { contents, generationConfig: [] }],
    ["generationConfig.temperature", config({ temperature: 2.1 })],
    ["generationConfig.temperature", config({ temperature: -0.1 })],
    ["generationConfig.temperature", config({ temperature: "hot" })],
    ["generationConfig.topP", config({ topP: 1.1 })],
    ["generationConfig.topK", config({ topK: 1.5 })],
    ["generationConfig.topK", config({ topK: 0 })],
    ["generationConfig.candidateCount", config({ candidateCount: 0 })],
    ["generationConfig.maxOutputTokens", config({ maxOutputTokens: 0 })],
    ["generationConfig.stopSequences", config({ stopSequences: "a" })],
    ["generationConfig.stopSequences", config({ stopSequences: ["a", "b", "c", "d", "e", "f"] })],
    ["generationConfig.stopSequences[0]", config({ stopSequences: [1] })],
    ["generationConfig.stopSequences[1]", config({ stopSequences: ["a", ""] })],
    ["generationConfig.seed", config({ seed: 2 ** 31 })],
    ["generationConfig.presencePenalty", config({ presencePenalty: 2.5 })],
    ["generationConfig.frequencyPenalty", config({ frequencyPenalty: -2.5 })],
    ["generationConfig.responseLogprobs", config({ responseLogprobs: 1 })],
    ["generationConfig.logprobs", config({ responseLogprobs: true, logprobs: 21 })],
    ["generationConfig.logprobs", config({ logprobs: 2 })],
    ["generationConfig.responseMimeType", config({ responseMimeType: 1 })],
    ["generationConfig.responseSchema", config({ responseSchema: "a" })],
    [
      "generationConfig.responseJsonSchema",
      config({ responseSchema: { type: "OBJECT" }, responseJsonSchema: { type: "object" } }),
    ],
    ["generationConfig.responseModalities[0]", config({ responseModalities: ["SMELL"] })],
    ["generationConfig.thinkingConfig", config({ thinkingConfig: 1 })],
    ["generationConfig.thinkingConfig.thinkingBudget", config({ thinkingConfig: { thinkingBudget: -2 } })],
    ["generationConfig.thinkingConfig.thinkingLevel", config({ thinkingConfig: { thinkingLevel: "SOME" } })],
    ["generationConfig.thinkingConfig.includeThoughts", config({ thinkingConfig: { includeThoughts: "yes" } })],
    ["safetySettings[0].category", { contents, safetySettings: [{ category: 1 }] }],
    ["labels.team", { contents, labels: { team: 1 } }],
    ["cachedContent", { contents, cachedContent: 1 }],
    ["serviceTier", { contents, serviceTier: 1 }],
    ["store", { contents, store: "no" }],
  ])("%s %#", (field, body) => {
    expect(refusal(body)).toEqual({ param: field, status: 400 });
  });

  it("a request without any model names it", () => {
    expect(() => generateContent.decodeRequest({ contents }, {}, { vault })).toThrow("model");
  });
});
