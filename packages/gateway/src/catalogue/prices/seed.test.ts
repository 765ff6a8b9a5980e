import { readFileSync } from "node:fs";
import { calcPrice, type Provider, waitForUpdate } from "@pydantic/genai-prices";
import { beforeAll, describe, expect, it } from "vitest";
import { type BillableUsage, splitUsage } from "./billable-usage.ts";
import { chargeFor } from "./charge.ts";
import { holdsAt, readPriceVersion, writePriceVersion } from "./price-version.ts";
import { loadSeedCatalogue, type SeedCatalogue } from "./seed.ts";
import { decimalShifted, edition, seedEntries } from "./seed-prices.ts";

const now = Date.UTC(2026, 10, 21, 12);

let seed: SeedCatalogue;
let providers: Provider[];
beforeAll(async () => {
  seed = await loadSeedCatalogue();
  providers = (await waitForUpdate()) ?? [];
});

describe("seed prices", () => {
  it("the edition in the ids is the one that is installed", () => {
    const description = readFileSync(new URL("../package.json", import.meta.resolve("@pydantic/genai-prices")), "utf8");
    expect(edition).toBe(`genai-prices@${JSON.parse(description).version}`);
  });

  it("an example: dollars of the data are whole nano-dollars, under a lasting id", () => {
    expect(seed.price("anthropic", "claude-sonnet-4-5-20250929", now)).toEqual({
      id: "seed:genai-prices@0.1.8:anthropic:claude-sonnet-4-5",
      model: "claude-sonnet-4-5",
      channel: null,
      validFrom: 0,
      source: "seed",
      perRequest: 0n,
      serverTools: { web_search_requests: 10_000_000n },
      tiers: [
        {
          aboveInputTokens: 0,
          prices: {
            input: 3_000_000_000n,
            output: 15_000_000_000n,
            cacheRead: 300_000_000n,
            cacheWrite: 3_750_000_000n,
            cacheWrite1h: 6_000_000_000n,
          },
        },
        {
          aboveInputTokens: 200_000,
          prices: {
            input: 6_000_000_000n,
            output: 22_500_000_000n,
            cacheRead: 600_000_000n,
            cacheWrite: 7_500_000_000n,
            cacheWrite1h: 12_000_000_000n,
          },
        },
      ],
    });
  });

  it("what has first days and hours of the day has a version for each", () => {
    const at = (moment: number) => seed.price("deepseek", "deepseek-v4-flash", moment)?.id.split("#")[1];
    expect(at(Date.UTC(2026, 7, 16, 23, 59))).toBe("0");
    expect(at(Date.UTC(2026, 7, 17, 0, 0))).toBe("1");
    expect(at(Date.UTC(2026, 10, 21, 1, 0))).toBe("2");
    expect(at(Date.UTC(2026, 10, 21, 3, 59, 59, 999))).toBe("2");
    expect(at(Date.UTC(2026, 10, 21, 4, 0))).toBe("1");
    expect(at(Date.UTC(2026, 10, 21, 9, 0))).toBe("3");
  });

  it.each([
    ["the data has no amount at all", "openrouter", "qwen/qwq-32b:free"],
    ["it is sold by the hour of sound", "openai", "whisper-1"],
    ["it is sold by the page", "mistral", "mistral-ocr-latest"],
    ["its citations have a price that nobody counts", "perplexity", "sonar-deep-research"],
    ["its video has a price that nobody counts", "google", "gemini-omni-flash-preview"],
    ["the provider does not offer it", "anthropic", "gpt-5"],
    ["the provider is not known", "nobody", "gpt-5"],
    ["its name is no name", "anthropic", `claude-2${"x".repeat(256)}`],
    ["nobody offers it", undefined, "my-own-model"],
  ])("there is none where %s", (_why, provider, model) => {
    expect(seed.price(provider, model, now)).toBeUndefined();
  });

  it.each([
    [undefined, "claude-sonnet-4-5", "anthropic:claude-sonnet-4-5"],
    [undefined, "gpt-4o", "openai:gpt-4o"],
    [undefined, "gemini-2.5-flash", "google:gemini-2.5-flash"],
    // Its maker sells nothing under this name: the reseller who does.
    [undefined, "anthropic/claude-sonnet-4.5", "openrouter:anthropic/claude-sonnet-4.5"],
    ["vertex", "gemini-2.5-flash", "google:gemini-2.5-flash"],
    ["google", "claude-sonnet-4-5", "google:claude-sonnet-4-5"],
    ["openrouter", "openai/gpt-4o", "openrouter:openai/gpt-4o"],
    ["azure", "claude-sonnet-4-5", "anthropic:claude-sonnet-4-5"],
    ["mistral", "mistral-large-latest", "mistral:mistral-large"],
  ])("with the provider %s, %s is %s", (provider, model, entry) => {
    expect(seed.price(provider, model, now)?.id.split("#")[0]).toBe(`seed:${edition}:${entry}`);
  });

  it("a caller's name of a model does not stand in for a provider's", () => {
    for (const model of ["anthropic claude-opus-4-6", "9:anthropicclaude-opus-4-6", ":claude-opus-4-6"]) {
      seed.price(undefined, model, now);
      seed.price("", model, now);
    }
    expect(seed.price("anthropic", "claude-opus-4-6", now)?.model).toBe("claude-opus-4-6");
  });

  it.each([
    ["https://api.openai.com/v1", "openai"],
    ["https://api.anthropic.com", "anthropic"],
    ["https://generativelanguage.googleapis.com", "google"],
    ["https://api.mistral.ai/v1", "mistral"],
    ["https://acme.openai.azure.com/openai", "azure"],
    ["https://openrouter.ai/api/v1", "openrouter"],
    ["http://127.0.0.1:11434/v1", undefined],
    ["https://example.com/https://api.openai.com", undefined],
  ])("behind %s is %s", (baseUrl, provider) => {
    expect(seed.providerOf(baseUrl)).toBe(provider);
  });

  it("the context window, where the data tells it", () => {
    expect(seed.limits("openai", "gpt-4o")).toEqual({ contextWindow: 128_000 });
    expect(seed.limits("openai", "no-such-model")).toBeUndefined();
  });
});

