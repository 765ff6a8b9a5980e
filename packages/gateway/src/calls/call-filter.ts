import type { ErrorKind, ProtocolName } from "@interlingua/protocols";
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
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
  /** Only calls that did not succeed, that had an error, or whose caller got a status of 400 or more. */
  failed?: boolean;
  stream?: boolean;
  errorKind?: ErrorKind;
  /** Calls that began at this time or later, unix milliseconds. */
  from?: number;
  /** Calls that began before this time. */
  to?: number;
  /** Calls that ended at this time or later, whenever they began. No index leads to them: give `from`, too. */
  endedFrom?: number;
  /** The begin of the id, three characters at least. Such a list is sorted by id, which is the order of arrival, too. */
  idPrefix?: string;
  /** Only calls that lost or changed something on the way. */
  withNotices?: boolean;
  /** Nano-dollars: only calls that cost as much or more. */
  minCharge?: bigint;
}

type StatusClass = "2xx" | "3xx" | "4xx" | "5xx";

/** What the rows of an index have in common. */
type Trait =
  | "access_key_id"
  | "account_id"
  | "model"
  | "channel"
  | "failed"
  | "error_kind"
  | "status"
  | "outcome"
  | "notices"
  | "costly";

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
  ["error_kind"],
  ["status"],
  ["outcome"],
  ["failed"],
  ["costly"],
  ["notices"],
  [],
];

/** The walks that may serve a filter. None of them is contained in another. */
export function walksFor(filter: CallFilter): Walk[] {
  const traits = traitsOf(filter);
  const fitting = walks.filter((walk) => walk.every((trait) => traits.has(trait)));
  const narrowest = fitting.filter(
    (walk) => !fitting.some((other) => other.length > walk.length && walk.every((trait) => other.includes(trait))),
  );
  const wanted = [...traits.keys()].filter((trait) => isWanted(filter, trait));
  const plain = restOf(filter).length === 0;
  return narrowest.map((walk) => ({ traits: walk, exact: plain && wanted.every((trait) => walk.includes(trait)) }));
}

/** From this charge on, nano-dollars, calls are few enough for an index of their own. */
const costly = 1_000_000_000n;

/** What all calls that the filter wants have in common, of that for which there are indexes. */
function traitsOf(filter: CallFilter): Map<Trait, string | number> {
  const { accessKeyId, accountId, model, channel, errorKind, status, outcome, minCharge } = filter;
  const traits = new Map<Trait, string | number>();
  if (accessKeyId !== undefined) traits.set("access_key_id", accessKeyId);
  if (accountId !== undefined) traits.set("account_id", accountId);
  if (model !== undefined) traits.set("model", model);
  if (channel !== undefined) traits.set("channel", channel);
  if (errorKind !== undefined) traits.set("error_kind", errorKind);
  if (typeof status === "number" && status >= 400) traits.set("status", status);
  if (outcome !== undefined && outcome !== "succeeded") traits.set("outcome", outcome);
  const failures = traits.has("error_kind") || traits.has("status") || traits.has("outcome");
  if (filter.failed || failures || status === "4xx" || status === "5xx") traits.set("failed", 1);
  if (filter.withNotices) traits.set("notices", 1);
  if (minCharge !== undefined && minCharge >= costly) traits.set("costly", 1);
  return traits;
}

/** Whether the filter asks for the trait itself, and not for something that has it as a consequence. */
function isWanted(filter: CallFilter, trait: Trait): boolean {
  if (trait === "failed") return filter.failed === true;
  return trait !== "costly";
}

type Builder = ExpressionBuilder<Schema, "call">;
type Condition = Expression<SqlBool>;

/** What the filter wants beside its traits. */
function restOf(filter: CallFilter): Condition[] {
  const { clientProtocol, upstreamProtocol, status, outcome, stream, minCharge, endedFrom } = filter;
  const rest: Condition[] = [];
  if (endedFrom !== undefined) rest.push(sql<SqlBool>`(started_at + coalesce(end_ms, 0) >= ${endedFrom})`);
  if (clientProtocol !== undefined) rest.push(sql<SqlBool>`client_protocol = ${clientProtocol}`);
  if (upstreamProtocol !== undefined) rest.push(sql<SqlBool>`upstream_protocol = ${upstreamProtocol}`);
  if (typeof status === "number" && status < 400) rest.push(sql<SqlBool>`status + 0 = ${status}`);
  if (typeof status === "string") {
    const first = Number(status.charAt(0)) * 100;
    rest.push(sql<SqlBool>`(status + 0 >= ${first} and status + 0 < ${first + 100})`);
  }
  if (outcome === "succeeded") rest.push(sql<SqlBool>`outcome || '' = ${outcome}`);
  if (stream !== undefined) rest.push(sql<SqlBool>`stream = ${stream ? 1 : 0}`);
  if (minCharge !== undefined) rest.push(sql<SqlBool>`charge + 0 >= ${minCharge}`);
  return rest;
}

/** The condition of a walk itself. */
export function walkCondition(eb: Builder, filter: CallFilter, { traits }: Walk): Condition {
  return eb.and([...traitsOf(filter)].filter(([trait]) => traits.includes(trait)).map((entry) => indexed(...entry)));
}

/**
 * All else that the filter wants, spelt so that no index serves it: the engine is left no choice but the walk's own. (It
 * would have to guess how many calls each condition leaves, and a wrong guess is a walk over all calls.)
 */
export function otherConditions(eb: Builder, filter: CallFilter, { traits }: Walk): Condition {
  const other = [...traitsOf(filter)].filter(([trait]) => !traits.includes(trait) && isWanted(filter, trait));
  return eb.and([...other.map((entry) => hidden(...entry)), ...restOf(filter)]);
}

/** In the words of the index, which SQLite compares. */
function indexed(trait: Trait, value: string | number): Condition {
  switch (trait) {
    case "failed":
      return sql<SqlBool>`(outcome <> 'succeeded' or status >= 400 or error_kind is not null)`;
    case "status":
      return sql<SqlBool>`(status = ${value} and status >= 400)`;
    case "outcome":
      return sql<SqlBool>`(outcome = ${value} and outcome <> 'succeeded')`;
    case "notices":
      return sql<SqlBool>`notices <> '[]'`;
    case "costly":
      return sql<SqlBool>`charge >= 1000000000`;
    default:
      return sql<SqlBool>`${sql.ref(trait)} = ${value}`;
  }
}

function hidden(trait: Trait, value: string | number): Condition {
  switch (trait) {
    case "failed":
      return sql<SqlBool>`(outcome || '' <> 'succeeded' or status + 0 >= 400 or error_kind || '' <> '')`;
    case "status":
      return sql<SqlBool>`status + 0 = ${value}`;
    case "notices":
      return sql<SqlBool>`notices || '' <> '[]'`;
    default:
      return sql<SqlBool>`${sql.ref(trait)} || '' = ${value}`;
  }
}

/** The ids that begin so: from the first to before the second. Throws a CallsError for what no id begins with. */
export function idRange(prefix: string): { first: string; end: string } {
  if (!/^[A-Za-z0-9_-]{3,64}$/.test(prefix)) {
    throw new CallsError("The begin of a call's id has three letters, digits or signs _ and - at least");
  }
  // Greater than all that an id is made of.
  return { first: prefix, end: `${prefix}~` };
}
