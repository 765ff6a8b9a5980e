import type { Config } from "../../config/config.ts";
import type { Database, Statement } from "../../storage/database.ts";
import { createPriceBook, type PriceBook } from "./price-book.ts";
import { type PriceVersion, readPriceVersion, writePriceVersion } from "./price-version.ts";
import type { SeedCatalogue, SeedLimits } from "./seed.ts";

/** What a call asks a price for. */
interface PriceQuestion {
  model: string;
  channel: string;
  upstreamModel: string;
  /** Unix milliseconds. */
  at: number;
}

/** Where the prices of calls come from: the operator's and the configuration's, then the data of known models. */
export interface PriceSource {
  /** The version that holds for a call; undefined where the model has no price. */
  priceOf(question: PriceQuestion): PriceVersion | undefined;
  /** What is known of a model's bounds. */
  limitsOf(channel: string, upstreamModel: string): SeedLimits | undefined;
  /**
   * What keeps a version for ever, to be written in one unit with the first call that it prices; undefined for one that is
   * kept. Tell by `wasKept` when the unit is durable.
   */
  keep(version: PriceVersion): Statement | undefined;
  wasKept(version: PriceVersion): void;
  /** Reads the operator's versions again. Rejects with a StorageError. */
  reload(): Promise<void>;
}

export interface PriceSourceOptions {
  database: Database;
  config: Pick<Config, "prices" | "channels">;
  now: () => number;
  /** Undefined: known models have no price of their own. */
  seed: SeedCatalogue | undefined;
}

export async function createPriceSource({ database, config, now, seed }: PriceSourceOptions): Promise<PriceSource> {
  /** Ids of versions that are in the database. */
  const kept = new Set<string>();
  const providers = new Map(
    config.channels.map((channel) => [channel.name, channel.sandbox ? undefined : seed?.providerOf(channel.baseUrl)]),
  );
  const sandboxes = new Set(config.channels.filter(({ sandbox }) => sandbox).map(({ name }) => name));
  let book: PriceBook = createPriceBook(config.prices);

  const reload = async () => {
    const rows = await database.read
      .selectFrom("price_version")
      .select(["id", "prices", "source"])
      .where("source", "=", "operator")
      .execute();
    for (const { id } of rows) kept.add(id);
    book = createPriceBook([...config.prices, ...rows.map(({ prices }) => readPriceVersion(JSON.parse(prices)))]);
  };
  await reload();

  return {
    priceOf({ model, channel, upstreamModel, at }) {
      const own = book.resolve(model, channel, upstreamModel, at);
      if (own || sandboxes.has(channel)) return own;
      return seed?.price(providers.get(channel), upstreamModel, at);
    },
    limitsOf: (channel, upstreamModel) => seed?.limits(providers.get(channel), upstreamModel),
    keep(version) {
      if (kept.has(version.id)) return undefined;
      return database.build
        .insertInto("price_version")
        .values({
          id: version.id,
          model: version.model,
          channel: version.channel,
          valid_from: version.validFrom,
          source: version.source,
          prices: JSON.stringify(writePriceVersion(version)),
          created_at: now(),
        })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .compile();
    },
    wasKept: ({ id }) => void kept.add(id),
    reload,
  };
}
