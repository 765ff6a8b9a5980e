import type { ModelCard } from "@interlingua/protocols";
import type { Channel } from "../channels/channel.ts";
import { matchesModel } from "../channels/model-pattern.ts";

/** The models that callers may name. */
export interface Catalogue {
  /** Those that the configuration names, in its order, each once. Models behind a `*` are reachable but not listed. */
  list(): readonly ModelCard[];
  /** One model, listed or fitting a pattern; undefined where no channel offers it. */
  find(id: string): ModelCard | undefined;
}

/** The catalogue of these channels. `since` is what the lists tell as a model's date, in unix seconds. */
export function createCatalogue(channels: readonly Channel[], since: number): Catalogue {
  const offered = channels.filter((channel) => channel.setting !== "disabled");
  const card = (id: string, channel: Channel): ModelCard => ({ id, createdAt: since, ownedBy: channel.name });
  const cards = new Map<string, ModelCard>();
  for (const channel of offered) {
    for (const { id } of channel.models) if (!id.includes("*") && !cards.has(id)) cards.set(id, card(id, channel));
  }
  const listed = [...cards.values()];
  return {
    list: () => listed,
    find(id) {
      const known = cards.get(id);
      if (known) return known;
      const channel = offered.find((each) => each.models.some((entry) => matchesModel(entry.id, id)));
      return channel ? card(id, channel) : undefined;
    },
  };
}
