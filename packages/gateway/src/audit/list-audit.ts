import type { Database } from "../storage/database.ts";
import type { AuditActorKind, AuditEventTable } from "../storage/users-schema.ts";

/** Which entries of the audit log. All that is named must hold. */
export interface AuditFilter {
  /** The account whose entries they are. */
  accountId?: string | undefined;
  /** The id of a user, or the name of who has none, such as `command line`. */
  actor?: string | undefined;
  actorKind?: AuditActorKind | undefined;
  /** `key.created`, or a kind of thing followed by a full stop: `key.`. */
  action?: string | undefined;
  /** The id of what it was done to. */
  target?: string | undefined;
  /** Unix milliseconds: from this moment on. */
  from?: number | undefined;
  /** Before this moment. */
  to?: number | undefined;
}

/** Entries of the audit log that come before the one of this number, the newest first. Rejects with a StorageError. */
export function listAudit(
  { read }: Pick<Database, "read">,
  filter: AuditFilter,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<AuditEventTable[]> {
  let query = read.selectFrom("audit_event").selectAll().orderBy("sequence", "desc").limit(limit);
  if (before !== undefined) query = query.where("sequence", "<", before);
  const { accountId, actor, actorKind, action, target, from, to } = filter;
  if (accountId !== undefined) query = query.where("account_id", "=", accountId);
  if (actor !== undefined) {
    query = query.where((row) =>
      row.or([row("actor_id", "=", actor), row.and([row("actor_id", "is", null), row("actor_name", "=", actor)])]),
    );
  }
  if (actorKind !== undefined) query = query.where("actor_kind", "=", actorKind);
  if (action?.endsWith(".")) query = query.where("action", ">=", action).where("action", "<", `${action}\u{10ffff}`);
  else if (action !== undefined) query = query.where("action", "=", action);
  if (target !== undefined) query = query.where("target_id", "=", target);
  if (from !== undefined) query = query.where("at", ">=", from);
  if (to !== undefined) query = query.where("at", "<", to);
  return query.execute();
}

/** Entries that are read at once. */
const pageSize = 1000;

/** The entries of a filter, the newest first, at most so many, read page by page. Rejects with a StorageError. */
export async function* eachAudit(
  database: Pick<Database, "read">,
  filter: AuditFilter,
  most: number,
): AsyncGenerator<AuditEventTable[]> {
  let before: number | undefined;
  for (let left = most; left > 0; ) {
    const page = await listAudit(database, filter, { before, limit: Math.min(pageSize, left) });
    yield page;
    left -= page.length;
    before = page.at(-1)?.sequence;
    if (page.length < pageSize) return;
  }
}
