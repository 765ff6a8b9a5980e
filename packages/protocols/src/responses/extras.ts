import type { Extras, JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject, unknownFields } from "../shared/read.ts";

/** The unknown keys of a wire object as canonical extras, to be spread: `{}` where there are none. */
export function keepUnknown(wire: JsonObject, known: ReadonlySet<string>): { extras?: Extras } {
  const rest = unknownFields(wire, known);
  return rest ? { extras: { responses: rest } } : {};
}

/** One of this codec's own marks (`$…`), or an unknown field, of something it decoded. */
export function ownExtra(extras: Extras | undefined, key: string): JsonValue | undefined {
  return extras?.responses?.[key];
}

/** `extras` with one key more. */
export function withExtra(extras: Extras | undefined, key: string, value: JsonValue): Extras {
  return { ...extras, responses: { ...extras?.responses, [key]: value } };
}

/** Writes this protocol's unknown fields back at their level. Objects are merged; a key that stands already wins. */
export function writeExtras(target: JsonObject, extras: Extras | undefined): JsonObject {
  const fields = extras?.responses;
  if (!fields) return target;
  for (const key of Object.keys(fields)) if (!key.startsWith("$")) merge(target, key, fields[key]);
  return target;
}

/** The settings whose unknown keys are kept by their path (`reasoning.context`), so that a notice can name them. */
const nested = ["reasoning", "text"];

/** The same for a whole request, where the unknown keys of some settings stand under their path. */
export function writeRequestExtras(target: JsonObject, extras: Extras | undefined): JsonObject {
  const fields: JsonObject = {};
  for (const [key, value] of Object.entries(extras?.responses ?? {})) {
    const holder = nested.find((name) => key.startsWith(`${name}.`));
    if (holder) merge(fields, holder, { [key.slice(holder.length + 1)]: value });
    else fields[key] = value;
  }
  return writeExtras(target, { responses: fields });
}

function merge(target: JsonObject, key: string, value: JsonValue | undefined): void {
  const present = Object.hasOwn(target, key) ? target[key] : undefined;
  if (present === undefined) {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  if (!isObject(present) || !isObject(value)) return;
  for (const inner of Object.keys(value)) merge(present, inner, value[inner]);
}
