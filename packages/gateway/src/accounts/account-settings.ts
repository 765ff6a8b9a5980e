import { formatDollars, maxMoney } from "../catalogue/prices/money.ts";
import { highestMarkupPpm } from "../config/config.ts";
import type { AccountTable } from "../storage/schema.ts";
import type { LimitChange, LimitColumns } from "./access-key-row.ts";
import { limitColumns } from "./access-key-row.ts";
import { checkedLimits, checkedName, invalid } from "./common-settings.ts";

/** What can be set of an account; what is absent stays as it is. No balance: money moves by the ledger alone (M10). */
export interface AccountSettings {
  name?: string;
  state?: AccountTable["state"];
  billing?: AccountTable["billing"];
  /** How far below zero a postpaid balance may go, in nano-dollars; null: without bound. */
  creditLimit?: bigint | null;
  /** Parts per million of the list price: 1,000,000 is the price itself. */
  markupPpm?: number;
  /** Limits that its keys share; null takes one away. */
  limits?: LimitChange;
}

/** The columns that settings may change. */
export type AccountColumns = Partial<
  Pick<AccountTable, "name" | "state" | "billing" | "markup_ppm"> & LimitColumns & { credit_limit: bigint | null }
>;

/** The columns that the settings name, checked. Throws an AccountsError of code `invalid` that names the setting. */
export function accountColumns(settings: AccountSettings): AccountColumns {
  const { name, state, billing, creditLimit, markupPpm, limits } = settings;
  return {
    ...(name === undefined ? {} : { name: checkedName(name) }),
    ...(state === undefined ? {} : { state }),
    ...(billing === undefined ? {} : { billing }),
    ...(creditLimit === undefined ? {} : { credit_limit: checkedCredit(creditLimit) }),
    ...(markupPpm === undefined ? {} : { markup_ppm: checkedMarkup(markupPpm) }),
    ...(limits === undefined ? {} : limitColumns(checkedLimits(limits))),
  };
}

function checkedCredit(limit: bigint | null): bigint | null {
  if (limit === null || (limit >= 0n && limit <= maxMoney)) return limit;
  throw invalid("creditLimit", `A credit limit must be from $0.00 to ${formatDollars(maxMoney)}`);
}

function checkedMarkup(ppm: number): number {
  if (Number.isInteger(ppm) && ppm >= 0 && ppm <= highestMarkupPpm) return ppm;
  throw invalid("markupPpm", `A markup must be from 0 to ${highestMarkupPpm} parts per million of the price`);
}
