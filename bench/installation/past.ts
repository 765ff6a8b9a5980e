import { writePriceVersion } from "../../packages/gateway/src/catalogue/prices/price-version.ts";
import { createIdSource } from "../../packages/gateway/src/platform.ts";
import { type PastAccount, pastAccounts } from "./accounts.ts";
import { type BulkLoad, bulkLoad } from "./bulk-load.ts";
import { pastHours } from "./hours.ts";
import { createLedger } from "./ledger.ts";
import { models, priceVersionOf } from "./models.ts";
import { drawCall, type PastCall } from "./past-call.ts";
import { createPastKeys, type PastKeys, writePastKeys } from "./past-keys.ts";
import { createDraw, type Draw, weighted } from "./random.ts";
import { sumUpHours } from "./sum-up-hours.ts";

/** How large a past is to be made, and up to when. */
export interface PastOptions {
  calls: number;
  /** Of the largest account; the others have a few thousand more. */
  keys: number;
  /** Unix milliseconds: where the past ends. */
  now: number;
  seed: number;
}

const dayMs = 86_400_000;
/** As the gateway keeps them. */
const reservationsMs = 2 * dayMs;

/** Fills an up-to-date, empty SQLite file: accounts, keys, prices, calls, attempts, ledger, reservations and sums agree. */
export function writePast(path: string, options: PastOptions): void {
  const accounts = pastAccounts(options.keys);
  bulkLoad(path, (load) => {
    writePrices(load, options.now);
    const keys = createPastKeys(accounts.reduce((sum, account) => sum + account.keys, 0));
    const balances = writeCalls(load, accounts, keys, options);
    writeAccounts(load, accounts, balances, options.now);
    writePastKeys(load, accounts, keys, options.now);
    sumUpHours(load);
  });
}

function writePrices(load: BulkLoad, now: number): void {
  const insert = load.insert("price_version", [
    "id",
    "model",
    "channel",
    "valid_from",
    "source",
    "prices",
    "created_at",
  ]);
  const validFrom = now - 60 * dayMs;
  for (const model of models) {
    const version = priceVersionOf(model, validFrom);
    insert(
      version.id,
      version.model,
      null,
      validFrom,
      version.source,
      JSON.stringify(writePriceVersion(version)),
      validFrom,
    );
  }
}

function writeAccounts(
  load: BulkLoad,
  accounts: readonly PastAccount[],
  balances: ReadonlyMap<string, number>,
  now: number,
): void {
  const insert = load.insert("account", [
    "id",
    "name",
    "state",
    "billing",
    "balance",
    "reserved",
    "credit_limit",
    "markup_ppm",
    "created_at",
  ]);
  for (const [index, { id, name, billing, creditLimit, markupPpm, ageDays }] of accounts.entries()) {
    const state = index > 10 && index % 17 === 0 ? "suspended" : "active";
    insert(id, name, state, billing, balances.get(id) ?? 0, 0, creditLimit, markupPpm, now - ageDays * dayMs);
  }
}

function writeCalls(
  load: BulkLoad,
  accounts: readonly PastAccount[],
  keys: PastKeys,
  { calls, now, seed }: PastOptions,
): ReadonlyMap<string, number> {
  const draw = createDraw(seed);
  const busy = accounts.filter(({ keys: count }) => count > 0);
  const [first, ...others] = busy;
  if (!first) return new Map();
  // Shares below one in four thousand are not to vanish, so the very small ones are drawn as one.
  const large = [first, ...others.slice(0, 2)] as const;
  const tiny = others.slice(2);
  const drawGroup = weighted([
    ...large.map((account) => ({ account, weight: account.weight })),
    { account: undefined, weight: 10 },
  ] as [{ account: PastAccount | undefined; weight: number }]);
  const rows = createRows(load);
  const ledger = createLedger(load, accounts, draw, now - 31 * dayMs);
  for (const hour of pastHours(calls, now)) {
    for (let index = 0; index < hour.calls; index += 1) {
      const startedAt = Math.floor(hour.begin + ((index + draw.next()) / hour.calls) * (hour.end - hour.begin));
      const account = drawGroup(draw).account ?? tiny[draw.below(tiny.length)] ?? first;
      const call = drawCall(draw, (now - startedAt) / 3_600_000, account.markupPpm);
      // What is under way at the end of the past has not ended in it.
      if (startedAt + call.end > now) continue;
      const key = keys.draw(account, draw);
      const window = keys.windowAt(key, startedAt);
      const id = rows.write(draw, {
        startedAt,
        account,
        keyId: keys.id(key),
        window,
        call,
        recent: startedAt > now - reservationsMs,
      });
      keys.note(key, startedAt, call.charge > 0 ? window : null, call.charge);
      if (call.charge > 0)
        ledger.charge({ account, at: startedAt, charge: call.charge, keyId: keys.id(key), window, callId: id });
    }
  }
  return ledger.balances();
}

