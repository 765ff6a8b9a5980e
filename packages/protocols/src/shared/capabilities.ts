import { canonicalError, ProtocolError } from "../canonical/index.ts";

/**
 * What one capability can be. The kinds of a protocol are the one place that its record's type, its rows and what an
 * operator may set are checked against.
 */
export type CapabilityKind =
  | { kind: "switch" }
  | { kind: "count" }
  | { kind: "word"; words: readonly string[] }
  | { kind: "words"; words: readonly string[] };

export type CapabilityKinds = Readonly<Record<string, CapabilityKind>>;

/** A value as an operator sets it. */
export type CapabilityValue = boolean | number | string | readonly string[];

/** What an operator says of a model, by the name of the capability. Holds over all tables. */
export type CapabilityOverrides = Readonly<Record<string, CapabilityValue>>;

type ValueOf<Kind extends CapabilityKind> = Kind extends { kind: "word"; words: readonly (infer Word)[] }
  ? Word
  : Kind extends { kind: "words"; words: readonly (infer Word)[] }
    ? readonly Word[]
    : Kind extends { kind: "count" }
      ? number
      : boolean;

/** The plain record that the encoders of a protocol ask. */
export type CapabilitiesOf<Kinds extends CapabilityKinds> = { readonly [Name in keyof Kinds]: ValueOf<Kinds[Name]> };

/** Yes or no. */
export const yesNo = { kind: "switch" } as const;

/** A whole number; 0 stands for "not known" or "no limit". */
export const count = { kind: "count" } as const;

/** One of these words. */
export function word<const Word extends string>(...words: Word[]): { kind: "word"; words: readonly Word[] } {
  return { kind: "word", words };
}

/** Any of these words, none included. */
export function wordsOf<Word extends string>(words: readonly Word[]): { kind: "words"; words: readonly Word[] } {
  return { kind: "words", words };
}

/** Whether a value is one that the capability can have. */
export function fitsKind(value: unknown, kind: CapabilityKind): value is CapabilityValue {
  switch (kind.kind) {
    case "switch":
      return typeof value === "boolean";
    case "count":
      return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
    case "word":
      return typeof value === "string" && kind.words.includes(value);
    case "words":
      return Array.isArray(value) && value.every((entry) => kind.words.includes(entry));
  }
}

/** The record with what the operator says in place of what the tables say. Throws for what configuration would refuse. */
export function withOverrides<Kinds extends CapabilityKinds>(
  kinds: Kinds,
  record: CapabilitiesOf<Kinds>,
  overrides: CapabilityOverrides | undefined,
): CapabilitiesOf<Kinds> {
  if (!overrides) return record;
  for (const [name, value] of Object.entries(overrides)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind && fitsKind(value, kind)) continue;
    throw new ProtocolError(canonicalError("internal", `The capability '${name}' is not set to what it can be.`));
  }
  return { ...record, ...overrides };
}
