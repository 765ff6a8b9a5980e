import { getExpectedSchema } from "@better-auth/core/db/internal";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { systemEvery, systemPlatform } from "../platform.ts";
import { openDatabase } from "../storage/open-database.ts";
import { createLog } from "../telemetry/log.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { createTimerWheel } from "../timer-wheel.ts";
import { createPasswords } from "./passwords.ts";
import { signInLibraryOptions } from "./sign-in.ts";

describeEngines((make) => {
  test("the tables of migration 0004 are those that the sign-in library writes, column by column", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const platform = systemPlatform();
    const options = signInLibraryOptions({
      database,
      platform,
      timers: createTimerWheel(systemEvery, platform.monotonic),
      log: createLog({ now: platform.now, level: "silent" }),
      secret: { bytes: new Uint8Array(32), origin: "environment" },
      passwords: createPasswords(platform),
      url: null,
      oidc: [],
    });
    const expected = getExpectedSchema(options);
    expect(Object.keys(expected).sort()).toEqual([
      "user",
      "user_credential",
      "user_passkey",
      "user_session",
      "user_two_factor",
      "user_verification",
    ]);
    for (const [table, { fields }] of Object.entries(expected)) {
      const columns = await columnsOf(database, made.config.kind, table);
      const names = columns.map(({ name }) => name);
      for (const [name, field] of Object.entries(fields)) {
        expect(names, table).toContain(name);
        const column = columns.find((entry) => entry.name === name);
        const type = field.type === "string" ? "text" : made.config.kind === "sqlite" ? "integer" : "bigint";
        expect(column?.type.toLowerCase(), `${table}.${name}`).toBe(type);
        // What the library may leave out must not be asked for.
        if (field.required === false && field.defaultValue === undefined) {
          expect(column?.nullable, `${table}.${name}`).toBe(true);
        }
      }
      // Columns of ours that it knows nothing of must be filled without it.
      for (const { name, nullable, hasDefault } of columns) {
        if (name !== "id" && !(name in fields)) expect(nullable || hasDefault, `${table}.${name}`).toBe(true);
      }
    }
    await database.close();
  });
});

interface Column {
  name: string;
  type: string;
  nullable: boolean;
  hasDefault: boolean;
}

async function columnsOf(
  database: Awaited<ReturnType<typeof openDatabase>>,
  kind: "sqlite" | "postgres",
  table: string,
): Promise<Column[]> {
  const query =
    kind === "sqlite"
      ? sql<Record<string, unknown>>`select name, type, "notnull" = 0 as nullable, dflt_value is not null as filled
          from pragma_table_info(${table})`
      : sql<Record<string, unknown>>`select column_name as name, data_type as type, is_nullable = 'YES' as nullable,
          column_default is not null as filled from information_schema.columns where table_name = ${table}`;
  // The reader is the whole builder; its type hides what does not read.
  const { rows } = await query.execute(database.read as unknown as Parameters<typeof query.execute>[0]);
  return rows.map((row) => ({
    name: String(row.name),
    type: String(row.type),
    nullable: Boolean(row.nullable),
    hasDefault: Boolean(row.filled),
  }));
}
