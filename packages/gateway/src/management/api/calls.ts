import { Readable } from "node:stream";
import { z } from "zod";
import type { AuditActor } from "../../audit/audit-log.ts";
import { namesOf } from "../../calls/call-names.ts";
import type { CallRecord } from "../../calls/call-record.ts";
import { CallsError } from "../../calls/calls-error.ts";
import { contentState } from "../../calls/content-state.ts";
import type { ContentStore } from "../../calls/content-store.ts";
import { exportCalls } from "../../calls/export-calls.ts";
import { type ListCallsOptions, listCalls } from "../../calls/list-calls.ts";
import { readCall } from "../../calls/read-call.ts";
import type { Config } from "../../config/config.ts";
import type { Platform } from "../../platform.ts";
import type { Database, Statement } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { type Caller, mayAct } from "../caller.ts";
import { ManagementError, notFound } from "../failure.ts";
import { cursorParam, limitParam, opaqueCursor } from "../paging.ts";
import type { ManagementRoute } from "../routes.ts";
import { callDetail, callItem, contentFacts } from "./call-answers.ts";
import { callFilterOf, callFilterQuery, operatorCallQuery } from "./call-query.ts";
import { callContentSchema, callDetailSchema, callListSchema } from "./call-schemas.ts";

export interface CallRoutesParts {
  database: Database;
  platform: Pick<Platform, "now">;
  content: Pick<ContentStore, "read">;
  /** What holds now. */
  contentLogging: () => Config["contentLogging"];
}

/** Most calls of one export. */
const mostExported = 100_000;
/** Calls that run for longer may be missed by whoever follows the log; they are in the list all the same. */
const longestFollowedMs = 60 * 60_000;
/** A call is recorded a moment after its end, by a clock that may be another gateway's. */
const recordedWithinMs = 10_000;

const liveCursor = opaqueCursor(z.tuple([z.literal("live"), z.number().int()]));

const listQuery = {
  cursor: cursorParam,
  limit: limitParam,
  after: z
    .string()
    .max(256)
    .optional()
    .describe(
      "The 'live' of an earlier answer: calls that have ended since, the newest first. Some may have been told before.",
    ),
};

const exportQuery = { format: z.enum(["csv", "ndjson"]).default("csv") };

const listSummary = "List calls";
const exportText =
  `At most ${mostExported} calls, the newest first unless said otherwise. Where there are more, the last line says so: ` +
  "a CSV line that begins with '# cut', or the NDJSON object '{\"cut\":true}'.";
const contentText =
  "The bodies as they went over the four wires, redacted, where the installation and the access key have them kept. " +
  "That they were read is recorded in the audit log.";

/** The call log: of an account for those who belong to it, of all accounts for operators. */
export function callRoutes(parts: CallRoutesParts): ManagementRoute[] {
  const { database } = parts;
  return [
    apiRoute({
      method: "GET",
      path: "/api/v1/accounts/:account/calls",
      tag: "Calls",
      summary: listSummary,
      role: "viewer",
      scope: "account",
      audit: "none",
      query: z.object({ ...listQuery, ...callFilterQuery }),
      answer: callListSchema,
      handle: async ({ query, accountId }) => ({ body: await list(parts, callFilterOf(query, accountId), query) }),
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/calls",
      tag: "Calls",
      summary: "List calls of all accounts",
      role: "operator",
      scope: "installation",
      audit: "none",
      query: z.object({ ...listQuery, ...callFilterQuery, ...operatorCallQuery }),
      answer: callListSchema,
      handle: async ({ query }) => ({ body: await list(parts, callFilterOf(query, undefined), query) }),
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/accounts/:account/calls/export",
      tag: "Calls",
      summary: "Export calls",
      description: exportText,
      role: "viewer",
      scope: "account",
      audit: "calls.exported",
      query: z.object({ ...exportQuery, ...callFilterQuery }),
      answer: z.string(),
      answerType: "text/csv; charset=utf-8",
      async handle({ query, accountId, audit, target }) {
        const entry = audit({ target: null, accountId, detail: { search: searchOf(target) } });
        return exported(parts, callFilterOf(query, accountId), query.format, false, entry);
      },
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/calls/export",
      tag: "Calls",
      summary: "Export calls of all accounts",
      description: exportText,
      role: "operator",
      scope: "installation",
      audit: "calls.exported",
      query: z.object({ ...exportQuery, ...callFilterQuery, ...operatorCallQuery }),
      answer: z.string(),
      answerType: "text/csv; charset=utf-8",
      async handle({ query, audit, target }) {
        const entry = audit({ target: null, accountId: null, detail: { search: searchOf(target) } });
        return exported(parts, callFilterOf(query, undefined), query.format, true, entry);
      },
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/accounts/:account/calls/:call",
      tag: "Calls",
      summary: "Show a call",
      role: "viewer",
      scope: "account",
      audit: "none",
      answer: callDetailSchema,
      async handle({ params, accountId, caller }) {
        return { body: await detail(parts, await found(database, params.call, accountId), caller) };
      },
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/calls/:call",
      tag: "Calls",
      summary: "Show a call of any account",
      role: "operator",
      scope: "installation",
      audit: "none",
      answer: callDetailSchema,
      async handle({ params, caller }) {
        return { body: await detail(parts, await found(database, params.call, undefined), caller) };
      },
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/accounts/:account/calls/:call/content",
      tag: "Calls",
      summary: "Read the content of a call",
      description: contentText,
      role: "member",
      scope: "account",
      audit: "none",
      answer: callContentSchema,
      async handle({ params, accountId, actor }) {
        return { body: await content(parts, await found(database, params.call, accountId), actor) };
      },
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/calls/:call/content",
      tag: "Calls",
      summary: "Read the content of a call of any account",
      description: contentText,
      role: "operator",
      scope: "installation",
      audit: "none",
      answer: callContentSchema,
      async handle({ params, actor }) {
        return { body: await content(parts, await found(database, params.call, undefined), actor) };
      },
    }),
  ];
}

