import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type CanonicalError, canonicalError, codecs, ProtocolError, type ProtocolName } from "@interlingua/protocols";
import type { AuthenticatedKey } from "../accounts/auth-result.ts";
import type { Authenticator } from "../accounts/authenticator.ts";
import type { FailureThrottle } from "../accounts/failure-throttle.ts";
import type { ModelFilter } from "../accounts/model-filter.ts";
import type { Catalogue } from "../catalogue/published-models.ts";
import type { Config } from "../config/config.ts";
import type { RateCounters } from "../coordination/rate-counters.ts";
import type { Webhooks } from "../payments/webhooks.ts";
import type { Platform } from "../platform.ts";
import { baseHeaders, sendBody, sendError } from "../relay/client-answer.ts";
import type { CallHead, IncomingCall } from "../relay/incoming-call.ts";
import { limitReached, unknownModel } from "../relay/own-errors.ts";
import { rateHeaders } from "../relay/rate-headers.ts";
import type { Relay } from "../relay/relay.ts";
import type { StoredResponses } from "../stored-responses/stored-responses.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";
import type { TimerWheel } from "../timer-wheel.ts";
import { BodyAborted, checkBodyHead, readBody } from "./body.ts";
import type { ClientAddress } from "./client-address.ts";
import { type PresentedCredential, readCredential, readVersion } from "./credentials.ts";
import { discardBody } from "./discard-body.ts";
import { parseDocument } from "./document.ts";
import { errorOf, missingKey, notAccepting, refusal, refusedKey } from "./failed-request.ts";
import { foreignWriting } from "./foreign-writing.ts";
import { isPageVisit } from "./page-visit.ts";
import { pathTrickOf, splitTarget } from "./raw-target.ts";
import { familyOf } from "./request-family.ts";
import { allowHeader, mismatch } from "./route-mismatch.ts";
import type { Router } from "./router.ts";
import type { Action, Route } from "./routes.ts";
import { answerStoredResponse } from "./stored-response.ts";
import { takeWebhook } from "./webhook.ts";

export interface RequestHandlerOptions {
  settings: Pick<Config, "server" | "limits">;
  platform: Platform;
  timers: TimerWheel;
  log: Log;
  router: Router;
  authenticator: Authenticator;
  throttle: FailureThrottle;
  relay: Relay;
  counters: RateCounters;
  countTokens: (call: IncomingCall, response: ServerResponse, rateHeaders: OutgoingHttpHeaders) => Promise<void>;
  catalogue: Catalogue;
  storedResponses: StoredResponses;
  webhooks: Webhooks;
  clientAddress: ClientAddress;
  /** Answers what no route here knows and is its own: the console and the management API. */
  management: ManagementHandler;
  /** Whether a balancer should send calls here: false from the first moment of a shutdown, or when storage has failed. */
  ready: () => boolean;
  /** Whether calls are still taken. */
  accepting: () => boolean;
}

interface ManagementHandler {
  owns(path: string): boolean;
  handle(message: IncomingMessage, response: ServerResponse, requestId: string): void;
}

/** What is known of a request once its target and headers have been read. */
interface Request {
  id: string;
  started: number;
  family: ProtocolName;
  message: IncomingMessage;
  response: ServerResponse;
  timers: TimerWheel;
  /** How the limits of the key stand, once they have been asked. A call's are with its course. */
  rateHeaders: OutgoingHttpHeaders;
}

/** Answers one request: route, key, body, then the action. Never throws; every request gets an answer of its family. */
export function createRequestHandler(
  options: RequestHandlerOptions,
): (message: IncomingMessage, response: ServerResponse) => void {
  return (message, response) => {
    const { path, query } = splitTarget(message.url ?? "");
    const request: Request = {
      id: options.platform.id("call"),
      started: options.platform.monotonic(),
      family: familyOf(path, query, message),
      message,
      response,
      timers: options.timers,
      rateHeaders: {},
    };
    answer(options, request, path, query).catch((cause: unknown) => {
      if (cause instanceof BodyAborted) return;
      const error = errorOf(cause);
      if (error.kind === "internal") {
        options.log.error("a request failed inside the gateway", { call_id: request.id, ...errorFields(cause) });
      }
      fail(request, error);
    });
  };
}

