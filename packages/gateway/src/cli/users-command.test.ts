import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { verifyAuditLog } from "../audit/audit-log.ts";
import type { DatabaseConfig } from "../config/config.ts";
import { createPasswords } from "../management/passwords.ts";
import { systemPlatform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { describeEngines, type MakeDatabase } from "../testing/database-engines.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import type { CommandContext } from "./context.ts";
import { runCommandLine } from "./program.ts";

const platform = systemPlatform();

async function stage(make: MakeDatabase) {
  const made = await make();
  const directory = temporaryDirectory();
  const file = directory.file("interlingua.yaml");
  writeFileSync(file, `database: ${addressOf(made.config)}\n`);
  return {
    async run(args: readonly string[], input = "") {
      let out = "";
      let err = "";
      const context: CommandContext = {
        env: {},
        platform,
        out: (text) => {
          out += text;
        },
        err: (text) => {
          err += text;
        },
        input: async () => input,
        start: () => Promise.reject(new Error("Nothing is served here")),
        onEnd: () => undefined,
      };
      const code = await runCommandLine(["users", ...args, "--config", file], context);
      return { code, out, err };
    },
    async read<Result>(task: (database: Database) => Promise<Result>): Promise<Result> {
      const database = await openDatabase(made.config);
      try {
        return await task(database);
      } finally {
        await database.close();
      }
    },
    [Symbol.dispose]() {
      directory[Symbol.dispose]();
      made[Symbol.dispose]();
    },
  };
}

function addressOf(config: DatabaseConfig): string {
  return config.kind === "sqlite" ? `sqlite:${config.path}` : config.url;
}

/** The stored hash of a user's password. */
async function hashOf(database: Database, email: string): Promise<string> {
  const row = await database.read
    .selectFrom("user_credential")
    .innerJoin("user", "user.id", "user_credential.user_id")
    .select("password")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  return row.password ?? "";
}

describeEngines((make) => {
  test("S18 an operator is made on the command line, with a password that is printed once or read from standard input", async () => {
    using scene = await stage(make);
    const { verify } = createPasswords(platform);
    const made = await scene.run(["create-operator", "--email", "Ada@Example.com"]);
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining("ada@example.com") });
    expect(made.out).toMatch(/^([0-9a-z]{5}-){3}[0-9a-z]{5}\n$/);
    expect(await verify(made.out.trim(), await scene.read((database) => hashOf(database, "ada@example.com")))).toBe(
      true,
    );

    const given = await scene.run(
      ["create-operator", "--email", "eve@example.com", "--name", "Eve", "--password-stdin"],
      "another good long one\n",
    );
    expect(given).toMatchObject({ code: 0, out: "" });
    const hash = await scene.read((database) => hashOf(database, "eve@example.com"));
    expect(await verify("another good long one", hash)).toBe(true);
    const listed = await scene.run(["list"]);
    expect(listed.out).toMatch(/ada@example\.com +Ada +enabled +operator/);
    expect(listed.out).toMatch(/eve@example\.com +Eve +enabled +operator/);
    expect(listed.out).not.toContain("argon2");
  });

  test("a member of an account is made in one step, and is no operator", async () => {
    using scene = await stage(make);
    const made = await scene.run([
      "create",
      "--email",
      "bob@example.com",
      "--account",
      "acct_default",
      "--role",
      "viewer",
    ]);
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining("viewer of acct_default") });
    expect((await scene.run(["create", "--email", "carol@example.com"])).err).toContain("no role");
    const listed = await scene.run(["list"]);
    expect(listed.out).toMatch(/bob@example\.com +bob +enabled +viewer of acct_default/);
    expect(listed.out).not.toContain("operator");
  });

  test("A8 what is wrong is told in a line, and nothing is written", async () => {
    using scene = await stage(make);
    const refused = async (args: readonly string[], why: string, input = "") => {
      const { code, out, err } = await scene.run(args, input);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err.trim().split("\n")).toEqual([expect.stringContaining(why)]);
    };
    await refused(["create-operator", "--email", "nobody"], "no e-mail address");
    await refused(["create-operator", "--email", "a@b.example", "--password-stdin"], "guessed first", "password1234");
    await refused(["create-operator", "--email", "a@b.example", "--password-stdin"], "no password");
    await refused(["disable", "a@b.example"], "no user");
    await scene.run(["create-operator", "--email", "a@b.example"]);
    await refused(["create-operator", "--email", "A@B.example"], "already");
    await refused(["set-role", "a@b.example", "acct_none", "owner"], "no account");
    await refused(["set-role", "a@b.example", "acct_default", "king"], "owner, member, viewer, none");
    expect((await scene.run(["list"])).out.trim().split("\n")).toHaveLength(2);
  });

  test("S16 what the command line changes is on record, and the log is whole", async () => {
    using scene = await stage(make);
    await scene.run(["create-operator", "--email", "ada@example.com"]);
    expect((await scene.run(["set-role", "ada@example.com", "acct_default", "owner"])).out).toContain(
      "operator, owner of acct_default",
    );
    expect((await scene.run(["set-role", "ada@example.com", "acct_default", "none"])).out).not.toContain("owner");
    expect((await scene.run(["disable", "ada@example.com"])).out).toContain("is disabled");
    expect((await scene.run(["enable", "ada@example.com"])).out).toContain("is enabled");
    expect((await scene.run(["reset-password", "ada@example.com"])).out).toMatch(/^[0-9a-z-]{23}\n$/);
    const entries = await scene.read((database) =>
      database.read.selectFrom("audit_event").select(["action", "actor_kind"]).orderBy("sequence").execute(),
    );
    const actions = [
      "user.created",
      "user.role_changed",
      "user.role_changed",
      "user.disabled",
      "user.enabled",
      "user.password_reset",
    ];
    expect(entries).toEqual(actions.map((action) => ({ action, actor_kind: "command" })));
    expect(await scene.read(verifyAuditLog)).toEqual({ ok: true, entries: 6 });
  });
});
