import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { type JsonObject, ProtocolError } from "@interlingua/protocols";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import type { Config } from "../config/config.ts";
import { BodyAborted, checkBodyHead, readBody } from "../http/body.ts";
import { discardBody } from "../http/discard-body.ts";
import { parseDocument } from "../http/document.ts";
import { StorageError } from "../storage/database.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";
import type { TimerWheel } from "../timer-wheel.ts";
import { type AdmissionOptions, type Admitted, admit } from "./admission.ts";
import { ManagementError, notFound } from "./failure.ts";
import type { FirstAnswers, RepeatableRequest } from "./first-answers.ts";
import { checkRoutes, type ManagementAnswer, type ManagementRoute } from "./routes.ts";
import { securityHeaders } from "./security-headers.ts";

export interface ManagementServerOptions extends AdmissionOptions {
  routes: readonly ManagementRoute[];
  settings: Pick<Config, "server" | "limits">;
  timers: TimerWheel;
  log: Log;
  firstAnswers: FirstAnswers;
  /** Is shown every good answer of a documented route before it is sent; what it throws is answered as a fault of ours. */
  onAnswer?: ((route: ManagementRoute, answer: ManagementAnswer) => void) | undefined;
}

/** Answers what is no call: the console and the management API. Has no listener of its own. */
export interface ManagementServer {
  /** All of its routes. */
  routes: readonly ManagementRoute[];
  /** Whether the path is one of its own, or would be if there were something. */
  owns(path: string): boolean;
  handle(message: IncomingMessage, response: ServerResponse, requestId: string): void;
  close(): Promise<void>;
}

const allMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Builds the server. Throws when a route lacks a declaration (A5). */
export async function createManagementServer(options: ManagementServerOptions): Promise<ManagementServer> {
  const { routes, timers, log } = options;
  checkRoutes(routes);
  const requestIds = new WeakMap<IncomingMessage, string>();
  const routeOf = new WeakMap<FastifyRequest, { route: ManagementRoute; admitted: Admitted }>();

  const app = Fastify({
    logger: false,
    forceCloseConnections: false,
    // The listener is the gateway's, with all of its limits; so are the clocks of a body (C4).
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      sendError(request, reply, new ManagementError(400, "invalid_path", "The address is not valid."));
    },
  });

  const sendError = (request: FastifyRequest, reply: FastifyReply, error: ManagementError): void => {
    discardBody(request.raw, reply.raw, timers);
    if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
    const { code, message, field } = error;
    const told = { code, message, ...(field === undefined ? {} : { field }), request_id: requestIds.get(request.raw) };
    reply
      .code(error.status)
      .type("application/json; charset=utf-8")
      .send(JSON.stringify({ error: told }));
  };

  app.setErrorHandler((cause, request, reply) => {
    if (cause instanceof BodyAborted) {
      reply.hijack();
      reply.raw.destroy();
      return;
    }
    const error = errorOf(cause);
    if (error.status >= 500) {
      log.error("a request to the console failed", {
        call_id: requestIds.get(request.raw) ?? "",
        ...errorFields(cause),
      });
    }
    sendError(request, reply, error);
  });
  app.setNotFoundHandler((request, reply) => sendError(request, reply, notFound()));
  // Before anything of a body is read.
  app.addHook("onRequest", async (request) => {
    if (request.is404) throw notFound();
  });

  app.removeAllContentTypeParsers();
  // The other one is what browsers report in.
  app.addContentTypeParser(
    ["application/json", "application/csp-report"],
    async (request: FastifyRequest): Promise<JsonObject> => {
      const known = routeOf.get(request);
      const limits = { ...options.settings.server, bodyBytes: known?.route.bodyBytes ?? 0 };
      checkBodyHead(request.raw, limits, known?.route.bodyType);
      const bytes = await readBody(request.raw, limits, timers);
      // Clients name the type also where they send nothing.
      if (bytes.length === 0) return {};
      return parseDocument(bytes, options.settings.limits).value;
    },
  );
  app.addContentTypeParser("*", async () => {
    throw new ManagementError(415, "unsupported_media_type", "The body must be 'application/json'.");
  });

  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      async onRequest(request, reply) {
        const admitted = await admit(options, route, request.raw, paramsOf(request));
        routeOf.set(request, { route, admitted });
        if (request.raw.headers.expect !== undefined) reply.raw.writeContinue();
      },
      async handler(request, reply) {
        const known = routeOf.get(request);
        if (!known) throw new Error("A request was handled before it was let in");
        // The parser above gives objects only; without a body there is none.
        const body = (request.body ?? {}) as JsonObject;
        const work = async () => {
          const answer = await route.handle({ ...known.admitted.call, body });
          if (route.auth === "session" && route.audit !== "none" && !known.admitted.audited()) {
            throw new Error(`${route.method} ${route.path} changed something without an audit entry`);
          }
          return answer;
        };
        const repeatable = repeatableOf(route, known.admitted, body);
        const answer = await (repeatable ? options.firstAnswers.run(repeatable, work) : work());
        options.onAnswer?.(route, answer);
        return send(reply, answer);
      },
    });
  }
  for (const [path, methods] of Map.groupBy(routes, (route) => route.path)) {
    const known = methods.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    app.route({
      method: allMethods.filter((method) => !known.includes(method)),
      url: path,
      onRequest(request, reply) {
        reply.header("allow", known.join(", "));
        sendError(request, reply, new ManagementError(405, "method_not_allowed", "The method is not allowed here."));
      },
      handler: () => undefined,
    });
  }
  await app.ready();

  const isOurs = ownerOf(routes.map(({ path }) => path));
  return {
    routes,
    owns: isOurs,
    handle(message, response, requestId) {
      requestIds.set(message, requestId);
      response.setHeader("x-request-id", requestId);
      for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
      app.routing(message, response);
    },
    close: () => app.close(),
  };
}

