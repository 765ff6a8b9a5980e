import type { Buffer } from "node:buffer";

/** One request to an upstream. The answer's bytes are never decoded or followed here. */
interface UpstreamRequest {
  method: "POST" | "GET";
  /** Path and query below the origin. */
  path: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: Uint8Array | string | null;
  /** Longest wait for the answer's head, in milliseconds. */
  headersTimeoutMs: number;
  /** Longest pause within the answer's body, in milliseconds. */
  bodyTimeoutMs: number;
}

/**
 * What kept an answer from coming or from ending.
 * `connect`: refused, reset before the request was sent, no such name. `tls`: no trustworthy connection.
 * `timeout`: silence. `reset`: the connection broke. `protocol`: no lawful HTTP. `aborted`: by ourselves.
 */
export interface UpstreamFault {
  kind: "connect" | "connect_timeout" | "tls" | "headers_timeout" | "body_timeout" | "reset" | "protocol" | "aborted";
  /** For the operator's log only: it may name hosts. */
  detail: string;
}

/** The running exchange, to steer it. */
export interface UpstreamExchange {
  /** Ends it at once; the handler hears an `aborted` fault unless it has ended already. */
  abort(): void;
  pause(): void;
  resume(): void;
}

/** Hears the answer. Calls come in this order: connected, start, data …, then one of end and error. */
export interface UpstreamHandler {
  /** The request is on its way over a connection. */
  connected(exchange: UpstreamExchange): void;
  /** Headers have lower-case names; repeated ones are joined. */
  start(status: number, headers: Record<string, string | undefined>): void;
  /** Bytes as they came. May be kept. */
  data(chunk: Buffer): void;
  end(): void;
  error(fault: UpstreamFault): void;
}

/** The connections to one origin. The seam behind which the HTTP client can be exchanged. */
export interface UpstreamClient {
  send(request: UpstreamRequest, handler: UpstreamHandler): void;
  /** Cuts what still runs and frees all sockets. */
  close(): Promise<void>;
}
