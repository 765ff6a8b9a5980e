import { z } from "zod";

const durationUnits: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const sizeUnits: Record<string, number> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** A length of time such as `10s`, read as milliseconds. */
export function duration(defaultMs: number, range: { min?: number; max?: number } = {}) {
  return quantity(durationUnits, "a time with its unit, such as 500ms, 10s, 2m, 1h or 7d", defaultMs, range);
}

/** A size such as `32MiB`, read as bytes. */
export function size(defaultBytes: number, range: { min?: number; max?: number } = {}) {
  return quantity(sizeUnits, "a size with its unit, such as 64KiB or 32MiB", defaultBytes, range);
}

/** A whole number. A text of digits counts too, since environment variables are texts. */
export function count(defaultCount: number, range: { min?: number; max?: number } = {}) {
  return quantity({ "": 1 }, "a whole number", defaultCount, range);
}

/** A whole number that may be below zero, and has no default. A text of digits counts too. */
export function wholeNumber(min: number, max: number) {
  return z
    .custom<string | number>(
      (value) => typeof value === "string" || typeof value === "number",
      "must be a whole number",
    )
    .transform((value, context) => {
      const number = /^-?[0-9]{1,9}$/.test(String(value)) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      context.addIssue({ code: "custom", message: `must be a whole number from ${min} to ${max}` });
      return z.NEVER;
    });
}

function quantity(
  units: Record<string, number>,
  expected: string,
  defaultValue: number,
  { min = 1, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number },
) {
  return (
    z
      .custom<string | number>((value) => typeof value === "string" || typeof value === "number", `must be ${expected}`)
      .transform((value, context) => {
        const amount = readQuantity(String(value), units);
        if (amount === undefined) {
          context.addIssue({ code: "custom", message: `must be ${expected}` });
          return z.NEVER;
        }
        if (amount < min || amount > max) {
          context.addIssue({ code: "custom", message: `must be from ${show(min, units)} to ${show(max, units)}` });
          return z.NEVER;
        }
        return amount;
      })
      .default(defaultValue)
      // A bound that no value reaches is none.
      .meta({ min: show(min, units), ...(max === Number.MAX_SAFE_INTEGER ? {} : { max: show(max, units) }) })
  );
}

function readQuantity(text: string, units: Record<string, number>): number | undefined {
  const match = /^([0-9]{1,12})\s*([A-Za-z]*)$/.exec(text.trim());
  const unit = units[match?.[2] ?? "?"];
  return match && unit !== undefined ? Number(match[1]) * unit : undefined;
}

/** Milliseconds as the file spells them: `10s`. */
export function showDuration(ms: number): string {
  return show(ms, durationUnits);
}

/** Bytes as the file spells them: `32MiB`. */
export function showSize(bytes: number): string {
  return show(bytes, sizeUnits);
}

/** The amount in the largest unit that divides it. */
function show(amount: number, units: Record<string, number>): string {
  const fitting = Object.entries(units).filter(([, factor]) => amount % factor === 0);
  const [name, factor] = fitting.at(-1) ?? ["", 1];
  return `${amount / factor}${name}`;
}
