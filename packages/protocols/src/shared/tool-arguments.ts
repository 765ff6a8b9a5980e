import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "./read.ts";
import type { Report } from "./report.ts";

/**
 * The raw argument text of a call as the object that some protocols want (conversion.md T14): blank is `{}`, an object
 * itself, another JSON value `{"value": …}`, and text that is no JSON `{"_raw": text}` with a notice for `field`.
 */
export function argumentsObject(raw: string, field: string, report: Report): JsonObject {
  if (raw.trim() === "") return {};
  let value: JsonValue;
  try {
    value = JSON.parse(raw);
  } catch {
    report.approximated(field, "The arguments are not JSON; they were sent as the text '_raw' of an object.");
    return { _raw: raw };
  }
  return isObject(value) ? value : { value };
}

/** Arguments that came as a JSON value, as compact JSON text. None at all are `{}`, never an empty text. */
export function argumentsText(value: JsonValue | undefined): string {
  return value === undefined || value === null ? "{}" : JSON.stringify(value);
}
