import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createCallRecorder } from "../calls/call-recorder.ts";
import { createRedemptionCodes } from "../payments/redemption-codes.ts";
import { openSnapshot } from "../storage/open-snapshot.ts";
import {
  describeEngines,
  describePostgres,
  type MakeDatabase,
  postgresDatabase,
  sqliteDatabase,
} from "../testing/database-engines.ts";
import { exampleCall } from "../testing/example-rows.ts";
import { type LedgerScene, ledgerScene } from "../testing/ledger-scene.ts";
import { auditBooks, type BooksAuditOptions } from "./books-audit.ts";
import { credit } from "./credits.ts";
import { refundCall } from "./credits-refund.ts";

const actor = { kind: "command", id: null, name: "command line", address: null } as const;
const retentionMs = 400 * 24 * 3_600_000;

async function audit(scene: LedgerScene, options: Partial<BooksAuditOptions> = {}) {
  await using snapshot = await openSnapshot(scene.config);
  return await auditBooks(snapshot, { retentionMs, ...options });
}

/** The invariants that do not hold. */
async function broken(scene: LedgerScene, options?: Partial<BooksAuditOptions>): Promise<string[]> {
  const { checks } = await audit(scene, options);
  return [...new Set(checks.flatMap(({ invariant, findings }) => (findings.length > 0 ? [invariant] : [])))].toSorted();
}

const startedAt = Date.UTC(2026, 0, 1);

/** A call with everything that a gateway writes for it. */
async function runCall(scene: LedgerScene, id: string, charge: bigint): Promise<void> {
  const outcome = await scene.ledger.reserve(scene.request(id, charge + 9n, { priceVersion: "price_1" }));
  if (!outcome.ok) throw new Error(outcome.reason);
  const attempt = {
    channel: "openai",
    upstreamProtocol: "responses",
    upstreamModel: "gpt-5-mini",
    lane: "converted",
    started: 0,
    connect: 1,
    firstByte: 2,
    end: 3,
    status: 200,
    errorKind: null,
    errorCode: null,
    possiblyBilled: false,
  } as const;
  const call = exampleCall({
    id,
    startedAt,
    accountId: "acct_1",
    reserved: charge + 9n,
    charge,
    priceLines: [
      { class: "input", quantity: 1, price: 1n, amount: charge - 1n },
      { class: "output", quantity: 1, price: 1n, amount: 3n },
      { class: "overrun", quantity: 1, price: 0n, amount: -2n },
    ],
    timings: { admission: 0.5, connect: 1, firstByte: 2, firstToken: 2.5, end: 300.5 },
    attempts: [{ ...attempt, status: 503, errorKind: "overloaded" }, attempt],
  });
  await scene.database.write([
    ...scene.ledger.settlement(outcome.reservation, { charge, state: "settled", at: startedAt + 300 }),
    ...createCallRecorder(scene.database).statements(call),
  ]);
}

/** A call whose reservation took effect without an acknowledgement: it was refused, and what was set aside is given back. */
async function refuseUnacknowledged(scene: LedgerScene, id: string, recorded: bigint): Promise<void> {
  const outcome = await scene.ledger.reserve(scene.request(id, 50n, { priceVersion: "price_1" }));
  if (!outcome.ok) throw new Error(outcome.reason);
  const none = { reserved: recorded, charge: 0n, priceLines: [], attempts: [], priceVersion: null };
  const call = exampleCall({ id, startedAt, accountId: "acct_1", ...none, outcome: "failed", status: 503 });
  await scene.database.write([...createCallRecorder(scene.database).statements(call)]);
  await scene.database.write([
    ...scene.ledger.settlement(outcome.reservation, { charge: 0n, state: "voided", at: startedAt + 30_000 }),
  ]);
}

