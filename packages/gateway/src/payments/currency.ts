/** Currencies of whose unit there are no smaller ones, or thousands; all others have hundreds (https://docs.stripe.com/currencies). */
const decimals: Readonly<Record<string, number>> = Object.fromEntries([
  ..."bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ").map((name) => [name, 0]),
  ..."bhd jod kwd omr tnd".split(" ").map((name) => [name, 3]),
]);

/** Decimal places of a currency's amounts. `currency` in small letters. */
function decimalsOf(currency: string): number {
  return decimals[currency] ?? 2;
}

/** `20.50` of a currency in its smallest unit; undefined where it is no amount of that currency, or none above zero. */
export function minorAmount(text: string, currency: string): number | undefined {
  const match = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,3}))?$/.exec(text);
  const places = decimalsOf(currency);
  const [, whole = "", part = ""] = match ?? [];
  if (!match || part.length > places) return undefined;
  const amount = Number(whole + part.padEnd(places, "0"));
  return Number.isSafeInteger(amount) && amount > 0 ? amount : undefined;
}

/** An amount in the smallest unit as people write it: `20.50 USD`. */
export function showMinorAmount(amount: number, currency: string): string {
  const places = decimalsOf(currency);
  const digits = String(amount).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const shown = places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
  return `${shown} ${currency.toUpperCase()}`;
}
