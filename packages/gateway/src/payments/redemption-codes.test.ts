import { expect, test } from "vitest";
import type { AuditActor } from "../audit/audit-log.ts";
import { describeEngines, type MakeDatabase } from "../testing/database-engines.ts";
import { ledgerScene } from "../testing/ledger-scene.ts";
import { untilAvailable } from "../testing/until-available.ts";
import { createCodeDigests } from "./code-text.ts";
import { createRedemptionCodes } from "./redemption-codes.ts";
import { createRedemptionThrottle } from "./redemption-throttle.ts";

const dollar = 1_000_000_000n;
const actor: AuditActor = { kind: "command", id: null, name: "command line", address: null };
const digests = createCodeDigests({ bytes: new Uint8Array(32).fill(3) });

async function codeScene(make: MakeDatabase) {
  const scene = await ledgerScene(make);
  const { database, platform } = scene;
  return Object.assign(scene, { codes: createRedemptionCodes({ database, platform, digests }) });
}

describeEngines((make) => {
  test("M13 of fifty who redeem a code at once one gets the money, whatever their accounts", async () => {
    await using scene = await codeScene(make);
    const [made] = await scene.codes.create({ amount: 25n * dollar, count: 1 }, actor);
    const asked = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        untilAvailable(() => scene.codes.redeem(made?.code ?? "", index % 2 === 0 ? "acct_1" : "acct_default", actor)),
      ),
    );
    expect(asked.filter(({ kind }) => kind === "redeemed")).toEqual([
      { kind: "redeemed", amount: 25n * dollar, balance: 25n * dollar },
    ]);
    expect(asked.filter(({ kind }) => kind === "refused")).toEqual(
      Array.from({ length: 49 }, () => ({ kind: "refused", reason: "redeemed" })),
    );
    const entries = await scene.database.read.selectFrom("ledger_entry").selectAll().execute();
    expect(entries).toMatchObject([{ kind: "redemption", amount: 25e9, reference: made?.id }]);
    expect(await scene.codes.list({ state: "redeemed" })).toMatchObject([{ id: made?.id, state: "redeemed" }]);
  });

  test("an expired, a revoked and an unknown code are worth nothing, and each is told apart for who has it", async () => {
    await using scene = await codeScene(make);
    const { codes, platform } = scene;
    const expiresAt = platform.now() + 1000;
    const [brief, taken, ...others] = await codes.create({ amount: dollar, count: 4, expiresAt, note: "fair" }, actor);
    expect(await codes.revoke(taken?.id ?? "", actor)).toMatchObject({ state: "revoked", note: "fair" });
    expect(await codes.redeem(taken?.code ?? "", "acct_1", actor)).toEqual({ kind: "refused", reason: "revoked" });
    await expect(codes.revoke(taken?.id ?? "", actor)).rejects.toMatchObject({ code: "refused" });
    platform.advance(999);
    expect(await codes.redeem(others[0]?.code ?? "", "acct_1", actor)).toMatchObject({ kind: "redeemed" });
    await expect(codes.revoke(others[0]?.id ?? "", actor)).rejects.toMatchObject({ code: "refused" });
    platform.advance(1);
    expect(await codes.redeem(brief?.code ?? "", "acct_1", actor)).toEqual({ kind: "refused", reason: "expired" });
    expect(await codes.redeem("ilr_nothing", "acct_1", actor)).toEqual({ kind: "refused", reason: "unknown" });
    await expect(codes.revoke("code_none", actor)).rejects.toMatchObject({ code: "unknown" });
    expect((await scene.account()).balance).toBe(dollar);
    const states = async (state?: "open" | "redeemed" | "expired" | "revoked") =>
      (await codes.list(state ? { state } : {})).map((info) => info.state).toSorted();
    expect(await states()).toEqual(["expired", "expired", "redeemed", "revoked"]);
    expect(await states("expired")).toEqual(["expired", "expired"]);
    expect(await states("revoked")).toEqual(["revoked"]);
    expect(await states("open")).toEqual([]);
  });

  test("M13 of a code that is redeemed and revoked at once one holds", async () => {
    await using scene = await codeScene(make);
    const { codes } = scene;
    const made = await codes.create({ amount: dollar, count: 8 }, actor);
    const both = made.flatMap(({ id, code }) => [codes.redeem(code, "acct_1", actor), codes.revoke(id, actor)]);
    const outcomes = await Promise.allSettled<object>(both);
    const redeemed = outcomes.filter(
      (each) => each.status === "fulfilled" && "kind" in each.value && each.value.kind === "redeemed",
    );
    const revoked = outcomes.filter((each) => each.status === "fulfilled" && "state" in each.value);
    expect(redeemed.length + revoked.length).toBe(8);
    expect((await scene.account()).balance).toBe(BigInt(redeemed.length) * dollar);
    expect(await codes.list({ state: "revoked" })).toHaveLength(revoked.length);
  });

  test("a code that cannot be credited stays good", async () => {
    await using scene = await codeScene(make);
    const [made] = await scene.codes.create({ amount: dollar, count: 1 }, actor);
    await expect(scene.codes.redeem(made?.code ?? "", "nobody", actor)).rejects.toMatchObject({ code: "unknown" });
    const redeemed = await scene.codes.redeem(made?.code ?? "", "acct_1", actor);
    expect(redeemed).toMatchObject({ kind: "redeemed", amount: dollar });
  });

  test("S1 S16 no code stands in the database, and each change leaves its entry", async () => {
    await using scene = await codeScene(make);
    const made = await scene.codes.create({ amount: dollar, count: 3 }, actor);
    await scene.codes.redeem(made[0]?.code ?? "", "acct_1", actor);
    await scene.codes.revoke(made[1]?.id ?? "", actor);
    const events = await scene.database.read.selectFrom("audit_event").selectAll().orderBy("sequence").execute();
    expect(events.map(({ action }) => action)).toEqual(["codes.created", "account.redeemed", "code.revoked"]);
    const rows = await scene.database.read.selectFrom("redemption_code").selectAll().execute();
    const stored = JSON.stringify([
      events,
      rows.map((row) => ({ ...row, digest: Buffer.from(row.digest).toString() })),
    ]);
    for (const { code } of made) expect(stored).not.toContain(code.slice(4, 20));
  });

  test("M9 codes of no, negative or absurd worth are not made", async () => {
    await using scene = await codeScene(make);
    const create = (amount: bigint, count = 1, expiresAt?: number) =>
      scene.codes.create({ amount, count, expiresAt }, actor);
    for (const amount of [0n, -1n, 1_000_000n * dollar + 1n]) {
      await expect(create(amount)).rejects.toMatchObject({ code: "invalid", field: "amount" });
    }
    for (const count of [0, 1001, 1.5, Number.NaN]) {
      await expect(create(dollar, count)).rejects.toMatchObject({ code: "invalid", field: "count" });
    }
    await expect(create(dollar, 1, scene.platform.now())).rejects.toMatchObject({ field: "expiresAt" });
  });
});

test("A6 ten failures of an address in an hour, then it has to wait", () => {
  let now = 0;
  const throttle = createRedemptionThrottle(() => now);
  for (let index = 0; index < 10; index++) {
    expect(throttle.blockedFor("192.0.2.1")).toBeUndefined();
    throttle.failed("192.0.2.1");
  }
  expect(throttle.blockedFor("192.0.2.1")).toBe(3600);
  expect(throttle.blockedFor("192.0.2.2")).toBeUndefined();
  now = 3_600_000;
  expect(throttle.blockedFor("192.0.2.1")).toBeUndefined();
});
