import fc from "fast-check";
import { expect, test } from "vitest";
import { StorageError } from "../storage/database.ts";
import { openSnapshot } from "../storage/open-snapshot.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { type LedgerTerms, type LedgerWorld, ledgerWorld } from "../testing/ledger-world.ts";
import { auditBooks } from "./books-audit.ts";
import { maxCredit } from "./credits.ts";
import type { Reservation } from "./ledger.ts";

/* T05: whatever is done to an account, in whatever order, its money is what a page of arithmetic says. */

/** What must be: bigints, and what there is to act on. */
interface Model {
  terms: LedgerTerms;
  balance: bigint;
  used: bigint;
  open: { reservation: Reservation; noted: bigint }[];
  ended: { reservation: Reservation; left: bigint }[];
  /** Codes that were made, and those of them that were redeemed. */
  codes: { code: string; amount: bigint; redeemed: boolean }[];
  references: Set<string>;
}

type Command = fc.AsyncCommand<Model, LedgerWorld>;

const reservedOf = ({ open }: Model) => open.reduce((sum, { reservation }) => sum + reservation.amount, 0n);

/** What a reservation of this amount must come to. */
function verdict(model: Model, amount: bigint): "in" | "balance" | "quota" {
  const { billing, creditLimit, quota } = model.terms;
  const reserved = reservedOf(model);
  const funds = model.balance - reserved + (billing === "postpaid" ? creditLimit : 0n);
  if (funds < amount) return "balance";
  return model.used + reserved + amount <= quota ? "in" : "quota";
}

/** A step that is named in a counterexample by its figures, and after which the database must agree with the model. */
function step(
  name: string,
  run: (model: Model, world: LedgerWorld) => Promise<void>,
  check = (_: Model) => true,
): Command {
  return {
    toString: () => name,
    check,
    async run(model, world) {
      await run(model, world);
      const reserved = reservedOf(model);
      expect(await world.state()).toEqual({
        balance: model.balance,
        reserved,
        used: model.used,
        quotaReserved: reserved,
      });
    },
  };
}

const pick = <Item>(items: readonly Item[], place: number): Item => {
  const item = items[place % items.length];
  if (item === undefined) throw new Error("There is nothing to pick from");
  return item;
};
function least(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

const hasOpen = ({ open }: Model) => open.length > 0;
const hasEnded = ({ ended }: Model) => ended.length > 0;

function endCall(model: Model, { reservation }: Model["open"][number], asked: bigint): void {
  const charge = least(asked, reservation.amount);
  model.open = model.open.filter((other) => other.reservation !== reservation);
  model.ended.push({ reservation, left: charge });
  model.balance -= charge;
  model.used += charge;
}

/** Whether it was refused, for the model to compare. */
async function refused(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    return true;
  }
}

const amount = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: 0n, max: 40n }) },
  { weight: 1, arbitrary: fc.constantFrom(maxCredit, maxCredit + 1n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n) },
);
/** What can be asked for: reservations are bounded before they come to the ledger. */
const price = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: 0n, max: 40n }) },
  { weight: 1, arbitrary: fc.constantFrom(2n ** 53n - 1n, 2n ** 53n + 1n, 9_000_000_000_000_000_000n) },
);
const place = fc.nat(50);

