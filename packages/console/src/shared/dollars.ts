/** Nano-dollars as a decimal text of what somebody typed: `25`, `25.00`, `$0.05`. Undefined where it is no amount. */
export function parseDollars(text: string): string | undefined {
  const match = /^\$?\s*([0-9]{1,9})(?:[.,]([0-9]{1,9}))?$/.exec(text.trim());
  if (!match) return undefined;
  const [, whole = "0", decimals = ""] = match;
  return String(BigInt(whole) * 1_000_000_000n + BigInt(decimals.padEnd(9, "0")));
}

/** The same the other way round, as it is typed: `25.00`. */
export function dollarsOf(nano: string): string {
  const amount = BigInt(nano);
  const decimals = String(amount % 1_000_000_000n).padStart(9, "0");
  return `${amount / 1_000_000_000n}.${decimals.slice(0, 2)}${decimals.slice(2).replace(/0+$/, "")}`;
}
