import { expect, it } from "vitest";
import type { AttemptRecord, CallRecord } from "../calls/call-record.ts";
import { hourMs } from "../calls/usage-hour.ts";
import { createCatalogue, type OfferingChannel } from "../catalogue/published-models.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { type RecordedCalls, recordedCalls } from "../testing/recorded-calls.ts";
import { createAvailabilityRollUp, dayMs } from "./availability-roll-up.ts";
import { sumNewest } from "./read-calls.ts";

const day = Date.UTC(2026, 0, 10);
const noon = day + 12 * hourMs;

const offering = (name: string, models: string[]): OfferingChannel => ({
  name,
  protocols: ["messages"],
  models: models.map((id) => ({ id })),
  setting: "operational",
});
const catalogue = createCatalogue(() => [offering("one", ["m"]), offering("two", ["m", "claude-*"])], 0);

const attempt = (channel: string, more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  channel,
  upstreamProtocol: "messages",
  upstreamModel: "upstream",
  lane: "direct",
  started: 1,
  connect: 2,
  firstByte: 20,
  end: 300,
  status: 200,
  errorKind: null,
  errorCode: null,
  possiblyBilled: false,
  ...more,
});

const failed = (channel: string, errorKind: AttemptRecord["errorKind"], status: number | null = null) =>
  attempt(channel, { errorKind, status });

let made = 0;
const call = (startedAt: number, attempts: AttemptRecord[], more: Partial<CallRecord> = {}): Partial<CallRecord> => {
  made += 1;
  return { id: `call_${String(made).padStart(6, "0")}`, startedAt, model: "m", channel: "one", attempts, ...more };
};

async function rollUp({ database }: RecordedCalls, now: number) {
  const job = createAvailabilityRollUp({
    database,
    catalogue,
    platform: { now: () => now },
    every: () => () => undefined,
    log: { warn: () => undefined },
  });
  await job.run();
  return job;
}

const told = ({ database }: RecordedCalls, span: "hour" | "day") =>
  database.read
    .selectFrom("availability")
    .select(["time", "channel", "model", "attempts", "faults", "slow"])
    .where("span", "=", span)
    .orderBy("time")
    .orderBy("channel")
    .orderBy("model")
    .execute();

