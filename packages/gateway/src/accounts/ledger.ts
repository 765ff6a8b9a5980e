import type { ProtocolName } from "@interlingua/protocols";
import { sql } from "kysely";
import type { Platform } from "../platform.ts";
import { type Database, type Statement, type StatementResult, StorageError } from "../storage/database.ts";
import { databaseTime } from "../storage/database-time.ts";
import type { QuotaPeriod, ReservationState } from "../storage/schema.ts";
import { statementTemplate } from "../storage/statement-template.ts";
import { createBatches } from "./batches.ts";

/** A call that asks for money to be set aside. Amounts in nano-dollars. */
export interface ReservationRequest {
  callId: string;
  accountId: string;
  accessKeyId: string;
  /** The most that the call can cost. */
  amount: bigint;
  /** The period of the key's quota; null where it has none. */
  quotaPeriod: QuotaPeriod | null;
  /** Price version at the admission (M18). */
  priceVersion: string | null;
  startedAt: number;
  clientProtocol: ProtocolName;
  model: string;
  stream: boolean;
  /** Where the caller wants the call to run once (M8): digests of its key and of the body. */
  idempotency?: { digest: Uint8Array; bodyDigest: Uint8Array };
}

/** Money that is set aside for a call until it is settled. */
export interface Reservation {
  callId: string;
  accountId: string;
  accessKeyId: string;
  amount: bigint;
  /** The quota's window that it counts against; null where the key has no quota. */
  window: string | null;
  /** Digest of the caller's idempotency key: free again where the call came to nothing. */
  idempotency?: Uint8Array;
}

/**
 * Why nothing was set aside. `balance`: the account cannot pay, or is suspended. `quota`: the key's quota is used up.
 * `repeated`: a call with this idempotency key exists.
 */
export type ReservationRefusal = "balance" | "quota" | "repeated";

type ReservationOutcome = { ok: true; reservation: Reservation } | { ok: false; reason: ReservationRefusal };

/** How a reservation ends. */
interface Settlement {
  /** Nano-dollars; what is more than the reservation is not charged (M6). */
  charge: bigint;
  state: Exclude<ReservationState, "open">;
  /** Unix milliseconds. */
  at: number;
}

/**
 * The money of calls: set aside before an upstream is asked (M2), charged with the call's record (M1). Every change is a
 * conditional delta in the database, which alone decides (M5, M10).
 */
export interface Ledger {
  /**
   * Resolves when the reservation is durable, and what is written along with it. Rejects with a StorageError when the
   * database cannot say.
   */
  reserve(request: ReservationRequest, along?: readonly Statement[]): Promise<ReservationOutcome>;
  /**
   * What ends a reservation: to be written in one unit with the call's record. The unit fails with `condition` where the
   * reservation is not open any more.
   */
  settlement(reservation: Reservation, ending: Settlement): Statement[];
}

export interface LedgerOptions {
  database: Database;
  platform: Pick<Platform, "id">;
  /** The process that holds the reservations (instance.ts). */
  instanceId: string;
}

/**
 * The rows of one unit are locked in this order everywhere: account, key's quota window, reservation, sums.
 *
 * Reservations of one account that are asked for in the same turn of the event loop are made together: one change of the
 * account's row, one of each key's window. Where not all of them can be paid, each is judged by itself.
 */
