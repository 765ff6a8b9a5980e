import { ApiError } from "../../api/client.ts";
import type { Say } from "../../shared/text.ts";
import type { en } from "./text.en.ts";

/** Why signing in did not work, in the reader's language where the reason is one that is known. */
export function signInProblem(t: Say<typeof en>, error: unknown): string {
  if (error instanceof DOMException) return t("passkeyFailed");
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  switch (error.code) {
    case "invalid_email_or_password":
      return t("wrongPassword");
    case "invalid_code":
    case "invalid_backup_code":
      return t("wrongCode");
    case "invalid_two_factor_cookie":
      return t("stepOver");
    case "too_many_tries":
    case "too_many_attempts_request_new_code":
    case "account_temporarily_locked":
      return t("tooMany");
    case "busy":
      return t("busy");
    case "provider_unavailable":
      return t("providerAway");
    case "network":
      return t("network");
    default:
      return error.message;
  }
}

/** What `?error=` of the address says: a sign-in elsewhere led back here. */
export function outsideProblem(t: Say<typeof en>, code: string): string {
  switch (code) {
    case "provider_unavailable":
      return t("providerAway");
    case "signup_disabled":
    case "account_not_linked":
    case "unable_to_link_account":
    case "email_not_found":
      return t("providerRefused");
    default:
      return t("outsideFailed", { code: code.slice(0, 64) });
  }
}
