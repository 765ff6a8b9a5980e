import type { ProtocolCodec } from "../codec.ts";
import { capabilityKinds } from "./capabilities.ts";
import { decodeError, encodeError } from "./error.ts";
import { wantsBytes } from "./media.ts";
import { encodeModel, encodeModelList } from "./models.ts";
import { repair } from "./repair.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeResponse } from "./response-encoder.ts";
import { createStreamDecoder } from "./stream-decoder.ts";
import { createStreamEncoder } from "./stream-encoder.ts";
import { modelPath, tokenCounting } from "./token-counting.ts";

/** Gemini generateContent and streamGenerateContent (generate-content.md). */
export const generateContent: ProtocolCodec = {
  name: "generate-content",
  family: "gemini",
  capabilityKinds,
  decodeRequest,
  encodeRequest,
  wantsBytes,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeError,
  encodeError,
  encodeModel,
  encodeModelList,
  // The vendor's base address is the bare host; the SDK adds the version.
  path: (model, stream) => `${modelPath(model)}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  headers: (credential) => ({ "x-goog-api-key": credential }),
  tokenCounting,
  repair,
};