async function answer(options: RequestHandlerOptions, request: Request, path: string, query: string): Promise<void> {
  const { message, response } = request;
  const problem = headProblem(options, message, path);
  if (problem) {
    fail(request, problem);
    return;
  }
  if (message.method === "OPTIONS") {
    const allow = "GET, HEAD, POST, DELETE, OPTIONS";
    response.writeHead(204, { ...baseHeaders(request.family, request.id), allow });
    response.end();
    return;
  }
  const match = options.router.match(message.method ?? "", path);
  if ((match.kind === "unknown" || isPageVisit(message, path)) && options.management.owns(path)) {
    options.management.handle(message, response, request.id);
    return;
  }
  if (match.kind !== "found") {
    fail(request, mismatch(match, message, path), allowHeader(match));
    return;
  }
  const { route } = match;
  if (route.family !== "by-caller") request.family = route.family;
  if (route.action.kind === "webhook") {
    await takeWebhook(options, request, route.action.provider);
    return sendJson(request, { received: true });
  }
  if (route.auth === "none") return perform(options, request, route.action, match.parameter, null);

  const key = await authenticate(options, request, query);
  if (!key) return;
  if (route.body === "none") {
    if (route.rate === "read") await admitRead(options, request, key);
    if (route.action.kind === "stored-response") {
      const { operation } = route.action;
      const asked = { accountId: key.accountId, id: match.parameter ?? "", operation, query };
      return sendJson(request, await answerStoredResponse(options.storedResponses, asked));
    }
    return perform(options, request, route.action, match.parameter, key.models);
  }
  await call(options, request, route, key, match.parameter, query);
}

/** Counts a request that is no call, or throws what tells that the limit is reached (C13). */
async function admitRead(options: RequestHandlerOptions, request: Request, key: AuthenticatedKey): Promise<void> {
  const asked = options.counters.admitRead({ keyId: key.id, limits: key.limits, account: key.account });
  const admission = asked instanceof Promise ? await asked : asked;
  request.rateHeaders = rateHeaders(request.family, admission.state, options.platform.now());
  if (!admission.ok) throw new ProtocolError(limitReached(admission.refused));
}

/** What is wrong with a request whatever its route. */
function headProblem(
  options: RequestHandlerOptions,
  message: IncomingMessage,
  path: string,
): CanonicalError | undefined {
  const { headerCount, urlBytes } = options.settings.limits;
  if ((message.url?.length ?? 0) > urlBytes) return refusal(414, "The request address is too long.", "uri_too_long");
  if (message.rawHeaders.length > headerCount * 2) return refusal(431, "Too many header fields.", "too_many_headers");
  if (message.headers.upgrade !== undefined) {
    return refusal(426, "This server does not change protocols; use plain HTTP requests.", "upgrade_refused");
  }
  const trick = pathTrickOf(path);
  return trick === undefined ? undefined : refusal(400, trick, "invalid_path");
}

/** The key of the request, or undefined once the request has been refused. */
async function authenticate(
  options: RequestHandlerOptions,
  request: Request,
  query: string,
): Promise<AuthenticatedKey | undefined> {
  const address = options.clientAddress(request.message);
  const wait = options.throttle.blockedFor(address);
  if (wait !== undefined) {
    const text = "Too many requests with a wrong access key.";
    fail(request, canonicalError("rate_limit", text, { code: "rate_limit_exceeded", retryAfterSeconds: wait }));
    return undefined;
  }
  const presented = readCredential(request.message.headers, query);
  if (presented.kind !== "key") {
    fail(request, credentialProblem(presented));
    return undefined;
  }
  // Known keys are judged without leaving the tick.
  const asked = options.authenticator.authenticate(presented.value, address);
  const result = asked instanceof Promise ? await asked : asked;
  if (result.ok) return result.key;
  const error = refusedKey(result.reason);
  if (error.kind === "unauthenticated") options.throttle.failed(address);
  options.log.info("an access key was refused", { call_id: request.id, reason: result.reason, address });
  fail(request, error);
  return undefined;
}

function credentialProblem(presented: Exclude<PresentedCredential, { kind: "key" }>): CanonicalError {
  if (presented.kind === "missing") return missingKey();
  const places = [...new Set(presented.places)].join(", ");
  return canonicalError("bad_request", `The request bears different access keys in: ${places}.`, {
    param: presented.places[0] ?? "authorization",
    code: "conflicting_credentials",
  });
}

