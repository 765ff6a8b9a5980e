import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import type { CallTable, Schema } from "../storage/schema.ts";
import { type CallOrder, type CallPlace, readCursor, writeCursor } from "./call-cursor.ts";
import { type CallFilter, idRange, otherConditions, type Walk, walkCondition, walksFor } from "./call-filter.ts";
import type { CallRecord } from "./call-record.ts";
import { callColumns, callOf } from "./call-row.ts";

export interface ListCallsOptions extends CallFilter {
  /** The newest unless told otherwise. */
  order?: CallOrder;
  /** `CallPage.next` of the page before, asked for with the same filter and order. */
  cursor?: string;
  /** At most 200; 50 unless told otherwise. */
  limit?: number;
}

/** One page of a list of calls. */
export interface CallPage {
  /** Without their attempts, for which there is `readCall`. */
  calls: CallRecord[];
  /** Where the list goes on; null where it ends. */
  next: string | null;
  /**
   * Not null where the search was ended before the page was full or the list at its end: all calls up to this time (unix
   * milliseconds) were looked at. `next` goes on from there. An empty page may be such a one.
   */
  searchedTo: number | null;
}

/** Calls that one page looks at where no index leads to the wanted ones alone: some ten milliseconds. */
const searchedAtOnce = 2000;

const largestPage = 200;

/**
 * A page of recorded calls. What it costs does not grow with their number, whatever the filter: where the wanted calls are
 * too rare to fill a page within `searchedAtOnce` calls, it ends there (`searchedTo`). Throws a CallsError for a cursor or an
 * id prefix that is none.
 */
export async function listCalls(
  database: Pick<Database, "read">,
  options: ListCallsOptions = {},
  searched: number = searchedAtOnce,
): Promise<CallPage> {
  const { order = "newest" } = options;
  const limit = Math.max(1, Math.min(Math.trunc(options.limit ?? 50), largestPage));
  const range = options.idPrefix === undefined ? timeRange(options, order) : idPrefixRange(options, order);
  const { walk, end } = await chooseWalk(database, options, range, searched);
  const rows = await inRange(database.read.selectFrom("call").select(callColumns), end ? { ...range, end } : range)
    .where((eb) => eb.and([walkCondition(eb, options, walk), otherConditions(eb, options, walk)]))
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const calls = page.map((row) => callOf(row));
  if (rows.length > limit && last) return { calls, next: writeCursor(order, placeOf(last)), searchedTo: null };
  if (!end) return { calls, next: null, searchedTo: null };
  return { calls, next: writeCursor(order, end), searchedTo: end.startedAt };
}

function placeOf({ started_at, id }: Pick<Selectable<CallTable>, "started_at" | "id">): CallPlace {
  return { startedAt: started_at, id };
}

/** A part of all calls in the order of a list: from `start`, which may be a part of it, up to and with `end`. */
interface Range {
  key: "time" | "id";
  direction: "asc" | "desc";
  start?: CallPlace & { with?: true };
  end?: CallPlace;
  /** In the order of ids: times that are filtered, not walked by. */
  from?: number | undefined;
  to?: number | undefined;
}

/** No call has an empty id, so a place without one is before all calls of its millisecond. */
function timeRange({ from, to, cursor }: ListCallsOptions, order: CallOrder): Range {
  const earliest = from === undefined ? undefined : { startedAt: from, id: "" };
  const latest = to === undefined ? undefined : { startedAt: to, id: "" };
  const direction = order === "newest" ? "desc" : "asc";
  const [first, end] = order === "newest" ? [latest, earliest] : [earliest, latest];
  const reached = cursor === undefined ? undefined : readCursor(order, cursor);
  // The narrower bound alone: of two, an engine may take the wider one to walk by.
  const start = reached && first ? furtherOn(order, reached, first) : (reached ?? first);
  return { key: "time", direction, ...(start && { start }), ...(end && { end }) };
}

function furtherOn(order: CallOrder, a: CallPlace, b: CallPlace): CallPlace {
  const aIsLater = a.startedAt === b.startedAt ? a.id > b.id : a.startedAt > b.startedAt;
  return aIsLater === (order === "oldest") ? a : b;
}

function idPrefixRange({ idPrefix = "", from, to, cursor }: ListCallsOptions, order: CallOrder): Range {
  const { first, end } = idRange(idPrefix);
  const lowest = { startedAt: 0, id: first };
  const highest = { startedAt: 0, id: end };
  const reached = cursor === undefined ? undefined : readCursor(order, cursor);
  if (order === "newest") {
    const start = reached && reached.id < end ? reached : highest;
    return { key: "id", direction: "desc", start, end: lowest, from, to };
  }
  const start = reached && reached.id >= first ? reached : { ...lowest, with: true as const };
  return { key: "id", direction: "asc", start, end: highest, from, to };
}

/** The query over the calls of the range, in its order. */
function inRange<Row>(
  query: SelectQueryBuilder<Schema, "call", Row>,
  { key, direction, start, end, from, to }: Range,
): SelectQueryBuilder<Schema, "call", Row> {
  const [onward, upTo] = direction === "desc" ? (["<", ">="] as const) : ([">", "<="] as const);
  if (key === "id") {
    let ranged = query.orderBy("id", direction);
    if (start) ranged = ranged.where("id", start.with ? ">=" : onward, start.id);
    if (end) ranged = ranged.where("id", upTo, end.id);
    if (from !== undefined) ranged = ranged.where(sql<number>`started_at + 0`, ">=", from);
    if (to !== undefined) ranged = ranged.where(sql<number>`started_at + 0`, "<", to);
    return ranged;
  }
  let ranged = query.orderBy("started_at", direction).orderBy("id", direction);
  const place = ({ startedAt, id }: CallPlace) => sql`(${startedAt}, ${id})`;
  if (start) ranged = ranged.where(sql<SqlBool>`(started_at, id) ${sql.raw(onward)} ${place(start)}`);
  if (end) ranged = ranged.where(sql<SqlBool>`(started_at, id) ${sql.raw(upTo)} ${place(end)}`);
  return ranged;
}

/**
 * The walk that reaches furthest with the calls that may be looked at, and where it is to end; no end where it comes to the
 * end of the range, or meets wanted calls alone.
 */
async function chooseWalk(
  database: Pick<Database, "read">,
  filter: ListCallsOptions,
  range: Range,
  searched: number,
): Promise<{ walk: Walk; end?: CallPlace }> {
  const walks = range.key === "id" ? [{ traits: [], exact: false }] : walksFor(filter);
  let best: { walk: Walk; end: CallPlace } | undefined;
  for (const walk of walks) {
    if (walk.exact) return { walk };
    const row = await inRange(database.read.selectFrom("call").select(["started_at", "id"]), range)
      .where((eb) => walkCondition(eb, filter, walk))
      .offset(searched - 1)
      .limit(1)
      .executeTakeFirst();
    if (!row) return { walk };
    const end = placeOf(row);
    if (!best || furtherOn(filter.order ?? "newest", end, best.end) === end) best = { walk, end };
  }
  if (!best) throw new Error("There is always a walk over all calls");
  return best;
}
