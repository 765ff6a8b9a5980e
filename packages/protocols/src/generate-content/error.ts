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

/** google.rpc words by kind (conversion.md 1.5.8). A status only where it differs from the kind's own. */
const words: Readonly<Record<ErrorKind, { status: string; code?: number }>> = {
  bad_request: { status: "INVALID_ARGUMENT" },
  context_too_long: { status: "INVALID_ARGUMENT" },
  unauthenticated: { status: "UNAUTHENTICATED" },
  billing: { status: "PERMISSION_DENIED" },
  forbidden: { status: "PERMISSION_DENIED" },
  not_found: { status: "NOT_FOUND" },
  method_not_allowed: { status: "UNIMPLEMENTED" },
  conflict: { status: "ABORTED" },
  too_large: { status: "INVALID_ARGUMENT" },
  unsupported_media: { status: "INVALID_ARGUMENT" },
  rate_limit: { status: "RESOURCE_EXHAUSTED" },
  cancelled: { status: "CANCELLED" },
  upstream_bad: { status: "UNAVAILABLE", code: 503 },
  upstream_incomplete: { status: "UNAVAILABLE", code: 503 },
  no_channel: { status: "UNAVAILABLE" },
  internal: { status: "INTERNAL" },
  overloaded: { status: "UNAVAILABLE", code: 503 },
  timeout: { status: "DEADLINE_EXCEEDED" },
};

const typeBase = "type.googleapis.com/google.rpc.";

/** The error as a client of this protocol reads it, with the wait and the field in `details`. */
export function encodeError(error: CanonicalError, requestId: string): EncodedError {
  const details = detailsOf(error);
  if (requestId !== "") details.push({ "@type": `${typeBase}RequestInfo`, requestId });
  const { status, body } = render(error, details);
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers["retry-after"] = String(error.retryAfterSeconds);
  return { status, headers, body };
}

/** The body of an error inside a stream, where no request id is at hand. */
export function errorBody(error: CanonicalError): JsonObject {
  return render(error, detailsOf(error)).body;
}

function render(error: CanonicalError, details: JsonObject[]): { status: number; body: JsonObject } {
  const word = words[error.kind];
  const wanted = word.code ?? error.status;
  // Readers take an object for an error only when its code is 400 to 599.
  const status = wanted >= 400 && wanted <= 599 ? wanted : 500;
  return { status, body: { error: { code: status, message: error.message, status: word.status, details } } };
}

function detailsOf(error: CanonicalError): JsonObject[] {
  const details: JsonObject[] = [];
  if (error.code !== undefined) {
    details.push({ "@type": `${typeBase}ErrorInfo`, reason: error.code.toUpperCase(), domain: "gateway" });
  }
  if (error.param !== undefined) {
    const fieldViolations = [{ field: error.param, description: error.message }];
    details.push({ "@type": `${typeBase}BadRequest`, fieldViolations });
  }
  if (error.retryAfterSeconds !== undefined) {
    details.push({ "@type": `${typeBase}RetryInfo`, retryDelay: `${error.retryAfterSeconds}s` });
  }
  return details;
}

/** An upstream's error, whatever it sent: the plain object, the object in an array, text, HTML, nothing. */
export function decodeError(failure: UpstreamFailure): CanonicalError {
  const body = errorObject(failure.body);
  const told = typeof body?.code === "number" ? body.code : 0;
  const status = failure.status >= 400 ? failure.status : told;
  const details = Array.isArray(body?.details) ? body.details.filter(isObject) : [];
  const message = text(body?.message) ?? plainText(failure.body) ?? `The upstream answered with status ${status}.`;
  const reason = text(details.find((detail) => detail.reason !== undefined)?.reason);
  const type = text(body?.status);
  const kind = kindOf(status, type, reason, message);
  const wait = retryDelay(details, message) ?? retryAfterSeconds(failure.headers);
  const param = fieldOf(details);
  const error = canonicalError(kind, message, {
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    ...(param === undefined ? {} : { param }),
    ...(reason === undefined ? {} : { code: reason.toLowerCase() }),
  });
  // An unknown 4xx keeps its own status.
  return kind === "bad_request" && status >= 400 && status < 500 ? { ...error, status } : error;
}

function kindOf(status: number, type: string | undefined, reason: string | undefined, message: string): ErrorKind {
  // This family words every exhausted quota like an unpaid bill, also one that refills in a minute.
  if (type === "RESOURCE_EXHAUSTED") return "rate_limit";
  return errorKindOf(status, {
    message,
    ...(type === undefined ? {} : { type }),
    ...(reason === undefined ? {} : { code: reason }),
  });
}

/** The `error` member of a body, also of one in an array; undefined where there is none. */
export function errorObject(body: JsonValue | undefined): JsonObject | undefined {
  const plain = Array.isArray(body) ? body[0] : body;
  if (!isObject(plain)) return undefined;
  return isObject(plain.error) ? plain.error : undefined;
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function plainText(body: JsonValue | undefined): string | undefined {
  if (isObject(body)) return text(body.error) ?? text(body.message);
  const words = text(body)?.trim();
  return words === undefined || words === "" || words.startsWith("<") ? undefined : words.slice(0, 1000);
}

function retryDelay(details: JsonObject[], message: string): number | undefined {
  const delay = text(details.find((detail) => detail.retryDelay !== undefined)?.retryDelay);
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? "")?.[1] ?? /retry in (\d+(?:\.\d+)?)s/i.exec(message)?.[1];
  return seconds === undefined ? undefined : Math.min(86_400, Math.ceil(Number(seconds)));
}

function fieldOf(details: JsonObject[]): string | undefined {
  for (const { fieldViolations } of details) {
    const first = Array.isArray(fieldViolations) ? fieldViolations[0] : undefined;
    if (isObject(first)) return text(first.field);
  }
  return undefined;
}
