import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type CanonicalError, codecs, type ProtocolName } from "@interlingua/protocols";
import type { Course } from "./course.ts";

/** Headers that every answer of the gateway bears (C14, reliability.md 6.6). */
export function baseHeaders(family: ProtocolName, callId: string): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    "x-request-id": callId,
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  };
  // The messages SDKs read their request id from here.
  if (family === "messages") headers["request-id"] = callId;
  return headers;
}

/** Those headers for a call, and how the limits of its key stand. */
export function callHeaders({ head, rateHeaders }: Pick<Course, "head" | "rateHeaders">): OutgoingHttpHeaders {
  return { ...baseHeaders(head.client, head.id), ...rateHeaders };
}

/** Sends a whole answer. The length is told, so that the connection can be used again. */
export function sendBody(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  body: Buffer | string,
): void {
  if (response.headersSent || response.destroyed) return;
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  headers["content-type"] ??= "application/json; charset=utf-8";
  headers["content-length"] = bytes.length;
  response.writeHead(status, headers);
  response.end(response.req.method === "HEAD" ? undefined : bytes);
}

/** Renders an error in the caller's protocol and sends it. Gives the status that was sent. */
export function sendError(
  response: ServerResponse,
  family: ProtocolName,
  error: CanonicalError,
  callId: string,
  more: OutgoingHttpHeaders = {},
): number {
  const encoded = codecs[family].encodeError(error, callId);
  const headers: OutgoingHttpHeaders = { ...baseHeaders(family, callId), ...encoded.headers, ...more };
  if (error.retryAfterSeconds !== undefined) headers["retry-after"] ??= String(error.retryAfterSeconds);
  if (!error.retryable) headers["x-should-retry"] ??= "false";
  sendBody(response, encoded.status, headers, JSON.stringify(encoded.body));
  return encoded.status;
}
