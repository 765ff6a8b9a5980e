import { codecs } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import { createCatalogue, type OfferingChannel } from "./published-models.ts";

function channel(name: string, models: string[], more: Partial<OfferingChannel> = {}): OfferingChannel {
  return {
    name,
    protocols: ["messages"],
    models: models.map((id) => ({ id })),
    setting: "operational",
    ...more,
  };
}

const since = 1_767_225_600;
const catalogueOf = (...channels: OfferingChannel[]) => createCatalogue(() => channels, since);

describe("what is published", () => {
  it("lists what channels name, in their order, each once; patterns are shown apart from the list", () => {
    const catalogue = catalogueOf(channel("one", ["m", "claude-*"]), channel("two", ["c", "m"]));
    expect(catalogue.list().map(({ id }) => id)).toEqual(["m", "c"]);
    expect(catalogue.published().map(({ id, pattern }) => [id, pattern])).toEqual([
      ["m", false],
      ["claude-*", true],
      ["c", false],
    ]);
  });

  it("tells every channel that serves a name, by an exact entry before one that fits, and none that is switched off", () => {
    const catalogue = catalogueOf(
      channel("any", ["*"]),
      channel("off", ["claude-4"], { setting: "disabled" }),
      channel("both", ["claude-*", "claude-4"]),
    );
    const published = catalogue.published().find(({ id }) => id === "claude-4");
    expect(published?.offers.map((offer) => [offer.channel.name, offer.entry.id])).toEqual([
      ["any", "*"],
      ["both", "claude-4"],
    ]);
    expect(catalogue.find("claude-4")?.ownedBy).toBe("both");
    expect(catalogue.find("gpt-9")?.ownedBy).toBe("any");
  });

  it("changes with the channels", () => {
    let channels = [channel("one", ["a"])];
    const catalogue = createCatalogue(() => channels, since);
    expect(catalogue.list().map(({ id }) => id)).toEqual(["a"]);
    channels = [channel("one", ["b"])];
    expect(catalogue.list().map(({ id }) => id)).toEqual(["b"]);
    expect(catalogue.find("a")).toBeUndefined();
  });

  it("bounds the names that calls count to, whatever callers write", () => {
    const catalogue = catalogueOf(channel("one", ["claude-4"]), channel("two", ["claude-*"]));
    expect(catalogue.publishedName("claude-4", "two")).toBe("claude-4");
    expect(catalogue.publishedName("claude-anything", "two")).toBe("claude-*");
    expect(catalogue.publishedName("claude-anything")).toBe("claude-*");
    expect(catalogue.publishedName("claude-anything", "one")).toBeUndefined();
    expect(catalogue.publishedName("gpt-9")).toBeUndefined();
  });
});

describe("a model under observation", () => {
  const trial = { setting: "under_observation" } as const;

  it("is one that only channels under observation serve", () => {
    const catalogue = catalogueOf(channel("new", ["m", "n"], trial), channel("old", ["n"]));
    expect(catalogue.published().map(({ id, underObservation }) => [id, underObservation])).toEqual([
      ["m", true],
      ["n", false],
    ]);
  });

  it("says so in the model list of every family", () => {
    const catalogue = catalogueOf(channel("new", ["m"], trial), channel("old", ["n"]));
    const shown = (family: keyof typeof codecs) => catalogue.list().map((card) => codecs[family].encodeModel(card));
    for (const family of ["chat-completions", "responses"] as const) {
      const [observed, ordinary] = shown(family);
      expect(observed).toMatchObject({ id: "m", status: "under_observation" });
      expect(ordinary).not.toHaveProperty("status");
    }
    expect(shown("messages")).toMatchObject([{ display_name: "m (under observation)" }, { display_name: "n" }]);
    expect(shown("generate-content")).toMatchObject([
      { description: expect.stringContaining("Under observation") },
      { description: expect.not.stringContaining("Under observation") },
    ]);
  });
});
