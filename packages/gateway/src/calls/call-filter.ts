import type { ErrorKind, ProtocolName } from "@interlingua/protocols";
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from "kysely";
import type { Outcome, Schema } from "../storage/schema.ts";
import { CallsError } from "./calls-error.ts";

/** Which calls: those to which all of it applies. */
export interface CallFilter {
  accountId?: string;
  accessKeyId?: string;
  /** As the caller wrote it. */
  model?: string;
  channel?: string;
  clientProtocol?: ProtocolName;
  upstreamProtocol?: ProtocolName;
  /** One status, or all of its class. */
  status?: number | StatusClass;
  outcome?: Outcome;
  /** Only calls that did not succeed, or whose caller got a status of 400 or more. */
  failed?: boolean;
  stream?: boolean;
  errorKind?: ErrorKind;
  /** Calls that began at this time or later, unix milliseconds. */
  from?: number;
  /** Calls that began before this time. */
  to?: number;
  /** The begin of the id, three characters at least. Such a list is sorted by id, which is the order of arrival, too. */
  idPrefix?: string;
  /** Only calls that lost or changed something on the way. */
  withNotices?: boolean;
  /** Nano-dollars: only calls that cost as much or more. */
  minCharge?: bigint;
}

export type StatusClass = "2xx" | "3xx" | "4xx" | "5xx";

/** What the rows of an index have in common. */
type Trait = "access_key_id" | "account_id" | "model" | "channel" | "failed" | "notices";

/** A way through the calls in their order: an index over those that have all of these traits. */
export interface Walk {
  traits: readonly Trait[];
  /** Whether it meets no call that the filter does not want. */
  exact: boolean;
}

/** The indexes of migrations 0003 and 0005. */
const walks: readonly (readonly Trait[])[] = [
  ["access_key_id"],
  ["account_id", "failed"],
  ["account_id"],
  ["model"],
  ["channel"],
  ["failed"],
  ["notices"],
  [],
];

/** The walks that may serve a filter. None of them is contained in another. */
export function walksFor(filter: CallFilter): Walk[] {
  const wanted = traitsOf(filter);
  const fitting = walks.filter((traits) => traits.every((trait) => wanted.has(trait)));
  const narrowest = fitting.filter(
    (traits) =>
      !fitting.some((other) => other.length > traits.length && traits.every((trait) => other.includes(trait))),
  );
  const plain = restOf(filter) === 0;
  return narrowest.map((traits) => ({ traits, exact: plain && traits.length === wanted.size }));
}

function traitsOf(filter: CallFilter): Map<Trait, string> {
  const traits = new Map<Trait, string>();
  if (filter.accessKeyId !== undefined) traits.set("access_key_id", filter.accessKeyId);
  if (filter.accountId !== undefined) traits.set("account_id", filter.accountId);
  if (filter.model !== undefined) traits.set("model", filter.model);
  if (filter.channel !== undefined) traits.set("channel", filter.channel);
  if (isFailure(filter)) traits.set("failed", "");
  if (filter.withNotices) traits.set("notices", "");
  return traits;
}

/** Whether all calls that the filter wants have failed. */
function isFailure({ failed, outcome, status }: CallFilter): boolean {
  if (failed || (outcome !== undefined && outcome !== "succeeded")) return true;
  return typeof status === "number" ? status >= 400 : status === "4xx" || status === "5xx";
}

/** How many conditions the filter has for which there is no index. */
function restOf(filter: CallFilter): number {
  const { clientProtocol, upstreamProtocol, status, outcome, stream, errorKind, minCharge } = filter;
  const rest = [clientProtocol, upstreamProtocol, status, outcome, stream, errorKind, minCharge];
  return rest.filter((value) => value !== undefined).length;
}

type Builder = ExpressionBuilder<Schema, "call">;
type Condition = ExpressionWrapper<Schema, "call", SqlBool>;

/** The condition of a walk itself. */
export function walkCondition(eb: Builder, filter: CallFilter, { traits }: Walk): Condition {
  return eb.and([...traitsOf(filter)].filter(([trait]) => traits.includes(trait)).map((entry) => plain(eb, ...entry)));
}

/**
 * All else that the filter wants, spelt so that no index serves it: the engine is left no choice but the walk's own. (It
 * would have to guess how many calls each condition leaves, and a wrong guess is a walk over all calls.)
 */
export function otherConditions(eb: Builder, filter: CallFilter, { traits }: Walk): Condition {
  const { clientProtocol, upstreamProtocol, status, outcome, stream, errorKind, minCharge } = filter;
  const other = [...traitsOf(filter)].filter(([trait]) => !traits.includes(trait));
  const conditions = other.map((entry) => hidden(eb, ...entry));
  if (clientProtocol !== undefined) conditions.push(eb("client_protocol", "=", clientProtocol));
  if (upstreamProtocol !== undefined) conditions.push(eb("upstream_protocol", "=", upstreamProtocol));
  if (status !== undefined) conditions.push(statusCondition(eb, status));
  if (outcome !== undefined) conditions.push(eb(sql`outcome || ''`, "=", outcome));
  if (stream !== undefined) conditions.push(eb("stream", "=", stream ? 1 : 0));
  if (errorKind !== undefined) conditions.push(eb("error_kind", "=", errorKind));
  if (minCharge !== undefined) conditions.push(eb("charge", ">=", sql<number>`${minCharge}`));
  return eb.and(conditions);
}

function plain(eb: Builder, trait: Trait, value: string): Condition {
  switch (trait) {
    case "failed":
      // In the words of the index, which SQLite compares.
      return eb.and([sql<SqlBool>`(outcome <> 'succeeded' or status >= 400)`]);
    case "notices":
      return eb.and([sql<SqlBool>`notices <> '[]'`]);
    default:
      return eb(trait, "=", value);
  }
}

function hidden(eb: Builder, trait: Trait, value: string): Condition {
  switch (trait) {
    case "failed":
      return eb.and([sql<SqlBool>`(outcome || '' <> 'succeeded' or status + 0 >= 400)`]);
    case "notices":
      return eb.and([sql<SqlBool>`notices || '' <> '[]'`]);
    default:
      return eb(sql`${sql.ref(trait)} || ''`, "=", value);
  }
}

function statusCondition(eb: Builder, status: number | StatusClass): Condition {
  const column = sql<number>`status + 0`;
  if (typeof status === "number") return eb(column, "=", status);
  const first = Number(status.charAt(0)) * 100;
  return eb.and([eb(column, ">=", first), eb(column, "<", first + 100)]);
}

/** The ids that begin so: from the first to before the second. Throws a CallsError for what no id begins with. */
export function idRange(prefix: string): { first: string; end: string } {
  if (!/^[A-Za-z0-9_-]{3,64}$/.test(prefix)) {
    throw new CallsError("The begin of a call's id has three letters, digits or signs _ and - at least");
  }
  // Greater than all that an id is made of.
  return { first: prefix, end: `${prefix}~` };
}
