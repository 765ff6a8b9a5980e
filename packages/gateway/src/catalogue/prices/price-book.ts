import { matchesModel } from "../../channels/model-pattern.ts";
import { holdsAt, type PriceVersion } from "./price-version.ts";

/** All price versions at one moment. Never changed: other versions are another book. */
export interface PriceBook {
  /**
   * The version that holds at a moment (unix milliseconds) for a call to `model` that `channel` serves under the name
   * `upstreamModel`; undefined where the model has no price.
   *
   * What people wrote goes before seed data; then what is for the channel before what is for all; then the caller's exact
   * name of the model, the upstream's exact name, a pattern that fits the caller's name, one that fits the upstream's, the
   * pattern that says more first; then the newest, the one for these hours of the day before the one for all hours, the
   * operator's before the configuration's, and at last the greatest id.
   */
  resolve(model: string, channel: string, upstreamModel: string, at: number): PriceVersion | undefined;
}

/** Callers invent names of models where a channel takes any: the memory of answers must not grow with them. */
const rememberedCalls = 4096;

/** A book of these versions, in any order. */
export function createPriceBook(versions: readonly PriceVersion[]): PriceBook {
  const all = [...versions];
  const candidates = new Map<string, readonly PriceVersion[]>();
  return {
    resolve(model, channel, upstreamModel, at) {
      // The lengths keep one name's end apart from the next one's beginning.
      const key = `${model.length}:${channel.length}:${model}${channel}${upstreamModel}`;
      let fitting = candidates.get(key);
      if (!fitting) {
        fitting = candidatesFor(all, model, channel, upstreamModel);
        if (candidates.size >= rememberedCalls) candidates.clear();
        candidates.set(key, fitting);
      }
      return fitting.find((version) => holdsAt(version, at));
    },
  };
}

function candidatesFor(
  versions: readonly PriceVersion[],
  model: string,
  channel: string,
  upstreamModel: string,
): PriceVersion[] {
  const fitting = versions.flatMap((version) => {
    if (version.channel !== null && version.channel !== channel) return [];
    const fit = fitOf(version.model, model, upstreamModel);
    return fit === undefined ? [] : [{ version, rank: rankOf(version, fit) }];
  });
  fitting.sort((a, b) => compare(a.rank, b.rank) || (a.version.id < b.version.id ? 1 : -1));
  return fitting.map(({ version }) => version);
}

/** How well a version's model fits, least is best; undefined where it does not. */
function fitOf(pattern: string, model: string, upstreamModel: string): number | undefined {
  if (pattern === model) return 0;
  if (pattern === upstreamModel) return 1;
  if (matchesModel(pattern, model)) return 2;
  return matchesModel(pattern, upstreamModel) ? 3 : undefined;
}

const sourceRank = { operator: 0, configuration: 1, seed: 2 } satisfies Record<PriceVersion["source"], number>;

/** Numbers that are compared one after the other: the lesser one comes first. */
function rankOf(version: PriceVersion, fit: number): readonly number[] {
  const { source, channel, model, validFrom, daily } = version;
  const letters = model.replaceAll("*", "").length;
  return [
    source === "seed" ? 1 : 0,
    channel === null ? 1 : 0,
    fit,
    fit < 2 ? 0 : -letters,
    -validFrom,
    daily ? 0 : 1,
    sourceRank[source],
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [place, first] of a.entries()) {
    const difference = first - (b[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
