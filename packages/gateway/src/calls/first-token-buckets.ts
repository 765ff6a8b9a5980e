import type { Insertable } from "kysely";
import type { UsageHourTable } from "../storage/schema.ts";

/** The columns of `usage_hour` that count calls by how long their first token let wait. */
export type FirstTokenColumn = Extract<keyof UsageHourTable, `first_token_${string}`>;

/** Each with the longest wait that it counts, in milliseconds; every bound is twice the one before. */
export const firstTokenBuckets: readonly { column: FirstTokenColumn; upTo: number }[] = [
  { column: "first_token_100", upTo: 100 },
  { column: "first_token_200", upTo: 200 },
  { column: "first_token_400", upTo: 400 },
  { column: "first_token_800", upTo: 800 },
  { column: "first_token_1600", upTo: 1600 },
  { column: "first_token_3200", upTo: 3200 },
  { column: "first_token_6400", upTo: 6400 },
  { column: "first_token_12800", upTo: 12_800 },
  { column: "first_token_25600", upTo: 25_600 },
  { column: "first_token_51200", upTo: 51_200 },
  { column: "first_token_beyond", upTo: Number.POSITIVE_INFINITY },
];

/** What a call adds to the buckets: 1 to one of them, or nothing where no token came. */
export function firstTokenShare(milliseconds: number | null): Pick<Insertable<UsageHourTable>, FirstTokenColumn> {
  const found = milliseconds === null ? undefined : firstTokenBuckets.find(({ upTo }) => milliseconds <= upTo)?.column;
  const share: Pick<Insertable<UsageHourTable>, FirstTokenColumn> = {};
  for (const { column } of firstTokenBuckets) share[column] = column === found ? 1 : 0;
  return share;
}

/**
 * The wait, in milliseconds, that this part of the calls (0.5, 0.95) did not exceed, from the counts of the buckets in their
 * order: exact to the bucket, and within it by an even spread. Null where nothing was counted. Beyond the last bound the
 * bound itself, which is then too low.
 */
export function waitQuantile(counts: readonly number[], part: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = part * total;
  let passed = 0;
  let from = 0;
  for (const [index, { upTo }] of firstTokenBuckets.entries()) {
    const count = counts[index] ?? 0;
    if (count > 0 && passed + count >= wanted) {
      if (!Number.isFinite(upTo)) return from;
      return from + ((upTo - from) * Math.max(0, wanted - passed)) / count;
    }
    passed += count;
    if (Number.isFinite(upTo)) from = upTo;
  }
  return from;
}
