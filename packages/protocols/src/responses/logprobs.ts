import type { JsonObject, JsonValue, TokenLogprob } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/** `logprobs` of output text -> tokens. An entry that is none is left out. */
export function decodeLogprobs(value: JsonValue | undefined): TokenLogprob[] {
  if (!Array.isArray(value)) return [];
  const tokens: TokenLogprob[] = [];
  for (const entry of value) {
    const token = decodeToken(entry);
    if (!token || !isObject(entry)) continue;
    const top = decodeLogprobs(entry.top_logprobs);
    tokens.push(top.length > 0 ? { ...token, top } : token);
  }
  return tokens;
}

function decodeToken(entry: JsonValue): Pick<TokenLogprob, "token" | "logprob" | "bytes"> | undefined {
  if (!isObject(entry) || typeof entry.token !== "string" || typeof entry.logprob !== "number") return undefined;
  const bytes = Array.isArray(entry.bytes) ? entry.bytes.filter((byte) => typeof byte === "number") : undefined;
  return { token: entry.token, logprob: entry.logprob, ...(bytes ? { bytes } : {}) };
}

/** Tokens -> `logprobs`. The schema wants `bytes` and `top_logprobs` always; missing bytes are the token's UTF-8. */
export function encodeLogprobs(tokens: readonly TokenLogprob[]): JsonObject[] {
  return tokens.map((token) => ({ ...encodeToken(token), top_logprobs: (token.top ?? []).map(encodeToken) }));
}

const utf8 = new TextEncoder();

function encodeToken(token: Pick<TokenLogprob, "token" | "logprob" | "bytes">): JsonObject {
  return { token: token.token, bytes: token.bytes ?? [...utf8.encode(token.token)], logprob: token.logprob };
}
