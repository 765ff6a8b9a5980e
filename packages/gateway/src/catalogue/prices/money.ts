/** The largest amount either way, in nano-dollars: it fits a 64-bit column with room for a sum of two checks. */
export const maxMoney = 9_000_000_000_000_000_000n;

/**
 * Why an amount was refused. `text`: it is not written as a dollar amount. `range`: it is beyond what the books hold, or a
 * factor is beyond its bounds. `counter`: a count of tokens or uses is negative, fractional or not exact.
 */
export type MoneyErrorKind = "text" | "range" | "counter";

/** An amount that cannot be taken as money. The message is written for the one who gave it. */
export class MoneyError extends Error {
  readonly kind: MoneyErrorKind;

  constructor(kind: MoneyErrorKind, message: string) {
    super(message);
    this.name = "MoneyError";
    this.kind = kind;
  }
}

const form = /^(-?)\$?(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/**
 * Nano-dollars of a decimal text in dollars, such as `12.50`, `0.000000001` or `-$3`: exact, no exponent, at most nine
 * decimals. What `formatDollars` prints is read back. Throws `MoneyError`.
 */
export function parseDollars(text: string): bigint {
  const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  const match = form.exec(text);
  if (!match) throw new MoneyError("text", `${shown} is not an amount in dollars: write it as 12.50`);
  const [, sign = "", whole = "", decimals = ""] = match;
  if (decimals.length > 9) {
    throw new MoneyError("text", `${shown} has more than nine decimals: the smallest amount is 0.000000001`);
  }
  // Ten digits are enough for the bound: longer ones are refused before they are turned into a number.
  const nano = whole.length > 10 ? maxMoney + 1n : BigInt(whole) * 1_000_000_000n + BigInt(decimals.padEnd(9, "0"));
  if (nano > maxMoney)
    throw new MoneyError("range", `${shown} is beyond the largest amount, ${formatDollars(maxMoney)}`);
  return sign === "-" ? -nano : nano;
}

/** Nano-dollars as a text in dollars, exact: `$12.50`, `-$0.000000001`. At least two decimals, no other zeros at the end. */
export function formatDollars(nano: bigint): string {
  const size = nano < 0n ? -nano : nano;
  const decimals = String(size % 1_000_000_000n).padStart(9, "0");
  const kept = decimals.replace(/0+$/, "").padEnd(2, "0");
  return `${nano < 0n ? "-" : ""}$${size / 1_000_000_000n}.${kept}`;
}

/** The same amount, where it is within `maxMoney` either way. Throws `MoneyError` of kind `range`. */
export function checkedMoney(nano: bigint): bigint {
  if (nano > maxMoney || nano < -maxMoney) {
    throw new MoneyError("range", `the amount is beyond the largest one, ${formatDollars(maxMoney)}`);
  }
  return nano;
}

/** The sum of two amounts. Throws `MoneyError` of kind `range`, where an amount or the sum is beyond the bound. */
export function addMoney(first: bigint, second: bigint): bigint {
  return checkedMoney(checkedMoney(first) + checkedMoney(second));
}
