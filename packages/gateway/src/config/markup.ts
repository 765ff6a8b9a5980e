import { highestMarkupPpm } from "./config.ts";

const listPricePpm = 1_000_000;

/**
 * Parts per million of the list price of a percentage on top of it: `10%` is 1,100,000, `-5%` is 950,000. At most four
 * decimals. Undefined where it is none, or beyond the bounds.
 */
export function readMarkup(text: string): number | undefined {
  const match = /^([+-]?)([0-9]{1,5})(?:\.([0-9]{1,4}))?%$/.exec(text.trim());
  if (!match) return undefined;
  const [, sign, whole = "", decimals = ""] = match;
  const part = Number(whole) * 10_000 + Number(decimals.padEnd(4, "0"));
  const ppm = sign === "-" ? listPricePpm - part : listPricePpm + part;
  return ppm >= 0 && ppm <= highestMarkupPpm ? ppm : undefined;
}

/** The percentage on top of the list price: `10%`. */
export function showMarkup(ppm: number): string {
  return `${(ppm - listPricePpm) / 10_000}%`;
}
