import type { BilledAttempt } from "../support/provider.ts";

/** Nano-dollars that a call of the model `per-request` costs, whatever its size. */
export const requestPrice = 1_000_000n;

/** The part of the configuration that gives the simulated models their prices, in dollars for a million tokens. */
export const pricedModels = {
  prices: [
    { model: "to-*", input: 3, output: 15, request: 0.0001 },
    { model: "kept-*", input: 3, output: 15, request: 0.0001 },
    { model: "per-request", request: 0.001 },
  ],
};

/** Nano-dollars that a call of a model `to-*` or `kept-*` costs by what the provider bills. */
export function priceOf({ inputTokens, outputTokens }: BilledAttempt): bigint {
  return 100_000n + 3000n * BigInt(inputTokens) + 15_000n * BigInt(outputTokens);
}
