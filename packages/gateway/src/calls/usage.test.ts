import fc from "fast-check";
import { expect, test } from "vitest";
import { describeEngines } from "../testing/database-engines.ts";
import { exampleCall } from "../testing/example-rows.ts";
import { randomCall, randomCallsBegin, withIds } from "../testing/random-call.ts";
import { type RecordedCalls, recordedCalls } from "../testing/recorded-calls.ts";
import type { CallRecord } from "./call-record.ts";
import {
  compareUsage,
  firstTokenWaits,
  type UsageDimension,
  type UsageQuery,
  type UsageSums,
  usageTable,
  usageTotal,
} from "./usage.ts";
import { createUsageTotals } from "./usage-totals.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** Runs what the gateway runs every quarter of an hour, as if it were this time. */
function closeHours({ database }: RecordedCalls, now: number): Promise<number> {
  const every = () => () => undefined;
  const warn = (event: string) => {
    throw new Error(event);
  };
  return createUsageTotals({ database, platform: { now: () => now }, every, log: { warn } }).run();
}

/** The sums made from the calls themselves. */
function summed(calls: readonly CallRecord[]): UsageSums {
  const add = (value: (call: CallRecord) => number | undefined | null) =>
    calls.reduce((sum, call) => sum + (value(call) ?? 0), 0);
  return {
    calls: calls.length,
    succeeded: add(({ outcome }) => (outcome === "succeeded" ? 1 : 0)),
    inputUncached: add(({ usage }) => (usage?.input.uncached ?? 0) + (usage?.input.toolPrompt ?? 0)),
    inputCacheRead: add(({ usage }) => usage?.input.cacheRead),
    inputCacheWrite: add(({ usage }) => usage?.input.cacheWrite),
    outputTotal: add(({ usage }) => usage?.output.total),
    outputReasoning: add(({ usage }) => usage?.output.reasoning),
    charge: calls.reduce((sum, { charge }) => sum + charge, 0n),
    overrun: 0n,
    durationMs: add(({ timings }) => timings.end),
  };
}

function keyOf(call: CallRecord, dimension: UsageDimension, zoneMinutes: number): string | number {
  switch (dimension) {
    case "hour":
      return call.startedAt - (call.startedAt % hour);
    case "day": {
      const begun = call.startedAt - (call.startedAt % hour);
      return begun - ((begun + zoneMinutes * 60_000) % day);
    }
    case "account":
      return call.accountId;
    case "accessKey":
      return call.accessKeyId;
    case "model":
      return call.model ?? "";
    case "channel":
      return call.channel ?? "";
    case "clientProtocol":
      return call.clientProtocol;
  }
}

const dimensions: UsageDimension[] = ["account", "accessKey", "model", "channel", "clientProtocol"];
const sometimes = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });

const randomQuery = fc
  .record({
    from: fc.integer({ min: -2, max: 8 }).map((step) => randomCallsBegin + step * hour),
    hours: fc.integer({ min: 1, max: 14 }),
    time: fc.constantFrom<UsageDimension[]>([], ["hour"], ["day"]),
    by: fc.subarray(dimensions, { maxLength: 2 }),
    filtered: fc.subarray(dimensions, { maxLength: 2 }),
    accountId: sometimes("acct_2"),
    accessKeyId: sometimes("key_1"),
    model: sometimes("fast", ""),
    channel: sometimes("one"),
    clientProtocol: fc.option(fc.constantFrom("messages" as const), { nil: undefined }),
    zoneMinutes: fc.constantFrom(0, 60, -300, 330),
  })
  .map(({ from, hours, time, by, filtered, zoneMinutes, ...filter }): UsageQuery => {
    const has = (name: UsageDimension) => filtered.includes(name);
    return {
      from,
      to: from + hours * hour,
      by: [...time, ...by],
      zoneMinutes,
      ...(has("account") ? { accountId: filter.accountId } : {}),
      ...(has("accessKey") ? { accessKeyId: filter.accessKeyId } : {}),
      ...(has("model") ? { model: filter.model } : {}),
      ...(has("channel") ? { channel: filter.channel } : {}),
      ...(has("clientProtocol") ? { clientProtocol: filter.clientProtocol } : {}),
    };
  });