const commands = [
  price.map((asked) =>
    step(`reserve(${asked})`, async (model, world) => {
      const expected = verdict(model, asked);
      const outcome = await world.reserve(asked);
      expect(typeof outcome === "string" ? outcome : "in").toBe(expected);
      if (typeof outcome !== "string") model.open.push({ reservation: outcome, noted: 0n });
    }),
  ),
  fc.tuple(fc.bigInt({ min: 1n, max: 20n }), fc.integer({ min: 2, max: 6 })).map(([asked, times]) =>
    step(`reserveAtOnce(${asked} x ${times})`, async (model, world) => {
      const outcomes = await Promise.all(Array.from({ length: times }, () => world.reserve(asked)));
      for (const outcome of outcomes.toSorted(
        (a, b) => Number(typeof a === "string") - Number(typeof b === "string"),
      )) {
        expect(typeof outcome === "string" ? outcome : "in").toBe(verdict(model, asked));
        if (typeof outcome !== "string") model.open.push({ reservation: outcome, noted: 0n });
      }
    }),
  ),
  fc.tuple(place, price).map(([which, charge]) =>
    step(
      `settle(${which}, ${charge})`,
      async (model, world) => {
        const call = pick(model.open, which);
        const paid = least(charge, call.reservation.amount);
        await world.end(call.reservation, paid);
        endCall(model, call, charge);
      },
      hasOpen,
    ),
  ),
  place.map((which) =>
    step(
      `void(${which})`,
      async (model, world) => {
        const call = pick(model.open, which);
        await world.end(call.reservation, 0n);
        endCall(model, call, 0n);
      },
      hasOpen,
    ),
  ),
  fc.tuple(place, fc.bigInt({ min: -3n, max: 60n })).map(([which, charge]) =>
    step(
      `checkpoint(${which}, ${charge})`,
      async (model, world) => {
        const call = pick(model.open, which);
        await world.checkpoint(call.reservation, charge);
        call.noted = charge < 0n ? 0n : least(charge, call.reservation.amount);
      },
      hasOpen,
    ),
  ),
  fc.constant(
    step("recover()", async (model, world) => {
      const ids = model.open.map(({ reservation }) => reservation.callId);
      expect((await world.recover()).toSorted()).toEqual(ids.toSorted());
      for (const call of model.open) endCall(model, call, call.noted);
    }),
  ),
  place.map((which) =>
    step(
      `settleAgain(${which})`,
      async (model, world) => {
        // Another process holds the same reservation, and comes late.
        const { reservation } = pick(model.ended, which);
        await expect(world.end(reservation, reservation.amount)).rejects.toMatchObject({ kind: "condition" });
      },
      hasEnded,
    ),
  ),
  fc.tuple(amount, fc.option(fc.constantFrom("a", "b", "c"))).map(([added, name]) =>
    step(`topUp(${added}, ${name})`, async (model, world) => {
      const bad = added <= 0n || added > maxCredit;
      const reference = name ?? undefined;
      const before = reference !== undefined && model.references.has(reference);
      const work = world.credit("top_up", added, reference && `${runNumber} ${reference}`);
      if (bad) {
        expect(await refused(work)).toBe(true);
        return;
      }
      expect((await work).kind).toBe(before ? "repeated" : "credited");
      if (before) return;
      model.balance += added;
      if (reference !== undefined) model.references.add(reference);
    }),
  ),
  fc.bigInt({ min: -60n, max: 60n }).map((change) =>
    step(`adjust(${change})`, async (model, world) => {
      const low = model.terms.billing === "prepaid" && change < 0n && model.balance + change < reservedOf(model);
      const bad = change === 0n || low;
      expect(await refused(world.credit("adjustment", change))).toBe(bad);
      if (!bad) model.balance += change;
    }),
  ),
  fc.tuple(place, fc.bigInt({ min: 0n, max: 30n })).map(([which, back]) =>
    step(
      `refund(${which}, ${back})`,
      async (model, world) => {
        const call = pick(model.ended, which);
        const bad = back === 0n || back > call.left;
        expect(await refused(world.refund(call.reservation.callId, back))).toBe(bad);
        if (bad) return;
        call.left -= back;
        model.balance += back;
      },
      hasEnded,
    ),
  ),
  fc.bigInt({ min: 1n, max: 40n }).map((worth) =>
    step(`makeCode(${worth})`, async (model, world) => {
      const actor = { kind: "command", id: null, name: "command line", address: null } as const;
      const [made] = await world.codes.create({ amount: worth, count: 1 }, actor);
      model.codes.push({ code: made?.code ?? "", amount: worth, redeemed: false });
    }),
  ),
  fc.tuple(place, fc.integer({ min: 1, max: 3 })).map(([which, times]) =>
    step(
      `redeem(${which} x ${times})`,
      async (model, world) => {
        const code = pick(model.codes, which);
        const outcomes = await Promise.all(Array.from({ length: times }, () => world.redeem(code.code)));
        const good = outcomes.filter(({ kind }) => kind === "redeemed");
        expect(good).toHaveLength(code.redeemed ? 0 : 1);
        if (!code.redeemed) model.balance += code.amount;
        code.redeemed = true;
      },
      ({ codes }) => codes.length > 0,
    ),
  ),
  fc.constant(step("changePrice()", (_model, world) => world.changePrice())),
  fc.constant(step("reopen()", (_model, world) => world.reopen())),
];

const terms = fc.record<LedgerTerms>({
  billing: fc.constantFrom("prepaid", "postpaid"),
  creditLimit: fc.bigInt({ min: 0n, max: 100n }),
  quota: fc.oneof(fc.bigInt({ min: 0n, max: 200n }), fc.constant(9_000_000_000_000_000n)),
});

/** References are of the whole database, which the runs share. */
let runNumber = 0;

/** Runs of a pull request; `INTERLINGUA_RUNS=50` makes fifty times as many. */
const times = Number(process.env.INTERLINGUA_RUNS ?? 1);
const runsFor = { sqlite: 200 * times, postgres: 20 * times };

describeEngines((make) => {
  test("M5 M6 M9 M10 M14 T05 money is what the model says, after every step and a restart, and the audit is clean", async () => {
    await using world = await ledgerWorld(make);
    const { kind } = world.config;
    const property = fc.asyncProperty(terms, fc.commands(commands, { maxCommands: 25 }), async (given, steps) => {
      runNumber += 1;
      const setup = async () => {
        await world.begin(given);
        const model: Model = {
          terms: given,
          balance: 0n,
          used: 0n,
          open: [],
          ended: [],
          codes: [],
          references: new Set(),
        };
        return { model, real: world };
      };
      await fc.asyncModelRun(setup, steps);
      // Nothing stays open behind a run, so that the next one recovers its own alone.
      await world.recover();
      await using snapshot = await openSnapshot(world.config);
      const { checks } = await auditBooks(snapshot, { retentionMs: 4e12 });
      expect(checks.filter(({ findings }) => findings.length > 0)).toEqual([]);
    });
    await fc.assert(property, { numRuns: runsFor[kind], endOnFailure: times > 1 });
  }, 600_000);
});
