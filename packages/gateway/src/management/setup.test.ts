import { expect, test } from "vitest";
import { type AuditActor, verifyAuditLog } from "../audit/audit-log.ts";
import { openDatabase } from "../storage/open-database.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { type TestPlatform, testPlatform } from "../testing/test-platform.ts";
import { createSetup, setupLife } from "./setup.ts";
import { createUsers, type NewUser } from "./users.ts";

const actor: AuditActor = { kind: "user", id: null, name: "setup link", address: "127.0.0.1" };
const ada: NewUser = { email: "Ada@Example.com", name: "Ada", password: "a long and good one" };
const eve: NewUser = { email: "eve@example.com", name: "Eve", password: "another good long one" };
/** Hashing is tested elsewhere. */
const passwords = { hash: async (password: string) => `hash of ${password}`, verify: async () => true };

describeEngines((make) => {
  async function scene() {
    const made = await make();
    const platform = testPlatform();
    const open = async (own: TestPlatform) => {
      const database = await openDatabase(made.config);
      const users = createUsers({ database, platform: own, passwords });
      return { database, users, setup: createSetup({ database, platform: own, users }) };
    };
    const first = await open(platform);
    // A second process, with randomness of its own.
    const other = testPlatform();
    other.randomBytes(1000);
    const second = await open(other);
    return {
      ...first,
      platform,
      second,
      async [Symbol.asyncDispose]() {
        await first.database.close();
        await second.database.close();
        made[Symbol.dispose]();
      },
    };
  }

  test("S18 a link makes one operator, once, and leaves an entry", async () => {
    await using place = await scene();
    const { setup, users, database } = place;
    const token = (await setup.issue()) ?? "";
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await setup.redeem(token, ada, actor)).toMatchObject({ kind: "done", email: "ada@example.com" });
    const memberships = [{ accountId: "acct_default", role: "owner" }];
    expect(await users.list()).toMatchObject([{ email: "ada@example.com", name: "Ada", operator: true, memberships }]);
    expect(await setup.redeem(token, eve, actor)).toEqual({ kind: "closed" });
    expect(await setup.issue()).toBeUndefined();
    const entries = await database.read.selectFrom("audit_event").selectAll().execute();
    expect(entries).toMatchObject([{ action: "installation.set_up", actor_name: "ada@example.com" }]);
    expect(JSON.stringify(entries)).not.toContain(ada.password);
    expect(await verifyAuditLog(database)).toEqual({ ok: true, entries: 1 });
  });

  test("S18 a link is good for thirty minutes", async () => {
    await using place = await scene();
    const token = (await place.setup.issue()) ?? "";
    place.platform.stall(setupLife);
    expect(await place.setup.redeem(token, ada, actor)).toEqual({ kind: "bad-token" });
    expect(await place.setup.redeem("another", ada, actor)).toEqual({ kind: "bad-token" });
    const next = (await place.setup.issue()) ?? "";
    place.platform.stall(setupLife - 1);
    expect(await place.setup.redeem(next, ada, actor)).toMatchObject({ kind: "done" });
  });

  test("S18 the token is stored as a digest alone", async () => {
    await using place = await scene();
    const token = (await place.setup.issue()) ?? "";
    const rows = await place.database.read.selectFrom("setup_token").selectAll().execute();
    expect(Buffer.from(rows[0]?.digest ?? []).toString("latin1")).not.toContain(token);
    expect(rows[0]?.digest).toHaveLength(32);
  });

  test("S18 of two links that are used at the same time one makes an operator", async () => {
    await using place = await scene();
    for (let turn = 0; turn < 5; turn++) {
      const tokens = [(await place.setup.issue()) ?? "", (await place.second.setup.issue()) ?? ""];
      const results = await Promise.all([
        place.setup.redeem(tokens[0] ?? "", ada, actor),
        place.second.setup.redeem(tokens[1] ?? "", eve, actor),
      ]);
      expect(results.map(({ kind }) => kind).sort()).toEqual(["closed", "done"]);
      expect((await place.users.list()).filter(({ operator }) => operator)).toHaveLength(1);
      // Again from the start, without the operator.
      await place.database.write([place.database.build.deleteFrom("user").compile()]);
    }
  });

  test("A8 a link is not used up by a user who is refused", async () => {
    await using place = await scene();
    const token = (await place.setup.issue()) ?? "";
    const refuse = (user: NewUser) => expect(place.setup.redeem(token, user, actor)).rejects;
    await refuse({ ...ada, password: "password1234" }).toMatchObject({ code: "invalid", field: "password" });
    await refuse({ ...ada, email: "nobody" }).toMatchObject({ code: "invalid", field: "email" });
    await place.users.create(ada, { operator: false }, actor);
    await refuse(ada).toMatchObject({ code: "taken", field: "email" });
    expect(await place.setup.redeem(token, eve, actor)).toMatchObject({ kind: "done" });
  });

  test("S16 every change of a user leaves an entry that tells before and after, and ends the user's sessions", async () => {
    await using place = await scene();
    const { users, database, platform } = place;
    const { id } = await users.create(ada, { operator: false }, actor);
    const session = async () => {
      const now = platform.now();
      const times = { created_at: now, updated_at: now, expires_at: now + 1, seen_at: now };
      const row = { id: platform.id("ses"), token: platform.id("t"), user_id: id, ip_address: null, user_agent: null };
      await database.write([
        database.build
          .insertInto("user_session")
          .values({ ...row, ...times })
          .compile(),
      ]);
    };
    const sessions = async () => (await database.read.selectFrom("user_session").select("id").execute()).length;

    await session();
    expect((await users.setRole("ADA@example.com", "acct_default", "member", actor)).memberships).toEqual([
      { accountId: "acct_default", role: "member" },
    ]);
    expect(await sessions()).toBe(0);
    await users.setRole(id, "acct_default", "owner", actor);
    await session();
    await users.resetPassword(id, "yet another good one", actor);
    expect(await sessions()).toBe(0);
    await session();
    expect((await users.setDisabled(id, true, actor)).disabledAt).toBe(platform.now());
    expect(await sessions()).toBe(0);
    expect((await users.setDisabled(id, false, actor)).disabledAt).toBeNull();
    expect((await users.setRole(id, "acct_default", null, actor)).memberships).toEqual([]);
    await expect(users.setRole(id, "acct_none", "owner", actor)).rejects.toMatchObject({ code: "unknown_account" });
    await expect(users.find("nobody")).rejects.toMatchObject({ code: "unknown_user" });

    const entries = await database.read
      .selectFrom("audit_event")
      .select(["action", "detail", "account_id"])
      .orderBy("sequence")
      .execute();
    expect(entries.map(({ action }) => action)).toEqual([
      "user.created",
      "user.role_changed",
      "user.role_changed",
      "user.password_reset",
      "user.disabled",
      "user.enabled",
      "user.role_changed",
    ]);
    expect(JSON.parse(entries[2]?.detail ?? "")).toEqual({
      email: "ada@example.com",
      before: "member",
      after: "owner",
    });
    expect(entries[2]?.account_id).toBe("acct_default");
    expect(await verifyAuditLog(database)).toEqual({ ok: true, entries: 7 });
  });
});
