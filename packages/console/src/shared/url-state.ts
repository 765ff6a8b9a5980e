import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

/** How one search parameter is read. What cannot be read is as if it were not there. */
export interface UrlField<Value> {
  read(text: string): Value | undefined;
  write(value: Value): string;
}

export const urlText: UrlField<string> = { read: (text) => (text === "" ? undefined : text), write: (value) => value };

export const urlNumber: UrlField<number> = {
  read(text) {
    const value = Number(text);
    return text !== "" && Number.isFinite(value) ? value : undefined;
  },
  write: String,
};

/** There or not: `?live=1`. */
export const urlFlag: UrlField<true> = { read: (text) => (text === "1" ? true : undefined), write: () => "1" };

export function urlOneOf<const Value extends string>(...values: readonly Value[]): UrlField<Value> {
  return { read: (text) => values.find((value) => value === text), write: (value) => value };
}

type ValueOf<Field> = Field extends { read(text: string): infer Value } ? Exclude<Value, undefined> : never;
export type UrlValues<Fields> = { readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> };
type UrlChange<Fields> = { readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> | undefined };

/**
 * State that stands in the address: filters, tabs, open drawers, sorting. The fields are a constant of the module.
 * `set({ name: undefined })` takes a parameter out; a change replaces the entry of the history unless `push` is given.
 */
export function useUrlState<const Fields extends Readonly<Record<string, object>>>(
  fields: Fields,
): [UrlValues<Fields>, (change: UrlChange<Fields>, options?: { push?: boolean }) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const values = useMemo(() => readUrl(fields, search), [fields, search]);
  const set = useCallback(
    (change: UrlChange<Fields>, { push = false } = {}) => {
      void navigate({
        to: ".",
        search: (before: Record<string, unknown>) => ({ ...before, ...writeUrl(fields, change) }),
        replace: !push,
        resetScroll: false,
      });
    },
    [navigate, fields],
  );
  return [values, set];
}

function readUrl<Fields extends Readonly<Record<string, object>>>(
  fields: Fields,
  search: Readonly<Record<string, unknown>>,
): UrlValues<Fields> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields) as [string, UrlField<unknown>][]) {
    const text = search[name];
    const value = typeof text === "string" ? field.read(text) : undefined;
    if (value !== undefined) values[name] = value;
  }
  // Each value was made by the field of its name.
  return values as UrlValues<Fields>;
}

function writeUrl<Fields extends Readonly<Record<string, object>>>(
  fields: Fields,
  change: UrlChange<Fields>,
): Record<string, string | undefined> {
  const texts: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(change)) {
    const field = fields[name] as UrlField<unknown> | undefined;
    texts[name] = value === undefined || !field ? undefined : field.write(value);
  }
  return texts;
}
