import { ApiError } from "../../api/client.ts";
import type { Say } from "../../shared/text.ts";
import type { en } from "./text.en.ts";

/** Why something on this page did not work, in the reader's language where the reason is one that is known. */
export function profileProblem(t: Say<typeof en>, error: unknown): string {
  if (error instanceof DOMException) return t("passkeyStopped");
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  switch (error.code) {
    case "invalid_password":
      return error.field === "newPassword" ? t("badNewPassword") : t("wrongPassword");
    case "invalid_code":
    case "invalid_backup_code":
      return t("wrongCode");
    case "too_many_tries":
      return t("tooMany");
    case "session_not_fresh":
      return t("notFresh");
    default:
      return error.message;
  }
}
