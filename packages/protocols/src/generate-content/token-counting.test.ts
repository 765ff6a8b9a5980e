import { describe, expect, it } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { decode } from "../testing/generate-content-fixture.ts";
import { generateContent } from "./codec.ts";

describe("token counting", () => {
  const counting = generateContent.tokenCounting;
  it("reads both forms of the body", () => {
    const contents = [{ parts: [{ text: "a" }] }];
    const read = (body: JsonObject) =>
      counting.decodeRequest(body, { model: "m" }, { vault: { seal: () => "", open: () => undefined } });
    expect(read({ contents }).turns).toHaveLength(1);
    expect(
      read({ generateContentRequest: { contents, systemInstruction: { parts: [{ text: "s" }] } } }).turns,
    ).toHaveLength(2);
    expect(() => read({})).toThrow("contents");
  });
  it("answers and reads answers", () => {
    expect(counting.encodeAnswer(7)).toEqual({ totalTokens: 7 });
    expect(counting.upstream?.decodeAnswer({ totalTokens: 7 })).toBe(7);
    expect(counting.upstream?.path("gemini-3-flash")).toBe("/v1beta/models/gemini-3-flash:countTokens");
    expect(() => counting.upstream?.decodeAnswer([])).toThrow();
  });
  it("paths are the SDK's", () => {
    expect(generateContent.path("gemini-3-flash", true)).toBe(
      "/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse",
    );
    expect(generateContent.path("tunedModels/a b", false)).toBe("/v1beta/tunedModels/a%20b:generateContent");
    expect(decode({ contents: [{ parts: [{ text: "a" }] }] }).model).toBe("gemini-test");
  });
});
