import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "../storage/open-database.ts";
import { sqliteDatabase } from "../testing/database-engines.ts";
import { type CallFilter, otherConditions, walkCondition, walksFor } from "./call-filter.ts";

/** Filters, and the indexes that may serve them: for each walk one, in their order. */
const cases: [CallFilter, string[]][] = [
  [{}, ["call_by_time"]],
  [{ stream: true, clientProtocol: "messages", status: "2xx" }, ["call_by_time"]],
  [{ accountId: "a" }, ["call_by_account"]],
  [{ accessKeyId: "k", accountId: "a" }, ["call_by_access_key", "call_by_account"]],
  [{ model: "m", channel: "c" }, ["call_by_model", "call_by_channel"]],
  [{ failed: true }, ["call_failed_by_time"]],
  [{ status: "5xx" }, ["call_failed_by_time"]],
  [{ failed: true, accountId: "a" }, ["call_failed_by_account"]],
  [{ status: 429 }, ["call_by_status", "call_failed_by_time"]],
  [{ errorKind: "timeout", accountId: "a" }, ["call_failed_by_account", "call_by_error_kind"]],
  [{ outcome: "interrupted" }, ["call_by_outcome", "call_failed_by_time"]],
  [{ outcome: "succeeded", model: "m" }, ["call_by_model"]],
  [{ minCharge: 2_000_000_000n }, ["call_costly_by_time"]],
  [{ minCharge: 1n }, ["call_by_time"]],
  [
    { withNotices: true, model: "m", failed: true },
    ["call_by_model", "call_failed_by_time", "call_with_notices_by_time"],
  ],
];

test("each walk is served by the one index that is meant for it, in its order and from its begin, without sorting", async () => {
  using made = await sqliteDatabase();
  const database = await openDatabase(made.config);
  using file = new DatabaseSync(made.config.kind === "sqlite" ? made.config.path : "");
  for (const [filter, indexes] of cases) {
    const walks = walksFor(filter);
    expect(walks).toHaveLength(indexes.length);
    for (const [place, walk] of walks.entries()) {
      const query = database.read
        .selectFrom("call")
        .selectAll()
        .where((eb) => eb.and([walkCondition(eb, filter, walk), otherConditions(eb, filter, walk)]))
        .where(sql<boolean>`(started_at, id) < (${9}, ${"x"})`)
        .where(sql<boolean>`(started_at, id) >= (${1}, ${"x"})`)
        .orderBy("started_at", "desc")
        .orderBy("id", "desc")
        .limit(50)
        .compile();
      const plan = file
        .prepare(`explain query plan ${query.sql}`)
        .all()
        .map(({ detail }) => String(detail));
      expect(plan).toHaveLength(1);
      expect(plan[0]).toMatch(
        new RegExp(`^SEARCH call USING INDEX ${indexes[place]} \\(.*\\(started_at,id\\)>.*\\(started_at,id\\)<`),
      );
    }
  }
  await database.close();
});
