import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalError,
  type ErrorKind,
  type FinishReason,
  type JsonObject,
  type JsonValue,
} from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { usage } from "../testing/arbitraries.ts";
import { generateContent } from "./codec.ts";
import { decodeFinish, encodeFinish } from "./finish.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";

/** Any JSON, without `-0`, which its text cannot carry. */
const anyJson = () => fc.jsonValue().map((value): JsonValue => JSON.parse(JSON.stringify(value)));

describe("1.5.6 usage", () => {
  it("worked example: cached input", () => {
    const read = decodeUsage({
      promptTokenCount: 15305,
      cachedContentTokenCount: 15104,
      candidatesTokenCount: 5,
      totalTokenCount: 15310,
    });
    expect(read).toEqual({ input: { uncached: 201, cacheRead: 15104 }, output: { total: 5 } });
    expect(encodeUsage({ input: { uncached: 201, cacheRead: 15104 }, output: { total: 5 } })).toEqual({
      promptTokenCount: 15305,
      cachedContentTokenCount: 15104,
      candidatesTokenCount: 5,
      totalTokenCount: 15310,
    });
  });
  it("worked example: cache writes", () => {
    expect(
      encodeUsage({ input: { uncached: 3, cacheWrite5m: 7000, cacheWrite1h: 537 }, output: { total: 5 } }),
    ).toEqual({
      promptTokenCount: 7540,
      candidatesTokenCount: 5,
      totalTokenCount: 7545,
    });
  });
  it("worked example: thoughts", () => {
    const wire = { promptTokenCount: 10, candidatesTokenCount: 200, thoughtsTokenCount: 5000, totalTokenCount: 5210 };
    expect(decodeUsage(wire)).toEqual({ input: { uncached: 10 }, output: { total: 5200, reasoning: 5000 } });
    expect(encodeUsage({ input: { uncached: 10 }, output: { total: 5200, reasoning: 5000 } })).toEqual(wire);
  });
  it("results of provider-run tools are input beside the prompt", () => {
    const wire = { promptTokenCount: 10, toolUsePromptTokenCount: 4, candidatesTokenCount: 6, totalTokenCount: 20 };
    expect(encodeUsage(decodeUsage(wire) ?? { input: {}, output: {} })).toEqual(wire);
  });
  it("a counter that is not told is absent, one that is left out for being 0 is 0", () => {
    expect(decodeUsage({ trafficType: "ON_DEMAND" })).toBeUndefined();
    expect(decodeUsage({ promptTokenCount: 9, totalTokenCount: 9 })).toEqual({
      input: { uncached: 9 },
      output: { total: 0 },
    });
  });
  it("audio and images", () => {
    const read = decodeUsage({
      promptTokenCount: "9",
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 2 },
        { modality: "AUDIO", tokenCount: 7 },
      ],
      candidatesTokenCount: 5,
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 5 }],
    });
    expect(read).toEqual({ input: { uncached: 9 }, output: { total: 5, image: 5 }, inputAudio: 7 });
  });
  it("L14 the total is the sum and no counter is negative", () => {
    fc.assert(
      fc.property(
        usage({ cacheRead: true, cacheWrite: true, cacheLifetimes: true, toolPrompt: true, reasoning: true }),
        (told) => {
          const wire = encodeUsage(told);
          const count = (key: string) => Number(wire[key] ?? 0);
          const sum =
            count("promptTokenCount") +
            count("toolUsePromptTokenCount") +
            count("candidatesTokenCount") +
            count("thoughtsTokenCount");
          expect(wire.totalTokenCount).toBe(sum);
          for (const value of Object.values(wire))
            if (typeof value === "number") expect(value).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

describe("1.5.7 finish reasons (L24)", () => {
  it.each<[string, FinishReason]>([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "filter"],
    ["BLOCKLIST", "filter"],
    ["PROHIBITED_CONTENT", "filter"],
    ["SPII", "filter"],
    ["IMAGE_SAFETY", "filter"],
    ["RECITATION", "recitation"],
    ["MALFORMED_FUNCTION_CALL", "malformed_tool"],
    ["UNEXPECTED_TOOL_CALL", "malformed_tool"],
    ["TOO_MANY_TOOL_CALLS", "malformed_tool"],
    ["OTHER", "other"],
    ["LANGUAGE", "other"],
    ["FINISH_REASON_UNSPECIFIED", "other"],
    ["CONTINUATION", "paused"],
    ["BRAND_NEW", "other"],
  ])("%s is %s", (word, reason) => {
    const finish = decodeFinish(word, undefined);
    expect(finish.reason).toBe(reason);
    // Nothing is told as a good end that was none, and a word without its token never goes out.
    const back = encodeFinish(finish);
    expect(back).toBe(word === "BRAND_NEW" || word === "CONTINUATION" ? "OTHER" : word);
  });
  it.each<[FinishReason, string]>([
    ["stop", "STOP"],
    ["stop_sequence", "STOP"],
    ["tool", "STOP"],
    ["length", "MAX_TOKENS"],
    ["context", "MAX_TOKENS"],
    ["filter", "SAFETY"],
    ["refusal", "SAFETY"],
    ["recitation", "RECITATION"],
    ["malformed_tool", "MALFORMED_FUNCTION_CALL"],
    ["paused", "OTHER"],
    ["error", "OTHER"],
    ["other", "OTHER"],
  ])("%s goes out as %s, also with another family's word", (reason, word) => {
    expect(encodeFinish({ reason })).toBe(word);
    expect(encodeFinish({ reason, native: "content_filter" })).toBe(word);
  });
});

describe("1.5.8 errors (L25)", () => {
  it.each<[ErrorKind, number, string]>([
    ["bad_request", 400, "INVALID_ARGUMENT"],
    ["context_too_long", 400, "INVALID_ARGUMENT"],
    ["unauthenticated", 401, "UNAUTHENTICATED"],
    ["billing", 403, "PERMISSION_DENIED"],
    ["forbidden", 403, "PERMISSION_DENIED"],
    ["not_found", 404, "NOT_FOUND"],
    ["method_not_allowed", 405, "UNIMPLEMENTED"],
    ["conflict", 409, "ABORTED"],
    ["too_large", 413, "INVALID_ARGUMENT"],
    ["unsupported_media", 415, "INVALID_ARGUMENT"],
    ["rate_limit", 429, "RESOURCE_EXHAUSTED"],
    ["cancelled", 499, "CANCELLED"],
    ["upstream_bad", 503, "UNAVAILABLE"],
    ["upstream_incomplete", 503, "UNAVAILABLE"],
    ["no_channel", 503, "UNAVAILABLE"],
    ["internal", 500, "INTERNAL"],
    ["overloaded", 503, "UNAVAILABLE"],
    ["timeout", 504, "DEADLINE_EXCEEDED"],
  ])("%s is %i %s", (kind, status, word) => {
    const encoded = generateContent.encodeError(canonicalError(kind, "Because."), "req_1");
    expect(encoded.status).toBe(status);
    expect(encoded.body).toMatchObject({ error: { code: status, status: word, message: "Because." } });
  });
  it("tells the field, the wait and the request", () => {
    const error = canonicalError("rate_limit", "Slow down.", { retryAfterSeconds: 34, param: "contents", code: "tpm" });
    const { headers, body } = generateContent.encodeError(error, "req_1");
    expect(headers).toEqual({ "retry-after": "34" });
    expect(JSON.stringify(body)).toContain('"retryDelay":"34s"');
    expect(JSON.stringify(body)).toContain('"field":"contents"');
    expect(JSON.stringify(body)).toContain('"requestId":"req_1"');
  });
  it.each<[number, JsonObject[string], ErrorKind, number | undefined]>([
    [
      429,
      { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "Quota.", details: [{ retryDelay: "34s" }] } },
      "rate_limit",
      34,
    ],
    [429, { error: { code: 429, message: "Please retry in 12.3s." } }, "rate_limit", 13],
    [
      400,
      {
        error: {
          code: 400,
          status: "INVALID_ARGUMENT",
          message: "The input token count (9) exceeds the maximum number of tokens allowed (8).",
        },
      },
      "context_too_long",
      undefined,
    ],
    [
      400,
      [{ error: { code: 400, status: "INVALID_ARGUMENT", message: "No.", details: [{ reason: "API_KEY_INVALID" }] } }],
      "unauthenticated",
      undefined,
    ],
    [503, { error: { code: 503, status: "UNAVAILABLE", message: "Overloaded." } }, "overloaded", undefined],
    [502, "<html>bad</html>", "upstream_bad", undefined],
    [500, undefined, "internal", undefined],
    [418, "teapot", "bad_request", undefined],
  ])("an upstream's %i %j is %s", (status, body, kind, wait) => {
    const error = generateContent.decodeError({ status, headers: {}, body });
    expect(error.kind).toBe(kind);
    expect(error.retryAfterSeconds).toBe(wait);
    expect(error.message).not.toContain("<");
    if (status === 418) expect(error.status).toBe(418);
  });
  it("never throws, whatever the upstream sent", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999 }),
        fc.oneof(
          anyJson(),
          anyJson().map((error) => ({ error })),
        ),
        (status, body) => {
          const { body: wire } = generateContent.encodeError(
            generateContent.decodeError({ status, headers: {}, body }),
            "",
          );
          expect(isObject(wire.error) && typeof wire.error.message).toBe("string");
        },
      ),
    );
  });
});

describe("models", () => {
  it("as the vendor's list shows them", () => {
    const card = { id: "m", createdAt: 1, ownedBy: "someone", maxInputTokens: 5 };
    expect(generateContent.encodeModelList([card])).toMatchObject({
      models: [{ name: "models/m", displayName: "m", inputTokenLimit: 5 }],
    });
  });
});
