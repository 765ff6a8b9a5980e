import type { ProtocolName } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import { type AddressedChannel, type Channel, createChannel } from "./channel.ts";
import { createChannelHealth } from "./channel-health.ts";
import { createRoutes, type Routes, type Selection } from "./routes.ts";
import type { RoutingAction, RoutingMatch, RoutingRule } from "./routing-rule.ts";

const client = { send: () => undefined, close: async () => undefined };

function channel(name: string, more: Partial<AddressedChannel> = {}): Channel {
  const entry: AddressedChannel = {
    name,
    protocols: ["messages"],
    baseUrl: "https://api.example.com",
    headers: {},
    models: [{ id: "m" }],
    status: "operational",
    ...more,
  };
  return createChannel(
    entry,
    client,
    createChannelHealth(() => 0),
    [],
  );
}

const anybody = { accountId: "acct_1", accessKeyId: "key_1" };
const ask = (routes: Routes, model = "m", protocol: ProtocolName = "messages", who = anybody) =>
  routes.select({ model, client: protocol, ...who }, 0);
const names = (selection: Selection) =>
  selection.kind === "candidates" ? selection.candidates.map(({ channel }) => channel.name) : selection.kind;

/** Numbers in [0, 1) of a fixed sequence. */
function dice() {
  let seed = 1;
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

let ids = 0;
function rule(action: RoutingAction, match: Partial<RoutingMatch> = {}): RoutingRule {
  const any = { model: null, client: null, accountId: null, accessKeyId: null };
  return { id: `rule_${ids++}`, match: { ...any, ...match }, action };
}

describe("the order of channels", () => {
  it("priority goes before the lane, the lane before the order of the configuration", () => {
    const converted = { protocols: ["chat-completions"] } as const;
    const routes = createRoutes(
      [
        channel("converted", converted),
        channel("direct"),
        channel("second direct"),
        channel("high converted", { ...converted, priority: 5 }),
        channel("low", { priority: -1 }),
        channel("off", { priority: 9, status: "disabled" }),
      ],
      [],
      () => 0.9,
    );
    expect(names(ask(routes))).toEqual(["high converted", "direct", "second direct", "converted", "low"]);
  });

  it("without weights the configuration's order stands; with one of them calls are shared by weight, 1 where none is given", () => {
    const plain = createRoutes([channel("a"), channel("b"), channel("c")], [], () => 0.99);
    expect(names(ask(plain))).toEqual(["a", "b", "c"]);

    const routes = createRoutes([channel("a", { weight: 7 }), channel("b", { weight: 2 }), channel("c")], [], dice());
    const first = new Map<string, number>();
    for (let call = 0; call < 10_000; call++) {
      const order = names(ask(routes));
      expect([...order].toSorted()).toEqual(["a", "b", "c"]);
      const [name = ""] = order;
      first.set(name, (first.get(name) ?? 0) + 1);
    }
    expect((first.get("a") ?? 0) / 10_000).toBeCloseTo(0.7, 1);
    expect((first.get("b") ?? 0) / 10_000).toBeCloseTo(0.2, 1);
    expect((first.get("c") ?? 0) / 10_000).toBeCloseTo(0.1, 1);
  });

  it("weight 0 comes last among equals, and a lower priority behind it all the same", () => {
    const channels = [
      channel("never", { weight: 0 }),
      channel("always", { weight: 1 }),
      channel("low", { priority: -1 }),
    ];
    const routes = createRoutes(channels, [], dice());
    for (let call = 0; call < 100; call++) expect(names(ask(routes))).toEqual(["always", "never", "low"]);
  });

  it("R17 channels that cool down are left out; where all do, the one that failed longest ago is tried", () => {
    const a = channel("a", { weight: 1 });
    const b = channel("b", { weight: 1 });
    const routes = createRoutes([a, b], [], dice());
    a.health.failed(0, { kind: "credential" });
    for (let call = 0; call < 20; call++) expect(names(ask(routes))).toEqual(["b"]);
    b.health.failed(1, { kind: "credential" });
    expect(names(routes.select({ model: "m", client: "messages", ...anybody }, 2))).toEqual(["a"]);
  });

  it("an exact entry goes before a pattern, whatever stands first", () => {
    const models = [
      { id: "m*", protocols: ["messages"] as const },
      { id: "m1", upstreamId: "real" },
    ];
    const found = ask(createRoutes([channel("a", { models })], [], dice()), "m1");
    expect(found).toMatchObject({ kind: "candidates", candidates: [{ upstreamModel: "real" }] });
  });

  it("the memory of models does not grow with the names that callers invent, and stays right", () => {
    const routes = createRoutes([channel("a", { models: [{ id: "*" }] })], [], dice());
    for (let index = 0; index < 10_000; index++) {
      expect(ask(routes, `invented-${index}`)).toMatchObject({ candidates: [{ upstreamModel: `invented-${index}` }] });
    }
  });
});

describe("rules", () => {
  const channels = [channel("a"), channel("b"), channel("c", { models: [{ id: "other", upstreamId: "theirs" }] })];
  const under = (...rules: RoutingRule[]) => createRoutes(channels, rules, dice());

  it("the first that fits holds, by model, caller's protocol, account and key", () => {
    const routes = under(
      rule({ kind: "refuse", message: "no" }, { model: "m", client: "responses" }),
      rule({ kind: "only", channels: ["b"] }, { accountId: "acct_2" }),
      rule({ kind: "prefer", channels: ["b"] }, { accessKeyId: "key_9" }),
      rule({ kind: "refuse", message: "never" }, { model: "x*" }),
    );
    expect(names(ask(routes))).toEqual(["a", "b"]);
    expect(ask(routes, "m", "responses")).toEqual({ kind: "refused", message: "no" });
    expect(names(ask(routes, "m", "messages", { ...anybody, accountId: "acct_2" }))).toEqual(["b"]);
    expect(names(ask(routes, "m", "messages", { ...anybody, accessKeyId: "key_9" }))).toEqual(["b", "a"]);
    expect(ask(routes, "xyz")).toEqual({ kind: "refused", message: "never" });
  });

  it("a rewritten model is looked for under its new name; the caller's own stays out of the upstream's", () => {
    const routes = under(rule({ kind: "rewrite", model: "other" }, { model: "m" }));
    expect(ask(routes)).toMatchObject({ candidates: [{ channel: { name: "c" }, upstreamModel: "theirs" }] });
    // The first rule that fits is the last one: what it rewrites to is not asked about again.
    const twice = under(
      rule({ kind: "rewrite", model: "other" }, { model: "m" }),
      rule({ kind: "refuse", message: "no" }, { model: "other" }),
    );
    expect(ask(twice).kind).toBe("candidates");
  });

  it("a rule that leaves no channel says that none can serve, not that there is no such model", () => {
    const routes = under(rule({ kind: "only", channels: ["c", "gone"] }));
    expect(ask(routes).kind).toBe("no-channel");
    expect(ask(routes, "unheard-of").kind).toBe("unknown-model");
  });

  it("A8 a model that only a rule brings into being is offered, so that a key's list decides about it", () => {
    const routes = under(rule({ kind: "rewrite", model: "other" }, { model: "alias" }));
    const query = { client: "messages", ...anybody } as const;
    expect(routes.offers({ ...query, model: "alias" })).toBe(true);
    expect(routes.offers({ ...query, model: "unheard-of" })).toBe(false);
  });
});

describe("an explanation", () => {
  it("tells of every rule and channel why, and agrees with the choice itself", () => {
    const b = channel("b", { weight: 1, models: [{ id: "m*" }] });
    const channels = [
      channel("a", { weight: 3 }),
      b,
      channel("off", { status: "disabled" }),
      channel("other", { models: [{ id: "x" }] }),
      channel("out"),
    ];
    const first = rule({ kind: "refuse", message: "no" }, { client: "responses" });
    const second = rule({ kind: "only", channels: ["a", "b", "off"] });
    const third = rule({ kind: "refuse", message: "never asked" });
    const routes = createRoutes(channels, [first, second, third], dice());
    const query = { model: "m", client: "messages", ...anybody } as const;
    const told = routes.explain(query, 0);
    expect(told).toMatchObject({ model: "m", outcome: "candidates" });
    expect(told.rules).toEqual([
      { rule: first, misfit: "client" },
      { rule: second, misfit: undefined },
    ]);
    expect(told.steps.map(({ channel, leftOut, share }) => [channel.name, leftOut, share])).toEqual([
      ["a", undefined, 0.75],
      ["b", undefined, 0.25],
      ["off", "disabled", undefined],
      ["other", "model", undefined],
      ["out", "rule", undefined],
    ]);
    expect(told.steps[1]?.entry?.id).toBe("m*");

    b.health.failed(0, { kind: "credential" });
    const cooling = routes.explain(query, 1);
    expect(cooling.steps.slice(0, 2).map(({ channel, leftOut, share }) => [channel.name, leftOut, share])).toEqual([
      ["a", undefined, 1],
      ["b", "cooling", undefined],
    ]);
    expect(names(routes.select(query, 1))).toEqual(["a"]);
    expect(routes.explain({ ...query, client: "responses" }, 0)).toMatchObject({ outcome: "refused", steps: [] });
  });
});
