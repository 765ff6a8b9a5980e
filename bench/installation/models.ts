import type { ProtocolName } from "@interlingua/protocols";
import type { PriceVersion } from "../../packages/gateway/src/catalogue/prices/price-version.ts";

/** A model of the made-up past. Prices in nano-dollars a token, so that every line of a charge is exact. */
export interface PastModel {
  id: string;
  protocol: ProtocolName;
  channels: readonly [string, ...string[]];
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  /** How often it is called. */
  weight: number;
  /** Typical wait for the first token, in milliseconds. */
  firstTokenMs: number;
  tokensPerSecond: number;
  /** Which part of the output is hidden reasoning, at most. */
  reasoning: number;
}

const model = (
  id: string,
  protocol: ProtocolName,
  channels: readonly [string, ...string[]],
  [input, cacheRead, cacheWrite, output]: readonly [number, number, number, number],
  [weight, firstTokenMs, tokensPerSecond, reasoning]: readonly [number, number, number, number],
): PastModel => ({
  id,
  protocol,
  channels,
  input,
  cacheRead,
  cacheWrite,
  output,
  weight,
  firstTokenMs,
  tokensPerSecond,
  reasoning,
});

export const models: readonly [PastModel, ...PastModel[]] = [
  model(
    "claude-sonnet-4-5",
    "messages",
    ["anthropic-main", "anthropic-eu"],
    [3000, 300, 3750, 15_000],
    [26, 900, 75, 0.3],
  ),
  model("claude-opus-4-5", "messages", ["anthropic-main"], [5000, 500, 6250, 25_000], [9, 1400, 55, 0.4]),
  model("claude-haiku-4-5", "messages", ["anthropic-main", "anthropic-eu"], [1000, 100, 1250, 5000], [13, 420, 140, 0]),
  model("gpt-5.2", "responses", ["openai-main", "azure-east"], [1750, 175, 1750, 14_000], [15, 1100, 80, 0.6]),
  model("gpt-5-mini", "responses", ["openai-main", "azure-east"], [250, 25, 250, 2000], [14, 520, 120, 0.3]),
  model("gemini-3-pro", "generate-content", ["gemini-main"], [2000, 200, 2000, 12_000], [8, 1250, 95, 0.5]),
  model("gemini-3-flash", "generate-content", ["gemini-main"], [500, 50, 500, 3000], [7, 380, 190, 0.2]),
  model("deepseek-v3.2", "chat-completions", ["deepinfra"], [280, 30, 280, 420], [4, 780, 60, 0]),
  model("qwen3-coder", "chat-completions", ["deepinfra"], [300, 300, 300, 1200], [3, 640, 85, 0]),
  model("mistral-large-3", "chat-completions", ["mistral"], [500, 500, 500, 1500], [1, 560, 70, 0]),
];

/** The channels of the past with what they speak and offer, as a configuration file names them. */
export function configuredChannels(upstream: string): object[] {
  const names = [...new Set(models.flatMap(({ channels }) => channels))];
  return names.map((name) => {
    const offered = models.filter(({ channels }) => channels.includes(name));
    const protocols = [...new Set(offered.map(({ protocol }) => protocol))];
    const needsVersion = protocols.includes("responses") || protocols.includes("chat-completions");
    return {
      name,
      protocols,
      base_url: needsVersion ? `${upstream}/v1` : upstream,
      api_key: `made-up-credential-of-${name}`,
      models: offered.map(({ id }) => id),
      ...(name === "mistral" ? { status: "under_observation" } : {}),
      ...(name === "azure-east" || name === "anthropic-eu" ? { priority: -10 } : {}),
    };
  });
}

/** The version of a model's price by which all of its calls were charged. */
export function priceVersionOf(model: PastModel, validFrom: number): PriceVersion {
  const perMillion = (nano: number) => BigInt(nano) * 1_000_000n;
  return {
    id: `operator:price_of_${model.id}`,
    model: model.id,
    channel: null,
    validFrom,
    source: "operator",
    tiers: [
      {
        aboveInputTokens: 0,
        prices: {
          input: perMillion(model.input),
          cacheRead: perMillion(model.cacheRead),
          cacheWrite: perMillion(model.cacheWrite),
          output: perMillion(model.output),
        },
      },
    ],
    perRequest: 0n,
  };
}
