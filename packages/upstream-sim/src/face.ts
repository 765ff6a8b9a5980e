import type { Answer } from "./answer.ts";
import type { Ask } from "./ask.ts";
import * as chatErrors from "./chat-completions/error.ts";
import * as chatRead from "./chat-completions/read.ts";
import * as chatRender from "./chat-completions/render.ts";
import * as chatStream from "./chat-completions/stream.ts";
import * as chatValidate from "./chat-completions/validate.ts";
import { badRequest, type Failure } from "./failure.ts";
import type { Frame } from "./frame.ts";
import * as geminiErrors from "./generate-content/error.ts";
import { normalise } from "./generate-content/normalise.ts";
import * as geminiRead from "./generate-content/read.ts";
import * as geminiRender from "./generate-content/render.ts";
import * as geminiStream from "./generate-content/stream.ts";
import * as geminiValidate from "./generate-content/validate.ts";
import { type JsonObject, objectOf } from "./json.ts";
import type { JudgeContext } from "./judge-context.ts";
import * as messagesErrors from "./messages/error.ts";
import * as messagesRead from "./messages/read.ts";
import * as messagesRender from "./messages/render.ts";
import * as messagesStream from "./messages/stream.ts";
import { keepThread, threadFailure, wholeRequest } from "./messages/threads.ts";
import * as messagesValidate from "./messages/validate.ts";
import type { Protocol } from "./protocol.ts";
import * as responsesErrors from "./responses/error.ts";
import * as responsesRead from "./responses/read.ts";
import * as responsesRender from "./responses/render.ts";
import { keepResponse } from "./responses/store.ts";
import * as responsesStream from "./responses/stream.ts";
import * as responsesValidate from "./responses/validate.ts";

/** One protocol as the server sees it. Everything is pure but what `keep` keeps. */
export interface Face {
  validate(body: JsonObject, context: JudgeContext): Failure | undefined;
  validateCount(body: JsonObject, context: JudgeContext): Failure | undefined;
  read(body: JsonObject, context: JudgeContext): Ask;
  render(answer: Answer, body: JsonObject): JsonObject;
  stream(answer: Answer, body: JsonObject, context: JudgeContext): Frame[];
  /** Keeps an answer that later requests may go on from, where the request asks for it. */
  keep?(body: JsonObject, answer: JsonObject, context: JudgeContext): void;
  /** A token count's answer. */
  count(tokens: number): JsonObject;
  errorStatus(failure: Failure): number;
  errorBody(failure: Failure, requestId: string): JsonObject;
  /** An error inside a running answer that has already sent `sequence` events. */
  errorFrames(failure: Failure, place: { sequence: number; requestId: string; jsonArray: boolean }): Frame[];
  /** The answer to a call without a credential. */
  unauthenticated: Failure;
  /** The answer to a body that is no JSON object. */
  notJson: Failure;
  /** The answer for a model that does not exist. */
  unknownModel(model: string): Failure;
  /** Headers of every answer. */
  headers(requestId: string): Record<string, string>;
}

const OPENAI_COMMON: Pick<Face, "unauthenticated" | "notJson" | "unknownModel" | "headers"> = {
  unauthenticated: {
    kind: "authentication",
    message:
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
  },
  notJson: badRequest("We could not parse the JSON body of your request. The API expects a JSON payload."),
  unknownModel: (model) => ({
    kind: "not-found",
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
    code: "model_not_found",
  }),
  headers: (requestId) => ({
    "x-request-id": requestId,
    "openai-version": "2020-10-01",
    "openai-processing-ms": "1",
    "x-ratelimit-limit-requests": "10000",
    "x-ratelimit-remaining-requests": "9999",
    "x-ratelimit-reset-requests": "6ms",
  }),
};

/** The four protocols under their names. */
export const FACES: Record<Protocol, Face> = {
  "chat-completions": {
    ...OPENAI_COMMON,
    validate: (body) => chatValidate.validate(body),
    validateCount: () => undefined,
    read: (body, context) => chatRead.read(body, context.model),
    render: (answer) => chatRender.render(answer),
    stream: (answer, body) => chatStream.stream(answer, body),
    count: (tokens) => ({ input_tokens: tokens }),
    errorStatus: chatErrors.errorStatus,
    errorBody: chatErrors.errorBody,
    errorFrames: (failure) => chatErrors.errorFrames(failure),
  },
  responses: {
    ...OPENAI_COMMON,
    validate: (body, context) => responsesValidate.validate(body, context.store),
    validateCount: (body, context) => responsesValidate.validateCount(body, context.store),
    read: (body, context) => responsesRead.read(body, context.model, context.store),
    render: responsesRender.render,
    stream: (answer, body) => responsesStream.stream(answer, body),
    keep: (body, answer, context) => keepResponse(body, answer, context.store),
    count: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
    errorStatus: responsesErrors.errorStatus,
    errorBody: responsesErrors.errorBody,
    errorFrames: (failure, place) => responsesErrors.errorFrames(failure, place.sequence),
  },
  messages: {
    validate: (body, context) =>
      threadFailure(body, context.threads) ?? messagesValidate.validate(wholeRequest(body, context.threads), context),
    validateCount: messagesValidate.validateCount,
    read: (body, context) => messagesRead.read(wholeRequest(body, context.threads), context.model),
    render: (answer) => messagesRender.render(answer),
    stream: (answer) => messagesStream.stream(answer),
    keep: (body, answer, context) => keepThread(body, answer, context.threads),
    count: (tokens) => ({ input_tokens: tokens }),
    errorStatus: messagesErrors.errorStatus,
    errorBody: messagesErrors.errorBody,
    errorFrames: (failure, place) => messagesErrors.errorFrames(failure, place.requestId),
    unauthenticated: { kind: "authentication", message: "x-api-key header is required" },
    notJson: badRequest("The request body is not valid JSON"),
    unknownModel: (model) => ({ kind: "not-found", message: `model: ${model}` }),
    headers: (requestId) => ({
      "request-id": requestId,
      "anthropic-organization-id": "00000000-0000-4000-8000-000000000000",
      "anthropic-ratelimit-requests-limit": "4000",
      "anthropic-ratelimit-requests-remaining": "3999",
    }),
  },
  "generate-content": {
    validate: (body, context) => geminiValidate.validate(normalise(body), context),
    validateCount: (body) => geminiValidate.validateCount(normalise(body)),
    read: (body, context) => {
      const request = normalise(body);
      // A token count may wrap the request.
      const inner = objectOf(request.generateContentRequest);
      return geminiRead.read(inner.contents === undefined ? request : inner, context.model);
    },
    render: (answer) => geminiRender.render(answer),
    stream: (answer, _body, context) => geminiStream.stream(answer, context.jsonArray),
    count: (tokens) => ({ totalTokens: tokens, promptTokensDetails: [{ modality: "TEXT", tokenCount: tokens }] }),
    errorStatus: geminiErrors.errorStatus,
    errorBody: geminiErrors.errorBody,
    errorFrames: (failure, place) => geminiErrors.errorFrames(failure, place.jsonArray),
    unauthenticated: {
      kind: "authentication",
      message:
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    },
    notJson: badRequest("Invalid JSON payload received. Unexpected token."),
    unknownModel: (model) => ({
      kind: "not-found",
      message: `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
    }),
    headers: () => ({ "server-timing": "gfet4t7; dur=1" }),
  },
};
