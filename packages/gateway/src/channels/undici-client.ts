import type { IncomingHttpHeaders } from "node:http";
import { type buildConnector, type Dispatcher, Pool } from "undici";
import type { UpstreamClient, UpstreamFault, UpstreamHandler } from "./upstream-client.ts";

export interface UndiciClientOptions {
  connectTimeoutMs: number;
  headerBytes: number;
  /** Opens the connections, where they must be watched over. */
  connect?: buildConnector.connector;
}

/** Connections to one origin over undici's dispatch: no fetch, no streams, no signals, no redirects. */
export function createUndiciClient(origin: string, options: UndiciClientOptions): UpstreamClient {
  const pool = new Pool(origin, {
    // As many connections as calls: admission bounds them, not a queue here.
    connections: null,
    pipelining: 1,
    allowH2: false,
    connectTimeout: options.connectTimeoutMs,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 300_000,
    maxHeaderSize: options.headerBytes,
    ...(options.connect ? { connect: options.connect } : {}),
  });
  return {
    send(request, handler) {
      const dispatchHandler = createHandler(handler);
      try {
        pool.dispatch(
          {
            method: request.method,
            path: request.path,
            headers: request.headers,
            body: request.body,
            headersTimeout: request.headersTimeoutMs,
            bodyTimeout: request.bodyTimeoutMs,
          },
          dispatchHandler,
        );
      } catch (cause) {
        // Dispatch throws for a request it can not write (a header value, a path): an error like any other.
        handler.error(faultOf(cause, false));
      }
    },
    close: () => pool.destroy(),
  };
}

class Aborted extends Error {}

function createHandler(handler: UpstreamHandler): Dispatcher.DispatchHandler {
  let connected = false;
  return {
    onRequestStart(controller) {
      // Undici starts again when a fresh connection fails before it took the request.
      connected = true;
      handler.connected({
        abort: () => controller.abort(new Aborted()),
        pause: () => controller.pause(),
        resume: () => controller.resume(),
      });
    },
    onResponseStart(_controller, status, headers) {
      if (status >= 200) handler.start(status, joined(headers));
    },
    onResponseData(_controller, chunk) {
      handler.data(chunk);
    },
    onResponseEnd() {
      handler.end();
    },
    onResponseError(_controller, error) {
      handler.error(faultOf(error, connected));
    },
  };
}

function joined(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  const all: Record<string, string | undefined> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    all[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return all;
}

function faultOf(cause: unknown, connected: boolean): UpstreamFault {
  if (cause instanceof Aborted) return { kind: "aborted", detail: "aborted by the gateway" };
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const detail = cause instanceof Error ? `${code} ${cause.message}`.trim() : "unknown";
  switch (code) {
    case "UND_ERR_CONNECT_TIMEOUT":
      return { kind: "connect_timeout", detail };
    case "UND_ERR_HEADERS_TIMEOUT":
      return { kind: "headers_timeout", detail };
    case "UND_ERR_BODY_TIMEOUT":
      return { kind: "body_timeout", detail };
    case "UND_ERR_HEADERS_OVERFLOW":
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH":
    case "UND_ERR_INVALID_ARG":
      return { kind: "protocol", detail };
    case "ERR_ADDRESS_NOT_ALLOWED":
    case "ECONNREFUSED":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return { kind: "connect", detail };
  }
  if (code.startsWith("HPE_")) return { kind: "protocol", detail };
  if (code.startsWith("ERR_TLS") || code.startsWith("ERR_SSL") || /CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return { kind: "tls", detail };
  }
  return { kind: connected ? "reset" : "connect", detail };
}
