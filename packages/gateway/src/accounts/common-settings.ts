import type { AuditDetail } from "../audit/audit-log.ts";
import { highestLimit } from "../config/config.ts";
import type { LimitChange } from "./access-key-row.ts";
import { AccountsError } from "./accounts-error.ts";

/* What settings of accounts and of keys have in common. */

/** A setting that is wrong. */
export function invalid(field: string, message: string): AccountsError {
  return new AccountsError("invalid", message, field);
}

/** A name as it is stored. Throws an AccountsError. */
export function checkedName(name: string): string {
  const shown = name.trim();
  if (shown !== "" && shown.length <= 100 && !/\p{Cc}/u.test(shown)) return shown;
  throw invalid("name", "The name must have 1 to 100 characters, and no control characters");
}

/** The same limits, where each is one that can be counted. Throws an AccountsError. */
export function checkedLimits(limits: LimitChange): LimitChange {
  for (const [limit, value] of Object.entries(limits)) {
    if (value === null || value === undefined) continue;
    if (Number.isInteger(value) && value >= 1 && value <= highestLimit) continue;
    throw invalid(limit, `A limit must be a whole number from 1 to ${highestLimit}`);
  }
  return limits;
}

type Column = string | number | bigint | null;

/** Of the new columns those whose value a row does not have yet. */
export function differences<Columns extends object>(row: object, columns: Columns): Partial<Columns> {
  const current = new Map<string, unknown>(Object.entries(row));
  const changed = Object.entries(columns).filter(([column, value]) => current.get(column) !== value);
  // Entries of the same object, fewer of them.
  return Object.fromEntries(changed) as Partial<Columns>;
}

/** What the audit log tells of a change: each column's value before and after. */
export function changeDetail(row: object, columns: object): AuditDetail {
  const current = new Map<string, Column>(Object.entries(row));
  const detail: Record<string, string | number | null> = {};
  for (const [column, value] of Object.entries(columns)) {
    detail[`${column}_before`] = plain(current.get(column));
    detail[`${column}_after`] = plain(value);
  }
  return detail;
}

/** What the audit log tells of something new: its columns that are set. */
export function newDetail(columns: object): AuditDetail {
  const set = Object.entries(columns).filter(([, value]) => value !== null);
  return Object.fromEntries(set.map(([column, value]) => [column, plain(value)]));
}

function plain(value: Column | undefined): string | number | null {
  if (typeof value === "bigint") return String(value);
  return value ?? null;
}
