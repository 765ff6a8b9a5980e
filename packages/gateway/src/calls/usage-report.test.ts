import fc from "fast-check";
import { expect, test } from "vitest";
import { describeEngines } from "../testing/database-engines.ts";
import { insertKey } from "../testing/example-rows.ts";
import { randomCall, randomCallsBegin, withIds } from "../testing/random-call.ts";
import { type RecordedCalls, recordedCalls } from "../testing/recorded-calls.ts";
import type { CallRecord } from "./call-record.ts";
import { listCalls } from "./list-calls.ts";
import type { UsageSums, ValueDimension } from "./usage.ts";
import { type UsageReport, type UsageReportQuery, usageReport } from "./usage-report.ts";
import { createUsageTotals } from "./usage-totals.ts";

const hour = 3_600_000;
const day = 24 * hour;

function closeHours({ database }: RecordedCalls, now: number): Promise<number> {
  const warn = (event: string) => {
    throw new Error(event);
  };
  return createUsageTotals({
    database,
    platform: { now: () => now },
    every: () => () => undefined,
    log: { warn },
  }).run();
}

/** Every call of the list, over all of its pages. */
async function wholeList(
  { database }: RecordedCalls,
  { from, to, ...filter }: UsageReportQuery,
): Promise<CallRecord[]> {
  const { accountId, accessKeyId, model, channel, clientProtocol } = filter;
  const named = { accountId, accessKeyId, model, channel, clientProtocol };
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  const all: CallRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await listCalls(database, { ...given, from, to, limit: 50, ...(cursor && { cursor }) });
    all.push(...page.calls);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return all;
}

function shown(sums: UsageSums) {
  return { calls: sums.calls, succeeded: sums.succeeded, output: sums.outputTotal, charge: sums.charge };
}

function summed(calls: readonly CallRecord[]) {
  return {
    calls: calls.length,
    succeeded: calls.filter(({ outcome }) => outcome === "succeeded").length,
    output: calls.reduce((sum, { usage }) => sum + (usage?.output.total ?? 0), 0),
    charge: calls.reduce((sum, { charge }) => sum + charge, 0n),
  };
}

function valueIn(call: CallRecord, dimension: ValueDimension): string {
  switch (dimension) {
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

function expectSame(report: UsageReport, calls: readonly CallRecord[], query: UsageReportQuery): void {
  expect(shown(report.total)).toEqual(summed(calls));
  const told = new Set(report.groups.map(({ value }) => value));
  for (const { value, sums } of report.groups) {
    expect(shown(sums), value).toEqual(summed(calls.filter((call) => valueIn(call, query.dimension) === value)));
  }
  const others = calls.filter((call) => !told.has(valueIn(call, query.dimension)));
  if (report.other) expect(shown(report.other.sums)).toEqual(summed(others));
  else expect(others).toEqual([]);
  const step = query.by === "hour" ? hour : day;
  for (const [index, point] of report.series.entries()) {
    expect(point.time - (report.series[index - 1]?.time ?? point.time - step)).toBe(step);
    const here = calls.filter(({ startedAt }) => startedAt >= point.time && startedAt < point.time + step);
    expect(shown(point.total)).toEqual(summed(here));
    for (const [place, sums] of point.values.entries()) {
      const value = report.groups[place]?.value;
      expect(shown(sums)).toEqual(summed(here.filter((call) => valueIn(call, query.dimension) === value)));
    }
  }
}

const sometimes = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

const randomQuery = fc
  .record({
    start: fc.integer({ min: -2, max: 8 }),
    hours: fc.integer({ min: 1, max: 30 }),
    by: fc.constantFrom("hour" as const, "day" as const),
    dimension: fc.constantFrom<ValueDimension>("account", "accessKey", "model", "channel", "clientProtocol"),
    top: fc.integer({ min: 1, max: 4 }),
    zoneMinutes: fc.constantFrom(0, 60, -300),
    accountId: sometimes("acct_2", "acct_default"),
    accessKeyId: sometimes("key_1"),
    model: sometimes("fast"),
    channel: sometimes("one"),
  })
  .map(({ start, hours, accountId, accessKeyId, model, channel, ...query }): UsageReportQuery => {
    const from = randomCallsBegin + start * hour;
    return {
      ...query,
      from,
      to: from + hours * hour,
      ...(accountId && { accountId }),
      ...(accessKeyId && { accessKeyId }),
      ...(model && { model }),
      ...(channel && { channel }),
    };
  });

describeEngines((make) => {
  test("M14 the totals, groups and steps of a report are those of the list of calls", async () => {
    await using scene = await recordedCalls(make);
    const [calls = []] = fc.sample(fc.array(randomCall(), { minLength: 140, maxLength: 140 }), 1).map(withIds);
    await scene.record(...calls);
    await closeHours(scene, randomCallsBegin + 5 * hour + hour / 4);
    await fc.assert(
      fc.asyncProperty(randomQuery, async (query) => {
        const report = await usageReport(scene.database, query);
        expectSame(report, await wholeList(scene, query), query);
        expect(report.ranked).toBe(true);
        const { from, to } = query;
        const before = await wholeList(scene, { ...query, from: from - (to - from), to: from });
        expect(shown(report.before.total)).toEqual(summed(before));
        const costs = report.groups.map(({ sums }) => sums.charge);
        expect(costs).toEqual(costs.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
      }),
      { numRuns: 40 },
    );
  });

  test("of more keys than are kept of an hour the costly ones are found, with their exact sums, and the report says that it did not look at all", async () => {
    await using scene = await recordedCalls(make);
    const { database } = scene;
    const ids = Array.from({ length: 30 }, (_, index) => `key_n${index}`);
    await database.write(ids.map((id) => insertKey(database, id, { account_id: "acct_2" })));
    const calls = ids.flatMap((accessKeyId, index) =>
      [0, 1].map((part) => ({
        id: `call_${accessKeyId}_${part}`,
        accountId: "acct_2",
        accessKeyId,
        startedAt: randomCallsBegin + part * hour,
        reserved: 100_000n,
        charge: BigInt(index + 1) * 1000n,
      })),
    );
    await scene.record(...calls);
    await closeHours(scene, randomCallsBegin + day);
    const query = { accountId: "acct_2", dimension: "accessKey", by: "hour", top: 3, from: randomCallsBegin } as const;
    const report = await usageReport(database, { ...query, to: randomCallsBegin + 2 * hour });
    expect(report.groups.map(({ value, sums }) => [value, sums.charge])).toEqual([
      ["key_n29", 60_000n],
      ["key_n28", 58_000n],
      ["key_n27", 56_000n],
    ]);
    expect(report.total.calls).toBe(60);
    expect(report.other?.sums.calls).toBe(54);
    expect(report.ranked).toBe(false);
  });
});
