import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "../storage/open-database.ts";
import { sqliteDatabase } from "../testing/database-engines.ts";
import { type CallFilter, otherConditions, walkCondition, walksFor } from "./call-filter.ts";
import { type UsageColumn, usageSource } from "./usage-source.ts";

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

test("the totals of one value are read by their value, those of all by the hour", async () => {
  using made = await sqliteDatabase();
  const database = await openDatabase(made.config);
  await database.write([database.build.updateTable("usage_total_state").set({ closed_until: 1e13 }).compile()]);
  using file = new DatabaseSync(made.config.kind === "sqlite" ? made.config.path : "");
  const planOf = async (equal: [UsageColumn, string][], columns: UsageColumn[]) => {
    const source = await usageSource(database, { from: 0, to: 7_200_000, equal: new Map(equal), columns });
    return file
      .prepare(`explain query plan ${database.compile(source).sql}`)
      .all()
      .map(({ detail }) => String(detail));
  };
  expect((await planOf([["account_id", "a"]], [])).join()).toContain(
    "usage_total USING INDEX usage_total_by_value (dimension=? AND (value,hour)>(?,?) AND (value,hour)<(?,?))",
  );
  expect((await planOf([], ["model"])).join()).toContain(
    "usage_total USING PRIMARY KEY (dimension=? AND hour>? AND hour<?)",
  );
  // Hours that are open: of the few all accounts are read.
  expect((await planOf([["account_id", "a"]], [])).join()).toContain("usage_hour USING INDEX usage_hour_by_time");
  await database.close();
});