interface RowOptions {
  startedAt: number;
  account: PastAccount;
  keyId: string;
  window: string | null;
  call: PastCall;
  /** Its reservation is still there. */
  recent: boolean;
}

function createRows(load: BulkLoad): { write(draw: Draw, options: RowOptions): string } {
  const insertCall = load.insert("call", callColumns);
  const insertAttempt = load.insert("attempt", attemptColumns);
  const insertReservation = load.insert("reservation", reservationColumns);
  return {
    write(draw, { startedAt, account, keyId, window, call, recent }) {
      const { model, ending, tokens, clientProtocol, attempts } = call;
      const id = createIdSource(() => startedAt, draw.bytes)("call");
      const last = attempts.at(-1);
      const sent = last !== undefined;
      const lane = clientProtocol === model.protocol ? "direct" : "converted";
      const known = ending.errorKind === "not_found" ? null : model.id;
      const reserved = sent ? Math.max(call.charge * 3, model.output * 4096) : 0;
      const version = sent ? `operator:price_of_${model.id}` : null;
      const upstream = sent ? [model.protocol, lane, last.channel] : [null, null, null];
      insertCall(
        id,
        id,
        startedAt,
        keyId,
        clientProtocol,
        ...upstream,
        known,
        sent ? model.id : null,
        call.stream ? 1 : 0,
        ending.status,
        ending.outcome,
        ending.errorKind,
        tokens?.uncached ?? null,
        tokens?.cacheRead ?? null,
        tokens?.cacheWrite || null,
        tokens?.output ?? null,
        tokens?.reasoning ?? null,
        ending.outcome === "client_closed" ? 1 : 0,
        call.notices,
        call.admission,
        last?.connect ?? null,
        last?.firstByte ?? null,
        call.firstToken,
        call.end,
        account.id,
        reserved,
        call.charge,
        0,
        version,
        call.lines,
        0,
        ending.outcome === "client_closed" ? "client_closed" : null,
      );
      for (const [index, attempt] of attempts.entries()) {
        insertAttempt(
          id,
          index + 1,
          attempt.channel,
          model.protocol,
          model.id,
          lane,
          attempt.started,
          attempt.connect,
          attempt.firstByte,
          attempt.end,
          attempt.status,
          attempt.errorKind,
          attempt.code,
          attempt.billed ? 1 : 0,
        );
      }
      if (recent && sent) {
        const state = call.charge > 0 ? "settled" : "voided";
        insertReservation(
          id,
          account.id,
          keyId,
          window,
          reserved,
          state,
          "instance_of_the_past",
          startedAt,
          version,
          startedAt,
          clientProtocol,
          known,
          call.stream ? 1 : 0,
          null,
          0,
        );
      }
      return id;
    },
  };
}

const callColumns = (
  "id request_id started_at access_key_id client_protocol upstream_protocol lane channel model upstream_model stream " +
  "status outcome error_kind input_uncached input_cache_read input_cache_write output_total output_reasoning " +
  "usage_estimated notices admission_ms connect_ms first_byte_ms first_token_ms end_ms account_id reserved charge overrun " +
  "price_version price_lines usage_disputed abort_reason"
).split(" ");
const attemptColumns = (
  "call_id number channel upstream_protocol upstream_model lane started_ms connect_ms first_byte_ms end_ms status " +
  "error_kind error_code possibly_billed"
).split(" ");
const reservationColumns = (
  "call_id account_id access_key_id quota_window amount state instance_id created_at price_version started_at " +
  "client_protocol model stream checkpoint checkpoint_charge"
).split(" ");
