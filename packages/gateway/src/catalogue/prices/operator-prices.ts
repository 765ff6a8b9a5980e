import { AccountsError } from "../../accounts/accounts-error.ts";
import { type Author, type ChangeOptions, writeChange } from "../../accounts/change-unit.ts";
import type { Database } from "../../storage/database.ts";
import { formatDollars, maxMoney } from "./money.ts";
import { type PriceVersion, readPriceVersion, writePriceVersion } from "./price-version.ts";
import type { TokenPrices } from "./token-class.ts";

/** A price that an operator sets. Amounts in nano-dollars. */
export interface NewPrice {
  /** A model's identifier; `*` stands for any run of characters. */
  model: string;
  /** The name of the one channel for which it holds; null: all of them. */
  channel: string | null;
  /** For a million tokens. */
  prices: TokenPrices;
  /** For each call. */
  perRequest: bigint;
  /** Unix milliseconds; from now on unless told otherwise. Not in the past: what was charged is charged. */
  validFrom?: number | undefined;
}

/** A version that an operator has set, and when. */
export interface OperatorPrice {
  version: PriceVersion;
  createdAt: number;
}

/**
 * Adds a version to those there are, which stay: a call goes by the one that held at its admission (M18). Running gateways
 * follow within a second. Rejects with an AccountsError of code `invalid`.
 */
export async function setPrice(options: ChangeOptions, price: NewPrice, actor: Author): Promise<PriceVersion> {
  const { database, platform } = options;
  const now = platform.now();
  const version = versionOf(price, platform.id("price"), now);
  const insert = database.build
    .insertInto("price_version")
    .values({
      id: version.id,
      model: version.model,
      channel: version.channel,
      valid_from: version.validFrom,
      source: version.source,
      prices: JSON.stringify(writePriceVersion(version)),
      created_at: now,
    })
    .compile();
  const told = Object.entries(price.prices).map(([name, amount]) => [name, formatDollars(amount)]);
  await writeChange(options, [insert], [{ entity: "price", id: version.id }], {
    actor,
    action: "price.set",
    target: { kind: "price", id: version.id },
    accountId: null,
    detail: {
      model: version.model,
      channel: version.channel,
      valid_from: version.validFrom,
      ...Object.fromEntries(told),
      request: formatDollars(version.perRequest),
    },
  });
  return version;
}

/** All versions that operators have set, the newest first. */
export async function listOperatorPrices({ read }: Pick<Database, "read">): Promise<OperatorPrice[]> {
  const rows = await read
    .selectFrom("price_version")
    .select(["prices", "created_at"])
    .where("source", "=", "operator")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({ version: readPriceVersion(JSON.parse(row.prices)), createdAt: row.created_at }));
}

function versionOf({ model, channel, prices, perRequest, validFrom }: NewPrice, id: string, now: number): PriceVersion {
  if (!/^[\w.:/@*-]{1,128}$/.test(model)) {
    throw invalid("model", `"${model.slice(0, 128)}" is no name of a model, with * for any run of characters`);
  }
  if (channel !== null && (channel === "" || channel.length > 64)) {
    throw invalid("channel", "The name of a channel has 1 to 64 characters");
  }
  for (const amount of [...Object.values(prices), perRequest]) {
    if (amount < 0n || amount > maxMoney) throw invalid("price", "A price is at least $0.00");
  }
  if (validFrom !== undefined && (!Number.isSafeInteger(validFrom) || validFrom < now)) {
    throw invalid("from", "A price cannot hold from a time that has passed");
  }
  return {
    id: `operator:${id}`,
    model,
    channel,
    validFrom: validFrom ?? now,
    source: "operator",
    tiers: [{ aboveInputTokens: 0, prices }],
    perRequest,
  };
}

function invalid(field: string, message: string): AccountsError {
  return new AccountsError("invalid", message, field);
}
