import { badUpstream, type CanonicalRequest, type JsonObject, type JsonValue } from "../canonical/index.ts";
import type { EncodeRequestContext, TokenCounting } from "../codec.ts";
import { isObject } from "../shared/read.ts";
import { decodePrompt } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";

/** What the vendor's counter reads; it refuses everything else (messages.md 1). */
const countedKeys = ["model", "messages", "system", "tools", "tool_choice", "thinking", "output_config"];

function encodeCount(request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  const { body } = encodeRequest(request, { ...context, stream: false });
  const counted: JsonObject = {};
  for (const key of countedKeys) if (body[key] !== undefined) counted[key] = body[key];
  return counted;
}

function decodeAnswer(body: JsonValue): number {
  const tokens = isObject(body) ? body.input_tokens : undefined;
  if (typeof tokens !== "number") badUpstream("The upstream's count has no input_tokens.");
  return tokens;
}

/** `POST /v1/messages/count_tokens`, on both sides. */
export const tokenCounting: TokenCounting = {
  decodeRequest: (body, _envelope, context) => decodePrompt(body, context),
  encodeAnswer: (inputTokens) => ({ input_tokens: inputTokens }),
  upstream: { path: () => "/v1/messages/count_tokens", encodeRequest: encodeCount, decodeAnswer },
};
