import type { Answer } from "./answer.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

/** A wire usage object as the answer's script wants it: exact, or with its numbers spoilt. */
export function shapeUsage(answer: Answer, exact: JsonObject): JsonObject {
  switch (answer.usageForm) {
    case "exact":
    case "twice":
      return exact;
    case "negative":
      return mapNumbers(exact, (value) => -Math.abs(value) - 1);
    case "huge":
      return mapNumbers(exact, () => 2 ** 64);
    case "not-a-number":
      return mapNumbers(exact, () => "NaN");
  }
}

function mapNumbers(object: JsonObject, change: (value: number) => Json): JsonObject {
  const changed: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    if (typeof value === "number") changed[key] = change(value);
    else if (isObject(value)) changed[key] = mapNumbers(value, change);
    else changed[key] = value;
  }
  return changed;
}
