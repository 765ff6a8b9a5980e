import type { components } from "../../api/schema.d.ts";

export type AuditEntry = components["schemas"]["AuditEvent"];
type Value = AuditEntry["detail"][string];

/** A field that was one thing and is another. */
export interface FieldChange {
  field: string;
  before: Value;
  after: Value;
}

/** What an entry tells, in two parts: what changed, and what else there is to know. */
export function readDetail(detail: AuditEntry["detail"]): { changes: FieldChange[]; others: [string, Value][] } {
  const changes: FieldChange[] = [];
  const others: [string, Value][] = [];
  for (const [name, value] of Object.entries(detail)) {
    const [, field = "", end = ""] = /^(?:(.+)_)?(before|after)$/.exec(name) ?? [];
    if (end === "") others.push([name, value]);
    else if (end === "after") {
      changes.push({ field, before: detail[field === "" ? "before" : `${field}_before`] ?? null, after: value });
    }
  }
  return { changes, others };
}

/** A value as a text; undefined where there is none. */
export function textOf(value: Value): string | undefined {
  if (value === null) return undefined;
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** The change in a few words, for a row. */
export function shortDetail(detail: AuditEntry["detail"]): string {
  const { changes, others } = readDetail(detail);
  const said = [
    ...changes.map(({ field, before, after }) => {
      const change = `${textOf(before) ?? "–"} → ${textOf(after) ?? "–"}`;
      return field === "" ? change : `${field}: ${change}`;
    }),
    ...others.flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [`${name}: ${text}`];
    }),
  ];
  return said.join(" · ");
}
