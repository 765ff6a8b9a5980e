import { ledgerEntries } from "../../accounts/list-ledger.ts";
import { callJson } from "../../calls/call-json.ts";
import { type CallNames, namesOf } from "../../calls/call-names.ts";
import type { CallRecord } from "../../calls/call-record.ts";
import type { ContentState } from "../../calls/content-state.ts";
import type { Database } from "../../storage/database.ts";
import { moneyText } from "../../storage/money-column.ts";

/** A call as an item of a list. */
export function callItem(call: CallRecord, names: CallNames) {
  const { attempts: _attempts, price_lines: _lines, ...told } = callJson(call);
  return { ...told, ...namesIn(call, names), losses: lossesOf(call) };
}

/** A call with all that the database knows of it. Its key and account are named though they are gone from lists. */
export async function callDetail(database: Pick<Database, "read">, call: CallRecord) {
  const [names, ledger, reservation] = await Promise.all([
    namesOf(database, [call]),
    ledgerEntries(database, (query) => query.where("call_id", "=", call.id).orderBy("at").orderBy("id")),
    database.read
      .selectFrom("reservation")
      .select(["state", "created_at", "quota_window", moneyText("amount").as("amount")])
      .where("call_id", "=", call.id)
      .executeTakeFirst(),
  ]);
  return {
    ...callJson(call),
    ...namesIn(call, names),
    losses: lossesOf(call),
    ledger: ledger.map((entry) => ({
      id: entry.id,
      at: entry.at,
      kind: entry.kind,
      amount: String(entry.amount),
      balance_after: String(entry.balanceAfter),
      reference: entry.reference,
      note: entry.note,
      actor: entry.actor,
    })),
    reservation: reservation ?? null,
  };
}

/** What is kept of a call's content, without the content. */
export function contentFacts({ state, parts }: ContentState) {
  return {
    state,
    parts: parts.map(({ part, size, cut, expiresAt }) => ({ part, size, cut, expires_at: expiresAt })),
  };
}

function namesIn({ accessKeyId, accountId }: CallRecord, { keys, accounts }: CallNames) {
  return { access_key_name: keys.get(accessKeyId) ?? null, account_name: accounts.get(accountId) ?? null };
}

/** What is emulated comes out the same: it is no loss. */
function lossesOf({ notices }: CallRecord): number {
  return notices.filter(({ verdict }) => verdict !== "emulated").length;
}
