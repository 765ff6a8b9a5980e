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
import { tokenCounting } from "./token-counting.ts";

/** The responses protocol (`POST /v1/responses`; protocol sheet: responses.md). */
export const responses: ProtocolCodec = {
  name: "responses",
  family: "openai",
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
  path: () => "/responses",
  headers: (credential) => ({ authorization: `Bearer ${credential}` }),
  tokenCounting,
  repair,
};
