import type { TokenCounting } from "../codec.ts";
import { decodeRequest } from "./request-decoder.ts";

/** The family has no counter of its own; a count asked in this protocol's form is read like a generation request. */
export const tokenCounting: TokenCounting = {
  decodeRequest,
  encodeAnswer: (inputTokens) => ({ object: "chat.completion.input_tokens", input_tokens: inputTokens }),
};
