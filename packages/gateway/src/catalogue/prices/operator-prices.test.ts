import { expect, test } from "vitest";
import { describeEngines } from "../../testing/database-engines.ts";
import { ledgerScene } from "../../testing/ledger-scene.ts";
import { followPrices } from "./follow-prices.ts";
import { listOperatorPrices, type NewPrice, setPrice } from "./operator-prices.ts";
import { createPriceSource } from "./price-source.ts";

const actor = { kind: "command", id: null, name: "command line", address: null } as const;
const price: NewPrice = { model: "fast", channel: null, prices: { input: 1n, output: 2n }, perRequest: 3n };

describeEngines((make) => {
  test("M18 a price is added and never changed; the sequence and the audit log tell of it", async () => {
    await using scene = await ledgerScene(make);
    const { database, platform } = scene;
    const first = await setPrice(scene, price, actor);
    platform.advance(10);
    const second = await setPrice(scene, { ...price, prices: { input: 5n, output: 2n, cacheRead: 1n } }, actor);
    expect(await listOperatorPrices(database)).toEqual([
      { version: second, createdAt: platform.now() },
      { version: first, createdAt: platform.now() - 10 },
    ]);
    const changes = await database.read.selectFrom("change_sequence").select(["entity", "entity_id"]).execute();
    expect(changes).toEqual([first, second].map(({ id }) => ({ entity: "price", entity_id: id })));
    const events = await database.read.selectFrom("audit_event").select(["action", "detail"]).execute();
    expect(events).toHaveLength(2);
    expect(JSON.parse(events[1]?.detail ?? "")).toMatchObject({ model: "fast", input: "$0.000000005", channel: null });
    const rewrite = database.build.updateTable("price_version").set({ model: "*" }).compile();
    await expect(database.write([rewrite])).rejects.toThrow(/append-only/);
  });

  test("M18 the newest version holds from its own time on, on its own channel", async () => {
    await using scene = await ledgerScene(make);
    const { database, platform } = scene;
    const now = platform.now();
    const first = await setPrice(scene, price, actor);
    const later = await setPrice(scene, { ...price, validFrom: now + 1000 }, actor);
    const east = await setPrice(scene, { ...price, channel: "east" }, actor);
    const config = { prices: [], channels: [] };
    const source = await createPriceSource({ database, config, now: platform.now, seed: undefined });
    const at = (time: number, channel = "west") =>
      source.priceOf({ model: "fast", channel, upstreamModel: "up", at: time })?.id;
    expect([at(now), at(now + 999), at(now + 1000)]).toEqual([first.id, first.id, later.id]);
    expect(at(now, "east")).toBe(east.id);
  });

  test("M9 what is no price is not set", async () => {
    await using scene = await ledgerScene(make);
    for (const [more, field] of [
      [{ model: "a b" }, "model"],
      [{ model: "" }, "model"],
      [{ channel: "" }, "channel"],
      [{ perRequest: -1n }, "price"],
      [{ prices: { input: 1n, output: -1n } }, "price"],
      [{ prices: { input: 1n, output: 2n ** 63n } }, "price"],
      [{ validFrom: scene.platform.now() - 1 }, "from"],
      [{ validFrom: Number.NaN }, "from"],
    ] as const) {
      await expect(setPrice(scene, { ...price, ...more }, actor)).rejects.toMatchObject({ code: "invalid", field });
    }
    expect(await listOperatorPrices(scene.database)).toEqual([]);
  });
});

test("prices that were read before a change do not come back after it", async () => {
  const reads: (() => void)[] = [];
  const reload = () => new Promise<void>((resolve) => reads.push(resolve));
  const follower = followPrices({ prices: { reload }, timers: { after: () => never() }, log: { warn: () => never() } });
  const first = follower.look();
  const second = follower.look();
  let done = false;
  second.then(() => {
    done = true;
  });
  expect(reads).toHaveLength(1);
  reads[0]?.();
  await Promise.resolve();
  await Promise.resolve();
  // The look that was asked for meanwhile reads once more.
  expect([reads.length, done]).toEqual([2, false]);
  reads[1]?.();
  await Promise.all([first, second]);
  expect(reads).toHaveLength(2);
});

test("D1 a look that fails is made again, and not after the end", async () => {
  let looks = 0;
  const waits: (() => void)[] = [];
  const follower = followPrices({
    prices: {
      async reload() {
        looks += 1;
        if (looks < 3) throw new Error("away");
      },
    },
    timers: {
      after(_ms, task) {
        waits.push(task);
        queueMicrotask(task);
        return { restart: () => undefined, cancel: () => undefined };
      },
    },
    log: { warn: () => undefined },
  });
  await follower.look();
  expect([looks, waits.length]).toEqual([3, 2]);
  follower.close();
  await follower.look();
  expect(looks).toBe(3);
});

function never(): never {
  throw new Error("There is no cause for this");
}
