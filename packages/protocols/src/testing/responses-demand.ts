import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/** The value as an object, or throws. */
export function object(value: JsonValue | undefined, what: string): JsonObject {
  demand(isObject(value), `${what} is no object`);
  return value;
}

/** The value as a text, or throws. */
export function string(value: JsonValue | undefined, what: string): string {
  demand(typeof value === "string", `${what} is no string`);
  return value;
}

/** Demands that two values are the same JSON. */
export function same(actual: unknown, expected: unknown, message: string): void {
  demand(JSON.stringify(actual) === JSON.stringify(expected), message);
}

/** Throws where a stream is not lawful. */
export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Responses stream: ${message}`);
}
