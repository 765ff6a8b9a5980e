import { type CanonicalError, canonicalError } from "@interlingua/protocols";
import type { LimitName, LimitRefusal, LimitScope } from "../coordination/rate-counters.ts";

/** A defect of the gateway. Says nothing of its cause. */
export function internalError(): CanonicalError {
  return canonicalError("internal", "The gateway failed to handle the call.", { code: "internal_error" });
}

/** What the caller is told of an upstream's answer that is none. Nothing of its text is repeated (R7). */
export function badAnswer(): CanonicalError {
  return canonicalError("upstream_bad", "The upstream's answer is not valid.", { code: "upstream_bad_response" });
}

/** Nothing that could serve the call is left; never blames the caller (R12). */
export function noChannel(): CanonicalError {
  return canonicalError("no_channel", "No channel can serve this model at the moment.", {
    code: "no_channel",
    retryAfterSeconds: 2,
  });
}

/** No channel offers this model. */
export function unknownModel(model: string): CanonicalError {
  const message = `The model '${model.slice(0, 128)}' does not exist or is not available.`;
  return canonicalError("not_found", message, { param: "model", code: "model_not_found" });
}

const limitWords: Readonly<Record<LimitName, string>> = {
  concurrency: "calls at once",
  requests: "requests per minute",
  tokens: "tokens per minute",
};

const scopeWords: Readonly<Record<LimitScope, string>> = { key: "access key", account: "account" };

/** A limit of the key or its account is reached (C13): which one, and when to ask again. Or none can be counted (D7). */
export function limitReached(refused: LimitRefusal): CanonicalError {
  const retryAfterSeconds = Math.max(1, Math.ceil(refused.retryAfterMs / 1000));
  switch (refused.kind) {
    case "limit": {
      const { scope, limit, allowed } = refused;
      const message = `The ${scopeWords[scope]}'s limit of ${allowed} ${limitWords[limit]} is reached. Please try again in ${retryAfterSeconds}s.`;
      return canonicalError("rate_limit", message, { code: "rate_limit_exceeded", retryAfterSeconds });
    }
    case "unavailable":
      return canonicalError("no_channel", "The gateway cannot check its limits at the moment.", {
        code: "limits_unavailable",
        retryAfterSeconds,
      });
  }
}

/** The database does not take the record: the answer is not given (D1, D2). */
export function storageUnavailable(): CanonicalError {
  return canonicalError("no_channel", "The gateway's storage is not available.", {
    code: "storage_unavailable",
    retryAfterSeconds: 2,
  });
}

/** For the caller when the gateway is shut down in the middle of a call. */
export function drained(): CanonicalError {
  return canonicalError("no_channel", "The gateway is shutting down.", { code: "draining", retryAfterSeconds: 2 });
}
