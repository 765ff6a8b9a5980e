import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import { expect, test } from "vitest";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { type TestPlatform, testPlatform } from "../testing/test-platform.ts";
import { sessionLife, tokenDigest } from "./session-rules.ts";
import { signInStorage } from "./sign-in-storage.ts";
import { credentialTable, sessionTable, twoFactorTables, userTable, verificationTable } from "./sign-in-tables.ts";

interface Session {
  id: string;
  token: string;
  expiresAt: Date;
}

describeEngines((make) => {
  async function scene() {
    const made = await make();
    const database: Database = await openDatabase(made.config);
    const platform: TestPlatform = testPlatform();
    const plugin = {
      id: "two-factor",
      schema: { twoFactor: { modelName: "user_two_factor", fields: twoFactorFields } },
    };
    const storage: DBAdapter = signInStorage(
      database,
      platform.now,
    )({
      user: userTable,
      session: sessionTable,
      account: credentialTable,
      verification: verificationTable,
      advanced: { database: { generateId: () => platform.id("row") } },
      plugins: [plugin],
    });
    const at = () => new Date(platform.now());
    const times = () => ({ createdAt: at(), updatedAt: at() });
    const user = await storage.create<Record<string, unknown>, { id: string }>({
      model: "user",
      data: { name: "Ada", email: "ada@example.com", emailVerified: true, ...times() },
    });
    return {
      database,
      platform,
      storage,
      userId: user.id,
      at,
      session: (token: string) =>
        storage.create<Record<string, unknown>, Session>({
          model: "session",
          data: {
            token,
            userId: user.id,
            expiresAt: new Date(platform.now() + sessionLife.absolute),
            seenAt: at(),
            ...times(),
          },
        }),
      find: (token: string) =>
        storage.findOne<Session>({ model: "session", where: [{ field: "token", value: token }] }),
      challenge: (identifier: string, value: string) =>
        storage.create({ model: "verification", data: { identifier, value, expiresAt: at(), ...times() } }),
      async [Symbol.asyncDispose]() {
        await database.close();
        made[Symbol.dispose]();
      },
    };
  }

  test("S8 of a session's token the digest is stored, and the token finds it, changes it and ends it", async () => {
    await using place = await scene();
    const made = await place.session("the token");
    expect(made.token).toBe("the token");
    const rows = await place.database.read.selectFrom("user_session").selectAll().execute();
    expect(rows).toMatchObject([
      { token: tokenDigest("the token"), expires_at: place.platform.now() + sessionLife.absolute },
    ]);
    expect(await place.find("the token")).toEqual(made);
    expect(await place.find(tokenDigest("the token"))).toBeNull();
    const where = [{ field: "token", value: "the token" }];
    const update = { userAgent: "another" };
    expect(await place.storage.update({ model: "session", where, update })).toMatchObject({
      token: "the token",
      ...update,
    });
    const several = [{ field: "token", operator: "in", value: ["the token", "none"] }] satisfies Where[];
    expect(await place.storage.findMany({ model: "session", where: several })).toHaveLength(1);
    await place.storage.delete({ model: "session", where });
    expect(await place.find("the token")).toBeNull();
  });

  test("S8 the library finds no session that is idle, over, or of a disabled user", async () => {
    await using place = await scene();
    await place.session("idle");
    place.platform.stall(sessionLife.idle - 1);
    expect(await place.find("idle")).not.toBeNull();
    place.platform.stall(1);
    expect(await place.find("idle")).toBeNull();

    await place.session("over");
    const { build } = place.database;
    place.platform.stall(sessionLife.absolute);
    await place.database.write([build.updateTable("user_session").set({ seen_at: place.platform.now() }).compile()]);
    expect(await place.find("over")).toBeNull();

    await place.session("disabled");
    await place.database.write([build.updateTable("user").set({ disabled_at: 1 }).compile()]);
    expect(await place.find("disabled")).toBeNull();
    expect(await place.storage.findMany({ model: "session", where: [] })).toEqual([]);
    expect(await place.storage.count({ model: "session" })).toBe(0);
  });

  test("a challenge is used once, whoever comes at the same time", async () => {
    await using place = await scene();
    await place.challenge("one", "first");
    await place.challenge("one", "second");
    const where = [{ field: "identifier", value: "one" }];
    const use = () => place.storage.consumeOne<{ value: string }>({ model: "verification", where });
    await place.challenge("one", "third");
    expect(await use()).not.toBeNull();
    expect(await place.storage.count({ model: "verification", where })).toBe(2);
    const used = (await Promise.all([use(), use(), use(), use()])).map((row) => row?.value).filter(Boolean);
    // On a server with several writers one of them may find that another one was first, and nothing else.
    expect(new Set(used).size).toBe(used.length);
    expect(used.length).toBeGreaterThan(0);
    for (let turn = 0; turn < 2; turn++) await use();
    expect(await place.storage.count({ model: "verification", where })).toBe(0);
    expect(await use()).toBeNull();
  });

  test("failures are counted without losing one, and only as long as the condition holds", async () => {
    await using place = await scene();
    const { storage, userId } = place;
    const data = { userId, secret: "s", backupCodes: "b" };
    const { id } = await storage.create<Record<string, unknown>, { id: string }>({ model: "twoFactor", data });
    const count = () =>
      storage.incrementOne<{ failedVerificationCount: number }>({
        model: "twoFactor",
        where: [{ field: "id", value: id }],
        increment: { failedVerificationCount: 1 },
      });
    await Promise.all(Array.from({ length: 10 }, count));
    expect(await count()).toMatchObject({ failedVerificationCount: 11 });
    const guarded = (least: number) =>
      storage.incrementOne<{ lockedUntil: Date }>({
        model: "twoFactor",
        where: [
          { field: "id", value: id },
          { field: "failedVerificationCount", operator: "gte", value: least },
        ],
        increment: {},
        set: { lockedUntil: place.at() },
      });
    expect(await guarded(12)).toBeNull();
    expect(await guarded(11)).toMatchObject({ lockedUntil: place.at() });
  });

  test("conditions mean what the library means by them", async () => {
    await using place = await scene();
    const { storage, platform } = place;
    for (const value of ["a", "b", "c"]) {
      await place.challenge(value, value);
      platform.stall(1000);
    }
    const start = platform.now() - 3000;
    const values = async (where: Parameters<typeof storage.findMany>[0]["where"]) => {
      const sortBy = { field: "createdAt", direction: "desc" } as const;
      const rows = await storage.findMany<{ value: string }>({ model: "verification", where, sortBy });
      return rows.map((row) => row.value).join("");
    };
    const at = (ms: number) => new Date(start + ms);
    expect(await values([])).toBe("cba");
    expect(await values([{ field: "createdAt", operator: "gt", value: at(0) }])).toBe("cb");
    expect(await values([{ field: "createdAt", operator: "lte", value: at(1000) }])).toBe("ba");
    expect(await values([{ field: "value", operator: "in", value: ["a", "c"] }])).toBe("ca");
    expect(await values([{ field: "value", operator: "not_in", value: ["a", "c"] }])).toBe("b");
    expect(await values([{ field: "value", operator: "ne", value: "a" }])).toBe("cb");
    const either = ["a", "b"].map((value) => ({ field: "value", value, connector: "OR" as const }));
    expect(await values(either)).toBe("ba");
    expect(await values([...either, { field: "createdAt", operator: "gte", value: at(1000) }])).toBe("b");
    await expect(values([{ field: "value", operator: "contains", value: "a" }])).rejects.toThrow("never did");
    const where = [{ field: "createdAt", operator: "lt", value: at(2000) } as const];
    expect(await storage.updateMany({ model: "verification", where, update: { value: "z" } })).toBe(2);
    expect(await storage.deleteMany({ model: "verification", where })).toBe(2);
    expect(await values([])).toBe("c");
  });
});

/** As the plugin declares them, under our names. */
const names = twoFactorTables.twoFactor.fields;
const twoFactorFields = {
  userId: { type: "string", fieldName: names.userId },
  secret: { type: "string" },
  backupCodes: { type: "string", fieldName: names.backupCodes },
  failedVerificationCount: { type: "number", required: false, fieldName: names.failedVerificationCount },
  lockedUntil: { type: "date", required: false, fieldName: names.lockedUntil },
} as const;
