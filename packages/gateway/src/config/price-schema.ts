import { createHash } from "node:crypto";
import { z } from "zod";
import { type PriceVersion, writePriceVersion } from "../catalogue/prices/price-version.ts";
import type { TokenPrices } from "../catalogue/prices/token-class.ts";
import { nameText } from "./channel-schema.ts";
import { dollars } from "./dollars.ts";
import { count } from "./quantity.ts";

/** Beyond ten million dollars for a million tokens, or a call, it is a slip of the pen. */
const price = () => dollars(10_000_000_000_000_000n);

const tokenPrices = {
  input: price(),
  cache_read: price().optional(),
  cache_write: price().optional(),
  cache_write_5m: price().optional(),
  cache_write_1h: price().optional(),
  input_audio: price().optional(),
  input_image: price().optional(),
  output: price(),
  reasoning: price().optional(),
  output_audio: price().optional(),
  output_image: price().optional(),
};

const tokenPriceFields = z.strictObject(tokenPrices);

/** A factor such as `50%`, in millionths. */
const percent = z
  .string("must be a percentage such as 50%")
  .regex(/^[0-9]{1,5}(\.[0-9]{1,4})?%$/, "must be a percentage such as 50%")
  .transform((text) => Math.round(Number(text.slice(0, -1)) * 10_000));

/** One entry of `prices`: dollars for a million tokens, and for a call. */
export const priceSchema = z
  .strictObject({
    model: z
      .string("must be a text")
      .regex(/^[\w.:/@*-]{1,128}$/, "must be a model name, with * for any run of characters"),
    channel: nameText.optional(),
    ...tokenPrices,
    input: price().default(0n),
    output: price().default(0n),
    request: price().default(0n),
    tools: z.record(z.string().regex(/^\w{1,64}$/, "must be the name of a counter"), price()).optional(),
    above: z
      .array(tokenPriceFields.extend({ input_tokens: count(0) }), "must be a list")
      .max(8)
      .default([]),
    service_tiers: z
      .strictObject({ flex: percent.optional(), priority: percent.optional(), batch: percent.optional() })
      .optional(),
  })
  .refine(({ above }) => above.every((tier, place) => tier.input_tokens > (above[place - 1]?.input_tokens ?? 0)), {
    path: ["above"],
    message: "must rise by input_tokens",
  })
  .transform((entry): PriceVersion => {
    const { model, channel, request, tools, above, service_tiers: service } = entry;
    const tiers = [
      { aboveInputTokens: 0, prices: pricesOf(entry) },
      ...above.map((tier) => ({ aboveInputTokens: tier.input_tokens, prices: pricesOf(tier) })),
    ];
    const factors = Object.entries(service ?? {}).flatMap(([name, multiplierPpm]) =>
      multiplierPpm === undefined ? [] : [[name, { multiplierPpm }]],
    );
    const version = {
      id: "configuration",
      model,
      channel: channel ?? null,
      validFrom: 0,
      source: "configuration" as const,
      tiers,
      perRequest: request,
      ...(tools === undefined ? {} : { serverTools: tools }),
      ...(factors.length === 0 ? {} : { serviceTiers: Object.fromEntries(factors) }),
    };
    return { ...version, id: idOf(version) };
  });

type Fields = z.output<typeof tokenPriceFields>;

function pricesOf(fields: Omit<Fields, "input" | "output"> & { input: bigint; output: bigint }): TokenPrices {
  const named = {
    cacheRead: fields.cache_read,
    cacheWrite: fields.cache_write,
    cacheWrite5m: fields.cache_write_5m,
    cacheWrite1h: fields.cache_write_1h,
    inputAudio: fields.input_audio,
    inputImage: fields.input_image,
    reasoning: fields.reasoning,
    outputAudio: fields.output_audio,
    outputImage: fields.output_image,
  };
  const told = Object.fromEntries(Object.entries(named).filter(([, price]) => price !== undefined));
  return { input: fields.input, output: fields.output, ...told };
}

/** The same prices have the same id, other prices another: what a call was charged by can always be told. */
function idOf(version: PriceVersion): string {
  const digest = createHash("sha256")
    .update(JSON.stringify(writePriceVersion(version)))
    .digest("hex");
  return `configuration:${digest.slice(0, 24)}`;
}
