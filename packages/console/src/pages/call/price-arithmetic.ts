import type { components } from "../../api/schema.d.ts";

type PriceLine = components["schemas"]["CallPriceLine"];

/** Whether a line's price is for one use; else it is for a million tokens. */
export function isByUse({ class: name }: Pick<PriceLine, "class">): boolean {
  return name === "request" || name === "overrun" || name.startsWith("tool:");
}

/** Quantity times price in nano-dollars, rounded half up, before markup and service tier. */
export function listAmount(line: PriceLine): bigint {
  const exact = BigInt(line.quantity) * BigInt(line.price);
  return isByUse(line) ? exact : (exact + 500_000n) / 1_000_000n;
}

/** The sums of all lines, and by what the list's sum was multiplied; undefined where it was taken as it is. */
export function sumsOf(lines: readonly PriceLine[]): { list: bigint; charged: bigint; factor: number | undefined } {
  const priced = lines.filter(({ class: name }) => name !== "overrun");
  const list = priced.reduce((sum, line) => sum + listAmount(line), 0n);
  const asked = priced.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const charged = lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const difference = asked > list ? asked - list : list - asked;
  // Each line may be off by what it was rounded by.
  const same = difference <= BigInt(lines.length);
  return { list, charged, factor: same || list === 0n ? undefined : Number((asked * 1_000_000n) / list) / 1_000_000 };
}
