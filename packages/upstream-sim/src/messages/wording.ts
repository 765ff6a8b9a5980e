import { badRequest, type Failure, type FailureKind } from "../failure.ts";
import type { Path, Wording } from "../field-check.ts";
import type { JsonObject } from "../json.ts";

function refuse(path: Path, text: string): Failure {
  return badRequest(`${path.join(".")}: ${text}`);
}

const TYPE_NAMES: Record<string, string> = {
  string: "valid string",
  number: "valid number",
  integer: "valid integer",
  boolean: "valid boolean",
  array: "valid array",
  object: "object",
};

/** The wording of this family's 400s: `messages.0.content.0.text.foo: Extra inputs are not permitted`. */
export const MESSAGES_WORDING: Wording = {
  tagVariants: true,
  unknown: (path) => refuse(path, "Extra inputs are not permitted"),
  missing: (path) => refuse(path, "Field required"),
  wrongType: (path, expected) => refuse(path, `Input should be a ${TYPE_NAMES[expected] ?? expected}`),
  notAllowed: (path, value, allowed) =>
    path.at(-1) === "type"
      ? refuse(
          path.slice(0, -1),
          `Input tag '${value}' found using 'type' does not match any of the expected tags: ${allowed.map((tag) => `'${tag}'`).join(", ")}`,
        )
      : refuse(path, `Input should be ${orList(allowed)}`),
  outOfRange: (path, value, range) =>
    range.min !== undefined && value < range.min
      ? refuse(path, `Input should be greater than or equal to ${range.min}`)
      : refuse(path, `Input should be less than or equal to ${range.max}`),
  badLength: (path, length, limits) => {
    const short = length < (limits.min ?? 0);
    const noun = limits.of === "string" ? "String" : "List";
    const unit = limits.of === "string" ? "characters" : "items after validation";
    return refuse(
      path,
      `${noun} should have at ${short ? `least ${limits.min}` : `most ${limits.max}`} ${unit}, not ${length}`,
    );
  },
  badPattern: (path, _value, pattern) => refuse(path, `String should match pattern '${pattern.source}'`),
};

function orList(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  if (quoted.length < 2) return quoted.join("");
  return `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

const STATUSES: Record<FailureKind, number> = {
  "bad-request": 400,
  authentication: 401,
  billing: 402,
  permission: 403,
  "not-found": 404,
  conflict: 409,
  "too-large": 413,
  "rate-limit": 429,
  quota: 429,
  server: 500,
  timeout: 504,
  unavailable: 529,
};

const TYPES: Record<FailureKind, string> = {
  "bad-request": "invalid_request_error",
  authentication: "authentication_error",
  billing: "billing_error",
  permission: "permission_error",
  "not-found": "not_found_error",
  conflict: "conflict_error",
  "too-large": "request_too_large",
  "rate-limit": "rate_limit_error",
  quota: "rate_limit_error",
  server: "api_error",
  timeout: "timeout_error",
  unavailable: "overloaded_error",
};

/** The HTTP status of a failure at this family. */
export function errorStatus(failure: Failure): number {
  return failure.status ?? STATUSES[failure.kind];
}

/** The family's error body (messages.md 12). */
export function errorBody(failure: Failure, requestId: string): JsonObject {
  return {
    type: "error",
    error: {
      type: TYPES[failure.kind],
      message: failure.message,
      ...(failure.code === undefined ? {} : { details: { error_code: failure.code } }),
    },
    request_id: requestId,
  };
}
