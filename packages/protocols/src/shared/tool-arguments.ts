import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "./read.ts";
import type { Report } from "./report.ts";

/**
 * The raw argument text of a call as the object that some protocols want (conversion.md T14): blank is `{}`, an object
 * itself, another JSON value `{"value": …}`, and text that is no JSON `{"_raw": text}` with a notice for `field`. So has a number that does not come
 * through the parsing whole.
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
  if (losesDigits(raw)) {
    report.approximated(field, "A whole number of the arguments has more digits than can be sent; it was rounded.");
  }
  return isObject(value) ? value : { value };
}

/** Whether a whole number is none any more once it was parsed. Texts may hold any digits. */
function losesDigits(raw: string): boolean {
  if (!/\d{16}/.test(raw)) return false;
  const tokens = raw.match(/"(?:[^"\\]|\\.)*"|[-+.\deE]+/g) ?? [];
  return tokens.some((token) => /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)));
}

/** Arguments that came as a JSON value, as compact JSON text. None at all are `{}`, never an empty text. */
export function argumentsText(value: JsonValue | undefined): string {
  return value === undefined || value === null ? "{}" : JSON.stringify(value);
}
