import { badUpstream, type CanonicalRequest, type JsonObject, type JsonValue } from "../canonical/index.ts";
import type { EncodeRequestContext, TokenCounting } from "../codec.ts";
import { isObject, readString } from "../shared/read.ts";
import { decodeBody } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";

/** What the counter takes of a generation request (responses.md section 1). */
const counted = ["model", "instructions", "input", "tools", "tool_choice", "parallel_tool_calls", "text", "reasoning"];

/** `POST /responses/input_tokens`, both ways. */
export const tokenCounting: TokenCounting = {
  decodeRequest: (body, _envelope, context) => decodeBody(body, readString(body, "model") ?? "", context),
  encodeAnswer: (inputTokens) => ({ object: "response.input_tokens", input_tokens: inputTokens }),
  upstream: {
    path: () => "/responses/input_tokens",
    encodeRequest: encodeCount,
    decodeAnswer,
  },
};

function encodeCount(request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  const { body } = encodeRequest(request, { ...context, stream: false });
  const count: JsonObject = {};
  for (const key of counted) if (body[key] !== undefined) count[key] = body[key];
  return count;
}

function decodeAnswer(body: JsonValue): number {
  const tokens = isObject(body) ? body.input_tokens : undefined;
  return typeof tokens === "number" ? tokens : badUpstream("The upstream's token count is no number.");
}
