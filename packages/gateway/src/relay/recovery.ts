import type { ErrorKind } from "@interlingua/protocols";
import { sql } from "kysely";
import { leaseMs } from "../accounts/instance.ts";
import type { Ledger } from "../accounts/ledger.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { CallRecorder } from "../calls/call-recorder.ts";
import { type Database, StorageError } from "../storage/database.ts";
import { databaseTime } from "../storage/database-time.ts";
import { moneyText } from "../storage/money-column.ts";
import type { CheckpointFacts } from "./bookkeeping.ts";

export interface RecoveryOptions {
  database: Database;
  ledger: Ledger;
  recorder: CallRecorder;
}

const atOnce = 200;

/**
 * Ends the calls of processes that died (M3, M15): each is recorded as `interrupted`, charged what its last checkpoint
 * tells, and the rest is freed. Any number of processes may look at once; of each call one wins. Gives the ids of the
 * calls that this one ended.
 *
 * And frees what is set aside for a call that is over: where the acknowledgement of a reservation was lost on its way, the
 * call was refused and recorded as one without money, while the reservation stands.
 */
export async function recoverOrphans({ database, ledger, recorder }: RecoveryOptions): Promise<string[]> {
  const recovered: string[] = [];
  for (;;) {
    const orphans = await readOrphans(database);
    let ended = 0;
    for (const orphan of orphans) {
      const call = interruptedCall(orphan);
      const { amount, account_id: accountId, access_key_id: accessKeyId, call_id: callId, quota_window } = orphan;
      const reservation = { callId, accountId, accessKeyId, amount: BigInt(amount), window: quota_window };
      const at = Number(orphan.now);
      const unit =
        orphan.recorded === null
          ? [
              ...ledger.settlement(reservation, { charge: call.charge, state: "recovered", at }),
              ...recorder.statements(call),
            ]
          : ledger.settlement(reservation, { charge: 0n, state: "voided", at });
      try {
        await database.write(unit, { order: recorder.order(call) });
        ended += 1;
        if (orphan.recorded === null) recovered.push(callId);
      } catch (error) {
        // Another process was faster.
        if (error instanceof StorageError && (error.kind === "condition" || error.kind === "constraint")) continue;
        throw error;
      }
    }
    // Where none of them could be ended, the next ones would be the same.
    if (orphans.length < atOnce || ended === 0) return recovered;
  }
}

async function readOrphans(database: Database) {
  const { readNow } = databaseTime(database.engine);
  return database.read
    .selectFrom("reservation")
    .leftJoin("instance", "instance.id", "reservation.instance_id")
    .leftJoin("call", "call.id", "reservation.call_id")
    .select([
      "call.id as recorded",
      "call_id",
      "reservation.account_id",
      "reservation.access_key_id",
      "reservation.quota_window",
      "reservation.price_version",
      "reservation.started_at",
      "reservation.client_protocol",
      "reservation.model",
      "reservation.stream",
      "reservation.checkpoint",
      moneyText("amount").as("amount"),
      moneyText("checkpoint_charge").as("checkpoint_charge"),
      readNow.as("now"),
    ])
    .where("reservation.state", "=", "open")
    .where(({ or, eb }) =>
      or([
        eb("instance.id", "is", null),
        eb("call.id", "is not", null),
        eb("instance.heartbeat_at", "<", sql<number>`${readNow} - ${sql.lit(leaseMs)}`),
      ]),
    )
    .limit(atOnce)
    .execute();
}

type Orphan = Awaited<ReturnType<typeof readOrphans>>[number];

function interruptedCall(orphan: Orphan): CallRecord {
  // Written by the relay from this type.
  const facts = orphan.checkpoint === null ? undefined : (JSON.parse(orphan.checkpoint) as CheckpointFacts);
  return {
    id: orphan.call_id,
    requestId: orphan.call_id,
    startedAt: orphan.started_at,
    accessKeyId: orphan.access_key_id,
    accountId: orphan.account_id,
    clientProtocol: orphan.client_protocol,
    upstreamProtocol: null,
    lane: null,
    channel: facts?.channel ?? null,
    model: orphan.model,
    upstreamModel: facts?.upstreamModel ?? null,
    stream: orphan.stream === 1,
    status: 500,
    outcome: "interrupted",
    errorKind: "internal" satisfies ErrorKind,
    usage: facts?.usage ?? null,
    notices: [],
    timings: { admission: null, connect: null, firstByte: null, firstToken: null, end: null },
    reserved: BigInt(orphan.amount),
    charge: BigInt(orphan.checkpoint_charge),
    overrun: 0n,
    priceVersion: orphan.price_version,
    priceLines: [],
    usageDisputed: false,
    abortReason: "process_died",
    attempts: [],
  };
}
