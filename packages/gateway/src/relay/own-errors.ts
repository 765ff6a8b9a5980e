import { type CanonicalError, canonicalError } from "@interlingua/protocols";
import type { ReservationRefusal } from "../accounts/ledger.ts";
import type { LimitName, LimitRefusal, LimitScope } from "../coordination/rate-counters.ts";
import { StorageError } from "../storage/database.ts";
import type { QuotaPeriod } from "../storage/schema.ts";

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

/** A rule of the operators refuses the call, in their words. */
export function refusedByRule(message: string): CanonicalError {
  return canonicalError("forbidden", message, { code: "refused_by_rule" });
}

/** The model exists, and this key may not name it. */
export function forbiddenModel(model: string): CanonicalError {
  const message = `This access key may not use the model '${model.slice(0, 128)}'.`;
  return canonicalError("forbidden", message, { param: "model", code: "permission_denied" });
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

/** The database does not take the call or its record: nothing is sent, or the answer is not given (D1, D2, D5). */
export function storageUnavailable(cause?: unknown): CanonicalError {
  const full = cause instanceof StorageError && cause.kind === "full";
  return canonicalError("no_channel", `The gateway's storage is ${full ? "full" : "not available"}.`, {
    code: full ? "storage_full" : "storage_unavailable",
    retryAfterSeconds: 2,
  });
}

/** For the caller whose key is taken away with its running calls (A3). */
export function keyEnded(): CanonicalError {
  return canonicalError("unauthenticated", "The access key is not valid any more.", { code: "invalid_api_key" });
}

/** For the caller when the gateway is shut down in the middle of a call. */
export function drained(): CanonicalError {
  return canonicalError("no_channel", "The gateway is shutting down.", { code: "draining", retryAfterSeconds: 2 });
}

const quotaWindows: Readonly<Record<QuotaPeriod, string>> = {
  total: "",
  day: " It starts anew at midnight (UTC).",
  week: " It starts anew on Monday at midnight (UTC).",
  month: " It starts anew on the first of the month at midnight (UTC).",
};

/** The caller cannot pay for the call (403 in every family). */
export function cannotPay(reason: ReservationRefusal, period: QuotaPeriod | null): CanonicalError {
  switch (reason) {
    case "balance":
      return canonicalError("billing", "The account's balance is too low for this call.", {
        code: "insufficient_quota",
      });
    case "quota": {
      const message = `The access key's spending quota is used up.${period === null ? "" : quotaWindows[period]}`;
      return canonicalError("billing", message, { code: "insufficient_quota" });
    }
    case "repeated":
      return stillRunning();
  }
}

/** The model has no price, and this account may not use what has none. */
export function unpriced(model: unknown): CanonicalError {
  const name = typeof model === "string" ? ` '${model.slice(0, 128)}'` : "";
  return canonicalError("forbidden", `The model${name} has no price yet and cannot be used by this account.`, {
    code: "model_not_priced",
  });
}

/** Another call bears the same idempotency key and has not ended (M8). */
export function stillRunning(): CanonicalError {
  return canonicalError("conflict", "A call with this idempotency key is still running.", {
    code: "idempotency_in_progress",
    retryAfterSeconds: 1,
    retryable: true,
  });
}
