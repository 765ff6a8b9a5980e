import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { camelFields, setField } from "./fields.ts";

type Step = string | number;

/**
 * Arguments of a call that come piece by piece as values at JSON paths (S19):
 * `{jsonPath: "$.city", stringValue: "Os", willContinue: true}`. The object is told whole when the call ends.
 */
export class PartialArguments {
  readonly #root: JsonObject = {};
  /** The path whose text still grows. */
  #growing: string | undefined;

  /** Takes the whole `args` of a piece, where a server sends them beside or instead of the pieces. */
  merge(args: JsonObject): void {
    for (const [key, value] of Object.entries(args)) setField(this.#root, key, value);
  }

  add(raw: JsonObject): void {
    const piece = camelFields(raw);
    const place = piece.jsonPath;
    if (typeof place !== "string") return;
    const steps = stepsOf(place);
    const value = pieceValue(piece);
    if (steps.length === 0 || value === undefined) return;
    const grows = this.#growing === place && typeof value === "string";
    this.#growing = piece.willContinue === true ? place : undefined;
    put(this.#root, steps, value, grows);
  }

  /** Compact JSON text. */
  text(): string {
    return JSON.stringify(this.#root);
  }
}

function pieceValue(piece: JsonObject): JsonValue | undefined {
  if (typeof piece.stringValue === "string") return piece.stringValue;
  if (typeof piece.numberValue === "number") return piece.numberValue;
  if (typeof piece.boolValue === "boolean") return piece.boolValue;
  return "nullValue" in piece ? null : undefined;
}

/** `$.a[0]['b c']` -> `a`, 0, `b c`. */
function stepsOf(place: string): Step[] {
  const steps: Step[] = [];
  for (const match of place.matchAll(/\.([^.[\]]+)|\[(\d{1,6})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/g)) {
    const [, name, index, single, double] = match;
    if (index !== undefined) steps.push(Number(index));
    else steps.push(name ?? (single ?? double ?? "").replace(/\\(.)/g, "$1"));
  }
  return steps;
}

function put(root: JsonObject, steps: Step[], value: JsonValue, grows: boolean): void {
  let target: JsonValue = root;
  steps.forEach((step, index) => {
    const next = steps[index + 1];
    const present = get(target, step);
    if (next === undefined) {
      set(target, step, grows && typeof present === "string" && typeof value === "string" ? present + value : value);
      return;
    }
    if (typeof next === "number" ? Array.isArray(present) : isObject(present)) {
      target = present ?? target;
      return;
    }
    const fresh: JsonValue = typeof next === "number" ? [] : {};
    set(target, step, fresh);
    target = fresh;
  });
}

function get(target: JsonValue, step: Step): JsonValue | undefined {
  if (Array.isArray(target)) return typeof step === "number" ? target[step] : undefined;
  return isObject(target) && Object.hasOwn(target, step) ? target[step] : undefined;
}

function set(target: JsonValue, step: Step, value: JsonValue): void {
  if (Array.isArray(target)) {
    if (typeof step === "number" && step <= target.length) target[step] = value;
    return;
  }
  if (isObject(target)) setField(target, String(step), value);
}
