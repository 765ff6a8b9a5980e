/** What went wrong, in terms that every provider family has a status and a name for. */
export type FailureKind =
  | "bad-request"
  | "authentication"
  | "billing"
  | "permission"
  | "not-found"
  | "conflict"
  | "too-large"
  | "rate-limit"
  | "quota"
  | "server"
  | "unavailable"
  | "timeout";

/** One refusal or fault, before a family's wording of the envelope is put around it. */
export interface Failure {
  kind: FailureKind;
  message: string;
  /** Overrides the family's usual HTTP status of the kind. */
  status?: number;
  /** The field at fault, in the family's own path notation (OpenAI `param`, Gemini `fieldViolations`). */
  param?: string;
  /** OpenAI's `code`, `details.error_code` of messages. */
  code?: string;
}

/** A refusal of the request itself. */
export function badRequest(message: string, extra: { param?: string; code?: string } = {}): Failure {
  return { kind: "bad-request", message, ...extra };
}

/** The kind that an HTTP status stands for, for scripts that name only the status. */
export function kindOfStatus(status: number): FailureKind {
  switch (status) {
    case 401:
      return "authentication";
    case 402:
      return "billing";
    case 403:
      return "permission";
    case 404:
      return "not-found";
    case 409:
      return "conflict";
    case 413:
      return "too-large";
    case 429:
      return "rate-limit";
    case 503:
    case 529:
      return "unavailable";
    case 408:
    case 504:
      return "timeout";
    default:
      return status >= 500 ? "server" : "bad-request";
  }
}
