import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { composeAnswer } from "./answer.ts";
import type { Ask } from "./ask.ts";
import { MISSING_MODEL, modelEntry, modelList } from "./catalogue.ts";
import { familyOf, hasCredential } from "./credential.ts";
import { type Action, type Delivered, deliver } from "./delivery.ts";
import { FACES, type Face } from "./face.ts";
import type { Failure } from "./failure.ts";
import { planDelivery } from "./faults.ts";
import type { Frame } from "./frame.ts";
import { isObject, type JsonObject, objectOf } from "./json.ts";
import type { JudgeContext } from "./judge-context.ts";
import { createThreadStore, type ThreadStore } from "./messages/threads.ts";
import { namedScript } from "./named-scripts.ts";
import type { Protocol } from "./protocol.ts";
import { planReplay } from "./replay.ts";
import { readBody, type SimRequest, simRequest } from "./request.ts";
import { createResponseStore, type ResponseStore } from "./responses/store.ts";
import type { Route } from "./route.ts";
import { sandboxScript } from "./sandbox.ts";
import type { Script } from "./script.ts";
import { SCRIPT_HEADER, scriptFromHeader } from "./script-header.ts";

/**
 * A script for all requests, or one chosen per request, also by what the judged request asks for; `undefined` leaves
 * the choice to header and model.
 */
export type ScriptSource = Script | ((request: SimRequest) => Script | ((ask: Ask) => Script) | undefined) | undefined;

/** What the simulated provider is built from. */
export interface UpstreamSimOptions {
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** A new opaque id each time; letters, digits, `-` and `_`, at most 36 characters. */
  ids: () => string;
  script?: ScriptSource;
  /** Judge requests as the real provider would (default true). */
  strict?: boolean;
  /** Demand Gemini thought signatures back from every model (default: only from `sandbox-gemini-3*`). */
  demandSignatures?: boolean;
  /** Waits; tests hand in one that does not. */
  delay?: (ms: number) => Promise<void>;
  /** Called with each request before it is answered. */
  onRequest?: (request: SimRequest) => void;
  /** Called when an answer is over: the provider's own record of what it delivered. */
  onDelivered?: (request: SimRequest, delivered: Delivered) => void;
}

const BODY_LIMIT = 128 * 1024 * 1024;

interface Provider {
  options: UpstreamSimOptions;
  store: ResponseStore;
  threads: ThreadStore;
}

/** Makes a request handler for any `node:http` server. It never throws into the server. */
export function createUpstreamSimHandler(
  options: UpstreamSimOptions,
): (incoming: IncomingMessage, response: ServerResponse) => void {
  const provider: Provider = { options, store: createResponseStore(), threads: createThreadStore() };
  const delay = options.delay ?? ((ms: number) => sleep(ms, undefined, { ref: false }));
  return (incoming, response) => {
    response.on("error", () => response.destroy());
    serve(provider, incoming, response, delay).catch((error: unknown) => {
      // A client that leaves mid-request ends here; anything else is a fault of this program and shows as one.
      if (incoming.destroyed && !incoming.complete) return response.destroy();
      if (response.headersSent) return response.destroy();
      response.writeHead(500, { "content-type": "text/plain" }).end(`upstream-sim failed: ${String(error)}`);
    });
  };
}

async function serve(
  provider: Provider,
  incoming: IncomingMessage,
  response: ServerResponse,
  delay: (ms: number) => Promise<void>,
): Promise<void> {
  const body = await readBody(incoming, BODY_LIMIT);
  if (body === "too-large") {
    response.writeHead(413, { connection: "close" }).end();
    return;
  }
  const request = simRequest(incoming, body, provider.options.clock());
  provider.options.onRequest?.(request);
  const delivered = await deliver(answer(provider, request), response, delay);
  provider.options.onDelivered?.(request, delivered);
}

function answer(provider: Provider, request: SimRequest): Action[] {
  const { route } = request;
  if (!route) return refusal(FACES["chat-completions"], unknownUrl(request), provider);
  switch (route.kind) {
    case "generate":
      return generate(provider, request, route);
    case "count-tokens":
      return countTokens(provider, request, route.protocol);
    case "list-models":
    case "get-model":
      return models(provider, request, route);
    case "stored-response":
      return storedResponse(provider, request, route);
  }
}

function unknownUrl(request: SimRequest): Failure {
  return {
    kind: "not-found",
    message: `Invalid URL (${request.method} ${request.path})`,
    code: "unknown_url",
  };
}

function generate(provider: Provider, request: SimRequest, route: Route & { kind: "generate" }): Action[] {
  const { options } = provider;
  const given = typeof options.script === "function" ? options.script(request) : options.script;
  if (typeof given === "object" && given.fault?.kind === "replay") return planReplay(given.fault);
  const face = FACES[route.protocol];
  const entry = enter(provider, request, route.protocol);
  if ("failure" in entry) return refusal(face, entry.failure, provider);
  const { body, context } = entry;
  const failure = options.strict === false ? undefined : face.validate(body, context);
  if (failure) return refusal(face, failure, provider);
  const ask = face.read(body, context);
  const chosen = typeof given === "function" ? given(ask) : given;
  const picked = chosen ? { script: chosen } : pickScript(request, ask);
  if ("failure" in picked) return refusal(face, picked.failure, provider);
  if (picked.script.fault?.kind === "replay") return planReplay(picked.script.fault);
  return render(provider, request, picked.script, ask, { face, body, context });
}

