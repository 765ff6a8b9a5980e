import { type CanonicalError, canonicalError, ProtocolError } from "@interlingua/protocols";
import type { AuthRefusal } from "../accounts/auth-result.ts";
import { internalError, storageUnavailable } from "../relay/own-errors.ts";
import { StorageError } from "../storage/database.ts";

/** Refuses a request for a reason of HTTP itself. */
export function refusal(status: number, message: string, code: string): CanonicalError {
  switch (status) {
    case 401:
      return canonicalError("unauthenticated", message, { code });
    case 404:
      return canonicalError("not_found", message, { code });
    case 405:
      return canonicalError("method_not_allowed", message, { code });
    default:
      return canonicalError("bad_request", message, { status, code });
  }
}

/**
 * The same text for an unknown, a disabled and a mistyped key (A1): the answer helps nobody to guess. Who has a good key is
 * told why it does not serve.
 */
export function refusedKey(reason: AuthRefusal): CanonicalError {
  switch (reason) {
    case "malformed":
    case "unknown":
    case "disabled":
    case "expired":
    case "revoked":
      return canonicalError("unauthenticated", "The access key is not valid.", { code: "invalid_api_key" });
    case "suspended":
      return forbidden("The account of this access key is suspended.");
    case "address":
      return forbidden("This access key may not be used from this address.");
  }
}

function forbidden(message: string): CanonicalError {
  return canonicalError("forbidden", message, { code: "permission_denied" });
}

export function missingKey(): CanonicalError {
  const message = "An access key is required: 'Authorization: Bearer', 'x-api-key' or 'x-goog-api-key'.";
  return canonicalError("unauthenticated", message, { code: "invalid_api_key" });
}

/** What is told during a shutdown. */
export function notAccepting(): CanonicalError {
  const text = "The gateway is not taking calls at the moment.";
  return canonicalError("no_channel", text, { code: "not_ready", retryAfterSeconds: 2 });
}

/** Any thrown value as the error that the caller gets. */
export function errorOf(cause: unknown): CanonicalError {
  if (cause instanceof ProtocolError) return cause.error;
  if (cause instanceof StorageError) return storageUnavailable(cause);
  return internalError();
}
