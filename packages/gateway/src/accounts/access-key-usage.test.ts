import { sql } from "kysely";
import { expect, test } from "vitest";
import { usageHourStatement } from "../calls/usage-hour.ts";
import { databaseTime } from "../storage/database-time.ts";
import { openDatabase } from "../storage/open-database.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { exampleCall, insertKey } from "../testing/example-rows.ts";
import { keyInfos, keyRowsById } from "./access-key-rows.ts";
import { accessKeyUsage, quotaResetsAt } from "./access-key-usage.ts";

const day = 86_400_000;
const noon = Date.UTC(2026, 10, 21, 12);

describeEngines((make) => {
  test("a key's days are whole ones of UTC, those without calls too, and hold its own calls alone", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const hourStatement = usageHourStatement(database.build);
    const call = (accessKeyId: string, startedAt: number, charge: bigint, accountId = "acct_default") =>
      hourStatement(exampleCall({ accessKeyId, startedAt, charge, accountId }));
    await database.write([insertKey(database, "k1"), insertKey(database, "k2")]);
    await database.write([
      call("k1", noon, 1n),
      call("k1", noon - 13 * 3_600_000, 20n),
      call("k1", noon - 2 * day, 4_000_000_000_000_000n),
      call("k1", noon - 7 * day, 1n),
      call("k2", noon, 7n),
      call("k1", noon, 9n, "acct_other"),
    ]);
    const keys = await keyInfos(database, await keyRowsById(database, ["k1", "k2"]), noon);
    const usage = await accessKeyUsage(database, { accountId: "acct_default", keys, days: 3, now: noon });
    const today = Date.UTC(2026, 10, 21);
    expect(usage.get("k1")).toEqual({
      quota: null,
      days: [
        { day: today - 2 * day, calls: 1, charge: 4_000_000_000_000_000n },
        { day: today - day, calls: 1, charge: 20n },
        { day: today, calls: 1, charge: 1n },
      ],
    });
    expect(usage.get("k2")?.days.map(({ calls }) => calls)).toEqual([0, 0, 1]);
    await database.close();
  });

  test("M16 a quota shows what its current window holds by the database's clock, nothing of windows before", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const periods = ["total", "day", "week", "month"] as const;
    await database.write(periods.map((period) => insertKey(database, period, { quota: 1000, quota_period: period })));
    const time = databaseTime(database.engine);
    const used = { total: 5, day: 6, week: 7, month: 8 };
    await database.write(
      periods.flatMap((period) => [
        database.compile(sql`insert into quota_usage (access_key_id, quota_window, used, reserved)
          values (${period}, ${time.window(period)}, ${used[period]}, 1)`),
        database.compile(sql`insert into quota_usage (access_key_id, quota_window, used, reserved)
          values (${period}, '2001-01', 900, 0)`),
      ]),
    );
    const keys = await keyInfos(database, await keyRowsById(database, periods), noon);
    const usage = await accessKeyUsage(database, { accountId: "acct_default", keys, days: 1, now: noon });
    for (const period of periods) {
      expect(usage.get(period)?.quota).toMatchObject({ used: BigInt(used[period]), reserved: 1n });
    }
    await database.close();
  });
});

test("M16 windows of a quota end at midnight of UTC, weeks before Monday, months with their last day", () => {
  const ends = (now: number) =>
    (["day", "week", "month", "total"] as const).map((period) => quotaResetsAt(period, now));
  // A Saturday.
  expect(ends(noon)).toEqual([Date.UTC(2026, 10, 22), Date.UTC(2026, 10, 23), Date.UTC(2026, 11, 1), null]);
  const monday = Date.UTC(2026, 10, 23);
  expect(quotaResetsAt("week", monday)).toBe(Date.UTC(2026, 10, 30));
  expect(quotaResetsAt("week", monday - 1)).toBe(monday);
  expect(quotaResetsAt("month", Date.UTC(2026, 11, 31, 23))).toBe(Date.UTC(2027, 0, 1));
});
