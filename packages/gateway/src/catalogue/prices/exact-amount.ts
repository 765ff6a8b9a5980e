import { checkedMoney, MoneyError } from "./money.ts";

/** Parts of a whole in millionths: factors of markup and service tiers, and tokens of a million. */
export const million = 1_000_000n;

/**
 * Amounts before the rounding are whole numbers of nano-dollars divided by this: a price per million tokens, times a
 * service tier's factor in millionths, times the markup's in millionths.
 */
export const denominator = million * million * million;

/** The factor of a markup in millionths: -1_000_000 (nothing is charged) up to a thousandfold. Throws `MoneyError`. */
export function markupFactor(markupPpm: number): bigint {
  if (!Number.isInteger(markupPpm) || markupPpm < -1_000_000 || markupPpm > 1_000_000_000) {
    throw new MoneyError("range", "a markup is a whole number of millionths from -1000000 to 1000000000");
  }
  return million + BigInt(markupPpm);
}

/** Whole nano-dollars of an exact amount, half up: the one rounding of a call. Throws `MoneyError` of kind `range`. */
export function roundHalfUp(numerator: bigint): bigint {
  return checkedMoney((2n * numerator + denominator) / (2n * denominator));
}

/**
 * Shares in whole nano-dollars that add up to the rounded sum: each is its exact amount cut, and what is left over goes
 * to those that were cut most, the first ones first.
 */
export function roundTogether(numerators: readonly bigint[]): { total: bigint; shares: bigint[] } {
  const total = roundHalfUp(numerators.reduce((sum, each) => sum + each, 0n));
  const shares = numerators.map((each) => each / denominator);
  let left = Number(total - shares.reduce((sum, each) => sum + each, 0n));
  const byRemainder = [...numerators.entries()].sort(([placeA, a], [placeB, b]) => {
    const difference = (b % denominator) - (a % denominator);
    return difference === 0n ? placeA - placeB : difference > 0n ? 1 : -1;
  });
  for (const [place] of byRemainder) {
    if (left === 0) break;
    shares[place] = (shares[place] ?? 0n) + 1n;
    left -= 1;
  }
  return { total, shares };
}
