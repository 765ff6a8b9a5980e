import type { ProtocolCodec } from "../codec.ts";
import { capabilityKinds } from "./capabilities.ts";
import { decodeError, encodeError } from "./error.ts";
import { encodeModel, encodeModelList } from "./models.ts";
import { repair } from "./repair.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeResponse } from "./response-encoder.ts";
import { createStreamDecoder } from "./stream-decoder.ts";
import { createStreamEncoder } from "./stream-encoder.ts";
import { tokenCounting } from "./token-counting.ts";

/**
 * The messages protocol. Towards upstreams it speaks the version that still takes sampling settings, because a converted
 * request may hold them (messages.md 0).
 */
export const messages: ProtocolCodec = {
  name: "messages",
  family: "anthropic",
  capabilityKinds,
  decodeRequest,
  encodeRequest,
  // It fetches images and documents itself (M1) and takes nothing else.
  wantsBytes: () => false,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeError,
  encodeError,
  encodeModel,
  encodeModelList,
  path: () => "/v1/messages",
  headers: (credential) => ({ "x-api-key": credential, "anthropic-version": "2023-06-01" }),
  tokenCounting,
  repair,
};