/** Books in which everything has happened once. */
async function books(make: MakeDatabase): Promise<LedgerScene> {
  const scene = await ledgerScene(make, { quota: { amount: 1_000_000, period: "month" } });
  const { database, platform } = scene;
  const price = {
    id: "price_1",
    model: "fast",
    channel: null,
    valid_from: 0,
    source: "operator",
    created_at: 0,
  } as const;
  await database.write([
    database.build
      .insertInto("price_version")
      .values({ ...price, prices: "{}" })
      .compile(),
  ]);
  await credit(scene, { accountId: "acct_1", kind: "top_up", amount: 100_000n, reference: "invoice 1", actor });
  const codes = createRedemptionCodes({
    database,
    platform,
    digests: (code) => [Buffer.from(code.padEnd(32)).subarray(0, 32)],
  });
  const [code] = await codes.create({ amount: 500n, count: 2 }, actor);
  await codes.redeem(code?.code ?? "", "acct_1", actor);
  for (const id of ["call_1", "call_2"]) await runCall(scene, id, 700n);
  await refundCall(scene, { accountId: "acct_1", callId: "call_1", amount: 300n, actor });
  await scene.ledger.reserve(scene.request("call_open", 40n, { priceVersion: "price_1" }));
  return scene;
}

const table = (name: string) => sql.table(name);
const hourAgo = Date.now() - 3_600_000;

/** What somebody may do to the tables behind the program's back, and what then does not hold. */
const harm: [string, string[], RawBuilder<unknown>[]][] = [
  ["a balance that is one off", ["I4"], [sql`update account set balance = balance + 1 where id = 'acct_1'`]],
  ["money set aside for nothing", ["I4"], [sql`update account set reserved = reserved + 1 where id = 'acct_1'`]],
  [
    "a line that moved nothing",
    ["I4"],
    [
      sql`insert into ledger_entry (id, account_id, at, kind, amount, balance_after, actor)
      values ('entry_x1', 'acct_1', 1, 'top_up', 5, 5, 'eve')`,
    ],
  ],
  [
    "a charge without a call",
    ["I3", "I4"],
    [
      sql`insert into ledger_entry (id, account_id, at, kind, amount, balance_after, call_id, actor)
      values ('entry_x2', 'acct_1', ${hourAgo}, 'charge', -5, 5, 'call_x', 'call')`,
    ],
  ],
  [
    "a record that is gone",
    ["I1", "I3", "M14"],
    [sql`delete from attempt where call_id = 'call_1'`, sql`delete from ${table("call")} where id = 'call_1'`],
  ],
  [
    "a charge that is another one than its line",
    ["I3", "I6", "M14"],
    [sql`update ${table("call")} set charge = charge + 2 where id = 'call_2'`],
  ],
  [
    "price lines that add up to something else",
    ["I6"],
    [sql`update ${table("call")} set price_lines = replace(price_lines, '"3"', '"4"') where id = 'call_2'`],
  ],
  [
    "a call that was let in for less",
    ["I2"],
    [sql`update ${table("call")} set reserved = reserved - 1 where id = 'call_2'`],
  ],
  ["a window that counts too much", ["I4"], [sql`update quota_usage set used = used + 1`]],
  ["a window that is gone", ["I4"], [sql`delete from quota_usage`]],
  ["a quota that is exceeded", ["I5"], [sql`update access_key set quota = 1439 where id = 'key_1'`]],
  ["a gap in the attempts", ["I9"], [sql`update attempt set number = 3 where number = 2 and call_id = 'call_2'`]],
  ["two attempts that gave the answer", ["I9"], [sql`update attempt set error_kind = null where call_id = 'call_2'`]],
  ["a success without an attempt", ["I9"], [sql`delete from attempt where call_id = 'call_2'`]],
  ["an hour that counts a call too much", ["M14"], [sql`update usage_hour set calls = calls + 1`]],
  ["an hour that misses tokens", ["M14"], [sql`update usage_hour set output_total = output_total - 1`]],
  ["an hour that lasted longer", ["M14"], [sql`update usage_hour set duration_ms = duration_ms + 1`]],
  [
    "a price that nobody kept",
    ["M18"],
    [sql`update ${table("call")} set price_version = 'price_2' where id = 'call_2'`],
  ],
  [
    "a code that gave nothing",
    ["I4"],
    [sql`update redemption_code set redeemed_at = 1, redeemed_by = 'acct_1' where redeemed_at is null`],
  ],
  ["a code that was given back", ["I4"], [sql`update redemption_code set redeemed_at = null`]],
  [
    "an order that was paid by nothing",
    ["I4"],
    [
      sql`insert into payment_order (id, account_id, amount_minor, currency, credit, state, created_at)
      values ('order_1', 'acct_1', 1, 'usd', 5, 'paid', 1)`,
    ],
  ],
  [
    "a refund beyond the charge",
    ["I4"],
    [
      sql`insert into ledger_entry (id, account_id, at, kind, amount, balance_after, reference, actor)
      values ('entry_x3', 'acct_1', 1, 'refund', 401, 5, 'refund:call_1:2', 'eve')`,
      sql`update account set balance = balance + 401 where id = 'acct_1'`,
    ],
  ],
  [
    "a reservation whose gateway is gone",
    ["I7"],
    [
      sql`insert into instance (id, started_at, heartbeat_at) values ('instance_2', ${hourAgo}, ${Date.now() + 60_000})`,
      sql`update reservation set created_at = ${hourAgo} where state = 'open'`,
    ],
  ],
];

