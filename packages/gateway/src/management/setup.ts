import { createHash } from "node:crypto";
import { defaultAccountId } from "../accounts/account-row.ts";
import { type AuditActor, auditStatement } from "../audit/audit-log.ts";
import type { Platform } from "../platform.ts";
import { type Database, expecting, StorageError } from "../storage/database.ts";
import { asTaken, type NewUser, type Users } from "./users.ts";

/** How long a link to make the first operator is good, in milliseconds. */
export const setupLife = 30 * 60_000;

type SetupResult =
  | { kind: "done"; userId: string; email: string }
  /** There is an operator: this way is closed for good. */
  | { kind: "closed" }
  /** No such token, or it is used or too old. */
  | { kind: "bad-token" };

/** The way in which the first operator of an installation is made, and is an owner of the account that is there from the start, without a password that everybody knows (S18). */
export interface Setup {
  /** Whether there is no operator yet. */
  open(): Promise<boolean>;
  /** A new token, or undefined where there is an operator. Earlier tokens stay good for their time. */
  issue(): Promise<string | undefined>;
  /** Makes the first operator. Rejects with a UserError where the user's data are not good: the token stays good then. */
  redeem(token: string, user: NewUser, actor: AuditActor): Promise<SetupResult>;
}

export interface SetupOptions {
  database: Database;
  platform: Platform;
  users: Pick<Users, "prepare">;
}

export function createSetup({ database, platform, users }: SetupOptions): Setup {
  const { build } = database;

  const open = async (): Promise<boolean> => {
    const operator = await database.read.selectFrom("user").select("id").where("operator", "=", 1).executeTakeFirst();
    return operator === undefined;
  };

  const isGood = async (digest: Uint8Array): Promise<boolean> => {
    const row = await database.read
      .selectFrom("setup_token")
      .select("created_at")
      .where("digest", "=", digest)
      .where("used_at", "is", null)
      .where("expires_at", ">", platform.now())
      .executeTakeFirst();
    return row !== undefined;
  };

  return {
    open,
    async issue() {
      if (!(await open())) return undefined;
      const token = Buffer.from(platform.randomBytes(32)).toString("base64url");
      const now = platform.now();
      const row = { digest: digestOf(token), created_at: now, expires_at: now + setupLife, used_at: null };
      await database.write([
        build.deleteFrom("setup_token").where("expires_at", "<=", now).compile(),
        build.insertInto("setup_token").values(row).compile(),
      ]);
      return token;
    },
    async redeem(token, given, actor) {
      if (!(await open())) return { kind: "closed" };
      const digest = digestOf(token);
      // Before a password is hashed, which costs; the unit below decides.
      if (!(await isGood(digest))) return { kind: "bad-token" };
      const user = await users.prepare(given, { operator: true });
      const now = platform.now();
      const take = build
        .updateTable("setup_token")
        .set({ used_at: now })
        .where("digest", "=", digest)
        .where("used_at", "is", null)
        .where("expires_at", ">", now)
        .where((row) => row.not(row.exists(row.selectFrom("user").select("user.id").where("user.operator", "=", 1))));
      try {
        await database.write([
          // The head of the audit log is locked first: of two at the same time, with two tokens, the second one waits
          // here, and then sees the operator of the first.
          build.updateTable("audit_head").set({ id: 1 }).where("id", "=", 1).compile(),
          expecting(1, take.compile()),
          ...user.statements,
          // Whoever sets the gateway up is also its first caller.
          build
            .insertInto("membership")
            .values({ user_id: user.id, account_id: defaultAccountId, role: "owner", created_at: now })
            .compile(),
          build.deleteFrom("setup_token").where("digest", "!=", digest).compile(),
          auditStatement(database, platform, {
            actor: { ...actor, id: user.id, name: user.email },
            action: "installation.set_up",
            target: { kind: "user", id: user.id },
            accountId: null,
            detail: { email: user.email, name: user.name, operator: true },
          }),
        ]);
      } catch (error) {
        if (error instanceof StorageError && error.kind === "condition") {
          return (await open()) ? { kind: "bad-token" } : { kind: "closed" };
        }
        throw asTaken(error, user.email);
      }
      return { kind: "done", userId: user.id, email: user.email };
    },
  };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
