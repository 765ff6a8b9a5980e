import type { ModelInfo } from "@pydantic/genai-prices";
import { BoundedMap } from "../../accounts/bounded-map.ts";
import { holdsAt, type PriceVersion } from "./price-version.ts";
import { type SeedEntry, seedEntries } from "./seed-prices.ts";

/** What the data tells of a model's bounds. It tells nothing about the longest answer. */
export interface SeedLimits {
  /** Tokens of input and output together. */
  contextWindow: number;
}

/**
 * Prices and limits of known models, for those that nobody gave a price. A provider is named by an id of the data or
 * something like it (`openai`, `anthropic`, `google`, `vertex`, `mistral`, ...); undefined where it is not known: then the
 * model's maker counts, and after it the first provider that has a model of exactly this name.
 */
export interface SeedCatalogue {
  /** The provider behind a channel's base address, for `price` and `limits`; undefined where the data knows none. */
  providerOf(baseUrl: string): string | undefined;
  /**
   * The price of the upstream's model at a moment (unix milliseconds). Its id says which entry of the data it is and is
   * the same for ever; its `model` is the data's name. Undefined where the data has no price that we can charge.
   */
  price(provider: string | undefined, model: string, at: number): PriceVersion | undefined;
  limits(provider: string | undefined, model: string): SeedLimits | undefined;
}

interface SeedModel {
  /** As the data orders them: the last one that holds is the one to take. */
  entries: readonly SeedEntry[];
  limits: SeedLimits | undefined;
}

/** Models are looked up by a search through all of the data, which is why the answers are kept; callers may invent names. */
const rememberedModels = 4096;

/** Longer names are no model's. */
const longestName = 256;

/**
 * Reads the price data: about 800 KB of code that nothing else needs, so it is loaded when it is asked for the first
 * time. Nothing is fetched.
 */
export async function loadSeedCatalogue(): Promise<SeedCatalogue> {
  const { calcPrice, findProvider, waitForUpdate } = await import("@pydantic/genai-prices");
  const providers = (await waitForUpdate()) ?? [];
  const byExactName = new Map<string, string>();
  /** Some providers sell what another one lists: an entry's id names the one that lists it. */
  const listedBy = new Map<ModelInfo, string>();
  for (const { id, models } of providers) {
    for (const model of models) {
      const name = model.id.toLowerCase();
      if (!byExactName.has(name)) byExactName.set(name, id);
      listedBy.set(model, id);
    }
  }

  /** The package's own matching, by a calculation for no tokens. It does not depend on the moment. */
  const match = (model: string, providerId: string | undefined): SeedModel | undefined => {
    const found = calcPrice({}, model, { timestamp: new Date(0), ...(providerId === undefined ? {} : { providerId }) });
    if (!found) return undefined;
    const { context_window: contextWindow } = found.model;
    return {
      entries: seedEntries(listedBy.get(found.model) ?? found.provider.id, found.model),
      limits: contextWindow === undefined ? undefined : { contextWindow },
    };
  };

  const remembered = new BoundedMap<string, SeedModel | undefined>(rememberedModels);
  const lookUp = (provider: string | undefined, model: string): SeedModel | undefined => {
    if (model.length > longestName) return undefined;
    // The length keeps a caller's name of a model from reading like a provider and a model.
    const key = provider === undefined ? `:${model}` : `${provider.length}:${provider}${model}`;
    if (remembered.has(key)) return remembered.get(key);
    let found = match(model, provider);
    const holder = byExactName.get(model.toLowerCase());
    if (!found && provider === undefined && holder !== undefined) found = match(model, holder);
    remembered.set(key, found);
    return found;
  };

  return {
    providerOf: (baseUrl) => findProvider({ providerApiUrl: baseUrl })?.id,
    price: (provider, model, at) => lookUp(provider, model)?.entries.findLast((entry) => holdsAt(entry, at))?.version,
    limits: (provider, model) => lookUp(provider, model)?.limits,
  };
}
