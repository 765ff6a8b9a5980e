import { AccountsError } from "../accounts/accounts-error.ts";
import { loadSeed } from "../catalogue/prices/load-seed.ts";
import { formatDollars } from "../catalogue/prices/money.ts";
import { listOperatorPrices, setPrice } from "../catalogue/prices/operator-prices.ts";
import { createPriceSource } from "../catalogue/prices/price-source.ts";
import type { PriceVersion } from "../catalogue/prices/price-version.ts";
import type { TokenClass } from "../catalogue/prices/token-class.ts";
import { matchesModel } from "../channels/model-pattern.ts";
import type { ChannelConfig } from "../config/config.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { runOnMoney } from "./open-money.ts";
import { dateText, table } from "./table.ts";

/** Prints the versions that people wrote: operators by commands, and the configuration. */
export async function listPrices(
  model: string | undefined,
  options: CommonOptions,
  context: CommandContext,
): Promise<void> {
  await runOnMoney(options, context, async ({ config, database }) => {
    const operators = await listOperatorPrices(database);
    const versions = [...operators.map(({ version }) => version), ...config.prices];
    const wanted = versions.filter((version) => model === undefined || fits(version.model, model));
    context.out(table([["MODEL", "CHANNEL", "FROM", "SOURCE", "PRICES", "ID"], ...wanted.map(listRow)]));
  });
}

function listRow(version: PriceVersion): string[] {
  return [
    version.model,
    version.channel ?? "all",
    version.validFrom === 0 ? "always" : dateText(version.validFrom),
    version.source,
    pricesText(version),
    version.id,
  ];
}

/** Prints by which version a model is charged now, on each channel that serves it. */
export async function showPrice(model: string, options: CommonOptions, context: CommandContext): Promise<void> {
  await runOnMoney(options, context, async ({ config, database, platform }) => {
    const seed = await loadSeed(config);
    const source = await createPriceSource({ database, config, now: platform.now, seed });
    const rows = config.channels.flatMap((channel) => {
      const upstreamModel = upstreamModelOf(channel, model);
      if (upstreamModel === undefined) return [];
      const question = { model, channel: channel.name, upstreamModel, at: platform.now() };
      const version = source.priceOf(question);
      if (!version) return [[channel.name, upstreamModel, "none", "-", "-"]];
      return [[channel.name, upstreamModel, pricesText(version), version.source, version.id]];
    });
    if (rows.length === 0) throw new AccountsError("unknown", `No channel serves a model "${model}"`);
    context.out(table([["CHANNEL", "UPSTREAM MODEL", "PRICES", "SOURCE", "ID"], ...rows]));
  });
}

/** What `prices set` is told, in nano-dollars for a million tokens. */
export type PriceOptions = CommonOptions & {
  channel?: string;
  input?: bigint;
  output?: bigint;
  cacheRead?: bigint;
  cacheWrite?: bigint;
  /** As commander names an option that ends in `-5m`. */
  cacheWrite5m?: bigint;
  cacheWrite1h?: bigint;
  reasoning?: bigint;
  request?: bigint;
  from?: number;
};

/** Adds a price; those before stay for the calls that they charged. */
export async function setModelPrice(model: string, options: PriceOptions, context: CommandContext): Promise<void> {
  const { channel = null, from: validFrom, request, input, output } = options;
  // A price that was left out by a slip would be a gift.
  if (request === undefined && (input === undefined || output === undefined)) {
    throw new AccountsError("invalid", "Say --input and --output, or --request for a price by call", "input");
  }
  const { cacheRead, cacheWrite, cacheWrite5m, cacheWrite1h, reasoning } = options;
  const others = Object.entries({ cacheRead, cacheWrite, cacheWrite5m, cacheWrite1h, reasoning });
  const named = Object.fromEntries(others.filter(([, amount]) => amount !== undefined));
  const prices = { input: input ?? 0n, output: output ?? 0n, ...named };
  await runOnMoney(options, context, async ({ config, database, platform, actor }) => {
    if (channel !== null && !config.channels.some(({ name }) => name === channel)) {
      context.err(`There is no channel "${channel}" in this configuration.\n`);
    }
    const price = { model, channel, prices, perRequest: request ?? 0n, validFrom };
    const version = await setPrice({ database, platform }, price, actor);
    context.err(`From ${dateText(version.validFrom)} on "${model}" costs: ${pricesText(version)}.\n`);
    context.out(`${version.id}\n`);
  });
}

function fits(pattern: string, model: string): boolean {
  return pattern === model || matchesModel(pattern, model);
}

function upstreamModelOf({ models }: ChannelConfig, model: string): string | undefined {
  const entry = models.find(({ id }) => id === model) ?? models.find(({ id }) => matchesModel(id, model));
  return entry && (entry.upstreamId ?? model);
}

/** Dollars for a million tokens of each class, and what else there is. */
function pricesText({ tiers, perRequest, serverTools }: PriceVersion): string {
  const [first, ...others] = tiers;
  const classes = Object.entries(first?.prices ?? {}).map(
    ([name, amount]) => `${classNames[name] ?? name} ${formatDollars(amount)}`,
  );
  const request = perRequest > 0n ? [`request ${formatDollars(perRequest)}`] : [];
  const tools = Object.entries(serverTools ?? {}).map(([name, amount]) => `${name} ${formatDollars(amount)}`);
  const more = others.length > 0 ? [`other prices above ${others[0]?.aboveInputTokens} input tokens`] : [];
  return [...classes, ...request, ...tools, ...more].join(", ");
}

const classNames: Readonly<Record<string, string>> = {
  cacheRead: "cache read",
  cacheWrite: "cache write",
  cacheWrite5m: "cache write 5m",
  cacheWrite1h: "cache write 1h",
  inputAudio: "audio in",
  inputImage: "images in",
  outputAudio: "audio out",
  outputImage: "images out",
} satisfies Partial<Record<TokenClass, string>>;