describeEngines((make) => {
  it("counts what the upstream answers for, and nothing that callers are to blame for", async () => {
    await using test = await recordedCalls(make);
    await test.record(
      call(noon, [attempt("one")]),
      call(noon, [failed("one", "upstream_bad"), attempt("two")]),
      call(noon, [failed("one", "timeout"), failed("two", "internal", 500)], {
        outcome: "failed",
        errorKind: "internal",
        status: 500,
      }),
      call(noon, [attempt("one")], { outcome: "upstream_incomplete", errorKind: "upstream_incomplete" }),
      call(noon, [failed("one", "no_channel", 401), failed("two", "rate_limit", 429)], {
        outcome: "failed",
        errorKind: "rate_limit",
        status: 429,
      }),
      // None of these tells anything of a channel.
      call(noon, [failed("one", "bad_request", 400)], { outcome: "failed", errorKind: "bad_request", status: 400 }),
      call(noon, [failed("one", "internal", null)], { outcome: "failed", errorKind: "internal", status: 200 }),
      call(noon, [attempt("one")], { outcome: "client_closed" }),
      call(noon, [attempt("one")], { outcome: "drained" }),
      call(noon, [], { outcome: "refused", errorKind: "rate_limit", status: 429, channel: null }),
    );
    await rollUp(test, noon + hourMs / 2);
    const rows = [
      { time: noon, channel: "", model: "m", attempts: 5, faults: 3, slow: 0 },
      { time: noon, channel: "one", model: "m", attempts: 5, faults: 4, slow: 0 },
      { time: noon, channel: "two", model: "m", attempts: 3, faults: 2, slow: 0 },
    ];
    expect(await told(test, "hour")).toEqual(rows);
    expect(await told(test, "day")).toEqual(rows.map((row) => ({ ...row, time: day })));
    const newest = await sumNewest(test.database, catalogue, noon);
    expect(newest.map(({ channel, attempts, faults }) => [channel, attempts, faults]).sort()).toEqual([
      ["", 5, 3],
      ["one", 5, 4],
      ["two", 3, 2],
    ]);
  });

  it("measures streaming answers alone: the wait for the first token, and the pace after it", async () => {
    await using test = await recordedCalls(make);
    const timings = { admission: 0, connect: 1, firstByte: 90, firstToken: 100, end: 1100 };
    const usage = { input: { uncached: 1 }, output: { total: 50 } };
    await test.record(
      call(noon, [attempt("one")], { timings, usage }),
      call(noon, [attempt("one")], { timings: { ...timings, firstToken: 30_000, end: 30_500 }, usage }),
      call(noon, [attempt("one")], { timings, usage, stream: false }),
    );
    await rollUp(test, noon + hourMs / 2);
    const row = await test.database.read
      .selectFrom("availability")
      .selectAll()
      .where("span", "=", "day")
      .where("channel", "=", "one")
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      attempts: 3,
      slow: 1,
      output_tokens: 100,
      output_ms: 1500,
      first_token_100: 1,
      first_token_51200: 1,
      first_token_beyond: 0,
    });
  });

  it("counts names that callers made up to the pattern that serves them", async () => {
    await using test = await recordedCalls(make);
    await test.record(
      ...["claude-1", "claude-2", "claude-3"].map((model) => call(noon, [attempt("two")], { model, channel: "two" })),
      call(noon, [attempt("gone")], { model: "unknown", channel: "gone" }),
    );
    await rollUp(test, noon + hourMs / 2);
    expect(await told(test, "hour")).toEqual([
      { time: noon, channel: "", model: "claude-*", attempts: 3, faults: 0, slow: 0 },
      { time: noon, channel: "two", model: "claude-*", attempts: 3, faults: 0, slow: 0 },
    ]);
  });

  it("takes in what is recorded late, run by run, and counts nothing twice", async () => {
    await using test = await recordedCalls(make);
    const hours = async (channel: string) =>
      (await told(test, "hour")).filter((row) => row.channel === channel).map(({ time, attempts }) => [time, attempts]);
    await test.record(call(noon, [attempt("one")]));
    await rollUp(test, noon + hourMs);
    await rollUp(test, noon + hourMs);
    expect(await hours("one")).toEqual([[noon, 1]]);
    // It began in the hour that has ended, and took most of the next one.
    await test.record(call(noon + 1, [attempt("one")]), call(noon + hourMs, [attempt("one")]));
    await rollUp(test, noon + 2 * hourMs);
    expect(await hours("one")).toEqual([
      [noon, 2],
      [noon + hourMs, 1],
    ]);
    await rollUp(test, noon + 12 * hourMs);
    await rollUp(test, noon + 36 * hourMs);
    expect((await told(test, "day")).map(({ time, channel, attempts }) => [time, channel, attempts])).toEqual([
      [day, "", 3],
      [day, "one", 3],
    ]);
  });

  it("makes up for the past on its first run, and keeps 90 days", async () => {
    await using test = await recordedCalls(make);
    await test.record(...[100, 89, 50, 1].map((days) => call(noon - days * dayMs, [attempt("one")])));
    await rollUp(test, noon);
    const days = async () =>
      (await told(test, "day")).filter(({ channel }) => channel === "one").map(({ time }) => (day - time) / dayMs);
    expect(await days()).toEqual([89, 50, 1]);
    // Hours are kept for a few days only.
    expect((await told(test, "hour")).filter(({ channel }) => channel === "one")).toHaveLength(1);
    await rollUp(test, noon + 2 * dayMs);
    expect(await days()).toEqual([50, 1]);
  });

  it("is the same whether one replica does it or two at once", async () => {
    await using test = await recordedCalls(make);
    await test.record(call(noon - 5 * hourMs, [attempt("one")]), call(noon, [attempt("one")]));
    await Promise.all([rollUp(test, noon + 1), rollUp(test, noon + 1)]);
    expect((await told(test, "day")).map(({ channel, attempts }) => [channel, attempts])).toEqual([
      ["", 2],
      ["one", 2],
    ]);
  });
});