/** A generation or a count: everything from the key to the body. */
async function call(
  options: RequestHandlerOptions,
  request: Request,
  route: Route,
  key: AuthenticatedKey,
  parameter: string | undefined,
  query: string,
): Promise<void> {
  const { message, response } = request;
  const head = callHead(options, request, route.action, key, parameter, query);
  const generates = route.action.kind === "generate";
  const refuse = async (error: CanonicalError) => {
    discardBody(message, response, options.timers);
    if (generates) await options.relay.refuse(head, error, response);
    else fail(request, error);
  };
  if (!options.accepting()) return refuse(notAccepting());
  const version = request.family === "messages" ? readVersion(message.headers) : undefined;
  if (version && "problem" in version) {
    const more = { param: "anthropic-version", code: "invalid_version" };
    return refuse(canonicalError("bad_request", version.problem, more));
  }
  let incoming: IncomingCall;
  try {
    const limits = { ...options.settings.server, ...options.settings.limits };
    checkBodyHead(message, limits);
    // Behind another request's answer, which is still to come, Node would write it into this one's body.
    if (message.headers.expect !== undefined && response.socket) response.writeContinue();
    const bytes = await readBody(message, limits, options.timers);
    const document = parseDocument(bytes, options.settings.limits);
    incoming = { ...head, document, ...foreignWriting(head.client, document.value) };
  } catch (cause) {
    if (cause instanceof BodyAborted) throw cause;
    return refuse(errorOf(cause));
  }
  if (generates) await options.relay.generate(incoming, response);
  else {
    if (route.rate === "read") await admitRead(options, request, key);
    await options.countTokens(incoming, response, request.rateHeaders);
  }
}

function callHead(
  options: RequestHandlerOptions,
  request: Request,
  action: Action,
  key: AuthenticatedKey,
  parameter: string | undefined,
  query: string,
): CallHead {
  const { headers } = request.message;
  const stream = action.kind === "generate" ? action.stream : undefined;
  const lossy = headers["x-interlingua-lossy"];
  const asArray = stream === true && new URLSearchParams(query).get("alt") !== "sse";
  return {
    id: request.id,
    client: request.family,
    key,
    startedAt: options.platform.now(),
    started: request.started,
    lossy: lossy === "refuse" || lossy === "allow" ? lossy : key.lossy,
    envelope: { ...(parameter === undefined ? {} : { model: parameter }), ...(stream === undefined ? {} : { stream }) },
    idempotencyKey: readIdempotencyKey(request.message),
    framing: asArray ? "json-array" : "sse",
    protocolHeaders: request.family === "messages" ? vendorHeaders(request.message) : {},
  };
}

/** Null where there is none, or none that can be told apart from others. */
function readIdempotencyKey({ headers }: IncomingMessage): string | null {
  const key = headers["idempotency-key"];
  return typeof key === "string" && key !== "" ? key : null;
}

/** The only headers of a caller that go to an upstream, and only to one of the same protocol (S5). */
function vendorHeaders({ headers }: IncomingMessage): Record<string, string> {
  const kept: Record<string, string> = {};
  const version = headers["anthropic-version"] ?? headers["partner-version"];
  const beta = headers["anthropic-beta"];
  if (typeof version === "string") kept["anthropic-version"] = version;
  if (typeof beta === "string" && /^[\w.,: -]{1,1024}$/.test(beta)) kept["anthropic-beta"] = beta;
  return kept;
}

/** Everything that is no call. `models`: those that the key may name, null for all. */
function perform(
  options: RequestHandlerOptions,
  request: Request,
  action: Action,
  parameter: string | undefined,
  models: ModelFilter | null,
): void {
  const shown = (id: string) => models === null || models.allows(id);
  switch (action.kind) {
    case "generate":
    case "count":
    case "webhook":
    case "stored-response":
      throw new Error(`The route of '${action.kind}' is answered elsewhere.`);
    case "list-models":
      sendJson(request, codecs[request.family].encodeModelList(options.catalogue.list().filter(({ id }) => shown(id))));
      return;
    case "show-model": {
      const card = options.catalogue.find(parameter ?? "");
      if (!card || !shown(card.id)) {
        fail(request, unknownModel(parameter ?? ""));
        return;
      }
      sendJson(request, codecs[request.family].encodeModel(card));
      return;
    }
    case "welcome":
      sendJson(request, { name: "Interlingua", object: "gateway", models: "/v1/models" });
      return;
    case "hello":
      sendJson(request, { ok: true });
      return;
    case "alive":
      sendJson(request, { status: "alive" });
      return;
    case "ready":
      if (options.ready()) {
        sendJson(request, { status: "ready" });
        return;
      }
      sendJson(request, { status: "not ready" }, 503);
      return;
  }
}

function sendJson(request: Request, value: unknown, status = 200): void {
  discardBody(request.message, request.response, request.timers);
  sendBody(
    request.response,
    status,
    { ...baseHeaders(request.family, request.id), ...request.rateHeaders },
    JSON.stringify(value),
  );
}

function fail(request: Request, error: CanonicalError, headers: Record<string, string> = {}): void {
  discardBody(request.message, request.response, request.timers);
  sendError(request.response, request.family, error, request.id, { ...request.rateHeaders, ...headers });
}
