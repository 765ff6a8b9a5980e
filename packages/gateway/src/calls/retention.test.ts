import { expect, test } from "vitest";
import { createLog } from "../telemetry/log.ts";
import { describeEngines, type MakeDatabase } from "../testing/database-engines.ts";
import { exampleCall } from "../testing/example-rows.ts";
import { recordedCalls } from "../testing/recorded-calls.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { listCalls } from "./list-calls.ts";
import { createRetention } from "./retention.ts";
import { usageTotal } from "./usage.ts";

const hour = 3_600_000;
const day = 24 * hour;
const attempt = {
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

async function pruned(make: MakeDatabase) {
  const scene = await recordedCalls(make);
  const platform = testPlatform();
  const lines: string[] = [];
  const { database } = scene;
  const retention = createRetention({
    database,
    platform,
    settings: { calls: { retentionMs: 400 * day } },
    every: platform.every,
    log: createLog({ now: platform.now, destination: { write: (line) => lines.push(line) } }),
  });
  const ids = async () => (await listCalls(database, { limit: 200 })).calls.map(({ id }) => id).sort();
  const reservation = (callId: string, created: number, state: "open" | "settled" | "voided" | "recovered") =>
    database.build
      .insertInto("reservation")
      .values({
        call_id: callId,
        account_id: "acct_default",
        access_key_id: "key_1",
        quota_window: null,
        amount: 0n,
        state,
        instance_id: "ins_1",
        created_at: created,
        price_version: null,
        started_at: created,
        client_protocol: "messages",
        model: null,
        stream: 0,
        checkpoint: null,
        checkpoint_charge: 0n,
      })
      .compile();
  const content = (callId: string, expires: number) =>
    database.build
      .insertInto("call_content")
      .values({
        call_id: callId,
        part: "client_request",
        stored_at: 1,
        expires_at: expires,
        size: 1,
        cut: 0,
        bytes: new Uint8Array(1),
      })
      .compile();
  return {
    ...scene,
    platform,
    retention,
    ids,
    reservation,
    content,
    lines,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

describeEngines((make) => {
  test("S2 calls go after 400 days with their attempts and content; sums stay", async () => {
    await using scene = await pruned(make);
    const { database, platform } = scene;
    const old = platform.now() - 400 * day;
    const many = Array.from({ length: 120 }, (_, index) => ({
      id: `call_old${index}`,
      startedAt: old - 1 - index,
      attempts: [attempt, attempt],
    }));
    await scene.record(...many, { id: "call_young", startedAt: old, attempts: [attempt] });
    await database.write([
      scene.content("call_old7", platform.now() + day),
      scene.content("call_young", platform.now() + day),
    ]);
    expect(await scene.retention.run()).toMatchObject({ calls: 120, contents: 0 });
    expect(await scene.ids()).toEqual(["call_young"]);
    const left = async (table: "attempt" | "call_content") =>
      (await database.read.selectFrom(table).select("call_id").execute()).map((row) => row.call_id);
    expect([await left("attempt"), await left("call_content")]).toEqual([["call_young"], ["call_young"]]);
    expect((await usageTotal(database, { from: old - hour, to: old + hour })).calls).toBe(121);
    const nothing = { calls: 0, contents: 0, reservations: 0, idempotencyKeys: 0, storedResponses: 0 };
    expect(await scene.retention.run()).toEqual(nothing);
  });

  test("R1 a stored response goes when it expires, and the ids of its items with it", async () => {
    await using scene = await pruned(make);
    const { build, write, read } = scene.database;
    const now = scene.platform.now();
    const stored = (id: string, expires_at: number) => [
      build
        .insertInto("stored_response")
        .values({ id, account_id: "acct_default", stored_at: 1, expires_at, bytes: new Uint8Array(1) })
        .compile(),
      build
        .insertInto("stored_response_item")
        .values({ account_id: "acct_default", item_id: `msg_of_${id}`, response_id: id })
        .compile(),
    ];
    await write([...stored("resp_1", now), ...stored("resp_2", now + 1)]);
    expect(await scene.retention.run()).toMatchObject({ storedResponses: 1 });
    expect(await read.selectFrom("stored_response").select("id").execute()).toEqual([{ id: "resp_2" }]);
    expect(await read.selectFrom("stored_response_item").select("item_id").execute()).toEqual([
      { item_id: "msg_of_resp_2" },
    ]);
  });

  test("S2 content goes when it expires; its call stays", async () => {
    await using scene = await pruned(make);
    const now = scene.platform.now();
    await scene.record({ id: "call_1", startedAt: now }, { id: "call_2", startedAt: now });
    await scene.database.write([scene.content("call_1", now), scene.content("call_2", now + 1)]);
    expect(await scene.retention.run()).toMatchObject({ contents: 1, calls: 0 });
    expect(await scene.database.read.selectFrom("call_content").select("call_id").execute()).toEqual([
      { call_id: "call_2" },
    ]);
    expect(await scene.ids()).toEqual(["call_1", "call_2"]);
  });

  test("M3 an open reservation is never deleted, however old; ended ones go after two days", async () => {
    await using scene = await pruned(make);
    const now = scene.platform.now();
    const old = now - 2 * day - 1;
    await scene.database.write([
      scene.reservation("call_open", old, "open"),
      scene.reservation("call_settled", old, "settled"),
      scene.reservation("call_voided", old, "voided"),
      scene.reservation("call_young", now - 2 * day, "settled"),
    ]);
    expect(await scene.retention.run()).toMatchObject({ reservations: 2 });
    const rows = await scene.database.read.selectFrom("reservation").select("call_id").orderBy("call_id").execute();
    expect(rows.map((row) => row.call_id)).toEqual(["call_open", "call_young"]);
  });

  test("M8 idempotency keys hold for 24 hours, and go then", async () => {
    await using scene = await pruned(make);
    const now = scene.platform.now();
    const key = (digit: number, created: number) =>
      scene.database.build
        .insertInto("idempotency_key")
        .values({
          access_key_id: "key_1",
          digest: new Uint8Array([digit]),
          body_digest: new Uint8Array(32),
          call_id: `call_${digit}`,
          created_at: created,
        })
        .compile();
    await scene.database.write([key(1, now - day - 1), key(2, now - day)]);
    expect(await scene.retention.run()).toMatchObject({ idempotencyKeys: 1 });
    expect(await scene.database.read.selectFrom("idempotency_key").select("call_id").execute()).toEqual([
      { call_id: "call_2" },
    ]);
  });

  test("D8 a wall clock that jumps ahead by a year deletes no call, one that falls back keeps no content longer", async () => {
    await using scene = await pruned(make);
    const { platform } = scene;
    await scene.record({ id: "call_1", startedAt: platform.now() - 100 * day });
    platform.jumpWallClock(365 * day);
    expect(await scene.retention.run()).toMatchObject({ calls: 0 });
    await scene.database.write([scene.content("call_1", platform.now() - 365 * day + hour)]);
    platform.jumpWallClock(-2 * 365 * day);
    platform.advance(hour);
    expect(await scene.retention.run()).toMatchObject({ calls: 0, contents: 1 });
  });

  test("it runs at the start and every hour, tells what it did, and nothing after stop", async () => {
    await using scene = await pruned(make);
    const { platform, retention, lines } = scene;
    const settle = async () => {
      await retention.run();
    };
    await scene.record({ id: "call_1", startedAt: platform.now() - 401 * day });
    retention.start();
    await settle();
    expect(await scene.ids()).toEqual([]);
    expect(lines.join("")).toContain("1 calls");
    await scene.record({ id: "call_2", startedAt: platform.now() - 400 * day });
    platform.advance(hour);
    await settle();
    expect(await scene.ids()).toEqual([]);
    await scene.record({ id: "call_3", startedAt: platform.now() - 402 * day });
    await retention.stop();
    platform.advance(hour);
    await retention.stop();
    expect(await scene.ids()).toEqual(["call_3"]);
  });

  test("two replicas that prune at once delete each row once, and fail at worst for the moment", async () => {
    await using scene = await pruned(make);
    const old = scene.platform.now() - 401 * day;
    await scene.record(
      ...Array.from({ length: 150 }, (_, index) => ({
        ...exampleCall(),
        id: `call_${index}`,
        startedAt: old,
        attempts: [attempt],
      })),
    );
    const other = createRetention({
      database: scene.database,
      platform: scene.platform,
      settings: { calls: { retentionMs: 400 * day } },
      every: scene.platform.every,
      log: { info: () => undefined, warn: () => undefined },
    });
    await Promise.allSettled([scene.retention.run(), other.run()]);
    await scene.retention.run();
    expect(await scene.ids()).toEqual([]);
  });
});
