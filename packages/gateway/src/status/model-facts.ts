import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import type { PriceSource } from "../catalogue/prices/price-source.ts";
import type { PriceVersion } from "../catalogue/prices/price-version.ts";
import type { ModelOffer, PublishedModel } from "../catalogue/published-models.ts";

/** What the price data tells that a model can do. It does not tell everything. */
export const capabilities = [
  "audio_input",
  "image_input",
  "image_input",
  "audio_output",
  "image_output",
  "prompt_caching",
  "reasoning",
  "web_search",
  "long_context_tier",
] as const;
type Capability = (typeof capabilities)[number];

/** What is known of a model without any call to it. */
export interface ModelFacts {
  /** Every family reaches every model; `direct`: nothing is converted on a channel that speaks it. */
  families: readonly { protocol: ProtocolName; lane: "direct" | "converted" }[];
  /** The list price on the first channel that has one; undefined where there is none, as for patterns. */
  price: PriceVersion | undefined;
  /** Channels that ask another price, or none. */
  pricesVary: boolean;
  /** Tokens of input and output together; null where it is not known. */
  contextWindow: number | null;
  capabilities: readonly Capability[];
}

export function modelFacts(
  model: PublishedModel,
  prices: Pick<PriceSource, "priceOf" | "limitsOf">,
  at: number,
): ModelFacts {
  const families = protocolNames.map((protocol) => {
    const direct = model.offers.some((offer) => protocolsOf(offer).includes(protocol));
    return { protocol, lane: direct ? ("direct" as const) : ("converted" as const) };
  });
  if (model.pattern) return { families, price: undefined, pricesVary: false, contextWindow: null, capabilities: [] };
  const priced = model.offers.map(({ channel, entry }) =>
    prices.priceOf({ model: model.id, channel: channel.name, upstreamModel: entry.upstreamId ?? model.id, at }),
  );
  const windows = model.offers.flatMap(({ channel, entry }) => {
    const limits = prices.limitsOf(channel.name, entry.upstreamId ?? model.id);
    return limits ? [limits.contextWindow] : [];
  });
  const price = priced.find((version) => version !== undefined);
  return {
    families,
    price,
    pricesVary: new Set(priced.map((version) => version?.id)).size > 1,
    // The least that holds on whichever channel serves the call.
    contextWindow: windows.length === 0 ? null : Math.min(...windows),
    capabilities: price ? capabilitiesOf(price) : [],
  };
}

function protocolsOf({ channel, entry }: ModelOffer): readonly ProtocolName[] {
  return entry.protocols ?? channel.protocols;
}

function capabilitiesOf({ tiers, serverTools = {} }: PriceVersion): Capability[] {
  const prices = tiers[0]?.prices;
  const has: Record<Capability, boolean> = {
    audio_input: prices?.inputAudio !== undefined,
    image_input: prices?.inputImage !== undefined,
    audio_output: prices?.outputAudio !== undefined,
    image_output: prices?.outputImage !== undefined,
    prompt_caching: prices?.cacheRead !== undefined,
    reasoning: prices?.reasoning !== undefined,
    web_search: "web_search_requests" in serverTools,
    long_context_tier: tiers.length > 1,
  };
  return capabilities.filter((name) => has[name]);
}
