/** What went wrong, in the words of conversion.md 1.5.8. */
export type ErrorKind =
  | "bad_request"
  | "context_too_long"
  | "unauthenticated"
  | "billing"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "too_large"
  | "unsupported_media"
  | "rate_limit"
  | "cancelled"
  | "upstream_bad"
  | "upstream_incomplete"
  | "no_channel"
  | "internal"
  | "overloaded"
  | "timeout";

/** An error as a value. Each protocol renders it in exactly one place, its `error.ts`. */
export interface CanonicalError {
  kind: ErrorKind;
  /** HTTP status that the client gets (a protocol may have one of its own for the kind, such as 529). */
  status: number;
  /** For a person; names the field where there is one; never holds a key, a host or another tenant's data. */
  message: string;
  /** The client's field path. */
  param?: string;
  /** A stable code, for example `model_not_found`. */
  code?: string;
  retryAfterSeconds?: number;
  /** Whether the same request may succeed later. */
  retryable: boolean;
}

const defaults: Record<ErrorKind, { status: number; retryable: boolean }> = {
  bad_request: { status: 400, retryable: false },
  context_too_long: { status: 400, retryable: false },
  unauthenticated: { status: 401, retryable: false },
  billing: { status: 403, retryable: false },
  forbidden: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  conflict: { status: 409, retryable: false },
  too_large: { status: 413, retryable: false },
  unsupported_media: { status: 415, retryable: false },
  rate_limit: { status: 429, retryable: true },
  cancelled: { status: 499, retryable: false },
  upstream_bad: { status: 502, retryable: true },
  upstream_incomplete: { status: 502, retryable: true },
  no_channel: { status: 503, retryable: true },
  internal: { status: 500, retryable: true },
  overloaded: { status: 503, retryable: true },
  timeout: { status: 504, retryable: true },
};

/** Makes an error value with the kind's own status and retryability unless told otherwise. */
export function canonicalError(
  kind: ErrorKind,
  message: string,
  more: Partial<Omit<CanonicalError, "kind" | "message">> = {},
): CanonicalError {
  return { kind, message, ...defaults[kind], ...more };
}

/** Carries a `CanonicalError` out of a decoder or encoder. The only exception that this package throws on purpose. */
export class ProtocolError extends Error {
  readonly error: CanonicalError;

  constructor(error: CanonicalError) {
    super(error.message);
    this.name = "ProtocolError";
    this.error = error;
  }
}

/** Refuses a client's request with a 400 that names the field, before any upstream call. */
export function refuse(param: string | undefined, message: string, code = "invalid_value"): never {
  throw new ProtocolError(canonicalError("bad_request", message, { ...(param ? { param } : {}), code }));
}

/** Rejects an upstream's answer that is not what its protocol says. */
export function badUpstream(message: string): never {
  throw new ProtocolError(canonicalError("upstream_bad", message, { code: "upstream_bad_response" }));
}
