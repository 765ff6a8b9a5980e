import type { ModelCard } from "@interlingua/protocols";
import type { Channel } from "../channels/channel.ts";
import { matchesModel } from "../channels/model-pattern.ts";
import type { ModelEntry } from "../config/config.ts";

/** What the catalogue looks at in a channel. */
export type OfferingChannel = Pick<Channel, "name" | "protocols" | "models" | "setting">;

/** One channel that serves a model, by the entry of its list that fits. */
export interface ModelOffer<Offering extends OfferingChannel = OfferingChannel> {
  channel: Offering;
  entry: ModelEntry;
}

/** A name under which models are offered, with the channels that serve it. */
export interface PublishedModel<Offering extends OfferingChannel = OfferingChannel> {
  /** What callers write; with a `*` any name that fits it. */
  id: string;
  pattern: boolean;
  /** Those that take calls, in the order of the configuration. Never empty. */
  offers: readonly ModelOffer<Offering>[];
  /** All channels that serve it are under observation. */
  underObservation: boolean;
}

/** The models that callers may name. What the model lists and the public pages show comes from here alone. */
export interface Catalogue<Offering extends OfferingChannel = OfferingChannel> {
  /** Those that the channels name, in their order, each once. Models behind a `*` are reachable but not listed. */
  list(): readonly ModelCard[];
  /** One model, listed or fitting a pattern; undefined where no channel offers it. */
  find(id: string): ModelCard | undefined;
  /** All channels, those that take no calls included. */
  channels(): readonly Offering[];
  /** The listed ones and the patterns, in the order of the channels. */
  published(): readonly PublishedModel<Offering>[];
  /**
   * The published name that calls to `model` count to: the model's own where it is listed, else the pattern by which the
   * channel serves it, of all channels where none is given. Undefined where it is not offered any more. There are no more
   * such names than entries in the channels' lists, whatever callers write.
   */
  publishedName(model: string, channel?: string): string | undefined;
}

/**
 * The catalogue of the channels that there are at the moment of each question; `channels` gives the same list as long as
 * nothing has changed. `since` is what the lists tell as a model's date, in unix seconds.
 */
export function createCatalogue<Offering extends OfferingChannel>(
  channels: () => readonly Offering[],
  since: number,
): Catalogue<Offering> {
  let known: { of: readonly Offering[]; snapshot: Snapshot<Offering> } | undefined;
  const now = (): Snapshot<Offering> => {
    const all = channels();
    if (known?.of !== all) known = { of: all, snapshot: snapshotOf(all, since) };
    return known.snapshot;
  };
  return {
    list: () => now().listed,
    find(id) {
      const { cards, offersOf } = now();
      const card = cards.get(id);
      if (card) return card;
      const offers = offersOf(id);
      return offers[0] && cardOf(id, offers[0].channel, since, allObserved(offers));
    },
    channels: () => now().all,
    published: () => now().published,
    publishedName(model, channel) {
      const { cards, all, published } = now();
      if (cards.has(model)) return model;
      if (channel === undefined) return published.find(({ id, pattern }) => pattern && matchesModel(id, model))?.id;
      const entries = all.find(({ name }) => name === channel)?.models ?? [];
      return entries.find(({ id }) => matchesModel(id, model))?.id;
    },
  };
}

interface Snapshot<Offering extends OfferingChannel> {
  all: readonly Offering[];
  published: readonly PublishedModel<Offering>[];
  cards: ReadonlyMap<string, ModelCard>;
  listed: readonly ModelCard[];
  /** The channels that serve a name and take calls. */
  offersOf(name: string): readonly ModelOffer<Offering>[];
}

function snapshotOf<Offering extends OfferingChannel>(all: readonly Offering[], since: number): Snapshot<Offering> {
  const offered = all.filter((channel) => channel.setting !== "disabled");
  const offersOf = offerIndex(offered);
  const names = new Set(offered.flatMap(({ models }) => models.map(({ id }) => id)));
  const published = [...names].map((id): PublishedModel<Offering> => {
    const offers = offersOf(id);
    return { id, pattern: id.includes("*"), offers, underObservation: allObserved(offers) };
  });
  const cards = new Map<string, ModelCard>();
  for (const { id, pattern, offers, underObservation } of published) {
    const [first] = offers;
    if (!pattern && first) cards.set(id, cardOf(id, ownerOf(offers, id) ?? first.channel, since, underObservation));
  }
  return { all, published, cards, listed: [...cards.values()], offersOf };
}

/**
 * Finds the channels that serve a name, as the choice of a channel sees it: in their order, and in each an exact entry
 * before one that fits. Entries without a `*` are looked up, so that ten thousand of them cost nothing.
 */
function offerIndex<Offering extends OfferingChannel>(
  channels: readonly Offering[],
): (name: string) => ModelOffer<Offering>[] {
  const exact = new Map<string, Map<number, ModelOffer<Offering>>>();
  const patterns: { at: number; offer: ModelOffer<Offering> }[] = [];
  for (const [at, channel] of channels.entries()) {
    for (const entry of channel.models) {
      if (entry.id.includes("*")) patterns.push({ at, offer: { channel, entry } });
      const named = exact.get(entry.id) ?? new Map<number, ModelOffer<Offering>>();
      exact.set(entry.id, named);
      if (!named.has(at)) named.set(at, { channel, entry });
    }
  }
  return (name) => {
    const offers = new Map(exact.get(name));
    for (const { at, offer } of patterns) {
      if (!offers.has(at) && matchesModel(offer.entry.id, name)) offers.set(at, offer);
    }
    return [...offers].sort(([a], [b]) => a - b).map(([, offer]) => offer);
  };
}

/** The first channel that names the model itself. */
function ownerOf<Offering extends OfferingChannel>(
  offers: readonly ModelOffer<Offering>[],
  id: string,
): Offering | undefined {
  return offers.find(({ entry }) => entry.id === id)?.channel;
}

function allObserved(offers: readonly ModelOffer[]): boolean {
  return offers.every(({ channel }) => channel.setting === "under_observation");
}

function cardOf(id: string, { name }: OfferingChannel, since: number, underObservation: boolean): ModelCard {
  return { id, createdAt: since, ownedBy: name, ...(underObservation ? { underObservation } : {}) };
}
