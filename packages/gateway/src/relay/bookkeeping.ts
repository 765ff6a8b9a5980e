import type { Usage } from "@interlingua/protocols";
import { clamp, type Ledger, type Reservation } from "../accounts/ledger.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { CallRecorder } from "../calls/call-recorder.ts";
import { type Database, type Statement, StorageError } from "../storage/database.ts";
import type { TimerWheel } from "../timer-wheel.ts";

/** How long a write that failed for the moment rests before it is tried again. */
const retryMs = 200;

/** Ends calls in the books: record, charge and sums in one durable unit. */
export interface Bookkeeping {
  /**
   * Resolves when the call is recorded and its reservation ended. While the database is away it tries again and again:
   * whoever waits for the end of an answer sets a limit of its own (D2). Rejects with a StorageError when it can never be
   * written, and with kind `condition` when another process has ended the call meanwhile.
   */
  close(call: CallRecord, reservation: Reservation | undefined, more?: readonly Statement[]): Promise<void>;
  /** Notes down what an open reservation has used so far; nothing where it is not open any more. */
  checkpoint(reservation: Reservation, charge: bigint, facts: CheckpointFacts): Promise<void>;
}

/** What a running call has used so far, kept with its reservation for whoever has to end it (M3). */
export interface CheckpointFacts {
  usage: Usage;
  channel: string;
  upstreamModel: string;
}

export interface BookkeepingOptions {
  database: Database;
  ledger: Ledger;
  recorder: CallRecorder;
  timers: Pick<TimerWheel, "after">;
}

export function createBookkeeping({ database, ledger, recorder, timers }: BookkeepingOptions): Bookkeeping {
  const unitOf = (call: CallRecord, reservation: Reservation | undefined): Statement[] => {
    const record = recorder.statements(call);
    if (!reservation) return record;
    const state = call.charge > 0n || call.outcome === "succeeded" ? "settled" : "voided";
    const at = Math.round(call.startedAt + (call.timings.end ?? 0));
    return [...ledger.settlement(reservation, { charge: call.charge, state, at }), ...record];
  };

  /** A commit whose acknowledgement was lost has been written all the same: then this very call is there. */
  const isWritten = async (call: CallRecord): Promise<boolean> => {
    const row = await database.read
      .selectFrom("call")
      .select(["outcome", "started_at"])
      .where("id", "=", call.id)
      .executeTakeFirst();
    return row?.outcome === call.outcome && row.started_at === call.startedAt;
  };

  return {
    async checkpoint({ callId, accountId, amount }, charge, facts) {
      const { build } = database;
      const note = build
        .updateTable("reservation")
        .set({ checkpoint: JSON.stringify(facts), checkpoint_charge: clamp(charge, amount) })
        .where("call_id", "=", callId)
        .where("state", "=", "open")
        .compile();
      // Behind all units that lock the account: it locks the reservation alone.
      await database.write([note], { order: `${accountId}/~` });
    },

    async close(call, reservation, more = []) {
      const unit = [...unitOf(call, reservation), ...more];
      const order = recorder.order(call);
      for (let tried = false; ; tried = true) {
        try {
          await database.write(unit, { order });
          return;
        } catch (error) {
          if (!(error instanceof StorageError)) throw error;
          const again = error.kind === "condition" || error.kind === "constraint";
          if (again && tried && (await isWritten(call))) return;
          if (!passes(error)) throw error;
        }
        await new Promise<void>((resolve) => timers.after(retryMs, resolve));
      }
    },
  };
}

/** Whether the same unit may well be written a moment later. */
function passes({ kind }: StorageError): boolean {
  return kind === "unavailable" || kind === "busy" || kind === "full" || kind === "queue_full";
}
