import fc from "fast-check";
import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/** Any JSON value, as it is after a way over the wire; small, so that many can be tried. */
export const strangeValue: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    -1,
    1.5,
    1e300,
    "",
    "x",
    " ",
    true,
    false,
    [],
    {},
    [null],
    [[]],
    ["x"],
    [{}],
    { type: "x" },
    { type: "text" },
    "\ud800",
  ),
  // JSON.parse gives back plain JSON, which the generator's type does not say.
  fc.jsonValue({ maxDepth: 3 }).map((value): JsonValue => JSON.parse(JSON.stringify(value) ?? "null")),
);

/** A place in a document, found by walking it. */
export const place: fc.Arbitrary<number[]> = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 7 });

/** The document with another value at one place. */
export function replaced(value: JsonValue, at: readonly number[], by: JsonValue): JsonValue {
  const [step = 0, ...rest] = at;
  if (at.length === 0) return by;
  if (Array.isArray(value) && value.length > 0) {
    const chosen = step % value.length;
    return value.map((item, index) => (index === chosen ? replaced(item, rest, by) : item));
  }
  if (!isObject(value)) return by;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  return key === undefined ? by : { ...value, [key]: replaced(value[key] ?? null, rest, by) };
}

/** The document with other values at some places; still an object. */
export function mutated(
  document: JsonObject,
  changes: readonly (readonly [readonly number[], JsonValue])[],
): JsonObject {
  let result: JsonValue = document;
  for (const [at, by] of changes) result = replaced(result, at, by);
  return isObject(result) ? result : document;
}

export const changes: fc.Arbitrary<(readonly [number[], JsonValue])[]> = fc.array(fc.tuple(place, strangeValue), {
  minLength: 1,
  maxLength: 3,
});
