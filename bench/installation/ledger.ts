import { createIdSource } from "../../packages/gateway/src/platform.ts";
import type { PastAccount } from "./accounts.ts";
import type { BulkLoad } from "./bulk-load.ts";
import type { Draw } from "./random.ts";

/** What a call took from its account, in nano-dollars. */
interface PastCharge {
  account: PastAccount;
  at: number;
  charge: number;
  keyId: string;
  window: string | null;
  callId: string;
}

/** The ledger of the past: every balance is the sum of its lines. */
export interface PastLedger {
  charge(charge: PastCharge): void;
  /** The balances by account. */
  balances(): ReadonlyMap<string, number>;
}

const columns = [
  "id",
  "account_id",
  "at",
  "kind",
  "amount",
  "balance_after",
  "access_key_id",
  "quota_window",
  "call_id",
  "reference",
  "note",
  "actor",
];

/** Prepaid accounts are paid into at `begin` and whenever little is left; now and then a charge is given back. */
export function createLedger(load: BulkLoad, accounts: readonly PastAccount[], draw: Draw, begin: number): PastLedger {
  const insert = load.insert("ledger_entry", columns);
  const insertOrder = load.insert("payment_order", [
    "id",
    "account_id",
    "amount_minor",
    "currency",
    "credit",
    "state",
    "created_at",
    "paid_at",
  ]);
  const balances = new Map<string, number>();
  let payments = 0;

  const add = (
    account: PastAccount,
    at: number,
    kind: string,
    amount: number,
    more: Partial<Record<string, string | null>>,
  ) => {
    const balance = (balances.get(account.id) ?? 0) + amount;
    balances.set(account.id, balance);
    const id = createIdSource(() => at, draw.bytes)("entry");
    const { key = null, window = null, call = null, reference = null, note = null, actor = "call" } = more;
    insert(id, account.id, at, kind, amount, balance, key, window, call, reference, note, actor);
  };

  const payIn = (account: PastAccount, at: number) => {
    payments += 1;
    if (payments % 3 !== 0) {
      const reference = `invoice-2026-${String(payments).padStart(5, "0")}`;
      add(account, at, "top_up", account.topUp, { reference, note: "Bank transfer", actor: "operator@example.test" });
      return;
    }
    const order = `order_01made${String(payments).padStart(18, "0")}`;
    insertOrder(order, account.id, account.topUp / 10_000_000, "usd", account.topUp, "paid", at - 90_000, at);
    add(account, at, "payment", account.topUp, { reference: order, actor: "stripe" });
  };

  for (const account of accounts) if (account.topUp > 0) payIn(account, begin);
  return {
    charge({ account, at, charge, keyId, window, callId }) {
      if (account.billing === "prepaid" && (balances.get(account.id) ?? 0) - charge < account.topUp / 5)
        payIn(account, at);
      add(account, at, "charge", -charge, { key: keyId, window, call: callId });
      if (draw.next() > 0.00005) return;
      const note = "The answer was cut short";
      add(account, at, "refund", charge, { reference: `refund:${callId}:1`, note, actor: "operator@example.test" });
    },
    balances: () => balances,
  };
}
