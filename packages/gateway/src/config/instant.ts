const dayMs = 86_400_000;

/**
 * The moment at which something ends, in unix milliseconds: `2026-12-31` is the end of that day in UTC, and
 * `2026-12-31T12:00:00Z` (or with an offset such as `+02:00`) is that moment. Undefined where the text is neither.
 */
export function readEnd(text: string): number | undefined {
  const match = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:Z|[+-][0-9]{2}:[0-9]{2}))?$/.exec(
    text,
  );
  const [, date = "", time] = match ?? [];
  const day = Date.parse(`${date}T00:00:00Z`);
  // The engine takes 30 February for 2 March.
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date) return undefined;
  const moment = time === undefined ? day + dayMs : Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
}

/** The moment as `readEnd` takes it. */
export function showInstant(unixMs: number): string {
  return new Date(unixMs).toISOString().replace(".000Z", "Z");
}
