import {
  type CanonicalError,
  canonicalError,
  type ErrorKind,
  type JsonObject,
  type JsonValue,
} from "../canonical/index.ts";
import type { EncodedError, UpstreamFailure } from "../codec.ts";
import { errorKindOf, ownStatus, retryAfterSeconds } from "../shared/error-kind.ts";
import { isObject } from "../shared/read.ts";

interface Told {
  message?: string;
  type?: string;
  code?: string;
  param?: string;
  status?: number;
}

/** Reads every error shape seen (wire sheet, sections 8 and 12): wrapped, flat, a text, an array, a numeric code. */
function read(body: JsonValue | undefined): Told {
  if (typeof body === "string") return isMarkup(body) ? {} : { message: body.trim().slice(0, 2000) };
  if (Array.isArray(body)) return read(body[0]);
  if (!isObject(body)) return {};
  if (typeof body.error === "string") return { message: body.error, ...codes(body) };
  if (isObject(body.error)) return { ...flat(body.error) };
  return flat(body);
}

function flat(error: JsonObject): Told {
  return { ...messageOf(error), ...codes(error) };
}

function messageOf(error: JsonObject): Told {
  for (const told of [error.message, error.detail]) {
    if (typeof told === "string" && told !== "") return { message: told };
    if (isObject(told) || Array.isArray(told)) return { message: JSON.stringify(told).slice(0, 2000) };
  }
  return {};
}

function codes(error: JsonObject): Told {
  const told: Told = {};
  if (typeof error.type === "string" && error.type !== "") told.type = error.type;
  else if (typeof error.status === "string") told.type = error.status;
  if (typeof error.code === "string" && error.code !== "") told.code = error.code;
  if (typeof error.param === "string" && error.param !== "") told.param = error.param;
  for (const status of [error.code, error.status_code, error.status]) {
    if (typeof status !== "number" && typeof status !== "string") continue;
    const number = Number(status);
    if (Number.isInteger(number) && number >= 400 && number < 600) {
      told.status = number;
      break;
    }
  }
  return told;
}

function isMarkup(text: string): boolean {
  return text.trim() === "" || text.trimStart().startsWith("<");
}

/** Upstream error -> canonical. Total. */
export function decodeError(failure: UpstreamFailure): CanonicalError {
  const told = read(failure.body);
  const status = failure.status >= 400 ? failure.status : (told.status ?? 502);
  const error = made(told, status);
  const retryAfter = retryAfterSeconds(failure.headers);
  return retryAfter === undefined ? error : { ...error, retryAfterSeconds: retryAfter };
}

/** An error inside a stream or in a body that came with status 200. */
export function decodeErrorBody(body: JsonValue): CanonicalError {
  const told = read(body);
  return made(told, told.status ?? statusOfWords(told));
}

/** A stream's error bears no status; the words tell whether the caller or the upstream is at fault. */
function statusOfWords(told: Told): number {
  const words = `${told.type ?? ""} ${told.code ?? ""}`.toLowerCase();
  if (/rate_limit|resource_exhausted|too_many/.test(words)) return 429;
  if (/overload|unavailable/.test(words)) return 503;
  if (/server_error|internal/.test(words)) return 500;
  if (/invalid_request|invalid_argument|context_length/.test(words)) return 400;
  return 502;
}

function made(told: Told, status: number): CanonicalError {
  const kind = errorKindOf(status, {
    ...(told.type ? { type: told.type } : {}),
    ...(told.code ? { code: told.code } : {}),
    ...(told.message ? { message: told.message } : {}),
  });
  return canonicalError(kind, told.message ?? `The upstream answered with status ${status}.`, {
    ...ownStatus(kind, status),
    ...(told.code ? { code: told.code } : {}),
    ...(told.param ? { param: told.param } : {}),
  });
}

const shapes: Record<ErrorKind, { type: string; code: string | null }> = {
  bad_request: { type: "invalid_request_error", code: null },
  context_too_long: { type: "invalid_request_error", code: "context_length_exceeded" },
  unauthenticated: { type: "invalid_request_error", code: "invalid_api_key" },
  billing: { type: "insufficient_quota", code: "insufficient_quota" },
  forbidden: { type: "permission_error", code: null },
  not_found: { type: "invalid_request_error", code: "model_not_found" },
  method_not_allowed: { type: "invalid_request_error", code: "method_not_allowed" },
  conflict: { type: "conflict_error", code: null },
  too_large: { type: "invalid_request_error", code: "request_too_large" },
  unsupported_media: { type: "invalid_request_error", code: "unsupported_media_type" },
  rate_limit: { type: "rate_limit_error", code: "rate_limit_exceeded" },
  cancelled: { type: "server_error", code: "cancelled" },
  upstream_bad: { type: "server_error", code: "bad_gateway" },
  upstream_incomplete: { type: "server_error", code: "stream_incomplete" },
  no_channel: { type: "server_error", code: "no_channel" },
  internal: { type: "server_error", code: null },
  overloaded: { type: "server_error", code: "overloaded" },
  timeout: { type: "server_error", code: "timeout" },
};

/** The error body with its four keys, which clients read from an answer and from a stream alike. */
export function encodeErrorBody(error: CanonicalError): JsonObject {
  const shape = shapes[error.kind];
  const code = error.kind === "context_too_long" ? shape.code : (error.code ?? shape.code);
  return { error: { message: error.message, type: shape.type, param: error.param ?? null, code } };
}

/** Canonical -> the client's shape. `x-should-retry` steers the vendor's SDK, which would retry any 429 and 5xx. */
export function encodeError(error: CanonicalError, requestId: string): EncodedError {
  const headers: Record<string, string> = { "x-request-id": requestId, "x-should-retry": String(error.retryable) };
  if (error.retryAfterSeconds !== undefined) headers["retry-after"] = String(Math.ceil(error.retryAfterSeconds));
  return { status: error.status, headers, body: encodeErrorBody(error) };
}