/** What makes a request safe to be sent again, where its sender has asked for that. */
function repeatableOf(
  route: ManagementRoute,
  { call: { caller, target, headers } }: Admitted,
  body: JsonObject,
): RepeatableRequest | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined || caller === undefined || route.method !== "POST") return undefined;
  if (route.document?.answerType !== "application/json") return undefined;
  return { caller: caller.token?.id ?? caller.userId, target, key, body };
}

/** Tells which paths are of the console and of its API, whether there is something or not. */
function ownerOf(paths: readonly string[]): (path: string) => boolean {
  const fixed = new Set(paths);
  const prefixes = ["/api/", ...paths.filter((path) => path.endsWith("/*")).map((path) => path.slice(0, -1))];
  return (path) => fixed.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}

function paramsOf(request: FastifyRequest): Record<string, string> {
  const params: Record<string, string> = {};
  if (typeof request.params !== "object" || request.params === null) return params;
  for (const [name, value] of Object.entries(request.params)) if (typeof value === "string") params[name] = value;
  return params;
}

function send(reply: FastifyReply, { status = 200, headers = {}, body }: ManagementAnswer): FastifyReply {
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  reply.code(status);
  if (body === undefined) return reply.send();
  if (typeof body === "string" || body instanceof Uint8Array || body instanceof Readable) return reply.send(body);
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
}

function errorOf(cause: unknown): ManagementError {
  if (cause instanceof ManagementError) return cause;
  if (cause instanceof ProtocolError) {
    const { status, code, message, param } = cause.error;
    return new ManagementError(status, code ?? "invalid_request", message, { field: param });
  }
  if (cause instanceof StorageError) {
    return new ManagementError(503, "storage_unavailable", "The database cannot be reached at the moment.", {
      retryAfterSeconds: 2,
    });
  }
  return new ManagementError(500, "internal_error", "The request failed inside the gateway.");
}
