import type { PlainRow, PlainSql } from "../support/plain-sql.ts";
import type { BilledAttempt } from "../support/provider.ts";
import type { Acknowledged } from "../support/swarm.ts";

/** Something that must never be, and where it is. */
export interface Violation {
  /** The invariant's name (I1 to I9), or the promise's where it is none of them. */
  invariant: string;
  what: string;
  ids: readonly string[];
}

/** What is known from outside of the gateway. It may go on growing while the database is read. */
export interface Evidence {
  /** Calls whose end a client has seen. */
  acknowledged: readonly Acknowledged[];
  /** Call ids by marker, where an answer has begun. */
  ids: ReadonlyMap<string, string>;
  /** Call ids by the ids of answers that were to be kept, where such an answer has begun. */
  kept?: ReadonlyMap<string, string>;
  /** What the provider has done. */
  bill: ReadonlyMap<string, readonly BilledAttempt[]>;
  /** Nano-dollars that a call costs; left out where models have no price. */
  price?: (attempt: BilledAttempt) => bigint;
}

/** Looks for violations at one moment of the database, while gateways may be at work on it. */
export async function checkInvariants(sql: PlainSql, evidence: Evidence): Promise<Violation[]> {
  // What has happened by now must be in the snapshot; what is in the snapshot must have happened when it has been read.
  const acknowledged = [...evidence.acknowledged];
  const dispatched = [...evidence.bill.keys()];
  const ids = new Map(evidence.ids);
  const keptOf = new Map(evidence.kept);
  const found = await sql.snapshot(async () => ({
    calls: await sql.all(
      `select id, outcome, status, reserved, charge, input_uncached, output_total, channel from "call"`,
    ),
    reservations: await sql.all("select call_id, state from reservation"),
    stored: await sql.all("select id from stored_response"),
    attempts: await sql.all("select call_id, count(*) as tries from attempt group by call_id"),
    violations: await checkRows(sql),
  }));
  const calls = byId(found.calls, "id");
  const reservations = byId(found.reservations, "call_id");
  const attempts = byId(found.attempts, "call_id");
  const violations = found.violations;
  const report = (invariant: string, what: string, list: readonly string[]) => {
    if (list.length > 0) violations.push({ invariant, what, ids: list });
  };
  const acknowledgedIds = acknowledged.map(({ callId }) => callId);
  const without = (test: (row: PlainRow) => boolean) => (callId: string) => {
    const row = calls.get(callId);
    return row !== undefined && !test(row);
  };

  report("I1", "acknowledged, and no record", missing(acknowledgedIds, calls));
  report(
    "I1",
    "acknowledged, and recorded as something else than a success",
    acknowledgedIds.filter(without((row) => row.outcome === "succeeded" && Number(row.status) === 200)),
  );
  const stored = byId(found.stored, "id");
  const toBeKept = acknowledged.flatMap(({ kept }) => (kept ? [kept.id] : []));
  report("R2", "acknowledged, and not kept", missing(toBeKept, stored));
  const unrecorded = [...keptOf].filter(([id, callId]) => stored.has(id) && !calls.has(callId));
  report(
    "R2",
    "kept, and no record",
    unrecorded.map(([id]) => id),
  );
  report(
    "M2",
    "sent to the provider without a reservation",
    dispatched.filter((marker) => {
      const callId = ids.get(marker);
      return callId !== undefined && !reservations.has(callId);
    }),
  );
  if (dispatched.length > found.reservations.length) {
    const lack = `${dispatched.length} calls sent, ${found.reservations.length} reservations`;
    report("M2", "sent to the provider without a reservation", [lack]);
  }
  const charged = found.calls.filter((row) => big(row.charge) > 0n).length;
  const answered = found.calls.filter((row) => row.outcome === "succeeded").length;
  for (const [what, count] of [
    ["charged", charged],
    ["succeeded", answered],
  ] as const) {
    if (count > evidence.bill.size) {
      report("I2", `${what}, and never sent`, [`${count} records, ${evidence.bill.size} calls at the provider`]);
    }
  }
  for (const { callId, marker } of acknowledged) {
    const tries = evidence.bill.get(marker) ?? [];
    const delivered = tries.findLast((attempt) => attempt.complete) ?? tries.at(-1);
    if (!delivered) {
      report("I2", "recorded as a success, and never sent", [callId]);
      continue;
    }
    const row = calls.get(callId);
    if (!row) continue;
    const usage = [row.input_uncached, row.output_total].map(big);
    if (usage[0] !== BigInt(delivered.inputTokens) || usage[1] !== BigInt(delivered.outputTokens)) {
      const told = `${callId}: ${usage.join("+")}, the provider's bill: ${delivered.inputTokens}+${delivered.outputTokens}`;
      report("I8", "recorded usage is not what the provider bills", [told]);
    }
    const price = evidence.price?.(delivered);
    if (price !== undefined && big(row.charge) !== price) {
      report("I8", "the charge is not the price of the provider's bill", [`${callId}: ${row.charge}, not ${price}`]);
    }
    const recorded = Number(attempts.get(callId)?.tries ?? 0);
    if (recorded !== tries.length) {
      report("I9", "recorded attempts are not those of the provider", [`${callId}: ${recorded}, not ${tries.length}`]);
    }
  }
  return violations;
}

