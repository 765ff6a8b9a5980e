import { expect, test } from "vitest";
import { verifyAuditLog } from "../audit/audit-log.ts";
import { maxMoney } from "../catalogue/prices/money.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { type LedgerScene, ledgerScene } from "../testing/ledger-scene.ts";
import { type Credit, credit, maxCredit } from "./credits.ts";
import { refundCall } from "./credits-refund.ts";
import { listLedger } from "./list-ledger.ts";

const dollar = 1_000_000_000n;
const at = Date.UTC(2026, 0, 1);
const actor = { kind: "command", id: null, name: "command line", address: null } as const;

function topUp(more: Partial<Credit> = {}): Credit {
  return { accountId: "acct_1", kind: "top_up", amount: 25n * dollar, actor, ...more };
}

async function charge(scene: LedgerScene, callId: string, amount: bigint): Promise<void> {
  const outcome = await scene.ledger.reserve(scene.request(callId, amount));
  if (!outcome.ok) throw new Error(outcome.reason);
  await scene.database.write(scene.ledger.settlement(outcome.reservation, { charge: amount, state: "settled", at }));
}

describeEngines((make) => {
  test("M14 a credit moves the balance, leaves one line and one audit entry", async () => {
    await using scene = await ledgerScene(make);
    const { database, platform } = scene;
    const outcome = await credit({ database, platform }, topUp({ reference: "invoice 7", note: "by wire" }));
    expect(outcome).toMatchObject({
      kind: "credited",
      entry: { amount: 25n * dollar, balanceAfter: 25n * dollar, reference: "invoice 7", note: "by wire", at },
    });
    expect(await scene.account()).toEqual({ balance: 25n * dollar, reserved: 0n });
    const events = await database.read.selectFrom("audit_event").selectAll().execute();
    expect(events).toMatchObject([{ action: "account.topped_up", target_id: "acct_1", account_id: "acct_1" }]);
    expect(JSON.parse(events[0]?.detail ?? "")).toMatchObject({ amount: "$25.00", entry: outcome.entry.id });
    expect(await verifyAuditLog(database)).toEqual({ ok: true, entries: 1 });
  });

  test("M13 the same reference twice, also at once, is credited once and says so", async () => {
    await using scene = await ledgerScene(make);
    const { database, platform } = scene;
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => credit({ database, platform }, topUp({ reference: "invoice 7" }))),
    );
    const [first] = outcomes.filter(({ kind }) => kind === "credited");
    expect(outcomes.filter(({ kind }) => kind === "repeated")).toHaveLength(19);
    expect(new Set(outcomes.map(({ entry }) => entry.id))).toEqual(new Set([first?.entry.id]));
    expect((await scene.account()).balance).toBe(25n * dollar);
    // Another kind has references of its own.
    const other = await credit({ database, platform }, topUp({ kind: "payment", reference: "invoice 7" }));
    expect(other.kind).toBe("credited");
  });

  test("M10 credits, charges and reservations at once lose nothing of each other", async () => {
    await using scene = await ledgerScene(make);
    const { database, platform } = scene;
    await credit({ database, platform }, topUp());
    await Promise.all(
      Array.from({ length: 25 }, (_, index) => [
        credit({ database, platform }, topUp({ amount: dollar })),
        charge(scene, `call_${index}`, dollar / 2n),
      ]).flat(),
    );
    expect(await scene.account()).toEqual({ balance: 25n * dollar + (25n * dollar) / 2n, reserved: 0n });
  });

  test("M6 an adjustment takes nothing of what is set aside, and a postpaid account may owe", async () => {
    await using scene = await ledgerScene(make);
    const { database, platform } = scene;
    const parts = { database, platform };
    await credit(parts, topUp({ amount: 10n }));
    await scene.ledger.reserve(scene.request("call_1", 7n));
    const adjust = (amount: bigint) => credit(parts, topUp({ kind: "adjustment", amount, note: "a slip" }));
    await expect(adjust(-4n)).rejects.toMatchObject({ name: "AccountsError", code: "refused" });
    expect(await adjust(-3n)).toMatchObject({ kind: "credited", entry: { amount: -3n, balanceAfter: 7n } });
    await database.write([database.build.updateTable("account").set({ billing: "postpaid" }).compile()]);
    expect(await adjust(-10n)).toMatchObject({ entry: { balanceAfter: -3n } });
  });

  test("M9 no credit is zero, negative, beyond a million dollars or beyond what the books hold", async () => {
    await using scene = await ledgerScene(make);
    const parts = scene;
    for (const amount of [0n, -1n, maxCredit + 1n, 2n ** 63n, 18_446_744_073_686_646_784n]) {
      await expect(credit(parts, topUp({ amount }))).rejects.toMatchObject({ code: "invalid", field: "amount" });
    }
    await expect(credit(parts, topUp({ kind: "refund", amount: -1n }))).rejects.toMatchObject({ code: "invalid" });
    await scene.database.write([
      scene.database.build
        .updateTable("account")
        .set({ balance: maxMoney - 5n })
        .compile(),
    ]);
    await expect(credit(parts, topUp({ amount: 6n }))).rejects.toMatchObject({ code: "refused" });
    expect(await credit(parts, topUp({ amount: 5n }))).toMatchObject({ entry: { balanceAfter: maxMoney } });
    await expect(credit(parts, topUp({ accountId: "nobody" }))).rejects.toMatchObject({ code: "unknown" });
  });

  test("M14 of a charge no more is refunded than was charged, in however many steps at once", async () => {
    await using scene = await ledgerScene(make);
    const { database, platform } = scene;
    const parts = { database, platform };
    await credit(parts, topUp({ amount: 100n }));
    await charge(scene, "call_1", 10n);
    // Its refunds stand behind those of the other one, in the order of references.
    await charge(scene, "call_1x", 10n);
    await refundCall(parts, { accountId: "acct_1", callId: "call_1x", amount: 3n, actor });
    const refund = (amount?: bigint) => refundCall(parts, { accountId: "acct_1", callId: "call_1", amount, actor });
    await expect(refund(11n)).rejects.toMatchObject({ code: "refused" });
    const asked = await Promise.allSettled(Array.from({ length: 3 }, () => refund(4n)));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await refund()).toMatchObject({ entry: { amount: 2n, reference: "refund:call_1:3" } });
    await expect(refund()).rejects.toMatchObject({ code: "refused" });
    expect((await scene.account()).balance).toBe(93n);
    await expect(refundCall(parts, { accountId: "acct_default", callId: "call_1x", actor })).rejects.toMatchObject({
      code: "unknown",
    });
  });

  test("M14 the pages of the ledger hold each line once, newest first, exact beyond doubles", async () => {
    await using scene = await ledgerScene(make);
    const { database, platform } = scene;
    for (let index = 0; index < 7; index++) {
      // Two lines a millisecond.
      if (index % 2 === 0) platform.advance(1);
      await credit({ database, platform }, topUp({ amount: maxCredit - BigInt(index) }));
    }
    for (let index = 0; index < 3; index++) {
      await credit({ database, platform }, topUp({ accountId: "acct_default", kind: "adjustment", amount: -1n }));
    }
    const amounts: bigint[] = [];
    let cursor: string | undefined;
    do {
      const page = await listLedger(database, { accountId: "acct_1", limit: 3, cursor });
      amounts.push(...page.entries.map(({ amount }) => amount));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(amounts)).toEqual(new Set(Array.from({ length: 7 }, (_, index) => maxCredit - BigInt(index))));
    expect(amounts).toHaveLength(7);
    const all = await listLedger(database, { limit: 200 });
    const places = all.entries.map(({ at: time, id }) => `${time} ${id}`);
    expect(places).toEqual(places.toSorted().reverse());
    expect(all).toMatchObject({ nextCursor: null, entries: { length: 10 } });
    expect((await listLedger(database, { kind: "adjustment" })).entries).toHaveLength(3);
    expect((await listLedger(database, { from: at + 2, to: at + 3 })).entries).toHaveLength(2);
    await expect(listLedger(database, { cursor: "x" })).rejects.toMatchObject({ code: "invalid", field: "cursor" });
    await expect(listLedger(database, { limit: 201 })).rejects.toMatchObject({ code: "invalid", field: "limit" });
  });
});
