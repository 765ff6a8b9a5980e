/* What people type into the fields of this page, as values. */

/** Dollars as somebody types them, in cents; undefined where they are none that can be ordered. */
export function centsOf(text: string): number | undefined {
  const match = /^\$?\s*([0-9]{1,5})(?:[.,]([0-9]{1,2}))?$/.exec(text.trim());
  if (!match) return undefined;
  const cents = Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  return cents >= 100 && cents <= 1_000_000 ? cents : undefined;
}

/** Thresholds as somebody types them; undefined where they are none. */
export function thresholdsOf(text: string): number[] | undefined {
  const parts = text.split(/[\s,，、%]+/).filter((part) => part !== "");
  const steps = parts.map(Number).toSorted((a, b) => a - b);
  const good = steps.every((step) => Number.isInteger(step) && step >= 1 && step <= 100);
  return good && steps.length >= 1 && steps.length <= 5 && new Set(steps).size === steps.length ? steps : undefined;
}