/** Each statement gives the ids of what breaks an invariant. */
const statements: readonly (readonly [invariant: string, what: string, sql: string])[] = [
  [
    "I3",
    "charged more than once",
    "select call_id as id from ledger_entry where call_id is not null group by call_id, kind having count(*) > 1",
  ],
  [
    "I3",
    "the record's charge is not the ledger's",
    `select c.id from "call" c left join ledger_entry l on l.call_id = c.id and l.kind = 'charge'
      where c.charge <> coalesce(-l.amount, 0)`,
  ],
  [
    "I3",
    "charged without a record",
    `select l.call_id as id from ledger_entry l left join "call" c on c.id = l.call_id
      where l.kind = 'charge' and c.id is null`,
  ],
  [
    "M1",
    "the reservation is closed, and there is no record",
    `select r.call_id as id from reservation r left join "call" c on c.id = r.call_id
      where r.state <> 'open' and c.id is null`,
  ],
  [
    "M1",
    "recorded, and the reservation is open",
    `select r.call_id as id from reservation r join "call" c on c.id = r.call_id where r.state = 'open'`,
  ],
  [
    "I4",
    "the balance is not the sum of the ledger",
    `select id from account a
      where balance <> (select coalesce(sum(amount), 0) from ledger_entry where account_id = a.id)`,
  ],
  [
    "I4",
    "what the account has reserved is not the sum of its open reservations",
    `select id from account a where reserved <>
      (select coalesce(sum(amount), 0) from reservation where account_id = a.id and state = 'open')`,
  ],
  [
    "I4",
    "what the quota has used is not the sum of its charges",
    `select access_key_id || '/' || quota_window as id from quota_usage u where used <>
      (select coalesce(-sum(amount), 0) from ledger_entry
        where access_key_id = u.access_key_id and quota_window = u.quota_window and kind = 'charge')`,
  ],
  [
    "I4",
    "what the quota has reserved is not the sum of its open reservations",
    `select access_key_id || '/' || quota_window as id from quota_usage u where reserved <>
      (select coalesce(sum(amount), 0) from reservation
        where access_key_id = u.access_key_id and quota_window = u.quota_window and state = 'open')`,
  ],
  [
    "I5",
    "a prepaid account is below zero, or has reserved more than it has",
    "select id from account where billing = 'prepaid' and (balance < 0 or balance < reserved) or reserved < 0",
  ],
  [
    "I5",
    "more than the quota is used or reserved",
    `select u.access_key_id || '/' || u.quota_window as id from quota_usage u join access_key k on k.id = u.access_key_id
      where k.quota is not null and u.used + u.reserved > k.quota`,
  ],
  [
    "I6",
    "the charge is negative or beyond the reservation",
    `select id from "call" where charge < 0 or charge > reserved`,
  ],
  [
    "I6",
    "the ledger charges more than was reserved",
    `select l.call_id as id from ledger_entry l left join reservation r on r.call_id = l.call_id
      where l.kind = 'charge' and (l.amount > 0 or r.call_id is null or -l.amount > r.amount)`,
  ],
  [
    "I7",
    "open for more than 60 s without a live owner",
    `select r.call_id as id from reservation r left join instance i on i.id = r.instance_id
      where r.state = 'open' and r.created_at < $now - 60000
      and coalesce(i.heartbeat_at, 0) < $now - 60000`,
  ],
  [
    "R2",
    "answers are kept that no call was recorded for, or recorded as a success and not kept",
    `select kept || ' kept, ' || successes || ' successes, ' || closed || ' left' as id from (select
        (select count(*) from stored_response) as kept,
        (select count(*) from "call" where model like 'kept-%' and outcome = 'succeeded') as successes,
        (select count(*) from "call" where model like 'kept-%' and outcome = 'client_closed') as closed) counts
      where kept < successes or kept > successes + closed`,
  ],
  [
    "R2",
    "kept, and none of its items is found",
    `select id from stored_response r
      where not exists (select 1 from stored_response_item where response_id = r.id)`,
  ],
  [
    "M14",
    "the sums by hour are not those of the records",
    `select 'charge' as id where (select coalesce(sum(charge), 0) from usage_hour) <>
      (select coalesce(sum(charge), 0) from "call")`,
  ],
];

/** The database's own time in milliseconds. */
const nowOf = {
  sqlite: "cast(unixepoch('subsec') * 1000 as integer)",
  postgres: "cast(extract(epoch from clock_timestamp()) * 1000 as bigint)",
};

/** What the rows of the database say against each other, whatever has happened outside. */
export async function checkRows(sql: PlainSql): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [invariant, what, statement] of statements) {
    const rows = await sql.all(statement.replaceAll("$now", nowOf[sql.engine]));
    if (rows.length > 0) violations.push({ invariant, what, ids: rows.map((row) => String(row.id)) });
  }
  return violations;
}

function byId(rows: readonly PlainRow[], column: string): Map<string, PlainRow> {
  return new Map(rows.map((row) => [String(row[column]), row]));
}

function missing(ids: readonly string[], rows: ReadonlyMap<string, PlainRow>): string[] {
  return ids.filter((id) => !rows.has(id));
}

function big(value: unknown): bigint {
  return typeof value === "bigint" ? value : -1n;
}
