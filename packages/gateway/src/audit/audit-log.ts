import { auditedColumns, auditGenesis, auditHash } from "../storage/audit-hash.ts";
import type { Database, Statement } from "../storage/database.ts";
import type { AuditActorKind, AuditEventTable } from "../storage/users-schema.ts";

/** Who did something. */
export interface AuditActor {
  kind: AuditActorKind;
  /** The user's id; null where nobody is known by one. */
  id: string | null;
  /** As a person reads it: an e-mail address, `command line`, the name of a file. */
  name: string;
  /** Where the request came from; null for what came by no connection. */
  address: string | null;
}

/** What is told of a change: names with values of before and after. Never a secret, a digest or a token (S1). */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** One thing that was done to the installation (S16). */
export interface AuditEvent {
  actor: AuditActor;
  /** What was done, `<kind of thing>.<past participle>`: `user.created`, `access_key.disabled`. */
  action: string;
  /** To what; null where it is no single thing. */
  target: { kind: string; id: string } | null;
  /** The account that may read of it; null: operators alone. */
  accountId: string | null;
  detail?: AuditDetail;
}

/** What an entry takes from the machine. */
export interface AuditSource {
  now(): number;
  id(prefix: string): string;
}

/**
 * The statement that writes an event. Put it last into the unit of the change itself, so that neither is there without the
 * other; last, since it locks the head of the log until the commit. Give it no `expect`: the engines count it differently.
 *
 * @example
 * await database.write([disable.compile(), auditStatement(database, platform, { actor, action: "access_key.disabled", ... })]);
 */
export function auditStatement(
  database: Pick<Database, "build">,
  source: AuditSource,
  { actor, action, target, accountId, detail }: AuditEvent,
): Statement {
  return database.build
    .insertInto("audit_entry")
    .values({
      id: source.id("aud"),
      at: source.now(),
      actor_kind: actor.kind,
      actor_id: textOf(actor.id),
      actor_name: textOf(actor.name) ?? "",
      address: textOf(actor.address),
      action,
      target_kind: target?.kind ?? null,
      target_id: textOf(target?.id ?? null),
      account_id: textOf(accountId),
      detail: textOf(JSON.stringify(detail ?? {})) ?? "{}",
    })
    .compile();
}

/** A text that both engines store and count alike: no U+0000, no half of a surrogate pair, at most 16 Ki characters. */
function textOf(value: string | null): string | null {
  return value === null ? null : value.slice(0, 16_384).replaceAll("\0", "\uFFFD").toWellFormed();
}

/** Whether the log is whole, and where it first is not. */
export type AuditVerdict =
  | { ok: true; entries: number }
  | { ok: false; sequence: number; problem: "missing" | "changed" | "unchained" | "cut" };

/** Entries that are read at once. */
const pageSize = 1000;

/**
 * Reads the whole log and looks for the first entry that is not what was written.
 *
 * Finds an entry that was changed (`changed`), removed or inserted between others (`missing`, `unchained`), and entries
 * cut off at the end (`cut`). Does not find what somebody did who may do everything to the database and wrote all
 * entries from there on anew, with their hashes and the head: keep a copy of the head elsewhere against that.
 */
export async function verifyAuditLog(database: Pick<Database, "read">): Promise<AuditVerdict> {
  // Taken first: entries that are added meanwhile stand behind it.
  const head = await database.read.selectFrom("audit_head").selectAll().executeTakeFirst();
  let sequence = 0;
  let hash = auditGenesis;
  for (;;) {
    const page = await database.read
      .selectFrom("audit_event")
      .selectAll()
      .where("sequence", ">", sequence)
      .orderBy("sequence")
      .limit(pageSize)
      .execute();
    for (const event of page) {
      const problem = problemOf(event, sequence, hash);
      if (problem) return { ok: false, sequence: sequence + 1, problem };
      sequence = event.sequence;
      hash = event.hash;
      if (sequence === head?.sequence && hash !== head.hash) return { ok: false, sequence, problem: "unchained" };
    }
    if (page.length < pageSize) break;
  }
  if (!head || sequence < head.sequence) return { ok: false, sequence: sequence + 1, problem: "cut" };
  return { ok: true, entries: sequence };
}

function problemOf(
  event: AuditEventTable,
  before: number,
  hash: string,
): Exclude<AuditVerdict, { ok: true }>["problem"] | undefined {
  if (event.sequence !== before + 1) return "missing";
  if (event.previous_hash !== hash) return "unchained";
  const values = auditedColumns.map((name) => event[name]);
  return auditHash(hash, values) === event.hash ? undefined : "changed";
}
