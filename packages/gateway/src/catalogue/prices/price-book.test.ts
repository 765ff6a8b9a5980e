import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPriceBook } from "./price-book.ts";
import { holdsAt, type PriceVersion } from "./price-version.ts";
import { anyPriceVersion, examplePrice } from "./testing/arbitrary-price.ts";

const version = (id: string, more: Partial<PriceVersion> = {}) =>
  examplePrice({ input: 1n, output: 1n }, { id, model: "gpt-x", ...more });

/** Which of the versions holds, whatever their order. */
function resolved(
  versions: readonly PriceVersion[],
  at = 1000,
  call: readonly [string, string, string] = ["gpt-x", "east", "up-x"],
) {
  const found = [versions, versions.toReversed()].map((each) => createPriceBook(each).resolve(...call, at)?.id);
  expect(found[0]).toBe(found[1]);
  return found[0];
}

describe("which price version holds", () => {
  const operator = { source: "operator" } as const;
  it.each<[string, Partial<PriceVersion>, Partial<PriceVersion>]>([
    ["what is for the channel goes before what is for all", { channel: "east", model: "*" }, {}],
    ["the exact name before a pattern", {}, { model: "gpt-*", validFrom: 900 }],
    ["the caller's name before the upstream's", {}, { model: "up-x", validFrom: 900 }],
    [
      "the upstream's exact name before a pattern on the caller's",
      { model: "up-x" },
      { model: "gpt-*", validFrom: 900 },
    ],
    ["a pattern on the caller's name before one on the upstream's", { model: "g*" }, { model: "up-*" }],
    ["the pattern that says more", { model: "gpt-*" }, { model: "*", validFrom: 900 }],
    ["the newest", { validFrom: 900 }, { validFrom: 899 }],
    ["not the one that is yet to come", { validFrom: 1000 }, { validFrom: 1001 }],
    ["the operator's before the configuration's", operator, { source: "configuration" }],
    ["the newest, whoever of people wrote it", { source: "configuration", validFrom: 900 }, operator],
    ["an operator's pattern before seed data", { ...operator, model: "*" }, { source: "seed", channel: "east" }],
    ["one for these hours", { daily: { fromMs: 0, toMs: 2000 } }, {}],
    ["not one for other hours", {}, { daily: { fromMs: 2000, toMs: 3000 }, validFrom: 900 }],
    ["a newer one before one for these hours", { validFrom: 900 }, { daily: { fromMs: 0, toMs: 2000 } }],
    ["seed data where there is nothing else", { source: "seed" }, { ...operator, validFrom: 1001 }],
    ["not what is for another channel", {}, { channel: "west" }],
  ])("%s", (_law, better, worse) => {
    expect(resolved([version("a", better), version("b", worse)])).toBe("a");
  });

  it("the greatest id where all else is the same", () => {
    expect(resolved([version("a"), version("c"), version("b")])).toBe("c");
  });

  it("a model without a price has none", () => {
    expect(resolved([])).toBeUndefined();
    expect(resolved([version("a", { model: "gpt-y" }), version("b", { channel: "west" })])).toBeUndefined();
    expect(resolved([version("a", { validFrom: 1001 })])).toBeUndefined();
  });

  it("a pattern's stars stand for any run of characters, and nothing else is special", () => {
    expect(resolved([version("a", { model: "gpt-?" }), version("b", { model: "gpt.x" })])).toBeUndefined();
    expect(resolved([version("a", { model: "g*-x" })])).toBe("a");
  });

  it("is the best of those that fit, by the moment, and no order of the versions changes it", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyPriceVersion, { selector: (each) => each.id, maxLength: 12 }),
        fc.integer({ min: -6, max: 6 }),
        (versions, at) => {
          const id = resolved(versions, at, ["m", "c", "m-1"]);
          const fitting = versions.filter((each) => each.channel !== "d" && holdsAt(each, at));
          expect(id === undefined).toBe(fitting.length === 0);
          const found = fitting.find((each) => each.id === id);
          if (!found) return;
          for (const other of fitting) {
            if (other.source === "seed" && found.source !== "seed") continue;
            expect(found.source !== "seed" || other.source === "seed").toBe(true);
            if (found.channel !== null && other.channel === null) continue;
            expect(found.channel !== null || other.channel === null).toBe(true);
            if (found.model === other.model) expect(found.validFrom).toBeGreaterThanOrEqual(other.validFrom);
            else expect(other.model === "m").toBe(false);
          }
        },
      ),
    );
  });
});

describe("a book is a snapshot", () => {
  it("time passes from one version to the next, also for a call that was seen before", () => {
    const book = createPriceBook([version("old"), version("new", { validFrom: 500 })]);
    const at = [499, 500, 499, -1].map((moment) => book.resolve("gpt-x", "east", "up-x", moment)?.id);
    expect(at).toEqual(["old", "new", "old", undefined]);
  });

  it("does not change with the list it was made of", () => {
    const versions = [version("a")];
    const book = createPriceBook(versions);
    versions.length = 0;
    expect(book.resolve("gpt-x", "east", "up-x", 0)?.id).toBe("a");
  });

  it("names that run into each other are not mixed up", () => {
    const book = createPriceBook([version("a", { model: "ab", channel: "c" })]);
    const calls: [string, string, string][] = [
      ["ab", "c", "d"],
      ["a", "bc", "d"],
      ["ab", "cd", ""],
      ["abc", "", "d"],
      ["", "ab", "cd"],
    ];
    expect(calls.map((call) => book.resolve(...call, 0)?.id)).toEqual([
      "a",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("a call that was seen before is not searched for again, and invented names do not grow it for ever", () => {
    let searches = 0;
    const counting = version("a", { model: "*" });
    Object.defineProperty(counting, "model", {
      get() {
        searches += 1;
        return "*";
      },
    });
    const book = createPriceBook([counting]);
    book.resolve("x", "east", "x", 0);
    const once = searches;
    for (let round = 0; round < 100; round += 1) book.resolve("x", "east", "x", round);
    expect(searches).toBe(once);
    for (let name = 0; name < 4096; name += 1) book.resolve(`invented-${name}`, "east", "up", 0);
    const before = searches;
    book.resolve("x", "east", "x", 0);
    expect(searches).toBe(before + once);
  });
});