interface Page {
  cursor?: string | undefined;
  limit: number;
  after?: string | undefined;
}

async function list({ database, platform }: CallRoutesParts, filter: ListCallsOptions, { cursor, limit, after }: Page) {
  const now = platform.now();
  const options = { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) };
  if (after !== undefined) {
    if (cursor !== undefined) {
      throw new ManagementError(400, "invalid_request", "Give 'after' or 'cursor', not both.", { field: "after" });
    }
    const since = liveCursor.decode(after)?.[1] ?? now;
    options.order = "newest";
    options.endedFrom = since - recordedWithinMs;
    options.from = Math.max(filter.from ?? 0, since - longestFollowedMs);
  }
  const page = await refusing(listCalls(database, options));
  const names = await namesOf(database, page.calls);
  return {
    items: page.calls.map((call) => callItem(call, names)),
    next: page.next,
    searched_to: page.searchedTo,
    live: liveCursor.encode(["live", now]),
  };
}

/** What the list refuses is the asker's fault. */
async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof CallsError)) throw cause;
    throw new ManagementError(400, "invalid_cursor", `${cause.message}.`, { field: "cursor" });
  }
}

async function exported(
  { database, platform }: CallRoutesParts,
  filter: ListCallsOptions,
  format: "csv" | "ndjson",
  withAccounts: boolean,
  entry: Statement,
) {
  await database.write([entry]);
  const day = new Date(platform.now()).toISOString().slice(0, 10);
  return {
    body: Readable.from(exportCalls(database, { filter, format, most: mostExported, withAccounts })),
    headers: {
      "content-type": format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson; charset=utf-8",
      "content-disposition": `attachment; filename="calls-${day}.${format}"`,
    },
  };
}

/** The parameters behind the `?`, for the audit log. */
function searchOf(target: string): string {
  const mark = target.indexOf("?");
  return mark === -1 ? "" : target.slice(mark + 1);
}

async function found(database: Database, id: string, accountId: string | undefined): Promise<CallRecord> {
  const call = await readCall(database, id, accountId === undefined ? {} : { accountId });
  if (!call) throw notFound();
  return call;
}

async function detail({ database, platform, contentLogging }: CallRoutesParts, call: CallRecord, caller: Caller) {
  const [told, state] = await Promise.all([
    callDetail(database, call),
    contentState(database, call, { settings: contentLogging(), now: platform.now() }),
  ]);
  return { ...told, content: { ...contentFacts(state), readable: mayAct(caller, "member", call.accountId) } };
}

async function content(parts: CallRoutesParts, call: CallRecord, reader: AuditActor) {
  const { database, platform, contentLogging } = parts;
  const { state } = await contentState(database, call, { settings: contentLogging(), now: platform.now() });
  if (state !== "kept") return { state, parts: [] };
  const kept = await parts.content.read(call.id, reader);
  return {
    state,
    parts: kept.map(({ part, storedAt, expiresAt, text, size, cut }) => ({
      part,
      stored_at: storedAt,
      expires_at: expiresAt,
      text,
      size,
      cut,
    })),
  };
}
