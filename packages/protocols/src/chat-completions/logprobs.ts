import type { JsonObject, JsonValue, TokenLogprob } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { numberOf } from "./wire.ts";

/** Tokens of a choice's `logprobs.content`. */
export function decodeLogprobs(value: JsonValue | undefined): TokenLogprob[] {
  if (!isObject(value) || !Array.isArray(value.content)) return [];
  return value.content.flatMap((entry) => {
    const token = decodeToken(entry);
    if (!token) return [];
    const top = isObject(entry) && Array.isArray(entry.top_logprobs) ? entry.top_logprobs : [];
    const alternatives = top.flatMap((alternative) => decodeToken(alternative) ?? []);
    return [alternatives.length > 0 ? { ...token, top: alternatives } : token];
  });
}

function decodeToken(entry: JsonValue): TokenLogprob | undefined {
  if (!isObject(entry) || typeof entry.token !== "string") return undefined;
  const token: TokenLogprob = { token: entry.token, logprob: numberOf(entry.logprob) ?? 0 };
  if (Array.isArray(entry.bytes)) token.bytes = entry.bytes.filter((byte) => typeof byte === "number");
  return token;
}

/** The `logprobs` object; clients read `content` and `refusal` without asking whether they are there. */
export function encodeLogprobs(tokens: readonly TokenLogprob[]): JsonObject {
  return {
    content: tokens.map((token) => ({ ...encodeToken(token), top_logprobs: (token.top ?? []).map(encodeToken) })),
    refusal: null,
  };
}

function encodeToken(token: TokenLogprob): JsonObject {
  return { token: token.token, logprob: token.logprob, bytes: token.bytes ?? bytesOf(token.token) };
}

const encoder = new TextEncoder();

/** Families that do not tell a token's bytes mean those of its text. */
function bytesOf(token: string): number[] {
  return [...encoder.encode(token)];
}
