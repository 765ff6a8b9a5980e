import { sql } from "kysely";
import { verifyAuditLog } from "../audit/audit-log.ts";
import { databaseTime } from "../storage/database-time.ts";
import type { Snapshot } from "../storage/snapshot.ts";
import { type CheckBounds, checkBounds } from "./books-audit-bounds.ts";
import { callChecks } from "./books-audit-calls.ts";
import type { Finding } from "./books-audit-check.ts";
import { ledgerChecks, unownedReservations } from "./books-audit-ledger.ts";
import { paymentChecks } from "./books-audit-payments.ts";
import { usageCheck } from "./books-audit-usage.ts";

export interface CheckedBooks {
  /** How many rows were looked at, by what they are. */
  counted: Readonly<Record<string, number>>;
  checks: {
    invariant: string;
    title: string;
    findings: Finding[] /** There are more than are told. */;
    more: boolean;
  }[];
  /** What is no violation and should be known. */
  notices: string[];
  /** Nothing was found. */
  clean: boolean;
}

export interface BooksAuditOptions {
  /** How long calls are kept (`calls.retention`), milliseconds: what is older may be gone lawfully. */
  retentionMs: number;
  /** Unix milliseconds: look for the calls of no older lines. For when the retention was made longer. */
  since?: number | undefined;
  /** Ids of calls of whose end somebody else has a note; each must have its record (I1). */
  acknowledged?: readonly string[] | undefined;
}

/** Most findings of one check that are told. */
const mostFindings = 100;

/**
 * Checks the books against themselves (M14): every balance against the ledger, every charge against its call, every sum
 * against what it adds up. Reads one moment, so that a running gateway raises no false alarm.
 */
export async function auditBooks(snapshot: Snapshot, options: BooksAuditOptions): Promise<CheckedBooks> {
  const bounds = await checkBounds(snapshot, options);
  const { engine } = snapshot;
  const checks: CheckedBooks["checks"] = [];
  const { acknowledged } = options;
  if (acknowledged) checks.push(await checkAcknowledged(snapshot, acknowledged));
  for (const { invariant, title, finds } of [
    ...callChecks(engine, bounds),
    ...ledgerChecks(engine, bounds),
    usageCheck(bounds),
    ...paymentChecks(),
  ]) {
    const found = await snapshot.rows(sql<Finding>`${finds} limit ${sql.lit(mostFindings + 1)}`);
    checks.push({ invariant, title, findings: found.slice(0, mostFindings), more: found.length > mostFindings });
  }
  const log = await verifyAuditLog(snapshot);
  checks.push({
    invariant: "S16",
    title: "the audit log is the one that was written",
    findings: log.ok ? [] : [{ sequence: log.sequence, problem: log.problem }],
    more: false,
  });
  return {
    counted: { ...(await countRows(snapshot)), ...(acknowledged ? { "acknowledged calls": acknowledged.length } : {}) },
    checks,
    notices: await readNotices(snapshot, bounds),
    clean: checks.every(({ findings }) => findings.length === 0),
  };
}

/** Ids that are looked up at once. */
const idsAtOnce = 500;

async function checkAcknowledged({ read }: Snapshot, ids: readonly string[]): Promise<CheckedBooks["checks"][number]> {
  const missing: Finding[] = [];
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) missing.push({ call: id, problem: "acknowledged twice" });
    seen.add(id);
  }
  const wanted = [...seen];
  for (let start = 0; start < wanted.length; start += idsAtOnce) {
    const some = wanted.slice(start, start + idsAtOnce);
    const rows = await read.selectFrom("call").select("id").where("id", "in", some).execute();
    const there = new Set(rows.map((row) => row.id));
    for (const id of some) if (!there.has(id)) missing.push({ call: id, problem: "no record" });
  }
  return {
    invariant: "I1",
    title: "every acknowledged call has exactly one record",
    findings: missing.slice(0, mostFindings),
    more: missing.length > mostFindings,
  };
}

async function countRows(snapshot: Snapshot): Promise<Record<string, number>> {
  const count = (table: string) => sql`(select count(*) from ${sql.table(table)})`;
  const [row] = await snapshot.rows(sql<Record<string, number>>`
    select ${count("account")} as accounts, ${count("quota_usage")} as "quota windows", ${count("call")} as calls,
      ${count("attempt")} as attempts, ${count("reservation")} as reservations,
      ${count("ledger_entry")} as "ledger entries", ${count("usage_hour")} as "sums of hours",
      ${count("price_version")} as "price versions", ${count("redemption_code")} as codes,
      ${count("payment_order")} as orders, ${count("audit_event")} as "audit entries"`);
  return row ?? {};
}

async function readNotices(snapshot: Snapshot, bounds: CheckBounds): Promise<string[]> {
  const notices: string[] = [];
  const { readNow } = databaseTime(snapshot.engine);
  const [waiting] = await snapshot.rows(sql<{ count: number }>`
    select count(*) as count from (${unownedReservations(readNow)}) as waiting`);
  if (waiting && waiting.count > 0 && !bounds.gatewayRuns) {
    notices.push(`${waiting.count} reservations of gateways that ended wait for one to start, which frees them`);
  }
  if (bounds.upgradedAt > 0) {
    const date = new Date(bounds.upgradedAt).toISOString().slice(0, 19);
    notices.push(`calls recorded before the upgrade of ${date}Z have no attempts and no sums`);
  }
  return notices;
}
