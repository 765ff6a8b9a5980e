import fc from "fast-check";
import { expect, test } from "vitest";
import { describeEngines } from "../testing/database-engines.ts";
import { exampleCall } from "../testing/example-rows.ts";
import { randomCall, randomCallsBegin, withIds } from "../testing/random-call.ts";
import { recordedCalls } from "../testing/recorded-calls.ts";
import type { CallFilter } from "./call-filter.ts";
import type { CallRecord } from "./call-record.ts";
import { type CallPage, type ListCallsOptions, listCalls } from "./list-calls.ts";
import { readCall } from "./read-call.ts";

const ids = ({ calls }: Pick<CallPage, "calls">) => calls.map(({ id }) => id);

/** What the filter means, said once more in words of its own. */
function isMeant(filter: CallFilter, call: CallRecord): boolean {
  const { status, from, to, minCharge } = filter;
  const same = (wanted: unknown, value: unknown) => wanted === undefined || wanted === value;
  return (
    same(filter.accountId, call.accountId) &&
    same(filter.accessKeyId, call.accessKeyId) &&
    same(filter.model, call.model) &&
    same(filter.channel, call.channel) &&
    same(filter.clientProtocol, call.clientProtocol) &&
    same(filter.upstreamProtocol, call.upstreamProtocol) &&
    same(filter.outcome, call.outcome) &&
    same(filter.stream, call.stream) &&
    same(filter.errorKind, call.errorKind) &&
    (typeof status !== "string" || `${Math.floor(call.status / 100)}xx` === status) &&
    (typeof status !== "number" || call.status === status) &&
    (!filter.failed || call.outcome !== "succeeded" || call.status >= 400 || call.errorKind !== null) &&
    (!filter.withNotices || call.notices.length > 0) &&
    (from === undefined || call.startedAt >= from) &&
    (to === undefined || call.startedAt < to) &&
    (filter.endedFrom === undefined || call.startedAt + (call.timings.end ?? 0) >= filter.endedFrom) &&
    (minCharge === undefined || call.charge >= minCharge) &&
    (filter.idPrefix === undefined || call.id.startsWith(filter.idPrefix))
  );
}

const sometimes = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });

const randomFilter: fc.Arbitrary<ListCallsOptions> = fc.record({
  accountId: sometimes("acct_default", "acct_2", "acct_none"),
  accessKeyId: sometimes("key_1", "key_3"),
  model: sometimes("fast", "smart", "none"),
  channel: sometimes("one"),
  clientProtocol: sometimes("messages", "responses"),
  upstreamProtocol: sometimes("messages"),
  status: sometimes<NonNullable<CallFilter["status"]>>(200, 429, 503, "2xx", "4xx", "5xx"),
  outcome: sometimes("succeeded", "failed", "client_closed"),
  failed: sometimes(true, false),
  stream: sometimes(true, false),
  errorKind: sometimes("rate_limit", "upstream_bad"),
  from: sometimes(randomCallsBegin + 9_000_000),
  to: sometimes(randomCallsBegin + 30_000_000),
  endedFrom: sometimes(randomCallsBegin + 20_000_000),
  idPrefix: sometimes("call_", "call_7", "call_0x", "call_none"),
  withNotices: sometimes(true),
  minCharge: sometimes(0n, 500_000_000n, 1_000_000_000n, 2_000_000_000n),
  order: sometimes("newest", "oldest"),
  limit: sometimes(1, 7, 200),
});
/** Of all these filters at once nearly no call would be left. */
const fewFilters = fc
  .tuple(randomFilter, fc.subarray(Object.keys(exampleFilter()), { maxLength: 4 }))
  .map(
    ([filter, kept]): ListCallsOptions =>
      Object.fromEntries(Object.entries(filter).filter(([name]) => kept.includes(name))),
  );
function exampleFilter(): Record<keyof ListCallsOptions, true> {
  return {
    accountId: true,
    accessKeyId: true,
    model: true,
    channel: true,
    clientProtocol: true,
    upstreamProtocol: true,
    status: true,
    outcome: true,
    failed: true,
    stream: true,
    errorKind: true,
    from: true,
    to: true,
    endedFrom: true,
    idPrefix: true,
    withNotices: true,
    minCharge: true,
    order: true,
    limit: true,
    cursor: true,
  };
}

