import { badRequest, type Failure, type FailureKind } from "./failure.ts";
import type { Path, Wording } from "./field-check.ts";
import type { Json, JsonObject } from "./json.ts";

/** `messages[0].content[1].text`, the path notation of OpenAI's errors. */
function openaiPath(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );
}

/** The wording of OpenAI's 400s, shared by Chat Completions and Responses (chat-completions.md 8). */
export const OPENAI_WORDING: Wording = {
  unknown: (path) => refuse(path, `Unknown parameter: '${openaiPath(path)}'.`, "unknown_parameter"),
  missing: (path) => refuse(path, `Missing required parameter: '${openaiPath(path)}'.`, "missing_required_parameter"),
  wrongType: (path, expected, value) =>
    refuse(
      path,
      `Invalid type for '${openaiPath(path)}': expected ${article(typeName(expected))}, but got ${article(jsonType(value))} instead.`,
      "invalid_type",
    ),
  notAllowed: (path, value, allowed) =>
    refuse(path, `Invalid value: '${value}'. Supported values are: ${quoteList(allowed)}.`, "invalid_value"),
  outOfRange: (path, value, range) => {
    const below = range.min !== undefined && value < range.min;
    const type = range.integer ? "integer" : "decimal";
    const side = below ? "below minimum" : "above maximum";
    const limit = below ? `>= ${range.min}` : `<= ${range.max}`;
    return refuse(
      path,
      `Invalid '${openaiPath(path)}': ${type} ${side} value. Expected a value ${limit}, but got ${value} instead.`,
      `${type}_${side.replace(" ", "_")}_value`.replace("minimum", "min").replace("maximum", "max"),
    );
  },
  badLength: (path, length, limits) => {
    const long = length > (limits.max ?? Number.POSITIVE_INFINITY);
    if (limits.of === "array") {
      if (!long && length === 0) {
        return refuse(
          path,
          `Invalid '${openaiPath(path)}': empty array. Expected an array with minimum length ${limits.min}, but got an empty array instead.`,
          "empty_array",
        );
      }
      return refuse(
        path,
        `Invalid '${openaiPath(path)}': array too ${long ? "long" : "short"}. Expected an array with ${long ? `maximum length ${limits.max}` : `minimum length ${limits.min}`}, but got an array with length ${length} instead.`,
        long ? "array_above_max_length" : "array_below_min_length",
      );
    }
    return refuse(
      path,
      `Invalid '${openaiPath(path)}': string too ${long ? "long" : "short"}. Expected a string with ${long ? `maximum length ${limits.max}` : `minimum length ${limits.min}`}, but got a string with length ${length} instead.`,
      long ? "string_above_max_length" : "string_below_min_length",
    );
  },
  badPattern: (path, _value, pattern) =>
    refuse(
      path,
      `Invalid '${openaiPath(path)}': string does not match pattern. Expected a string that matches the pattern '${pattern.source}'.`,
      "invalid_value",
    ),
};

/** OpenAI's error body; all four keys are always there (chat-completions.md 8). */
export function openaiErrorBody(failure: Failure): JsonObject {
  return {
    error: {
      message: failure.message,
      type: errorType(failure.kind),
      param: failure.param ?? null,
      code: failure.code ?? errorCode(failure.kind),
    },
  };
}

/** The HTTP status of a failure at OpenAI. */
export function openaiStatus(failure: Failure): number {
  if (failure.status !== undefined) return failure.status;
  const statuses: Record<FailureKind, number> = {
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
    unavailable: 503,
    timeout: 504,
  };
  return statuses[failure.kind];
}

function errorType(kind: FailureKind): string {
  switch (kind) {
    case "rate-limit":
      return "requests";
    case "quota":
    case "billing":
      return "insufficient_quota";
    case "conflict":
      return "conflict_error";
    case "server":
    case "unavailable":
    case "timeout":
      return "server_error";
    case "bad-request":
    case "authentication":
    case "permission":
    case "not-found":
    case "too-large":
      return "invalid_request_error";
  }
}

function errorCode(kind: FailureKind): string | null {
  switch (kind) {
    case "authentication":
      return "invalid_api_key";
    case "not-found":
      return "model_not_found";
    case "rate-limit":
      return "rate_limit_exceeded";
    case "quota":
    case "billing":
      return "insufficient_quota";
    case "unavailable":
      return "server_is_overloaded";
    case "bad-request":
    case "permission":
    case "conflict":
    case "too-large":
    case "server":
    case "timeout":
      return null;
  }
}

function refuse(path: Path, message: string, code: string): Failure {
  return badRequest(message, { param: openaiPath(path), code });
}

function typeName(expected: string): string {
  return expected === "number" ? "decimal" : expected;
}

function jsonType(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "decimal";
  return typeof value;
}

function article(name: string): string {
  if (name === "null") return name;
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}

function quoteList(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  if (quoted.length < 2) return quoted.join("");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
}
