import { Readable } from "node:stream";
import { z } from "zod";
import { verifyAuditLog } from "../../audit/audit-log.ts";
import { type AuditFilter, listAudit } from "../../audit/list-audit.ts";
import type { Platform } from "../../platform.ts";
import type { Database, Statement } from "../../storage/database.ts";
import type { AuditEventTable } from "../../storage/users-schema.ts";
import { apiRoute } from "../api-route.ts";
import { timeSchema } from "../api-schemas.ts";
import { nextSchema, opaqueCursor, pageOf, pageQuery } from "../paging.ts";
import type { ManagementRoute } from "../routes.ts";
import { exportAudit } from "./audit-export.ts";

const actorKinds = ["user", "command", "system", "configuration"] as const;

const detailValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

const eventSchema = z
  .object({
    sequence: z.number().int().describe("Its number in the log, from 1 on without a gap."),
    id: z.string(),
    at: timeSchema,
    actor: z.object({
      kind: z.enum(actorKinds),
      id: z.string().nullable(),
      name: z.string(),
      address: z.string().nullable(),
    }),
    action: z.string(),
    target: z.object({ kind: z.string(), id: z.string() }).nullable(),
    account: z.string().nullable(),
    detail: z.record(z.string(), detailValue).describe("Names with values, of before and after where it is a change."),
    hash: z.string().describe("Of this entry and, through the one before, of all before it."),
  })
  .meta({ id: "AuditEvent" });

const filterQuery = {
  actor: z.string().trim().min(1).max(254).optional().describe("The id of a user, or the name of who has none."),
  action: z.string().trim().min(1).max(100).optional().describe("An action, or a kind with a full stop: 'account.'."),
  target: z.string().trim().min(1).max(128).optional().describe("The id of what it was done to."),
  from: z.coerce.number().int().min(0).optional().describe("Unix milliseconds: from this moment on."),
  to: z.coerce.number().int().min(0).optional().describe("Before this moment."),
};
const operatorQuery = {
  ...filterQuery,
  actor_kind: z.enum(actorKinds).optional(),
  account: z.string().trim().min(1).max(128).optional(),
};
const format = z.enum(["csv", "ndjson"]).default("csv");

const verdictSchema = z
  .object({
    whole: z.boolean(),
    entries: z.number().int().nullable().describe("How many entries there are, where the log is whole."),
    sequence: z.number().int().nullable().describe("The first entry that is not what was written."),
    problem: z.enum(["missing", "changed", "unchained", "cut"]).nullable(),
    checked_at: timeSchema,
  })
  .meta({ id: "AuditVerdict" });

const cursors = opaqueCursor(z.tuple([z.int()]));

/** Most entries of one export. */
const mostExported = 100_000;
const exportText =
  `At most ${mostExported} entries, the newest first. Where there are more, the last line says so: a CSV line that begins ` +
  "with '# cut', or the NDJSON object '{\"cut\":true}'.";

export interface AuditRoutesParts {
  database: Database;
  platform: Pick<Platform, "now">;
}

