import type { JsonObject, JsonValue } from "../canonical/index.ts";
import type { RefusedField, UpstreamFailure } from "../codec.ts";
import { isObject } from "./read.ts";

/** A field as a refusal names it: with the server's own path and spelling. */
export interface RefusedName {
  name: string;
  /** `field`: it is not known or not taken. `value`: not this value. `now`: not beside other fields of this call. */
  what: "field" | "value" | "now";
}

/** How a server says that it does not take a field. Group 1 of the pattern is its name, or names with commas. */
export interface Wording {
  pattern: RegExp;
  what: RefusedName["what"];
  /** What the wording is about, where it does not name the field as it is written. */
  names?: readonly string[];
}

/** Wordings that servers of several families have in common: those built with pydantic, and gateways in front of others. */
export const commonWordings: readonly Wording[] = [
  { pattern: /(?:^|[\s"'(])([a-z_][\w.]*): Extra inputs are not permitted/gi, what: "field" },
  { pattern: /Extra inputs are not permitted, field: '([\w.]+)'/g, what: "field" },
  { pattern: /[`'"]([\w.]+)[`'"]? is deprecated for this model/gi, what: "field" },
  { pattern: /(?:parameter|argument|field):? [`'"]?([\w.]+)[`'"]? is not supported/gi, what: "field" },
  { pattern: /[`'"]([\w.]+)[`'"] is not supported (?:by|with|for|on) this model/gi, what: "field" },
];

/** All that an error answer says, in one text. Total: any body. */
export function refusalText({ body }: UpstreamFailure): string {
  const texts: string[] = [];
  const collect = (value: JsonValue | undefined, depth: number) => {
    if (typeof value === "string") texts.push(value);
    else if (depth > 0 && Array.isArray(value)) for (const inner of value) collect(inner, depth - 1);
    else if (depth > 0 && isObject(value)) {
      // `input` is what the caller said, not what the server says of it.
      for (const [key, inner] of Object.entries(value)) if (key !== "input") collect(inner, depth - 1);
    }
  };
  collect(body, 6);
  return texts.join("\n").slice(0, 16_384);
}

/** The fields that a text names, each once. */
export function namesIn(text: string, wordings: readonly Wording[]): RefusedName[] {
  const found = new Map<string, RefusedName>();
  for (const { pattern, what, names } of wordings) {
    for (const match of text.matchAll(pattern)) {
      for (const name of names ?? (match[1] ?? "").split(/,\s*/)) {
        if (name !== "" && !found.has(name)) found.set(name, { name, what });
      }
    }
  }
  return [...found.values()];
}

/** The fields that validation errors in a list name: `{"type":"extra_forbidden","loc":["body","top_k"]}` (Mistral, FastAPI). */
export function namesInDetails({ body }: UpstreamFailure): RefusedName[] {
  const outer = isObject(body) ? body : {};
  const message = isObject(outer.message) ? outer.message : outer;
  const details = Array.isArray(message.detail) ? message.detail.filter(isObject) : [];
  return details.flatMap(({ type, loc }) => {
    if (type !== "extra_forbidden" || !Array.isArray(loc)) return [];
    const name = loc.filter((step) => step !== "body").join(".");
    return [{ name, what: "field" as const }];
  });
}

/**
 * Those of the named fields that stand in the body and may be left out. `allowed`: their paths in snake case, `.*` for
 * anything below. Servers name fields in other cases than they take them, so case and underscores do not count.
 */
export function allowedFields(
  body: JsonObject,
  names: readonly RefusedName[],
  allowed: readonly string[],
): RefusedField[] {
  const fields = new Map<string, RefusedField>();
  for (const { name, what } of names) {
    const steps = name.split(".").map(plain);
    if (!allowed.some((path) => isWithin(steps, path))) continue;
    const place = placeIn(body, steps);
    if (!place) continue;
    const path = place.steps.join(".");
    const field: RefusedField = { path, lasting: what !== "now" };
    if (what === "value") field.value = place.value;
    fields.set(path, field);
  }
  return [...fields.values()];
}

function isWithin(steps: readonly string[], path: string): boolean {
  const known = path.split(".").map(plain);
  if (known.at(-1) !== "*") return known.length === steps.length && known.every((step, index) => step === steps[index]);
  return steps.length >= known.length && known.slice(0, -1).every((step, index) => step === steps[index]);
}

function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function placeIn(body: JsonObject, steps: readonly string[]): { steps: string[]; value: JsonValue } | undefined {
  const found: string[] = [];
  let value: JsonValue = body;
  for (const step of steps) {
    if (!isObject(value)) return undefined;
    const key: string | undefined = Object.keys(value).find((candidate) => plain(candidate) === step);
    const inner: JsonValue | undefined = key === undefined ? undefined : value[key];
    if (key === undefined || inner === undefined) return undefined;
    found.push(key);
    value = inner;
  }
  return { steps: found, value };
}

/** The body without a field, and without an object that held nothing else; undefined where it does not stand there. */
export function withoutField(body: JsonObject, field: RefusedField): JsonObject | undefined {
  return without(body, field.path.split("."), field.value);
}

function without(body: JsonObject, steps: readonly string[], value: JsonValue | undefined): JsonObject | undefined {
  const [key = "", ...deeper] = steps;
  if (!Object.hasOwn(body, key)) return undefined;
  const inner = body[key];
  const { [key]: _removed, ...rest } = body;
  if (deeper.length === 0) {
    return value === undefined || JSON.stringify(inner) === JSON.stringify(value) ? rest : undefined;
  }
  const mended = isObject(inner) ? without(inner, deeper, value) : undefined;
  if (!mended) return undefined;
  return Object.keys(mended).length === 0 ? rest : { ...body, [key]: mended };
}

/** Where cache marks may stand, on the way from a body to the parts of its messages. */
const holders = ["system", "tools", "messages", "content"];

/** The body without the cache marks of its parts, or without one setting of them (`ttl`); undefined where there is none. */
function withoutMarks(body: JsonObject, setting?: string): JsonObject | undefined {
  let changed = false;
  const visit = (value: JsonObject): JsonObject => {
    const result = { ...value };
    const mark = result.cache_control;
    if (setting === undefined && mark !== undefined) {
      delete result.cache_control;
      changed = true;
    } else if (setting !== undefined && isObject(mark) && mark[setting] !== undefined) {
      const { [setting]: _removed, ...rest } = mark;
      result.cache_control = rest;
      changed = true;
    }
    for (const holder of holders) {
      const inner = result[holder];
      if (Array.isArray(inner)) result[holder] = inner.map((entry) => (isObject(entry) ? visit(entry) : entry));
    }
    return result;
  };
  const mended = visit(body);
  return changed ? mended : undefined;
}

/** The refused cache marks among the named fields: `messages.0.content.1.cache_control.ephemeral.ttl`, as one for all places. */
export function refusedMarks(body: JsonObject, names: readonly RefusedName[]): RefusedField[] {
  const paths = new Set<string>();
  for (const { name } of names) {
    const [, setting] = /(?:^|[.\]])cache_control(?:\.ephemeral)?(?:\.(ttl|scope))?$/.exec(name) ?? ["", null];
    if (setting === null) continue;
    if (withoutMarks(body, setting)) paths.add(setting === undefined ? "cache_control" : `cache_control.${setting}`);
  }
  return [...paths].map((path) => ({ path, lasting: true }));
}

/** `withoutField` for protocols whose parts bear cache marks. */
export function withoutFieldOrMarks(body: JsonObject, field: RefusedField): JsonObject | undefined {
  const [first, setting] = field.path.split(".");
  return first === "cache_control" ? withoutMarks(body, setting) : withoutField(body, field);
}
