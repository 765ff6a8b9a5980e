import { describe, expect, it } from "vitest";
import { chargeFor } from "../catalogue/prices/charge.ts";
import { priceSchema } from "./price-schema.ts";

const usage = {
  input: { uncached: 1_000_000, cacheRead: 2_000_000 },
  output: { total: 1_000_000, reasoning: 400_000 },
};

describe("M9 prices of the configuration", () => {
  it("are dollars for a million tokens and for a call, exact to the nano-dollar", () => {
    const version = priceSchema.parse({
      model: "gpt-*",
      input: "1.25",
      cache_read: 0.125,
      output: 10,
      request: "0.000000001",
    });
    expect(chargeFor(version, usage, { markupPpm: 0 }).total).toBe(
      1_250_000_000n + 250_000_000n + 10_000_000_000n + 1n,
    );
  });

  it("of a long context hold for the whole call", () => {
    const version = priceSchema.parse({
      model: "m",
      input: 1,
      output: 1,
      above: [{ input_tokens: 200_000, input: 2, output: 2 }],
      service_tiers: { flex: "50%" },
    });
    expect(chargeFor(version, usage, { markupPpm: 0 }).total).toBe(8_000_000_000n);
    expect(chargeFor(version, usage, { markupPpm: 0, serviceTier: "flex" }).total).toBe(4_000_000_000n);
  });

  it("M18 the same prices are the same version, others another", () => {
    const id = (output: number) => priceSchema.parse({ model: "m", output }).id;
    expect(id(1)).toBe(id(1));
    expect(id(1)).not.toBe(id(2));
  });

  it.each([
    [{ model: "m", input: -1 }, /from \$0\.00/],
    [{ model: "m", input: 1e-7 }, /such as 12\.50/],
    [{ model: "m", input: "0.0000000001" }, /such as 12\.50/],
    [{ model: "m", output: "much" }, /must be dollars/],
    [
      {
        model: "m",
        above: [
          { input_tokens: 5, input: 1, output: 1 },
          { input_tokens: 5, input: 1, output: 1 },
        ],
      },
      /rise/,
    ],
    [{ model: "m", service_tiers: { flex: "half" } }, /percentage/],
    [{ model: "m", price: 1 }, /price/],
  ])("%j is refused with a reason", (entry, reason) => {
    expect(priceSchema.safeParse(entry).error?.message).toMatch(reason);
  });
});