export function createLedger({ database, platform, instanceId }: LedgerOptions): Ledger {
  const statements = ledgerStatements(database);

  const opening = (request: ReservationRequest): Statement =>
    statements.open[request.quotaPeriod ?? "none"]({ ...request, instanceId, stream: request.stream ? 1 : 0 });

  const unitFor = ({ request, along }: Asked): { unit: Statement[]; refusals: ReservationRefusal[] } => {
    const { accountId, accessKeyId, amount, callId, quotaPeriod, idempotency } = request;
    const unit = [statements.reserveBalance({ accountId, amount }, 1)];
    const refusals: ReservationRefusal[] = ["balance"];
    if (quotaPeriod) {
      unit.push(statements.reserveQuota[quotaPeriod]({ accessKeyId, amount }, 1));
      refusals.push("quota");
    }
    if (idempotency) {
      unit.push(statements.once({ accessKeyId, callId, ...idempotency }, 1));
      refusals.push("repeated");
    }
    return { unit: [...unit, opening(request), ...along], refusals };
  };

  const reserveOne = async (asked: Asked): Promise<ReservationOutcome> => {
    const { unit, refusals } = unitFor(asked);
    try {
      const results = await database.write(unit, { order: `${asked.request.accountId}/` });
      return reserved(asked.request, results[refusals.length]);
    } catch (error) {
      const refusal = error instanceof StorageError && refusals[error.statement ?? Number.NaN];
      if (refusal) return { ok: false, reason: refusal };
      throw error;
    }
  };

  const reserveTogether = async (accountId: string, group: readonly Asked[]): Promise<ReservationOutcome[]> => {
    const unit = [statements.reserveBalance({ accountId, amount: sumOf(group) }, 1)];
    const windows = Map.groupBy(group, ({ request }) => `${request.quotaPeriod}/${request.accessKeyId}`);
    // Sorted, so that two groups lock the windows in one order.
    for (const [, members] of [...windows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const first = members[0]?.request;
      if (!first?.quotaPeriod) continue;
      const { accessKeyId, quotaPeriod } = first;
      unit.push(statements.reserveQuota[quotaPeriod]({ accessKeyId, amount: sumOf(members) }, 1));
    }
    const start = unit.length;
    const openings = group.map(({ request }) => opening(request));
    const along = group.flatMap((asked) => asked.along);
    try {
      const results = await database.write([...unit, ...openings, ...along], { order: `${accountId}/` });
      return group.map(({ request }, index) => reserved(request, results[start + index]));
    } catch (error) {
      if (!(error instanceof StorageError) || error.kind !== "condition") throw error;
      return Promise.all(group.map(reserveOne));
    }
  };

  const batches = createBatches(mostTogether, reserveTogether, reserveOne);

  return {
    reserve(request, along = []) {
      const asked = { request, along };
      return request.idempotency ? reserveOne(asked) : batches.add(request.accountId, asked);
    },

    settlement(reservation, { charge: asked, state, at }) {
      const { callId, accountId, accessKeyId, amount, window, idempotency } = reservation;
      const charge = clamp(asked, amount);
      const unit = [statements.settleBalance({ accountId, amount, charge, callId }, 1)];
      if (window !== null) unit.push(statements.settleQuota({ accessKeyId, window, amount, charge }, 1));
      unit.push(statements.close({ callId, state }, 1));
      if (charge > 0n) {
        const debit = -charge;
        unit.push(
          statements.charge({ id: platform.id("entry"), at, debit, accountId, accessKeyId, window, callId }, 1),
        );
      }
      // A call that came to nothing may be tried again with the same key.
      if (state === "voided" && idempotency) unit.push(statements.forget({ accessKeyId, digest: idempotency }));
      return unit;
    },
  };
}

/** Most reservations that share one change of an account's row. */
const mostTogether = 64;

/** A request, and what is written along with it. */
interface Asked {
  request: ReservationRequest;
  along: readonly Statement[];
}

function sumOf(group: readonly Asked[]): bigint {
  return group.reduce((sum, { request }) => sum + request.amount, 0n);
}

/** `opened` is what the insert gave back: the window is the database's word. */
function reserved(request: ReservationRequest, opened: StatementResult | undefined): ReservationOutcome {
  const { callId, accountId, accessKeyId, amount } = request;
  const window = opened?.rows[0]?.quota_window;
  return {
    ok: true,
    reservation: {
      callId,
      accountId,
      accessKeyId,
      amount,
      window: typeof window === "string" ? window : null,
      ...(request.idempotency ? { idempotency: request.idempotency.digest } : {}),
    },
  };
}

/** A charge is between nothing and what was set aside (M6, M9). */
export function clamp(charge: bigint, reserved: bigint): bigint {
  if (charge < 0n) return 0n;
  if (charge > reserved) return reserved;
  return charge;
}

function ledgerStatements(database: Database) {
  const time = databaseTime(database.engine);
  const template = statementTemplate;
  const reserveQuota = (period: QuotaPeriod) =>
    template(database, ["accessKeyId", "amount"], ({ accessKeyId, amount }) => {
      const quota = sql`(select quota from access_key where id = ${accessKeyId})`;
      return sql`
        insert into quota_usage (access_key_id, quota_window, used, reserved)
        select id, ${time.window(period)}, 0, cast(${amount} as bigint) from access_key
        where id = ${accessKeyId} and (quota is null or quota >= cast(${amount} as bigint))
        on conflict (access_key_id, quota_window) do update set reserved = quota_usage.reserved + excluded.reserved
        where ${quota} is null or quota_usage.used + quota_usage.reserved + excluded.reserved <= ${quota}`;
    });
  const open = (period: QuotaPeriod | "none") =>
    template(
      database,
      [
        "callId",
        "accountId",
        "accessKeyId",
        "amount",
        "instanceId",
        "priceVersion",
        "startedAt",
        "clientProtocol",
        "model",
        "stream",
      ],
      (slot) => sql`
        insert into reservation (call_id, account_id, access_key_id, quota_window, amount, state, instance_id,
          created_at, price_version, started_at, client_protocol, model, stream, checkpoint_charge)
        values (${slot.callId}, ${slot.accountId}, ${slot.accessKeyId},
          ${period === "none" ? sql`null` : time.window(period)}, ${slot.amount}, 'open', ${slot.instanceId},
          ${time.now}, ${slot.priceVersion}, ${slot.startedAt}, ${slot.clientProtocol}, ${slot.model}, ${slot.stream}, 0)
        returning quota_window`,
    );
  const perPeriod = <Made>(make: (period: QuotaPeriod) => Made): Record<QuotaPeriod, Made> => ({
    total: make("total"),
    day: make("day"),
    week: make("week"),
    month: make("month"),
  });
  return {
    /** Where the account can pay: a prepaid one by what it has, a postpaid one down to its credit limit. */
    reserveBalance: template(
      database,
      ["accountId", "amount"],
      ({ accountId, amount }) => sql`
        update account set reserved = reserved + cast(${amount} as bigint)
        where id = ${accountId} and state = 'active' and case
          when billing = 'prepaid' then balance - reserved >= cast(${amount} as bigint)
          when credit_limit is null then true
          else balance + credit_limit - reserved >= cast(${amount} as bigint) end`,
    ),
    reserveQuota: perPeriod(reserveQuota),
    once: template(
      database,
      ["accessKeyId", "digest", "bodyDigest", "callId"],
      (slot) => sql`
        insert into idempotency_key (access_key_id, digest, body_digest, call_id, created_at)
        values (${slot.accessKeyId}, ${slot.digest}, ${slot.bodyDigest}, ${slot.callId}, ${time.now})
        on conflict (access_key_id, digest) do nothing`,
    ),
    forget: template(
      database,
      ["accessKeyId", "digest"],
      ({ accessKeyId, digest }) => sql`
        delete from idempotency_key where access_key_id = ${accessKeyId} and digest = ${digest}`,
    ),
    open: { ...perPeriod(open), none: open("none") },
    settleBalance: template(
      database,
      ["accountId", "amount", "charge", "callId"],
      ({ accountId, amount, charge, callId }) => sql`
        update account set balance = balance - cast(${charge} as bigint), reserved = reserved - cast(${amount} as bigint)
        where id = ${accountId} and exists (select 1 from reservation where call_id = ${callId} and state = 'open')`,
    ),
    settleQuota: template(
      database,
      ["accessKeyId", "window", "amount", "charge"],
      ({ accessKeyId, window, amount, charge }) => sql`
        update quota_usage set used = used + cast(${charge} as bigint), reserved = reserved - cast(${amount} as bigint)
        where access_key_id = ${accessKeyId} and quota_window = ${window}`,
    ),
    close: template(
      database,
      ["callId", "state"],
      ({ callId, state }) => sql`
        update reservation set state = ${state} where call_id = ${callId} and state = 'open'`,
    ),
    charge: template(
      database,
      ["id", "at", "debit", "accountId", "accessKeyId", "window", "callId"],
      (slot) => sql`
        insert into ledger_entry
          (id, account_id, at, kind, amount, balance_after, access_key_id, quota_window, call_id, actor)
        select ${slot.id}, id, cast(${slot.at} as bigint), 'charge', cast(${slot.debit} as bigint), balance,
          ${slot.accessKeyId}, ${slot.window}, ${slot.callId}, 'call'
        from account where id = ${slot.accountId}`,
    ),
  };
}
