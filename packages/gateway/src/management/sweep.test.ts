import { expect, test } from "vitest";
import { openDatabase } from "../storage/open-database.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { sessionLife } from "./session-rules.ts";
import { sweepSignIns } from "./sweep.ts";

const now = 1_800_000_000_000;

describeEngines((make) => {
  test("what is over is removed, and nothing else", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const { build } = database;
    const times = { created_at: 1, updated_at: 1 };
    const user = {
      id: "usr_1",
      name: "Ada",
      email: "ada@example.com",
      email_verified: 1,
      image: null,
      disabled_at: null,
    };
    const session = (id: string, expires_at: number, seen_at: number) =>
      build
        .insertInto("user_session")
        .values({ id, token: id, user_id: "usr_1", expires_at, seen_at, ip_address: null, user_agent: null, ...times });
    const challenge = (id: string, expires_at: number) =>
      build.insertInto("user_verification").values({ id, identifier: id, value: "", expires_at, ...times });
    const link = (first: number, expires_at: number) =>
      build
        .insertInto("setup_token")
        .values({ digest: new Uint8Array(32).fill(first), created_at: 1, expires_at, used_at: null });
    await database.write(
      [
        build.insertInto("user").values({ ...user, ...times }),
        session("live", now + 1, now - sessionLife.idle + 1),
        session("over", now, now),
        session("idle", now + 1, now - sessionLife.idle),
        challenge("open", now + 1),
        challenge("late", now),
        link(1, now + 1),
        link(2, now),
      ].map((query) => query.compile()),
    );
    await sweepSignIns(database, now);
    expect(await database.read.selectFrom("user_session").select("id").execute()).toEqual([{ id: "live" }]);
    expect(await database.read.selectFrom("user_verification").select("id").execute()).toEqual([{ id: "open" }]);
    const links = await database.read.selectFrom("setup_token").select("digest").execute();
    expect(links.map(({ digest }) => digest[0])).toEqual([1]);
    await database.close();
  });
});
