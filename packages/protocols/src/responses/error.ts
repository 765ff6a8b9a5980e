import {
  type CanonicalError,
  canonicalError,
  type ErrorKind,
  type JsonObject,
  type JsonValue,
} from "../canonical/index.ts";
import type { EncodedError, UpstreamFailure } from "../codec.ts";
import { errorKindOf, retryAfterSeconds } from "../shared/error-kind.ts";
import { isObject } from "../shared/read.ts";

/** `error.type` and the usual `error.code` of each kind (conversion.md 1.5.8). */
const words: Readonly<Record<ErrorKind, { type: string; code: string | null }>> = {
  bad_request: { type: "invalid_request_error", code: null },
  context_too_long: { type: "invalid_request_error", code: "context_length_exceeded" },
  unauthenticated: { type: "invalid_request_error", code: "invalid_api_key" },
  billing: { type: "insufficient_quota", code: "insufficient_quota" },
  forbidden: { type: "permission_error", code: "permission_denied" },
  not_found: { type: "invalid_request_error", code: "not_found" },
  method_not_allowed: { type: "invalid_request_error", code: "method_not_allowed" },
  conflict: { type: "invalid_request_error", code: "conflict" },
  too_large: { type: "invalid_request_error", code: "request_too_large" },
  unsupported_media: { type: "invalid_request_error", code: "unsupported_media_type" },
  rate_limit: { type: "rate_limit_error", code: "rate_limit_exceeded" },
  cancelled: { type: "server_error", code: "cancelled" },
  upstream_bad: { type: "server_error", code: "bad_gateway" },
  upstream_incomplete: { type: "server_error", code: "stream_incomplete" },
  no_channel: { type: "server_error", code: "no_channel" },
  internal: { type: "server_error", code: "server_error" },
  overloaded: { type: "server_error", code: "overloaded" },
  timeout: { type: "server_error", code: "timeout" },
};

/** The HTTP answer for an error. */
export function encodeError(error: CanonicalError, _requestId: string): EncodedError {
  const word = words[error.kind];
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers["retry-after"] = String(error.retryAfterSeconds);
  return {
    status: error.status,
    headers,
    body: {
      error: { message: error.message, type: word.type, param: error.param ?? null, code: error.code ?? word.code },
    },
  };
}

/** `code` and `message` as they stand within a stream. Agents act on these codes (conversion.md 5.2). */
export function streamError(error: CanonicalError): { code: string; message: string; param: string | null } {
  const param = error.param ?? null;
  switch (error.kind) {
    case "context_too_long":
    case "too_large":
      return { code: "context_length_exceeded", message: error.message, param };
    case "billing":
      return { code: "insufficient_quota", message: error.message, param };
    case "rate_limit":
      return { code: "rate_limit_exceeded", message: withWait(error), param };
    case "bad_request":
      return { code: error.code ?? "invalid_prompt", message: error.message, param };
    default:
      return { code: error.code ?? words[error.kind].code ?? "server_error", message: error.message, param };
  }
}

/** Agents read the waiting time out of the message. */
function withWait(error: CanonicalError): string {
  if (error.retryAfterSeconds === undefined || error.message.includes("try again in")) return error.message;
  return `${error.message} Please try again in ${error.retryAfterSeconds}s.`;
}

/** Upstream error -> canonical. Total: any status, JSON of any shape, text, HTML or nothing. */
export function decodeError(failure: UpstreamFailure): CanonicalError {
  const body = errorObject(failure.body);
  const error = decodeErrorObject(body, failure.status);
  const wait = retryAfterSeconds(failure.headers);
  return wait === undefined ? error : { ...error, retryAfterSeconds: wait };
}

/** An `error` object of a body or a frame -> canonical. `status` 0: within a stream, where there is none. */
export function decodeErrorObject(body: JsonObject | undefined, status: number): CanonicalError {
  const message = text(body?.message);
  const code = text(body?.code);
  const type = text(body?.type);
  const kind = errorKindOf(status, { ...opt("message", message), ...opt("code", code), ...opt("type", type) });
  const param = text(body?.param);
  return canonicalError(kind, message ?? `The upstream answered with status ${status || 500}.`, {
    ...(status >= 400 ? { status } : {}),
    ...opt("param", param),
    ...opt("code", code),
  });
}

/** The inner object of `{"error":{…}}`, of a list around it, or of a bare string. */
function errorObject(body: JsonValue | undefined): JsonObject | undefined {
  const outer = Array.isArray(body) ? body[0] : body;
  if (!isObject(outer)) return undefined;
  if (isObject(outer.error)) return outer.error;
  if (typeof outer.error === "string") return { ...outer, message: outer.error };
  if (typeof outer.detail === "string") return { message: outer.detail };
  return typeof outer.message === "string" ? outer : undefined;
}

function text(value: JsonValue | undefined): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function opt<K extends string>(key: K, value: string | undefined): { [key in K]?: string } {
  // The computed key is K itself; TypeScript widens it to string.
  return value === undefined ? {} : ({ [key]: value } as { [key in K]?: string });
}