/** What was done to the installation and to an account. */
export function auditRoutes({ database, platform }: AuditRoutesParts): ManagementRoute[] {
  /** Owners see where their own people came from, not where operators did. */
  const shownTo = async (accountId: string) => {
    const rows = await database.read
      .selectFrom("membership")
      .select("user_id")
      .where("account_id", "=", accountId)
      .execute();
    const members = new Set(rows.map(({ user_id }) => user_id));
    return (event: AuditEventTable): AuditEventTable =>
      event.actor_id !== null && members.has(event.actor_id) ? event : { ...event, address: null };
  };
  const listed = async (
    filter: AuditFilter,
    { cursor, limit }: { cursor?: string | undefined; limit: number },
    shown: (event: AuditEventTable) => AuditEventTable = (event) => event,
  ) => {
    const before = cursors.decode(cursor)?.[0];
    const rows = await listAudit(database, filter, { before, limit: limit + 1 });
    return { body: pageOf(rows.map(shown), limit, eventJson, cursors, ({ sequence }) => [sequence] as [number]) };
  };
  const exported = async (
    filter: AuditFilter,
    as: "csv" | "ndjson",
    entry: Statement,
    shown: (event: AuditEventTable) => AuditEventTable = (event) => event,
  ) => {
    await database.write([entry]);
    const day = new Date(platform.now()).toISOString().slice(0, 10);
    return {
      body: Readable.from(exportAudit(database, filter, { format: as, most: mostExported, shown })),
      headers: {
        "content-type": as === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson; charset=utf-8",
        "content-disposition": `attachment; filename="audit-${day}.${as}"`,
      },
    };
  };

  return [
    apiRoute({
      tag: "Audit",
      method: "GET",
      path: "/api/v1/audit-events",
      summary: "List audit events",
      role: "operator",
      scope: "installation",
      audit: "none",
      query: z.object({ ...pageQuery, ...operatorQuery }),
      answer: z.object({ items: z.array(eventSchema), next: nextSchema }),
      handle: ({ query }) => listed(operatorFilter(query), query),
    }),
    apiRoute({
      tag: "Audit",
      method: "GET",
      path: "/api/v1/audit-events/export",
      summary: "Export audit events",
      description: exportText,
      role: "operator",
      scope: "installation",
      audit: "audit_log.exported",
      query: z.object({ ...operatorQuery, format }),
      answer: z.string(),
      answerType: "text/csv",
      handle: (call) =>
        exported(operatorFilter(call.query), call.query.format, call.audit({ target: null, accountId: null })),
    }),
    apiRoute({
      tag: "Audit",
      method: "GET",
      path: "/api/v1/audit-verification",
      summary: "Verify the audit log",
      description: "Reads the whole log and finds the first entry that was changed, removed or put in between.",
      role: "operator",
      scope: "installation",
      audit: "none",
      answer: verdictSchema,
      async handle() {
        const verdict = await verifyAuditLog(database);
        const checked_at = platform.now();
        if (verdict.ok) {
          return { body: { whole: true, entries: verdict.entries, sequence: null, problem: null, checked_at } };
        }
        const { sequence, problem } = verdict;
        return { body: { whole: false, entries: null, sequence, problem, checked_at } };
      },
    }),
    apiRoute({
      tag: "Audit",
      method: "GET",
      path: "/api/v1/accounts/:account/audit-events",
      summary: "List audit events of an account",
      role: "owner",
      scope: "account",
      audit: "none",
      query: z.object({ ...pageQuery, ...filterQuery }),
      answer: z.object({ items: z.array(eventSchema), next: nextSchema }),
      handle: async ({ accountId, query }) => listed({ ...query, accountId }, query, await shownTo(accountId)),
    }),
    apiRoute({
      tag: "Audit",
      method: "GET",
      path: "/api/v1/accounts/:account/audit-events/export",
      summary: "Export audit events of an account",
      description: exportText,
      role: "owner",
      scope: "account",
      audit: "audit_log.exported",
      query: z.object({ ...filterQuery, format }),
      answer: z.string(),
      answerType: "text/csv",
      async handle(call) {
        const { accountId, query } = call;
        const entry = call.audit({ target: null, accountId });
        return exported({ ...query, accountId }, query.format, entry, await shownTo(accountId));
      },
    }),
  ];
}

function operatorFilter({
  account: accountId,
  actor_kind: actorKind,
  ...filter
}: z.output<z.ZodObject<typeof operatorQuery>>): AuditFilter {
  return { ...filter, accountId, actorKind };
}

function eventJson(event: AuditEventTable): z.input<typeof eventSchema> {
  const { sequence, id, at, action, target_kind, target_id } = event;
  return {
    sequence,
    id,
    at,
    actor: { kind: event.actor_kind, id: event.actor_id, name: event.actor_name, address: event.address },
    action,
    target: target_kind === null ? null : { kind: target_kind, id: target_id ?? "" },
    account: event.account_id,
    detail: detailOf(event.detail),
    hash: event.hash,
  };
}

const detailSchema = z.record(z.string(), detailValue);

/** The trigger takes any text, also one that was cut: what is no object of values is shown as it is. */
function detailOf(text: string): z.input<typeof detailSchema> {
  try {
    return detailSchema.parse(JSON.parse(text));
  } catch {
    return { text };
  }
}