/** What SQLite lets pass once its triggers are gone. */
const deeperHarm: typeof harm = [
  [
    "a line that is gone",
    ["I3", "I4"],
    [
      sql`drop trigger ledger_entry_no_delete`,
      sql`delete from ledger_entry where kind = 'charge' and call_id = 'call_2'`,
    ],
  ],
  [
    "a record of a call that still runs",
    ["I1", "I4"],
    [sql`update reservation set state = 'open' where call_id = 'call_2'`],
  ],
  [
    "a charge for which nothing was set aside",
    ["I2", "M14"],
    [
      sql`delete from reservation where call_id = 'call_2'`,
      sql`update ${table("call")} set started_at = ${hourAgo} where id = 'call_2'`,
    ],
  ],
  [
    "an audit log that was cut",
    ["S16"],
    [
      sql`drop trigger audit_event_no_delete`,
      sql`delete from audit_event where sequence = (select max(sequence) from audit_event)`,
    ],
  ],
];

describeEngines((make) => {
  test("M14 books in which everything has happened are clean, and what was looked at is counted", async () => {
    await using scene = await books(make);
    const report = await audit(scene, { acknowledged: ["call_1", "call_2"] });
    expect(report.checks.filter(({ findings }) => findings.length > 0)).toEqual([]);
    expect(report).toMatchObject({ clean: true, notices: [] });
    expect(report.counted).toMatchObject({ calls: 2, attempts: 4, "ledger entries": 5, "acknowledged calls": 2 });
  });

  test("I1 an acknowledged call without a record is named, and so is one that was acknowledged twice", async () => {
    await using scene = await books(make);
    const { checks, clean } = await audit(scene, { acknowledged: ["call_1", "call_3", "call_1"] });
    expect(clean).toBe(false);
    expect(checks[0]).toMatchObject({
      invariant: "I1",
      findings: [
        { call: "call_1", problem: "acknowledged twice" },
        { call: "call_3", problem: "no record" },
      ],
    });
  });

  test("I7 with no gateway to free them, reservations of ended ones are told and are no violation", async () => {
    await using scene = await books(make);
    await scene.database.write([
      scene.database.compile(sql`update reservation set created_at = ${hourAgo} where state = 'open'`),
    ]);
    const report = await audit(scene);
    expect(report.clean).toBe(true);
    expect(report.notices).toEqual([expect.stringMatching(/^1 reservations .* wait/)]);
  });

  test("I2 a refused call whose reservation was given back is no violation, and is one where it says otherwise", async () => {
    await using scene = await books(make);
    await refuseUnacknowledged(scene, "call_refused", 0n);
    expect(await broken(scene)).toEqual([]);
    await refuseUnacknowledged(scene, "call_wrong", 49n);
    expect(await broken(scene)).toEqual(["I2"]);
  });

  test("I5 a quota that was made smaller may be exceeded", async () => {
    await using scene = await books(make);
    await scene.database.write([
      scene.database.compile(sql`update access_key set quota = 5 where id = 'key_1'`),
      scene.database.compile(sql`
        insert into audit_entry (id, at, actor_kind, actor_name, action, target_kind, target_id, detail)
        values ('aud_x', 1, 'user', 'ada', 'access_key.changed', 'access_key', 'key_1', '{"quota_before":9,"quota_after":5}')`),
    ]);
    expect(await broken(scene)).toEqual([]);
  });

  test("M14 calls that were deleted after their time are not missed, and are with a longer look back", async () => {
    await using scene = await books(make);
    await scene.database.write(
      ["attempt where call_id", "call where id"].map((from) =>
        scene.database.compile(sql`delete from ${sql.raw(from)} = 'call_2'`),
      ),
    );
    await scene.database.write([scene.database.compile(sql`delete from reservation where state <> 'open'`)]);
    // The ledger and the sums stay; the hour is older than what is kept.
    const shorter = Date.now() - startedAt - 24 * 3_600_000;
    expect(await broken(scene, { retentionMs: shorter })).toEqual([]);
    expect(await broken(scene)).toEqual(["I3", "M14"]);
    expect(await broken(scene, { since: Date.now() })).toEqual([]);
  });

  test("M14 no false alarm while others write: every look sees whole units alone", async () => {
    await using scene = await books(make);
    let running = true;
    let calls = 0;
    const writer = async (name: string) => {
      for (let index = 0; running; index++) {
        await Promise.all([
          runCall(scene, `call_${name}_${index}`, 70n),
          credit(scene, { accountId: "acct_1", kind: "top_up", amount: 70n, actor }),
        ]);
        calls += 1;
      }
    };
    const writers = ["a", "b", "c", "d"].map(writer);
    const found: unknown[] = [];
    for (let look = 0; look < 15; look++) {
      found.push(...(await audit(scene)).checks.filter(({ findings }) => findings.length > 0));
      // SQLite is read without leaving this thread, in which the writers run, too.
      await scene.database.write([scene.database.compile(sql`update account set name = name where id = 'acct_1'`)]);
    }
    running = false;
    await Promise.all(writers);
    expect(found).toEqual([]);
    expect(calls).toBeGreaterThan(10);
    expect((await audit(scene)).clean).toBe(true);
  });
});

describe("SQLite", () => {
  test.each([...harm, ...deeperHarm])("M14 finds %s", async (_name, invariants, statements) => {
    await using scene = await books(sqliteDatabase);
    await scene.database.write(statements.map((statement) => scene.database.compile(statement)));
    expect(await broken(scene)).toEqual(invariants);
  });
});

describePostgres("PostgreSQL", () => {
  test("M14 finds all of that at once", async () => {
    await using scene = await books(postgresDatabase);
    // Without its window a quota is not seen to be exceeded.
    const statements = harm.flatMap(([name, , each]) => (name === "a window that is gone" ? [] : each));
    await scene.database.write(statements.map((statement) => scene.database.compile(statement)));
    const { checks } = await audit(scene);
    const silent = checks.filter(({ findings }) => findings.length === 0).map(({ title }) => title);
    // What the tables themselves refuse, and what no harm was done to.
    expect(silent).toEqual([
      "no call is recorded before its reservation has ended",
      "every charged call had money set aside",
      "a charge is at least nothing and at most what was set aside",
      "a call has at most one line of each kind",
      "every charged call has its line",
      "a prepaid account covers what is set aside",
      "the audit log is the one that was written",
    ]);
  });
});
