import {
  type CanonicalError,
  canonicalError,
  type ErrorKind,
  type JsonObject,
  type JsonValue,
} from "../canonical/index.ts";
import type { EncodedError, UpstreamFailure } from "../codec.ts";
import { type ErrorHints, errorKindOf, ownStatus, retryAfterSeconds } from "../shared/error-kind.ts";
import { isObject } from "../shared/read.ts";
import type { ErrorCode, ErrorType } from "./wire.ts";

/** Reads the vendor's envelope, a bare error object, a text, or nothing that could be shown. */
function read(body: JsonValue | undefined): ErrorHints {
  if (typeof body === "string") {
    const text = body.trim();
    return text === "" || text.startsWith("<") ? {} : { message: text.slice(0, 2000) };
  }
  if (Array.isArray(body)) return read(body[0]);
  if (!isObject(body)) return {};
  if (typeof body.error === "string") return { message: body.error };
  const error = isObject(body.error) ? body.error : body;
  const hints: ErrorHints = {};
  if (typeof error.type === "string") hints.type = error.type;
  const details = error.details;
  if (typeof error.code === "string") hints.code = error.code;
  else if (isObject(details) && typeof details.error_code === "string") hints.code = details.error_code;
  const message = error.message ?? error.detail;
  if (typeof message === "string" && message !== "") hints.message = message;
  return hints;
}

/** Upstream error -> canonical; the upstream's wording is kept, because agents act on it. Total. */
export function decodeError(failure: UpstreamFailure): CanonicalError {
  const hints = read(failure.body);
  const status = failure.status >= 400 ? failure.status : 502;
  const error = errorOf(hints, status);
  const wait = retryAfterSeconds(failure.headers);
  return wait === undefined ? error : { ...error, retryAfterSeconds: wait };
}

const statusByType: Partial<Record<ErrorType, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};
const statuses: ReadonlyMap<string, number> = new Map(Object.entries(statusByType));

/** An error inside a stream or in a body that came with status 200: its type stands for the status. */
export function decodeErrorBody(body: JsonValue): CanonicalError {
  const hints = read(body);
  return errorOf(hints, statuses.get(hints.type ?? "") ?? 502);
}

function errorOf(hints: ErrorHints, status: number): CanonicalError {
  const message = hints.message ?? `The upstream answered with status ${status}.`;
  const kind = errorKindOf(status, hints);
  return canonicalError(kind, message, {
    ...ownStatus(kind, status),
    ...(hints.code === undefined ? {} : { code: hints.code }),
  });
}

const types: Record<ErrorKind, ErrorType> = {
  bad_request: "invalid_request_error",
  context_too_long: "invalid_request_error",
  unauthenticated: "authentication_error",
  billing: "permission_error",
  forbidden: "permission_error",
  not_found: "not_found_error",
  method_not_allowed: "invalid_request_error",
  conflict: "conflict_error",
  too_large: "request_too_large",
  unsupported_media: "invalid_request_error",
  rate_limit: "rate_limit_error",
  cancelled: "api_error",
  upstream_bad: "api_error",
  upstream_incomplete: "api_error",
  no_channel: "api_error",
  internal: "api_error",
  overloaded: "overloaded_error",
  timeout: "timeout_error",
};

/** Causes that the vendor's SDK acts on: it sends the whole conversation, in a new thread or in none. */
const threadCodes: ReadonlySet<string> = new Set<ErrorCode>([
  "thread_already_continued",
  "thread_continue_in_flight",
  "thread_fingerprint_mismatch",
  "thread_not_found",
  "thread_unsupported_request",
]);

/** The error body, in an answer and in a stream alike. */
export function encodeErrorBody(error: CanonicalError): JsonObject {
  const details = error.code !== undefined && threadCodes.has(error.code) ? { error_code: error.code } : undefined;
  return { type: "error", error: { type: types[error.kind], message: messageOf(error), ...(details && { details }) } };
}

/**
 * The shape has no place for the field but the message itself, before a colon as the vendor writes it. Agents compact the
 * conversation when they read that the prompt is too long, and only then (messages.md 12).
 */
function messageOf(error: CanonicalError): string {
  const { kind, param, message } = error;
  if (kind === "bad_request" && param !== undefined && !message.includes(param)) return `${param}: ${message}`;
  if (kind !== "context_too_long" || /prompt is too long/i.test(message)) return message;
  return `prompt is too long: ${message}`;
}

/** Canonical -> the client's shape. `x-should-retry` steers the vendor's SDK, which would retry any 429 and 5xx. */
export function encodeError(error: CanonicalError, requestId: string): EncodedError {
  const headers: Record<string, string> = { "request-id": requestId, "x-should-retry": String(error.retryable) };
  if (error.retryAfterSeconds !== undefined) headers["retry-after"] = String(Math.ceil(error.retryAfterSeconds));
  return {
    status: error.kind === "overloaded" ? 529 : error.status,
    headers,
    body: { ...encodeErrorBody(error), request_id: requestId },
  };
}