/** What the query means, from the calls themselves. */
function meant(query: UsageQuery, all: readonly CallRecord[]): Map<string, UsageSums> {
  const same = (wanted: unknown, value: unknown) => wanted === undefined || wanted === value;
  const calls = all.filter(
    (call) =>
      call.startedAt >= query.from &&
      call.startedAt < query.to &&
      same(query.accountId, call.accountId) &&
      same(query.accessKeyId, call.accessKeyId) &&
      same(query.model, call.model ?? "") &&
      same(query.channel, call.channel ?? "") &&
      same(query.clientProtocol, call.clientProtocol),
  );
  const groups = Map.groupBy(calls, (call) =>
    JSON.stringify(query.by.map((name) => keyOf(call, name, query.zoneMinutes ?? 0))),
  );
  if (query.by.length === 0 && groups.size === 0) groups.set("[]", []);
  return new Map([...groups].map(([key, group]) => [key, summed(group)]));
}

async function expectExact({ database }: RecordedCalls, all: readonly CallRecord[], runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(randomQuery, async (query) => {
      const { rows, cut } = await usageTable(database, query);
      const answered = rows.map(({ time, account, accessKey, model, channel, clientProtocol, ...sums }) => {
        const values = { hour: time, day: time, account, accessKey, model, channel, clientProtocol };
        return [JSON.stringify(query.by.map((name) => values[name])), sums] as const;
      });
      expect(cut).toBe(false);
      expect(answered).toHaveLength(new Map(answered).size);
      expect(new Map(answered)).toEqual(meant(query, all));
    }),
    { numRuns: runs },
  );
}