describe("amounts of the data", () => {
  it.each([
    [0.0375, 9, 37_500_000n],
    [1e-7, 9, 100n],
    [2.5e21, 0, 2_500_000_000_000_000_000_000n],
    [0.1 + 0.2, 9, 300_000_000n],
    [0.08333333333333334, 9, 83_333_333n],
    [5e-10, 9, 1n],
    [4.9e-10, 9, 0n],
    [3, 9, 3_000_000_000n],
  ])("%d at %d places", (value, places, whole) => {
    expect(decimalShifted(value, places)).toBe(whole);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("%d is no price", (value) => {
    expect(() => decimalShifted(value, 9)).toThrow(`${value} is no price`);
  });
});

describe("beside the package's own calculation, for all models of its data", () => {
  const usages: BillableUsage[] = [
    { input: {}, output: {} },
    { input: { uncached: 1 }, output: { total: 1 } },
    { input: { uncached: 1_234, cacheRead: 567, cacheWrite: 89 }, output: { total: 4_321, reasoning: 1_000 } },
    { input: { uncached: 7_001, cacheWrite5m: 31, cacheWrite1h: 977 }, output: { total: 11 } },
    {
      input: { uncached: 900, cacheRead: 300 },
      output: { total: 77, audio: 40 },
      inputAudio: 1_000,
      serverTools: { web_search_requests: 3 },
    },
    { input: { uncached: 900 }, output: { total: 77, image: 40 }, inputImage: 100 },
    // Around the ends of context tiers.
    ...[127_999, 128_000, 128_001, 199_999, 200_000, 200_001, 272_000, 272_001, 512_001].map((whole) => ({
      input: { uncached: whole - 50_000, cacheRead: 40_000, cacheWrite: 10_000 },
      output: { total: 9_999 },
    })),
  ];
  const moments = [
    Date.UTC(2026, 2, 1),
    now,
    now + 60 * 86_400_000,
    Date.UTC(2026, 10, 21, 2, 30),
    Date.UTC(2026, 10, 21, 6),
  ];

  /** What the package counts: totals with their parts; it wants a count for each pair of parts that has a price. */
  const counted = (usage: BillableUsage) => {
    const { tokens, inputTokens, outputTokens, serverTools } = splitUsage(usage);
    return {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      output_reasoning_tokens: tokens.reasoning,
      output_audio_tokens: tokens.outputAudio,
      output_image_tokens: tokens.outputImage,
      input_audio_tokens: tokens.inputAudio + tokens.cacheReadAudio,
      input_image_tokens: tokens.inputImage + tokens.cacheReadImage,
      cache_read_tokens: tokens.cacheRead + tokens.cacheReadAudio + tokens.cacheReadImage,
      cache_audio_read_tokens: tokens.cacheReadAudio,
      cache_image_read_tokens: tokens.cacheReadImage,
      cache_write_tokens: tokens.cacheWrite + tokens.cacheWrite5m + tokens.cacheWrite1h,
      cache_write_5m_tokens: tokens.cacheWrite5m,
      cache_write_1h_tokens: tokens.cacheWrite1h,
      web_searches: Object.fromEntries(serverTools).web_search_requests ?? 0,
    };
  };

  it("M9 totals agree to within half a nano-dollar", () => {
    const differences: string[] = [];
    const without = new Set<string>();
    let compared = 0;
    for (const provider of providers) {
      for (const model of provider.models) {
        const entries = seedEntries(provider.id, model);
        // The package would match names; a provider with this one model makes it take this one.
        const alone = { ...provider, models: [{ ...model, match: { contains: "" } }] };
        for (const moment of moments) {
          const version = entries.findLast(({ validFrom, daily }) =>
            holdsAt({ validFrom, ...(daily ? { daily } : {}) }, moment),
          )?.version;
          if (!version) {
            without.add(`${provider.id}/${model.id}`);
            continue;
          }
          for (const usage of usages) {
            const theirs = calcPrice(counted(usage), "any", { provider: alone, timestamp: new Date(moment) });
            const ours = chargeFor(version, usage, { markupPpm: 0 }).total;
            const nano = (theirs?.total_price ?? Number.NaN) * 1e9;
            compared += 1;
            // A double of some dollars is exact to a millionth of a nano-dollar.
            if (!(Math.abs(nano - Number(ours)) <= 0.5 + 1e-6))
              differences.push(`${version.id}: ${ours} beside ${nano}`);
          }
        }
      }
    }
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(100_000);
    // What has no amount, or is sold by hours, pages, video or citations.
    expect(without.size).toBe(181);
  });

  it("every version keeps the rules of the form and has its own id", () => {
    const ids = new Set<string>();
    for (const provider of providers) {
      for (const model of provider.models) {
        for (const { version } of seedEntries(provider.id, model)) {
          if (!version) continue;
          expect(readPriceVersion(writePriceVersion(version))).toStrictEqual(version);
          expect(ids.has(version.id)).toBe(false);
          ids.add(version.id);
        }
      }
    }
    expect(ids.size).toBeGreaterThan(1400);
  });
});
