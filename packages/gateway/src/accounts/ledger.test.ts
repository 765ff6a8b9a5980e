import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeEngines } from "../testing/database-engines.ts";
import { ledgerScene } from "../testing/ledger-scene.ts";

const at = 1_767_225_600_000;
const dollar = 1_000_000_000n;

describeEngines((make) => {
  test("M5 a prepaid account pays exactly as many calls as it can, whoever asks at once", async () => {
    await using scene = await ledgerScene(make, { balance: 7n * dollar });
    const asked = await Promise.all(
      Array.from({ length: 60 }, (_, index) => scene.ledger.reserve(scene.request(`call_${index}`, dollar))),
    );
    expect(asked.filter(({ ok }) => ok)).toHaveLength(7);
    expect(asked.filter((outcome) => !outcome.ok && outcome.reason === "balance")).toHaveLength(53);
    expect(await scene.account()).toEqual({ balance: 7n * dollar, reserved: 7n * dollar });
  });

  test("M5 a quota is never exceeded, and a refused call leaves nothing behind", async () => {
    await using scene = await ledgerScene(make, {
      billing: "postpaid",
      quota: { amount: 3_500_000_000, period: "total" },
    });
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, index) => scene.ledger.reserve(scene.request(`call_${index}`, dollar))),
    );
    expect(asked.filter(({ ok }) => ok)).toHaveLength(3);
    expect(asked.filter((outcome) => !outcome.ok && outcome.reason === "quota")).toHaveLength(17);
    expect(await scene.account()).toEqual({ balance: 0n, reserved: 3n * dollar });
    expect(await scene.quotaUsage()).toEqual([{ window: "total", used: 0n, reserved: 3n * dollar }]);
  });

  test("M5 a first use that is more than the whole quota is refused", async () => {
    await using scene = await ledgerScene(make, { billing: "postpaid", quota: { amount: 5, period: "day" } });
    expect(await scene.ledger.reserve(scene.request("call_1", 6n))).toEqual({ ok: false, reason: "quota" });
    expect(await scene.quotaUsage()).toEqual([]);
  });

  test.each(["day", "week", "month"] as const)(
    "M16 what was used in an earlier %s leaves this one whole, and is settled there",
    async (period) => {
      await using scene = await ledgerScene(make, { billing: "postpaid", quota: { amount: 10, period } });
      const outcome = await scene.ledger.reserve(scene.request("call_1", 10n));
      if (!outcome.ok) throw new Error(outcome.reason);
      // As if it had begun before midnight: the window's name is all that tells when it was.
      const { compile } = scene.database;
      await scene.database.write([
        compile(sql`update quota_usage set quota_window = 'earlier'`),
        compile(sql`update reservation set quota_window = 'earlier'`),
      ]);
      expect(await scene.ledger.reserve(scene.request("call_2", 10n))).toMatchObject({ ok: true });
      expect(await scene.ledger.reserve(scene.request("call_3", 1n))).toEqual({ ok: false, reason: "quota" });
      const earlier = { ...outcome.reservation, window: "earlier" };
      await scene.database.write(scene.ledger.settlement(earlier, { charge: 4n, state: "settled", at }));
      expect(await scene.quotaUsage()).toEqual([
        { window: expect.stringMatching(/^20\d\d-/), used: 0n, reserved: 10n },
        { window: "earlier", used: 4n, reserved: 0n },
      ]);
    },
  );

  test("M6 M14 a settlement charges once, frees the rest and writes one line", async () => {
    await using scene = await ledgerScene(make, { balance: 10n * dollar, quota: { amount: 9e9, period: "month" } });
    const outcome = await scene.ledger.reserve(scene.request("call_1", 4n * dollar));
    if (!outcome.ok) throw new Error(outcome.reason);
    const { reservation } = outcome;
    const unit = scene.ledger.settlement(reservation, { charge: dollar + 1n, state: "settled", at });
    await scene.database.write(unit);
    const again = scene.ledger.settlement(reservation, { charge: dollar + 1n, state: "settled", at });
    await expect(scene.database.write(again)).rejects.toMatchObject({ kind: "condition" });
    expect(await scene.account()).toEqual({ balance: 9n * dollar - 1n, reserved: 0n });
    expect(await scene.quotaUsage()).toMatchObject([{ used: dollar + 1n, reserved: 0n }]);
    const entries = await scene.database.read.selectFrom("ledger_entry").selectAll().execute();
    expect(entries).toMatchObject([
      {
        kind: "charge",
        amount: -1_000_000_001,
        balance_after: 8_999_999_999,
        call_id: "call_1",
        quota_window: reservation.window,
      },
    ]);
  });

  test("M6 a charge is never larger than its reservation and never negative", async () => {
    await using scene = await ledgerScene(make, { balance: 10n });
    for (const [index, charge] of [25n, -25n].entries()) {
      const outcome = await scene.ledger.reserve(scene.request(`call_${index}`, 5n));
      if (!outcome.ok) throw new Error(outcome.reason);
      await scene.database.write(scene.ledger.settlement(outcome.reservation, { charge, state: "settled", at }));
    }
    expect(await scene.account()).toEqual({ balance: 5n, reserved: 0n });
  });

  test("M8 a call of the same idempotency key is not let in twice", async () => {
    await using scene = await ledgerScene(make, { balance: 100n });
    const idempotency = { digest: new Uint8Array(32).fill(7), bodyDigest: new Uint8Array(32) };
    const asked = await Promise.all(
      ["call_1", "call_2"].map((id) => scene.ledger.reserve(scene.request(id, 10n, { idempotency }))),
    );
    expect(asked.map((outcome) => (outcome.ok ? "in" : outcome.reason)).toSorted()).toEqual(["in", "repeated"]);
    expect(await scene.account()).toEqual({ balance: 100n, reserved: 10n });
  });

  test("M6 a postpaid account owes down to its credit limit", async () => {
    await using scene = await ledgerScene(make, { billing: "postpaid", creditLimit: 10n });
    expect(await scene.ledger.reserve(scene.request("call_1", 10n))).toMatchObject({ ok: true });
    expect(await scene.ledger.reserve(scene.request("call_2", 1n))).toEqual({ ok: false, reason: "balance" });
  });

  test("M14 a ledger entry cannot be changed or removed by anyone", async () => {
    await using scene = await ledgerScene(make, { balance: 10n });
    const outcome = await scene.ledger.reserve(scene.request("call_1", 5n));
    if (!outcome.ok) throw new Error(outcome.reason);
    await scene.database.write(scene.ledger.settlement(outcome.reservation, { charge: 5n, state: "settled", at }));
    const { build } = scene.database;
    const change = build.updateTable("ledger_entry").set({ amount: -1n }).compile();
    const removal = build.deleteFrom("ledger_entry").compile();
    for (const statement of [change, removal]) {
      await expect(scene.database.write([statement])).rejects.toThrow(/append-only/);
    }
  });

  test("M10 a suspended account sets nothing aside", async () => {
    await using scene = await ledgerScene(make, { balance: 10n });
    await scene.database.write([scene.database.build.updateTable("account").set({ state: "suspended" }).compile()]);
    expect(await scene.ledger.reserve(scene.request("call_1", 0n))).toEqual({ ok: false, reason: "balance" });
  });
});
