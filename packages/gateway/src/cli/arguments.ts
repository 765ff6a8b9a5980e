import { InvalidArgumentError } from "commander";
import { MoneyError, parseDollars } from "../catalogue/prices/money.ts";
import { highestLimit } from "../config/config.ts";
import { readEnd } from "../config/instant.ts";
import { readMarkup } from "../config/markup.ts";

/*
 * How the values of options are read. Each throws an InvalidArgumentError, which the command line tells with the option's
 * name. None gives null: commander takes that for no value.
 */

/** `default` takes a limit back. */
export type LimitArgument = number | "default";

export function limitArgument(text: string): LimitArgument {
  if (text === "default") return text;
  const limit = /^[0-9]{1,10}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= highestLimit) return limit;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${highestLimit}, or "default".`);
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A length of time such as `24h` in milliseconds; `0` is none. */
export function spanArgument(text: string): number {
  const span = readSpan(text);
  if (span !== undefined) return span;
  throw new InvalidArgumentError("It must be a time with its unit, such as 90s, 15m, 24h or 30d, or 0.");
}

/** A moment in unix milliseconds: the begin of a day in UTC, or a time. */
export function timeArgument(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(T[0-9:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isSafeInteger(time) && time >= 0) return time;
  throw new InvalidArgumentError("It must be a day such as 2026-12-31, or a time such as 2026-12-31T18:00Z.");
}

/** When something ends: at a moment in unix milliseconds, or so many milliseconds from now. */
export type EndArgument = { at: number } | { after: number } | "never";

export function endArgument(text: string): EndArgument {
  if (text === "never") return text;
  const after = readSpan(text);
  if (after !== undefined) return { after };
  const at = readEnd(text);
  if (at !== undefined) return { at };
  throw new InvalidArgumentError('It must be a date such as 2026-12-31, a time from now such as 30d, or "never".');
}

function readSpan(text: string): number | undefined {
  if (text === "0") return 0;
  const match = /^([0-9]{1,6})([smhd])$/.exec(text);
  const unit = units[match?.[2] ?? ""];
  return match && unit !== undefined ? Number(match[1]) * unit : undefined;
}

/** A list parted by commas; `all` is no restriction, `none` the empty list. */
export type ListArgument = string[] | "all";

export function listArgument(text: string): ListArgument {
  if (text === "all") return text;
  if (text === "none") return [];
  const entries = text.split(",").map((entry) => entry.trim());
  if (entries.every((entry) => entry !== "")) return entries;
  throw new InvalidArgumentError('It must be entries parted by commas, "all" or "none".');
}

/** Nano-dollars; `none` is no bound. */
export type DollarsArgument = bigint | "none";

export function dollarsArgument(text: string): DollarsArgument {
  if (text === "none") return text;
  try {
    return parseDollars(text);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw new InvalidArgumentError(`${error.message}.`);
  }
}

/** Parts per million of the list price. */
export function markupArgument(text: string): number {
  const ppm = readMarkup(text);
  if (ppm !== undefined) return ppm;
  throw new InvalidArgumentError("It must be a percentage such as 10% or -2.5%.");
}
