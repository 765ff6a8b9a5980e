import { expect, test } from "vitest";
import { openDatabase } from "../storage/open-database.ts";
import { createLog } from "../telemetry/log.ts";
import { describeEngines, describePostgres, postgresDatabase } from "../testing/database-engines.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { checkClock, startInstance } from "./instance.ts";

const log = createLog({ now: () => 0, destination: { write: () => undefined } });

describeEngines((make) => {
  test("M15 each gateway is seen alive by the others, until it leaves", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const { every, advance } = testPlatform();
    const start = (id: string) => startInstance({ database, id, every, log, alone: false });
    const first = await start("instance_1");
    const second = await start("instance_2");
    expect([first.live(), second.live()]).toEqual([1, 2]);
    advance(5_000);
    await expect.poll(first.live).toBe(2);
    await second.close();
    advance(5_000);
    await expect.poll(first.live).toBe(1);
    await first.close();
    expect(await database.read.selectFrom("instance").selectAll().execute()).toEqual([]);
    await database.close();
  });

  test("M15 one that is alone takes whoever is there for dead", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const { every } = testPlatform();
    await startInstance({ database, id: "instance_dead", every, log, alone: false });
    await startInstance({ database, id: "instance_1", every, log, alone: true });
    const rows = await database.read.selectFrom("instance").select("id").execute();
    expect(rows).toEqual([{ id: "instance_1" }]);
    await database.close();
  });
});

describePostgres("O5 on PostgreSQL", () => {
  test("a clock that is minutes off the database's is refused, with a word on what to do", async () => {
    using made = await postgresDatabase();
    const database = await openDatabase(made.config);
    await expect(checkClock(database, Date.now)).resolves.toBeUndefined();
    await expect(checkClock(database, () => Date.now() + 400_000)).rejects.toThrow(/7 minutes ahead/);
    await expect(checkClock(database, () => Date.now() - 400_000)).rejects.toThrow(/7 minutes behind/);
    await database.close();
  });
});
