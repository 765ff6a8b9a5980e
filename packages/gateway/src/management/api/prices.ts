import { z } from "zod";
import type { ChangeOptions } from "../../accounts/change-unit.ts";
import { listOperatorPrices, setPrice } from "../../catalogue/prices/operator-prices.ts";
import type { PriceSource } from "../../catalogue/prices/price-source.ts";
import type { PriceVersion } from "../../catalogue/prices/price-version.ts";
import { type TokenClass, tokenClasses } from "../../catalogue/prices/token-class.ts";
import type { Catalogue } from "../../catalogue/published-models.ts";
import type { Config } from "../../config/config.ts";
import { apiRoute } from "../api-route.ts";
import { moneySchema, timeSchema } from "../api-schemas.ts";
import type { ManagementRoute } from "../routes.ts";
import { amountInput } from "./account-schemas.ts";
import { orRefused } from "./accounts-failure.ts";

type Named<Value> = { [Class in TokenClass]?: Value };

/** `cacheWrite5m` is `cache_write_5m` in the API. */
const apiNames: Readonly<Record<TokenClass, string>> = {
  input: "input",
  inputAudio: "input_audio",
  inputImage: "input_image",
  cacheRead: "cache_read",
  cacheReadAudio: "cache_read_audio",
  cacheReadImage: "cache_read_image",
  cacheWrite: "cache_write",
  cacheWrite5m: "cache_write_5m",
  cacheWrite1h: "cache_write_1h",
  output: "output",
  reasoning: "reasoning",
  outputAudio: "output_audio",
  outputImage: "output_image",
};

const versionSchema = z
  .object({
    id: z.string(),
    model: z.string().describe("A model, or a pattern with '*'."),
    channel: z.string().nullable().describe("Null: on all channels."),
    source: z.enum(["operator", "configuration", "seed"]).describe("`seed`: the data of known models."),
    valid_from: timeSchema,
    tiers: z.array(
      z.object({
        above_input_tokens: z.number().int().describe("Holds for calls that read more tokens than this."),
        prices: z.record(z.string(), moneySchema).describe("Nano-dollars for a million tokens, by class of tokens."),
      }),
    ),
    per_request: moneySchema.describe("Nano-dollars for each call."),
  })
  .meta({ id: "PriceVersion" });

const currentSchema = z
  .object({
    model: z.string(),
    channel: z.string(),
    upstream_model: z.string(),
    price: versionSchema.nullable().describe("Null: the model has no price there."),
  })
  .meta({ id: "CurrentPrice" });

/** Rows of one answer: channels may list thousands of models. */
const mostShown = 1000;

const newPriceBody = z.strictObject({
  model: z.string().min(1).max(128).describe("A model, or a pattern with '*'."),
  channel: z.string().min(1).max(64).nullable().default(null).describe("Null: on all channels."),
  prices: z
    .strictObject({
      input: amountInput,
      output: amountInput,
      cache_read: amountInput.optional(),
      cache_write: amountInput.optional(),
      cache_write_5m: amountInput.optional(),
      cache_write_1h: amountInput.optional(),
      reasoning: amountInput.optional(),
    })
    .describe("Nano-dollars for a million tokens."),
  per_request: amountInput.optional().describe("Nano-dollars for each call."),
  valid_from: z
    .number()
    .int()
    .optional()
    .describe("Unix milliseconds, not in the past; from now on unless told otherwise."),
});

export interface PriceRoutesParts extends ChangeOptions {
  prices: Pick<PriceSource, "priceOf">;
  catalogue: Catalogue;
  config: Pick<Config, "prices">;
}

const common = { tag: "Prices", role: "operator", scope: "installation" } as const;

/** What calls cost: the price that holds on each channel, and those that people have set. */
export function priceRoutes({ prices, catalogue, config, ...change }: PriceRoutesParts): ManagementRoute[] {
  const { database, platform } = change;
  return [
    apiRoute({
      ...common,
      method: "GET",
      path: "/api/v1/prices",
      summary: "List prices in force",
      description: `For each model that a channel names. At most ${mostShown}: 'cut' tells where there are more.`,
      audit: "none",
      query: z.object({ search: z.string().trim().min(1).max(128).optional().describe("A part of the model's name.") }),
      answer: z.object({ items: z.array(currentSchema), cut: z.boolean() }),
      async handle({ query: { search = "" } }) {
        const at = platform.now();
        const wanted = search.toLowerCase();
        const items: z.input<typeof currentSchema>[] = [];
        for (const { name: channel, models } of catalogue.channels()) {
          for (const { id: model, upstreamId } of models) {
            if (!model.toLowerCase().includes(wanted)) continue;
            if (items.length === mostShown) return { body: { items, cut: true } };
            const upstreamModel = upstreamId ?? model;
            const price = prices.priceOf({ model, channel, upstreamModel, at });
            items.push({ model, channel, upstream_model: upstreamModel, price: price ? versionJson(price) : null });
          }
        }
        return { body: { items, cut: false } };
      },
    }),
    apiRoute({
      ...common,
      method: "GET",
      path: "/api/v1/price-versions",
      summary: "List prices that people have set",
      description: "By operators, the newest first, then those of the configuration file. None is ever changed.",
      audit: "none",
      answer: z.object({
        items: z.array(versionSchema.extend({ created_at: timeSchema.nullable() }).meta({ id: "SetPriceVersion" })),
      }),
      async handle() {
        const set = await listOperatorPrices(database);
        const own = set.map(({ version, createdAt }) => ({ ...versionJson(version), created_at: createdAt }));
        const declared = config.prices.map((version) => ({ ...versionJson(version), created_at: null }));
        return { body: { items: [...own, ...declared] } };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/price-versions",
      summary: "Set a price",
      description: "Adds a version; those before stay for the calls that they charged.",
      audit: "price.set",
      body: newPriceBody,
      answer: versionSchema,
      status: 201,
      async handle(call) {
        const { model, channel, prices: given, per_request: perRequest = 0n, valid_from: validFrom } = call.body;
        const { input, output } = given;
        const set = { input, output, ...classesOf(given) };
        const version = await orRefused(setPrice(change, { model, channel, prices: set, perRequest, validFrom }, call));
        return { body: versionJson(version) };
      },
    }),
  ];
}

/** The classes of tokens by the names that the rest of the program gives them. */
function classesOf(given: z.output<typeof newPriceBody>["prices"]): Named<bigint> {
  const amounts = new Map<string, bigint | undefined>(Object.entries(given));
  const named: Named<bigint> = {};
  for (const tokenClass of tokenClasses) {
    const amount = amounts.get(apiNames[tokenClass]);
    if (amount !== undefined) named[tokenClass] = amount;
  }
  return named;
}

function versionJson(version: PriceVersion): z.input<typeof versionSchema> {
  const { id, model, channel, source, validFrom, tiers, perRequest } = version;
  return {
    id,
    model,
    channel,
    source,
    valid_from: validFrom,
    tiers: tiers.map(({ aboveInputTokens, prices }) => ({
      above_input_tokens: aboveInputTokens,
      prices: Object.fromEntries(
        tokenClasses.flatMap((tokenClass) => {
          const amount = prices[tokenClass];
          return amount === undefined ? [] : [[apiNames[tokenClass], String(amount)]];
        }),
      ),
    })),
    per_request: String(perRequest),
  };
}