const conditions: readonly CallFilter[] = [
  { accountId: "acct_default" },
  { accessKeyId: "key_1" },
  { model: "fast" },
  { channel: "one" },
  { clientProtocol: "messages" },
  { upstreamProtocol: "messages" },
  { status: 200 },
  { status: 429 },
  { status: "2xx" },
  { status: "4xx" },
  { outcome: "succeeded" },
  { outcome: "failed" },
  { failed: true },
  { stream: true },
  { errorKind: "upstream_bad" },
  { withNotices: true },
  { minCharge: 1_500_000_000n },
  { idPrefix: "call_7" },
];

function pairs(filters: readonly CallFilter[]): CallFilter[] {
  return filters.flatMap((first, index) => filters.slice(index + 1).map((second) => ({ ...first, ...second })));
}

describeEngines((make) => {
  test("D8 the pages of a list hold each call that is meant exactly once, in order, whatever the filter and the bounds", async () => {
    await using scene = await recordedCalls(make);
    const [calls = []] = fc.sample(fc.array(randomCall(), { minLength: 150, maxLength: 150 }), 1).map(withIds);
    await scene.record(...calls);
    const all = calls.map((call) => exampleCall(call));
    await fc.assert(
      fc.asyncProperty(fewFilters, fc.constantFrom(1, 3, 20, 1000), async (filter, searched) => {
        const seen: string[] = [];
        let cursor: string | null | undefined;
        for (let page = 0; cursor !== null; page += 1) {
          if (page > 400) throw new Error("The list does not end");
          const answer = await listCalls(scene.database, { ...filter, ...(cursor && { cursor }) }, searched);
          expect(answer.calls.length).toBeLessThanOrEqual(filter.limit ?? 50);
          seen.push(...ids(answer));
          cursor = answer.next;
        }
        const byTime = (a: CallRecord, b: CallRecord) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1);
        const byId = (a: CallRecord, b: CallRecord) => (a.id < b.id ? -1 : 1);
        const meant = all.filter((call) => isMeant(filter, call)).sort(filter.idPrefix === undefined ? byTime : byId);
        if (filter.order !== "oldest") meant.reverse();
        expect(seen).toEqual(meant.map(({ id }) => id));
      }),
      { numRuns: 150 },
    );
  });

  test("any two conditions together leave the calls that both mean, whichever of them is walked by", async () => {
    await using scene = await recordedCalls(make);
    const [calls = []] = fc.sample(fc.array(randomCall(), { minLength: 150, maxLength: 150 }), 1).map(withIds);
    await scene.record(...calls);
    const all = calls.map((call) => exampleCall(call));
    for (const filter of pairs(conditions)) {
      for (const searched of [60, 1000]) {
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page: CallPage = await listCalls(
            scene.database,
            { ...filter, limit: 200, ...(cursor && { cursor }) },
            searched,
          );
          seen.push(...ids(page));
          cursor = page.next;
        } while (cursor !== null);
        const meant = all.filter((call) => isMeant(filter, call)).map(({ id }) => id);
        expect([filter, seen.sort()]).toEqual([filter, meant.sort()]);
      }
    }
  });

  test("a search for what is rare ends after so many calls, says how far it came, and goes on from there", async () => {
    await using scene = await recordedCalls(make);
    const times = Array.from({ length: 30 }, (_, index) => index);
    await scene.record(...times.map((time) => ({ id: `call_${100 + time}`, startedAt: time, stream: time === 3 })));
    const filter: ListCallsOptions = { stream: true };
    const first = await listCalls(scene.database, filter, 10);
    expect(first).toMatchObject({ calls: [], searchedTo: 20 });
    const second = await listCalls(scene.database, { ...filter, cursor: first.next ?? "" }, 10);
    expect(second).toMatchObject({ calls: [], searchedTo: 10 });
    const third = await listCalls(scene.database, { ...filter, cursor: second.next ?? "" }, 10);
    expect(ids(third)).toEqual(["call_103"]);
    const last = await listCalls(scene.database, { ...filter, cursor: third.next ?? "" }, 10);
    expect(last).toEqual({ calls: [], next: null, searchedTo: null });
  });

  test("D8 calls that are recorded while a list is read move none of its pages", async () => {
    await using scene = await recordedCalls(make);
    await scene.record(
      { id: "call_a", startedAt: 10 },
      { id: "call_b", startedAt: 20 },
      { id: "call_c", startedAt: 30 },
    );
    const first = await listCalls(scene.database, { limit: 1 });
    // One with the clock set back, one as new as the last of the page, one newer than all.
    await scene.record(
      { id: "call_0", startedAt: 5 },
      { id: "call_z", startedAt: 30 },
      { id: "call_y", startedAt: 40 },
    );
    const rest = await listCalls(scene.database, { cursor: first.next ?? "" });
    expect([...ids(first), ...ids(rest)]).toEqual(["call_c", "call_b", "call_a", "call_0"]);
  });

  test("a cursor that is none, or of a list in the other order, is refused", async () => {
    await using scene = await recordedCalls(make);
    await scene.record({ id: "call_a" }, { id: "call_b" });
    const { next } = await listCalls(scene.database, { limit: 1 });
    const { database } = scene;
    await expect(listCalls(database, { cursor: next ?? "", order: "oldest" })).rejects.toThrow("newest calls first");
    for (const cursor of ["", "x", "1' or 1=1 --", Buffer.from("newest x y").toString("base64url"), "a".repeat(5000)]) {
      await expect(listCalls(database, { cursor })).rejects.toThrow("not one of a list");
    }
  });

  test("a cursor of a wider list leads to no call outside the range of time", async () => {
    await using scene = await recordedCalls(make);
    const { database } = scene;
    await scene.record(...[10, 20, 30, 40].map((startedAt) => ({ id: `call_${startedAt}`, startedAt })));
    const newest = await listCalls(database, { limit: 1 });
    expect(ids(await listCalls(database, { cursor: newest.next ?? "", to: 20 }))).toEqual(["call_10"]);
    const oldest = await listCalls(database, { limit: 1, order: "oldest" });
    expect(ids(await listCalls(database, { cursor: oldest.next ?? "", order: "oldest", from: 35 }))).toEqual([
      "call_40",
    ]);
  });

  test("S10 wildcards and short texts are no id prefix; a page is never longer than 200", async () => {
    await using scene = await recordedCalls(make);
    await scene.record(...Array.from({ length: 201 }, (_, index) => ({ id: `call_${index}` })));
    for (const idPrefix of ["ca", "call%", "c_%", "' or ''='", ""]) {
      await expect(listCalls(scene.database, { idPrefix })).rejects.toThrow("begin of a call's id");
    }
    expect((await listCalls(scene.database, { limit: 1_000_000 })).calls).toHaveLength(200);
  });

  test("M7 a call reads back with each of its attempts, in order", async () => {
    await using scene = await recordedCalls(make);
    const attempt = exampleAttempt();
    const failed = {
      ...attempt,
      channel: "first",
      status: 529,
      errorKind: "overloaded" as const,
      errorCode: "overloaded",
    };
    const call = exampleCall({ attempts: [{ ...failed, possiblyBilled: true, end: null }, attempt] });
    await scene.record(call);
    expect(await readCall(scene.database, call.id)).toEqual(call);
    expect(await readCall(scene.database, "call_other")).toBeUndefined();
  });

  test("A7 a call of another account is not there", async () => {
    await using scene = await recordedCalls(make);
    await scene.record({ id: "call_1", accountId: "acct_2", accessKeyId: "key_3" });
    expect(await readCall(scene.database, "call_1", { accountId: "acct_default" })).toBeUndefined();
    expect(await readCall(scene.database, "call_1", { accountId: "acct_2" })).toBeDefined();
    expect(ids(await listCalls(scene.database, { accountId: "acct_default" }))).toEqual([]);
    expect(ids(await listCalls(scene.database, { accountId: "acct_default", idPrefix: "call_1" }))).toEqual([]);
  });
});

function exampleAttempt() {
  return {
    channel: "openai",
    upstreamProtocol: "responses" as const,
    upstreamModel: "gpt-5-mini",
    lane: "converted" as const,
    started: 0.5,
    connect: 1.5,
    firstByte: 20,
    end: 300,
    status: 200,
    errorKind: null,
    errorCode: null,
    possiblyBilled: false,
  };
}
