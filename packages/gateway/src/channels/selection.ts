import type { Candidate, RoutePlan } from "./route-plan.ts";

/**
 * The candidates of a plan in the order in which a call tries them. Of a weighted tier the first is drawn by weight, then
 * the next among the rest; those of weight 0 come last. Channels that cool down are left out; where nothing else is left,
 * the one that failed longest ago is tried, so that the last one is never lost by errors alone (R17). `now`: monotonic
 * milliseconds; `random` gives [0, 1) and is asked only where something is to be drawn.
 */
export function orderCandidates(plan: RoutePlan, now: number, random: () => number): readonly Candidate[] {
  const { candidates, tiers } = plan;
  if (candidates.length <= 1) return candidates;
  let usable = 0;
  let weighted = false;
  for (const tier of tiers) weighted ||= tier.weighted;
  for (const { channel } of candidates) if (channel.health.usable(now)) usable++;
  if (usable === candidates.length && !weighted) return candidates;
  if (usable === 0) {
    const longestAgo = candidates.toSorted((a, b) => a.channel.health.lastFailure - b.channel.health.lastFailure);
    return longestAgo.slice(0, 1);
  }
  const ordered: Candidate[] = [];
  for (const tier of tiers) {
    const able = tier.candidates.filter(({ channel }) => channel.health.usable(now));
    if (tier.weighted) drawInto(ordered, able, random);
    else ordered.push(...able);
  }
  return ordered;
}

/** The share of a candidate's channel among those of its tier. */
export function weightOf({ channel }: Candidate): number {
  return channel.weight ?? 1;
}

/** Empties `left` into `ordered`. */
function drawInto(ordered: Candidate[], left: Candidate[], random: () => number): void {
  let total = left.reduce((sum, candidate) => sum + weightOf(candidate), 0);
  while (total > 0 && left.length > 1) {
    let mark = random() * total;
    let at = left.findIndex((candidate) => {
      mark -= weightOf(candidate);
      return mark < 0;
    });
    // Sums of numbers that are not whole may miss the end by a hair.
    if (at === -1) at = left.findLastIndex((candidate) => weightOf(candidate) > 0);
    const [drawn] = left.splice(at, 1);
    if (!drawn) break;
    total -= weightOf(drawn);
    ordered.push(drawn);
  }
  ordered.push(...left);
}
