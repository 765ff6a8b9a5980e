import type { ErrorKind } from "../canonical/index.ts";

/** What an upstream's error body says, in the words of its family. */
export interface ErrorHints {
  /** `error.type` (OpenAI, Anthropic) or `error.status` (Google). */
  type?: string;
  code?: string;
  message?: string;
}

/** Error words of the four families, by kind. A code is more exact than a type, so it is asked first. */
const kindOfWord = new Map<string, ErrorKind>(
  Object.entries<ErrorKind>({
    context_length_exceeded: "context_too_long",
    model_context_window_exceeded: "context_too_long",
    exceed_context_size_error: "context_too_long",
    insufficient_quota: "billing",
    credit_balance_exhausted: "billing",
    billing_hard_limit_reached: "billing",
    billing_not_active: "billing",
    billing_error: "billing",
    payment_required: "billing",
    invalid_api_key: "unauthenticated",
    authentication_error: "unauthenticated",
    api_key_invalid: "unauthenticated",
    unauthenticated: "unauthenticated",
    permission_error: "forbidden",
    permission_denied: "forbidden",
    model_not_found: "not_found",
    not_found_error: "not_found",
    not_found: "not_found",
    request_too_large: "too_large",
    rate_limit_exceeded: "rate_limit",
    rate_limit_error: "rate_limit",
    slow_down: "rate_limit",
    resource_exhausted: "rate_limit",
    too_many_requests: "rate_limit",
    overloaded_error: "overloaded",
    server_is_overloaded: "overloaded",
    provider_overloaded: "overloaded",
    overloaded: "overloaded",
    unavailable: "overloaded",
    service_unavailable_error: "overloaded",
    unavailable_error: "overloaded",
    capacity_exceeded: "overloaded",
    timeout_error: "timeout",
    timeout: "timeout",
    deadline_exceeded: "timeout",
    cancelled: "cancelled",
    conflict_error: "conflict",
    invalid_request_error: "bad_request",
    invalid_argument: "bad_request",
    failed_precondition: "bad_request",
    out_of_range: "bad_request",
    invalid_prompt: "bad_request",
    server_error: "internal",
    api_error: "internal",
    internal: "internal",
  }),
);

/** How families say that the conversation is longer than the model reads. Clients compact when they see it. */
const tooLong = [
  /prompt is too long/i,
  /maximum context length/i,
  /context (length|window|limit|size)[^.]{0,40}exceed/i,
  /exceed[^.]{0,60}context (length|window|limit|size)/i,
  /input token count[^.]{0,60}exceeds the maximum/i,
  /too many (input )?tokens/i,
  /reduce the length of (the|your) (messages|prompt|input)/i,
];

const billingWording = [
  /credit balance is too low/i,
  /exceeded your current quota, please check your plan and billing/i,
];
const keyWording = [/api key not valid/i, /api key expired/i];

/**
 * What kind of failure an upstream tells (conversion.md 1.5.8). Total. `status` is the HTTP status, or 200 (or 0) for an
 * error inside a stream, where only the words tell.
 */
export function errorKindOf(status: number, hints: ErrorHints): ErrorKind {
  const message = hints.message ?? "";
  const named = kindOfWord.get(word(hints.code)) ?? kindOfWord.get(word(hints.type));
  const inRequest = status < 300 || status === 400 || status === 413 || status === 422;
  if (named === "context_too_long" || (inRequest && tooLong.some((pattern) => pattern.test(message)))) {
    return "context_too_long";
  }
  if (named === "billing" || status === 402 || billingWording.some((pattern) => pattern.test(message)))
    return "billing";
  if (named === "unauthenticated" || keyWording.some((pattern) => pattern.test(message))) return "unauthenticated";
  if (status < 400) return named ?? "upstream_bad";
  const byStatus = kindOfStatus(status);
  // A status without a kind of its own leaves the word to the body; a family's word refines 400 and 500 only. That it is
  // the server's fault a status of its own says better.
  const isVague = status === 400 || status === 500 || (byStatus === "upstream_bad" && named !== "internal");
  return isVague && named !== undefined ? named : byStatus;
}

/** The kind of an HTTP status alone. Any unknown 4xx is the request's fault, any unknown 5xx the upstream's. */
function kindOfStatus(status: number): ErrorKind {
  switch (status) {
    case 401:
      return "unauthenticated";
    case 402:
      return "billing";
    case 403:
      return "forbidden";
    case 404:
    case 410:
      return "not_found";
    case 405:
      return "method_not_allowed";
    case 408:
    case 504:
    case 524:
      return "timeout";
    case 409:
      return "conflict";
    case 413:
      return "too_large";
    case 415:
      return "unsupported_media";
    case 429:
      return "rate_limit";
    case 499:
      return "cancelled";
    case 500:
      return "internal";
    // Groq's word for "no capacity for flexible calls".
    case 498:
    case 503:
    case 521:
    case 522:
    case 523:
    case 529:
      return "overloaded";
    default:
      return status >= 400 && status < 500 ? "bad_request" : "upstream_bad";
  }
}

/** A status of the caller's fault that has no kind of its own stays as the upstream told it (1.5.8). */
export function ownStatus(kind: ErrorKind, status: number): { status?: number } {
  return kind === "bad_request" && status >= 400 && status < 500 ? { status } : {};
}

function word(text: string | undefined): string {
  return text === undefined ? "" : text.toLowerCase();
}

const longestWait = 86_400;

/**
 * How long the upstream asks to wait, from `retry-after-ms` or `retry-after` (seconds or an HTTP date; `now` in
 * milliseconds is needed for a date). Whole seconds, rounded up, at most a day. Undefined where it does not say.
 */
export function retryAfterSeconds(headers: Record<string, string | undefined>, now?: number): number | undefined {
  const milliseconds = amount(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return cap(milliseconds / 1000);
  const header = headers["retry-after"];
  const seconds = amount(header);
  if (seconds !== undefined) return cap(seconds);
  if (header === undefined || now === undefined || !/[a-z]/i.test(header)) return undefined;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : cap((date - now) / 1000);
}

function amount(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function cap(seconds: number): number {
  return Math.min(longestWait, Math.max(0, Math.ceil(seconds)));
}
