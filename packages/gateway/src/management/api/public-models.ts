import { z } from "zod";
import type { ContextTier, PriceVersion } from "../../catalogue/prices/price-version.ts";
import { tokenClasses } from "../../catalogue/prices/token-class.ts";
import { capabilities } from "../../status/model-facts.ts";
import type { PublicModel, StatusBoard } from "../../status/status-board.ts";
import { apiRoute } from "../api-route.ts";
import { moneySchema, timeSchema } from "../api-schemas.ts";
import type { ManagementRoute } from "../routes.ts";
import {
  availabilitySchema,
  channelLabel,
  protocolSchema,
  shownChannelsSchema,
  shownStateSchema,
} from "./status-schemas.ts";

const priceSchema = z
  .object({
    currency: z.literal("USD"),
    tiers: z.array(
      z.object({
        above_input_tokens: z.number().int().describe("Holds where a call reads more tokens than this."),
        per_million: z
          .array(z.object({ class: z.enum(tokenClasses.map(snakeCase)), price: moneySchema }))
          .describe("Nano-dollars for a million tokens, by class. A class that is missing costs as its parent."),
      }),
    ),
    per_request: moneySchema,
    server_tools: z.array(z.object({ tool: z.string(), price: moneySchema })).describe("For each use."),
    varies: z.boolean().describe("Another price, or none, holds on some channels, or at other times of the day."),
  })
  .meta({ id: "ListPrice" });

const modelSchema = z
  .object({
    id: z.string().describe("What callers write as the model."),
    pattern: z.boolean().describe("With a '*': any name that fits it."),
    state: shownStateSchema,
    under_observation: z.boolean(),
    availability: availabilitySchema,
    families: z
      .array(z.object({ protocol: protocolSchema, lane: z.enum(["direct", "converted"]) }))
      .describe("The client protocols that reach it. 'direct': a channel speaks it, nothing is converted."),
    channel_count: z.number().int(),
    channels: z
      .array(z.object({ ...channelLabel, state: shownStateSchema, under_observation: z.boolean() }))
      .describe("None where channels are hidden."),
    price: priceSchema.nullable().describe("Null where there is no list price, as for patterns."),
    context_window: z.number().int().nullable().describe("Tokens of input and output together; null where unknown."),
    capabilities: z
      .array(z.enum(capabilities))
      .describe("As far as the price data tells; it does not tell everything."),
    speed: z
      .object({
        first_token_p50_ms: z.number().int(),
        first_token_p95_ms: z.number().int(),
        output_tokens_per_second: z.number().nullable(),
        few: z.boolean().describe("Measured on a few answers only."),
      })
      .nullable()
      .describe("Of streaming answers of the last 7 days; null where nothing was measured."),
  })
  .meta({ id: "PublicModel" });

const modelsSchema = z
  .object({ generated_at: timeSchema, shown_channels: shownChannelsSchema, items: z.array(modelSchema) })
  .meta({ id: "PublicModels" });

/** The models of the service for everybody, with what they cost and how fast they are. */
export function publicModelRoutes({ board }: { board: Pick<StatusBoard, "models"> }): ManagementRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/api/v1/public/models",
      tag: "Public",
      summary: "List published models",
      description: "The models that '/v1/models' lists, and the patterns. Needs no sign-in; up to 10 seconds old.",
      auth: "none",
      role: "anyone",
      scope: "installation",
      audit: "none",
      answer: modelsSchema,
      async handle() {
        const { generatedAt, shownChannels, models } = await board.models();
        const body = { generated_at: generatedAt, shown_channels: shownChannels, items: models.map(modelJson) };
        return { body };
      },
    }),
  ];
}

function modelJson(model: PublicModel): z.output<typeof modelSchema> {
  const { id, pattern, state, availability, speed } = model;
  return {
    id,
    pattern,
    state,
    under_observation: model.underObservation,
    availability,
    families: [...model.families],
    channel_count: model.channelCount,
    channels: model.channels.map(({ number, name, state: on, underObservation }) => ({
      number,
      name,
      state: on,
      under_observation: underObservation,
    })),
    price: model.price ? priceJson(model.price, model.pricesVary) : null,
    context_window: model.contextWindow,
    capabilities: [...model.capabilities],
    speed: speed && {
      first_token_p50_ms: speed.firstTokenP50,
      first_token_p95_ms: speed.firstTokenP95,
      output_tokens_per_second: speed.outputTokensPerSecond,
      few: speed.few,
    },
  };
}

function priceJson(version: PriceVersion, varies: boolean): z.output<typeof priceSchema> {
  const { tiers, perRequest, serverTools = {}, daily } = version;
  return {
    currency: "USD",
    tiers: tiers.map(tierJson),
    per_request: String(perRequest),
    server_tools: Object.entries(serverTools).map(([tool, price]) => ({ tool, price: String(price) })),
    varies: varies || daily !== undefined,
  };
}

function tierJson({ aboveInputTokens, prices }: ContextTier) {
  const perMillion = tokenClasses.flatMap((name) => {
    const price = prices[name];
    return price === undefined ? [] : [{ class: snakeCase(name), price: String(price) }];
  });
  return { above_input_tokens: aboveInputTokens, per_million: perMillion };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`);
}
