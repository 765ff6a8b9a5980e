import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config/config.ts";

type RequestListener = (message: IncomingMessage, response: ServerResponse) => void;

export interface ListenerOptions {
  settings: Pick<Config, "server" | "limits">;
  /** For answers to what is no request at all, which no handler sees. */
  requestId: () => string;
  onRequest: RequestListener;
}

/** The HTTP server with every limit set (C3, C6, C8, C9, C11). Not listening yet. */
export function createListener(options: ListenerOptions): Server {
  const { server: settings, limits } = options.settings;
  const server = createServer({
    insecureHTTPParser: false,
    requireHostHeader: true,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: settings.headersTimeoutMs,
    // The body has its own clock (idle and total), which knows the length.
    requestTimeout: 0,
    keepAliveTimeout: settings.keepAliveMs,
    connectionsCheckingInterval: 1000,
    noDelay: true,
    highWaterMark: 65_536,
  });
  // One more than allowed: Node drops what is above its own limit without a word.
  server.maxHeadersCount = limits.headerCount + 1;
  server.maxConnections = settings.maxConnections;
  const refuse = (status: number, code: string) => (_message: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(plainError(status, code));
    response.writeHead(status, { ...rawHeaders(options.requestId()), connection: "close" });
    response.end(body);
  };
  const connections = new WeakMap<Socket, { answer: ServerResponse; isBroken: boolean }>();
  const onRequest: RequestListener = (message, response) => {
    connections.set(message.socket, { answer: response, isBroken: false });
    options.onRequest(message, response);
  };
  server.on("request", onRequest);
  // The handler asks for the body itself, once the key is good (A4).
  server.on("checkContinue", onRequest);
  server.on("checkExpectation", refuse(417, "expectation_failed"));
  server.on("connect", (_message: IncomingMessage, socket: Socket) => answerRaw(socket, 405, options.requestId()));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const answer = () => answerRaw(socket, statusOf(error.code), options.requestId());
    const last = connections.get(socket);
    if (!last || last.answer.writableFinished) return answer();
    // The answers to earlier requests on the connection come first, and whole. Every further byte is told here again.
    if (!last.isBroken) last.answer.once("close", () => socket.writable && answer());
    last.isBroken = true;
  });
  limitPerAddress(server, settings.maxConnectionsPerAddress);
  return server;
}

function limitPerAddress(server: Server, maximum: number): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once("close", () => {
      const rest = (open.get(address) ?? 1) - 1;
      if (rest <= 0) open.delete(address);
      else open.set(address, rest);
    });
    // A proxy in front shares one address: it is told to raise the setting, not silently slowed.
    if (count > maximum) socket.destroy();
  });
}

function statusOf(code: string | undefined): number {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  return 400;
}

function answerRaw(socket: Socket, status: number, requestId: string): void {
  const body = JSON.stringify(plainError(status, "invalid_http"));
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, "connection: close"];
  for (const [name, value] of Object.entries(rawHeaders(requestId))) lines.push(`${name}: ${value}`);
  socket.end(`${lines.join("\r\n")}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function rawHeaders(requestId: string): Record<string, string> {
  return {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
  };
}

function plainError(status: number, code: string): object {
  const message = `${STATUS_CODES[status] ?? "Error"}.`;
  return { error: { message, type: "invalid_request_error", param: null, code } };
}