function pickScript(request: SimRequest, ask: Ask): { script: Script } | { failure: Failure } {
  const header = request.headers[SCRIPT_HEADER];
  if (header !== undefined) return scriptFromHeader(header, ask);
  const name = /^sandbox-(.+)$/.exec(ask.model)?.[1];
  return { script: (name === undefined ? undefined : namedScript(name, ask)) ?? {} };
}

interface Entry {
  body: JsonObject;
  context: JudgeContext;
}

/** The checks before a body is judged: credential, JSON, model. */
function enter(provider: Provider, request: SimRequest, protocol: Protocol): Entry | { failure: Failure } {
  const face = FACES[protocol];
  if (!hasCredential(request, protocol)) return { failure: face.unauthenticated };
  const body = request.json;
  if (!isObject(body)) return { failure: face.notJson };
  if (request.model === MISSING_MODEL) return { failure: face.unknownModel(request.model) };
  const { route } = request;
  return {
    body,
    context: {
      headers: request.headers,
      model: request.model,
      store: provider.store,
      threads: provider.threads,
      demandSignatures: provider.options.demandSignatures ?? false,
      jsonArray: route?.kind === "generate" && route.jsonArray === true,
    },
  };
}

function render(
  provider: Provider,
  request: SimRequest,
  picked: Script,
  ask: Ask,
  rest: Entry & { face: Face },
): Action[] {
  const { face, body, context } = rest;
  const script = picked.steps ? picked : { ...sandboxScript(ask), ...picked };
  const composed = composeAnswer(script, ask, provider.options.clock(), provider.options.ids);
  const requestId = `req_${provider.options.ids()}`;
  const frames: Frame[] = request.stream
    ? face.stream(composed, body, context)
    : [{ text: JSON.stringify(face.render(composed, body)), terminal: true }];
  face.keep?.(body, face.render(composed, body), context);
  const sse = request.stream && !context.jsonArray;
  const contentType = sse ? "text/event-stream; charset=utf-8" : "application/json; charset=UTF-8";
  return planDelivery(
    {
      status: 200,
      headers: {
        "content-type": contentType,
        ...(sse ? { "cache-control": "no-cache" } : {}),
        ...face.headers(requestId),
      },
      frames,
      sse,
      httpError: (failure) => JSON.stringify(face.errorBody(failure, requestId)),
      errorFrames: (failure, sequence) =>
        face.errorFrames(failure, { sequence, requestId, jsonArray: context.jsonArray }),
    },
    script,
  );
}

function countTokens(provider: Provider, request: SimRequest, protocol: Protocol): Action[] {
  const face = FACES[protocol];
  const entry = enter(provider, request, protocol);
  if ("failure" in entry) return refusal(face, entry.failure, provider);
  const { body, context } = entry;
  const failure = provider.options.strict === false ? undefined : face.validateCount(body, context);
  if (failure) return refusal(face, failure, provider);
  return json(200, face.count(face.read(body, context).inputTokens), face, provider);
}

function models(
  provider: Provider,
  request: SimRequest,
  route: Route & { kind: "list-models" | "get-model" },
): Action[] {
  const protocol = familyOf(request, route.prefix);
  const face = FACES[protocol];
  if (!hasCredential(request, protocol)) return refusal(face, face.unauthenticated, provider);
  if (route.kind === "list-models") return json(200, modelList(protocol), face, provider);
  if (route.model === MISSING_MODEL) return refusal(face, face.unknownModel(route.model), provider);
  return json(200, modelEntry(protocol, route.model), face, provider);
}

function storedResponse(provider: Provider, request: SimRequest, route: Route & { kind: "stored-response" }): Action[] {
  const face = FACES.responses;
  if (!hasCredential(request, "responses")) return refusal(face, face.unauthenticated, provider);
  const stored = provider.store.get(route.id);
  if (!stored) {
    const message = `Response with id '${route.id}' not found.`;
    return refusal(face, { kind: "not-found", message, code: "response_not_found" }, provider);
  }
  if (!route.remove) return json(200, objectOf(stored.response), face, provider);
  provider.store.delete(route.id);
  return json(200, { id: route.id, object: "response", deleted: true }, face, provider);
}

function refusal(face: Face, failure: Failure, provider: Provider): Action[] {
  const requestId = `req_${provider.options.ids()}`;
  return jsonWithId(face.errorStatus(failure), face.errorBody(failure, requestId), face, requestId);
}

function json(status: number, body: JsonObject, face: Face, provider: Provider): Action[] {
  return jsonWithId(status, body, face, `req_${provider.options.ids()}`);
}

function jsonWithId(status: number, body: JsonObject, face: Face, requestId: string): Action[] {
  const data = JSON.stringify(body);
  const headers = {
    "content-type": "application/json; charset=UTF-8",
    "content-length": String(Buffer.byteLength(data)),
    ...face.headers(requestId),
  };
  return [
    { kind: "head", status, headers },
    { kind: "end", data },
  ];
}
