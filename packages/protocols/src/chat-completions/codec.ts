import type { ProtocolCodec } from "../codec.ts";
import { capabilityKinds, mustConvert } from "./capabilities.ts";
import { decodeError, encodeError } from "./error.ts";
import { fitRequest } from "./fit-request.ts";
import { wantsBytes } from "./media.ts";
import { encodeModel, encodeModelList } from "./models.ts";
import { betterProtocol } from "./reasoning.ts";
import { repair } from "./repair.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeResponse } from "./response-encoder.ts";
import { createStreamDecoder } from "./stream-decoder.ts";
import { createStreamEncoder } from "./stream-encoder.ts";
import { tokenCounting } from "./token-counting.ts";

/** OpenAI chat completions (`POST /v1/chat/completions`), and the servers that are compatible with it. */
export const chatCompletions: ProtocolCodec = {
  name: "chat-completions",
  family: "openai",
  capabilityKinds,
  decodeRequest,
  encodeRequest,
  fitRequest,
  betterProtocol,
  mustConvert,
  wantsBytes,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeError,
  encodeError,
  encodeModel,
  encodeModelList,
  path: () => "/chat/completions",
  headers: (credential) => ({ authorization: `Bearer ${credential}` }),
  tokenCounting,
  repair,
};
