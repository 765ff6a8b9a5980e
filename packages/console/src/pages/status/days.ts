import type { Day } from "./status-query.ts";

/** One of the 90 days of a bar, the first one first. */
export interface BarDay {
  /** `2026-01-31`, a day of UTC. */
  day: string;
  /** Undefined where there was no traffic. */
  told: Day | undefined;
}

const dayMs = 86_400_000;
export const shownDays = 90;

/** All days of the bars, those without traffic included. */
export function barDays(firstDay: string, days: readonly Day[]): BarDay[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const begin = Date.parse(firstDay);
  return Array.from({ length: shownDays }, (_, at) => {
    const day = new Date(begin + at * dayMs).toISOString().slice(0, 10);
    return { day, told: known.get(day) };
  });
}

/** How many days were in each state. */
export function countDays(days: readonly Day[]): { operational: number; degraded: number; down: number; none: number } {
  const of = (state: Day["state"]) => days.filter((day) => day.state === state).length;
  return { operational: of("operational"), degraded: of("degraded"), down: of("down"), none: shownDays - days.length };
}
