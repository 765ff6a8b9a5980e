import type { StatusSettings } from "../config/config.ts";

/** How everybody may see a channel: by its place in the list, and by its name where the operator shows names. */
export interface ChannelLabel {
  /** From 1. */
  number: number;
  /** Null where names are not shown. */
  name: string | null;
}

/** The labels of channels in their order; of none where channels are hidden. */
export function channelLabels(
  names: readonly string[],
  shown: StatusSettings["channels"],
): ReadonlyMap<string, ChannelLabel> {
  if (shown === "hidden") return new Map();
  return new Map(names.map((name, at) => [name, { number: at + 1, name: shown === "names" ? name : null }]));
}
