import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { expect, test } from "vitest";
import type { DatabaseConfig } from "../config/config.ts";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { type AuditEvent, auditStatement, verifyAuditLog } from "./audit-log.ts";

const event: AuditEvent = {
  actor: { kind: "user", id: "usr_1", name: "ada@example.com", address: "127.0.0.1" },
  action: "access_key.disabled",
  target: { kind: "access_key", id: "key_1" },
  accountId: null,
};

/** Names that a hash over texts could trip over: several bytes, pairs of surrogates, halves of one, nothing, U+0000. */
const names = ["ada", "Ådä 漢字 🦊", "", "\ud83e", "a\0b", "3:abc", "-"];

async function writeEntries(database: Database): Promise<void> {
  const platform = testPlatform();
  for (const name of names) {
    const actor = { ...event.actor, name };
    await database.write([auditStatement(database, platform, { ...event, actor, detail: { name, before: null } })]);
  }
}

/** What somebody does who may do everything to the database. */
async function tamper(config: DatabaseConfig, ...statements: string[]): Promise<void> {
  if (config.kind === "sqlite") {
    using database = new DatabaseSync(config.path);
    database.exec("drop trigger audit_event_no_update; drop trigger audit_event_no_delete");
    for (const statement of statements) database.exec(statement);
    return;
  }
  const client = new Client({ connectionString: config.url });
  await client.connect();
  await client.query("alter table audit_event disable trigger all");
  for (const statement of statements) await client.query(statement);
  await client.end();
}

describeEngines((make) => {
  async function filled() {
    const made = await make();
    const database = await openDatabase(made.config);
    await writeEntries(database);
    return {
      config: made.config,
      database,
      async [Symbol.asyncDispose]() {
        await database.close();
        made[Symbol.dispose]();
      },
    };
  }

  test("S16 both engines chain the same entries by the same hashes, whatever characters they hold", async () => {
    await using log = await filled();
    expect(await verifyAuditLog(log.database)).toEqual({ ok: true, entries: names.length });
    const head = await log.database.read.selectFrom("audit_head").selectAll().executeTakeFirstOrThrow();
    // A change of what is hashed would make every log that exists look broken.
    expect(head.hash).toBe("f22406c4be6aab3e92ff5a64e1d7ce837682aab913a199f06bd7d5e0240e85e4");
  });

  test("S16 an entry cannot be changed or removed by its author", async () => {
    await using log = await filled();
    const { database } = log;
    const change = database.build.updateTable("audit_event").set({ action: "nothing" }).where("sequence", "=", 2);
    await expect(database.write([change.compile()])).rejects.toMatchObject({ kind: "constraint" });
    const removal = database.build.deleteFrom("audit_event").where("sequence", "=", 2);
    await expect(database.write([removal.compile()])).rejects.toMatchObject({ kind: "constraint" });
    expect(await verifyAuditLog(database)).toMatchObject({ ok: true });
  });

  test("S16 a changed, a removed, an inserted and a cut entry are found behind the triggers' back", async () => {
    await using changed = await filled();
    await tamper(changed.config, "update audit_event set actor_name = 'eve' where sequence = 3");
    expect(await verifyAuditLog(changed.database)).toEqual({ ok: false, sequence: 3, problem: "changed" });

    await using removed = await filled();
    await tamper(removed.config, "delete from audit_event where sequence = 3");
    expect(await verifyAuditLog(removed.database)).toEqual({ ok: false, sequence: 3, problem: "missing" });

    await using closed = await filled();
    await tamper(
      closed.config,
      "delete from audit_event where sequence = 3",
      ...[4, 5, 6, 7].map(
        (sequence) => `update audit_event set sequence = ${sequence - 1} where sequence = ${sequence}`,
      ),
    );
    expect(await verifyAuditLog(closed.database)).toEqual({ ok: false, sequence: 3, problem: "unchained" });

    await using cut = await filled();
    await tamper(cut.config, "delete from audit_event where sequence >= 6");
    expect(await verifyAuditLog(cut.database)).toEqual({ ok: false, sequence: 6, problem: "cut" });

    await using inserted = await filled();
    await tamper(
      inserted.config,
      `insert into audit_event (sequence, id, at, actor_kind, actor_name, action, detail, previous_hash, hash)
        select 8, 'aud_forged', 1, 'user', 'eve', 'nothing', '{}', hash, 'abc' from audit_head`,
    );
    expect(await verifyAuditLog(inserted.database)).toEqual({ ok: false, sequence: 8, problem: "changed" });
  });

  test("S16 an entry is there with its change or not at all", async () => {
    await using log = await filled();
    const platform = testPlatform();
    const entry = auditStatement(log.database, platform, event);
    const impossible = log.database.build.insertInto("membership").values({
      user_id: "nobody",
      account_id: "nothing",
      role: "owner",
      created_at: 1,
    });
    await expect(log.database.write([impossible.compile(), entry])).rejects.toMatchObject({ kind: "constraint" });
    expect(await verifyAuditLog(log.database)).toEqual({ ok: true, entries: names.length });
  });

  test("S16 writers at the same time make one chain", async () => {
    await using log = await filled();
    await using other = await openDatabase(log.config).then((database) => ({
      database,
      [Symbol.asyncDispose]: () => database.close(),
    }));
    const platform = testPlatform(1);
    const writes = Array.from({ length: 40 }, (_, index) => {
      const database = index % 2 === 0 ? log.database : other.database;
      return database.write([auditStatement(database, platform, event)]);
    });
    await Promise.all(writes);
    expect(await verifyAuditLog(log.database)).toEqual({ ok: true, entries: names.length + 40 });
  });
});
