import { type AuditActor, type AuditEvent, type AuditSource, auditStatement } from "../audit/audit-log.ts";
import type { ChangeChannel } from "../coordination/change-channel.ts";
import type { Platform } from "../platform.ts";
import type { Database, Statement, StatementResult } from "../storage/database.ts";
import type { ChangeEntity } from "../storage/schema.ts";

/** What a change of keys or accounts is made with. */
export interface ChangeOptions {
  database: Database;
  platform: Platform;
  /** Told after each change, so that other gateways look at once. */
  hint?: Pick<ChangeChannel, "publish">;
}

/** Something that gateways keep in memory and that a unit changes. */
export interface Changed {
  entity: ChangeEntity;
  id: string;
}

/** Who makes a change: a person or program, or a request to the management API, which writes the entry of its own route. */
export type Author = AuditActor | { audit(event: Omit<AuditEvent, "actor">): Statement };

/** An author that is known by name, too, for what is recorded beside the audit log. */
export type NamedAuthor = AuditActor | { actor: AuditActor; audit(event: Omit<AuditEvent, "actor">): Statement };

export function actorOf(author: NamedAuthor): AuditActor {
  return "audit" in author ? author.actor : author;
}

/** The statement of the audit entry, to be the last one of a unit. */
export function entryBy(
  { database, platform }: { database: Pick<Database, "build">; platform: AuditSource },
  author: Author,
  event: Omit<AuditEvent, "actor">,
): Statement {
  return "audit" in author ? author.audit(event) : auditStatement(database, platform, { ...event, actor: author });
}

/** What the audit log tells of a change. */
export type ChangeEvent = Omit<AuditEvent, "actor"> & { actor: Author };

/**
 * Writes statements together with what tells of them: the entry in the change sequence, by which running gateways learn of
 * the change (A2), and the entry in the audit log (S16). Rejects with a StorageError when nothing was written.
 */
export async function writeChange(
  { database, platform, hint }: ChangeOptions,
  statements: readonly Statement[],
  changed: readonly Changed[],
  ...events: readonly ChangeEvent[]
): Promise<readonly StatementResult[]> {
  const sequence = changed.map(({ entity, id }) =>
    database.build
      .insertInto("change_sequence")
      .values({ entity, entity_id: id, changed_at: platform.now() })
      .compile(),
  );
  const entries = events.map(({ actor, ...event }) => entryBy({ database, platform }, actor, event));
  const unit = [...statements, ...sequence, ...entries];
  const results = await database.write(unit, { alone: true });
  hint?.publish();
  return results;
}
