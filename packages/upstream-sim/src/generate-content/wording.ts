import { badRequest, type Failure, type FailureKind } from "../failure.ts";
import type { Path, Wording } from "../field-check.ts";
import type { Json, JsonObject } from "../json.ts";

/** `contents[0].parts[1].function_call`: field violations are named in snake case. */
function fieldPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? snake(step) : `${text}.${snake(step)}`;
  }, "");
}

/** A semantic refusal: `* GenerateContentRequest.<path>: <text>`. */
export function violation(path: Path, text: string): Failure {
  return badRequest(`* GenerateContentRequest.${fieldPath(path)}: ${text}\n`, { param: fieldPath(path) });
}

/** The wording of this family's 400s: those of its JSON reader, and those of its field rules. */
export const GENERATE_CONTENT_WORDING: Wording = {
  unknown: (path) => {
    const at = fieldPath(path.slice(0, -1));
    const place = at === "" ? "" : ` at '${at}'`;
    return badRequest(`Invalid JSON payload received. Unknown name "${path.at(-1)}"${place}: Cannot find field.`, {
      param: at,
    });
  },
  missing: (path) => violation(path, `${path.at(-1)} is not specified`),
  wrongType: (path, expected, value) => invalidValue(path, TYPE_NAMES[expected] ?? expected, value),
  notAllowed: (path, value, _allowed) => invalidValue(path, "TYPE_ENUM", value),
  outOfRange: (path, value, range) =>
    violation(path, `${path.at(-1)} must be in the range [${range.min}, ${range.max}], but got ${value}.`),
  badLength: (path, length, limits) =>
    length === 0
      ? violation(
          path,
          `${path
            .slice(-2)
            .filter((step) => typeof step === "string")
            .join(".")} must not be empty.`,
        )
      : violation(path, `expected at most ${limits.max} but got ${length}.`),
  badPattern: (path) =>
    violation(
      path,
      "[FIELD_INVALID]: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.",
    ),
};

const TYPE_NAMES: Record<string, string> = {
  string: "TYPE_STRING",
  number: "TYPE_FLOAT",
  integer: "TYPE_INT32",
  boolean: "TYPE_BOOL",
  object: "TYPE_MESSAGE",
  array: "TYPE_MESSAGE",
};

/** A value that the family's JSON reader cannot take. */
function invalidValue(path: Path, type: string, value: Json): Failure {
  return badRequest(`Invalid value at '${fieldPath(path)}' (${type}), ${JSON.stringify(value)}`, {
    param: fieldPath(path),
  });
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const STATUSES: Record<FailureKind, [number, string]> = {
  "bad-request": [400, "INVALID_ARGUMENT"],
  authentication: [403, "PERMISSION_DENIED"],
  billing: [400, "FAILED_PRECONDITION"],
  permission: [403, "PERMISSION_DENIED"],
  "not-found": [404, "NOT_FOUND"],
  conflict: [409, "ABORTED"],
  "too-large": [413, "INVALID_ARGUMENT"],
  "rate-limit": [429, "RESOURCE_EXHAUSTED"],
  quota: [429, "RESOURCE_EXHAUSTED"],
  server: [500, "INTERNAL"],
  unavailable: [503, "UNAVAILABLE"],
  timeout: [504, "DEADLINE_EXCEEDED"],
};

/** The HTTP status of a failure at this family. */
export function errorStatus(failure: Failure): number {
  return failure.status ?? STATUSES[failure.kind][0];
}

/** The family's error body (generate-content.md 10). */
export function errorBody(failure: Failure): JsonObject {
  const details = detailsOf(failure);
  return {
    error: {
      code: errorStatus(failure),
      message: failure.message,
      status: failure.status === 401 ? "UNAUTHENTICATED" : STATUSES[failure.kind][1],
      ...(details.length > 0 ? { details } : {}),
    },
  };
}

function detailsOf(failure: Failure): JsonObject[] {
  if (failure.kind === "rate-limit") {
    return [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" }];
  }
  if (failure.param === undefined) return [];
  const fieldViolations = [{ field: failure.param, description: failure.message }];
  return [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations }];
}