describeEngines((make) => {
  test("M14 sums are those of the calls, by anything: while hours are open, when some are closed, and after late calls", async () => {
    await using scene = await recordedCalls(make);
    const [calls = []] = fc.sample(fc.array(randomCall(), { minLength: 160, maxLength: 160 }), 1).map(withIds);
    const [early, late] = [calls.slice(0, 110), calls.slice(110)];
    const full = (some: readonly Partial<CallRecord>[]) => some.map((call) => exampleCall(call));
    await scene.record(...early);
    await expectExact(scene, full(early), 60);
    // In the middle of what was recorded: five hours are closed.
    await closeHours(scene, randomCallsBegin + 5 * hour + hour / 4);
    await expectExact(scene, full(early), 60);
    // Into hours that are closed, too, as a call does that took long.
    await scene.record(...late.map(longCall));
    const all = full([...early, ...late.map(longCall)]);
    await expectExact(scene, all, 60);
    await closeHours(scene, randomCallsBegin + 5 * hour + hour / 4);
    expect(await scene.database.read.selectFrom("usage_late").selectAll().execute()).toEqual([]);
    await expectExact(scene, all, 60);
    await closeHours(scene, randomCallsBegin + 2 * day);
    await expectExact(scene, all, 60);
  });

  test("a closed hour is read from its totals, not from its calls", async () => {
    await using scene = await recordedCalls(make);
    await scene.record({ id: "call_a", startedAt: 5 * hour });
    expect(await closeHours(scene, 7 * hour)).toBe(1);
    const { database } = scene;
    await database.write([database.build.deleteFrom("usage_hour").compile()]);
    expect((await usageTotal(database, { from: 0, to: day })).calls).toBe(1);
    const all = { from: 0, to: day };
    const accountId = "acct_default";
    expect((await usageTotal(database, { ...all, model: "fast" })).calls).toBe(1);
    expect((await usageTotal(database, { ...all, model: "fast", accountId })).calls).toBe(1);
    expect((await usageTotal(database, { ...all, model: "fast", channel: "openai", accountId })).calls).toBe(1);
    expect((await usageTotal(database, { ...all, model: "fast", channel: "openai" })).calls).toBe(1);
    expect((await usageTable(database, { ...all, model: "fast", by: ["account"] })).rows).toMatchObject([{ calls: 1 }]);
    // Of keys there are none.
    expect((await usageTotal(database, { ...all, accessKeyId: "key_1", accountId })).calls).toBe(0);
  });

  test("an hour is closed a quarter of an hour after its end, once, and summed up again when every commit of it is over", async () => {
    await using scene = await recordedCalls(make);
    await scene.record({ id: "call_a", startedAt: 5 * hour });
    expect(await closeHours(scene, 6.2 * hour)).toBe(0);
    expect(await closeHours(scene, 6.25 * hour)).toBe(1);
    // Committed while the hour was being closed, and so not noted as late.
    await scene.record({ id: "call_b", startedAt: 5 * hour + 1, timings: { ...exampleCall().timings, end: 1 } });
    expect((await usageTotal(scene.database, { from: 0, to: day })).calls).toBe(1);
    expect(await closeHours(scene, 6.5 * hour)).toBe(0);
    expect(await closeHours(scene, 7.25 * hour)).toBe(1);
    expect((await usageTotal(scene.database, { from: 0, to: day })).calls).toBe(2);
    expect(await closeHours(scene, 9 * hour)).toBe(0);
  });

  test("replicas that close the same hours at once count nothing twice", async () => {
    await using scene = await recordedCalls(make);
    await scene.record(...[1, 2, 3, 4].map((index) => ({ id: `call_${index}`, startedAt: index * hour })));
    await Promise.all([1, 2, 3].map(() => closeHours(scene, day)));
    await closeHours(scene, day);
    expect((await usageTotal(scene.database, { from: 0, to: day })).calls).toBe(4);
  });

  test("M9 sums of money beyond what a number holds are exact", async () => {
    await using scene = await recordedCalls(make);
    const charge = 4_611_686_018_427_387_001n;
    await scene.record({ charge, reserved: charge, startedAt: 0 });
    expect((await usageTotal(scene.database, { from: 0, to: hour })).charge).toBe(charge);
    expect((await usageTable(scene.database, { from: 0, to: hour, by: ["account", "model"] })).rows).toMatchObject([
      { charge },
    ]);
  });

  test("a range is compared with the one of the same length before it", async () => {
    await using scene = await recordedCalls(make);
    await scene.record(
      { id: "call_a", startedAt: 1 * hour },
      { id: "call_b", startedAt: 2 * hour },
      { id: "call_c", startedAt: 3 * hour },
      { id: "call_d", startedAt: 5 * hour },
    );
    const compared = await compareUsage(scene.database, { from: 3 * hour, to: 5 * hour });
    expect([compared.now.calls, compared.before.calls]).toEqual([1, 2]);
  });

  test("more rows than the limit are cut, the highest first, and this is said", async () => {
    await using scene = await recordedCalls(make);
    await scene.record(
      { id: "call_a", startedAt: 0, model: "cheap", charge: 1n },
      { id: "call_b", startedAt: 0, model: "dear", charge: 3n },
      { id: "call_c", startedAt: 0, model: "fair", charge: 2n },
    );
    const table = await usageTable(scene.database, { from: 0, to: hour, by: ["model"], limit: 2 });
    expect(table.rows.map(({ model }) => model)).toEqual(["dear", "fair"]);
    expect(table.cut).toBe(true);
  });

  test("waits for the first token lie in the bucket of the true ones, by hour", async () => {
    await using scene = await recordedCalls(make);
    const waits = [120, 130, 140, 150, 160, 170, 180, 190, 195, 30_000];
    const timings = exampleCall().timings;
    await scene.record(
      ...waits.map((firstToken, index) => ({ id: `call_${index}`, startedAt: 0, timings: { ...timings, firstToken } })),
      { id: "call_none", startedAt: 0, timings: { ...timings, firstToken: null } },
    );
    await closeHours(scene, day);
    const [row] = await firstTokenWaits(scene.database, { from: 0, to: hour, by: "hour" });
    expect(row).toMatchObject({ time: 0, counted: 10 });
    expect(row?.p50).toBeGreaterThan(100);
    expect(row?.p50).toBeLessThanOrEqual(200);
    expect(row?.p95).toBeGreaterThan(25_600);
    expect(row?.p95).toBeLessThanOrEqual(51_200);
  });

  test("a range without an end, and a zone that is none, are refused", async () => {
    await using scene = await recordedCalls(make);
    await expect(usageTotal(scene.database, { from: hour, to: hour })).rejects.toThrow("an end after it");
    const query: UsageQuery = { from: 0, to: hour, by: ["day"] };
    await expect(usageTable(scene.database, { ...query, zoneMinutes: 0.5 })).rejects.toThrow("time zone");
    await expect(usageTable(scene.database, { ...query, by: ["day", "hour"] })).rejects.toThrow("not by both");
  });
});

/** The same call, ended two hours after its begin. */
function longCall(call: Partial<CallRecord>): Partial<CallRecord> {
  return { ...call, timings: { ...exampleCall().timings, ...call.timings, end: 2 * hour } };
}
