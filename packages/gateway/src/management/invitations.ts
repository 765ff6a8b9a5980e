import { createHash } from "node:crypto";
import type { AuditActor, AuditEvent } from "../audit/audit-log.ts";
import type { Platform } from "../platform.ts";
import { type Database, expecting, type Statement, StorageError } from "../storage/database.ts";
import type { Passwords } from "./passwords.ts";
import { checkPassword, setPassword } from "./users.ts";

/** How long a link to set a password is good, in milliseconds. */
const invitationLife = 72 * 3_600_000;

type InvitationPurpose = "welcome" | "reset";

/** Whose password a link sets. */
interface Invited {
  userId: string;
  email: string;
  name: string;
  purpose: InvitationPurpose;
  /** Unix milliseconds. */
  expiresAt: number;
}

/** One-time links by which users set their password. Of a link the digest is stored alone. */
export interface Invitations {
  /**
   * A new token for the user, and the statements that make it good; those before it are good no more. To be written with
   * the change that it belongs to.
   */
  issue(
    userId: string,
    purpose: InvitationPurpose,
    createdBy: string | null,
  ): { token: string; expiresAt: number; statements: readonly Statement[] };
  /** Undefined where the token is none, used or too old, or its user is disabled. */
  find(token: string): Promise<Invited | undefined>;
  /**
   * Sets the password of the token's user, ends the user's sessions and uses the token up. `entry` makes the statement of
   * the audit log. False where the token is not good (any more). Rejects with a UserError where the password is not.
   */
  redeem(token: string, password: string, entry: (event: RedeemedEvent) => Statement): Promise<boolean>;
}

type RedeemedEvent = Pick<AuditEvent, "target" | "accountId" | "detail"> & { actor: Omit<AuditActor, "address"> };

export interface InvitationsOptions {
  database: Database;
  platform: Platform;
  passwords: Passwords;
}

export function createInvitations({ database, platform, passwords }: InvitationsOptions): Invitations {
  const { build } = database;

  const find = async (token: string): Promise<Invited | undefined> => {
    const row = await database.read
      .selectFrom("invitation")
      .innerJoin("user", "user.id", "invitation.user_id")
      .select(["user.id as userId", "user.email", "user.name", "purpose", "expires_at as expiresAt"])
      .where("digest", "=", digestOf(token))
      .where("expires_at", ">", platform.now())
      .where("user.disabled_at", "is", null)
      .executeTakeFirst();
    return row;
  };

  return {
    issue(userId, purpose, createdBy) {
      const token = Buffer.from(platform.randomBytes(32)).toString("base64url");
      const now = platform.now();
      const expiresAt = now + invitationLife;
      const row = { digest: digestOf(token), user_id: userId, purpose, created_at: now, expires_at: expiresAt };
      const statements = [
        build.deleteFrom("invitation").where("user_id", "=", userId).compile(),
        build.deleteFrom("invitation").where("expires_at", "<=", now).compile(),
        build
          .insertInto("invitation")
          .values({ ...row, created_by: createdBy })
          .compile(),
      ];
      return { token, expiresAt, statements };
    },
    find,
    async redeem(token, password, entry) {
      // Before a password is hashed, which costs; the unit below decides.
      const invited = await find(token);
      if (!invited) return false;
      const { userId, email, name, purpose } = invited;
      checkPassword(password, [email, name]);
      const hash = await passwords.hash(password);
      const take = build
        .deleteFrom("invitation")
        .where("digest", "=", digestOf(token))
        .where("expires_at", ">", platform.now())
        .where((row) =>
          row.exists(
            row
              .selectFrom("user")
              .select("user.id")
              .where("user.id", "=", userId)
              .where("user.disabled_at", "is", null),
          ),
        );
      try {
        await database.write([
          expecting(1, take.compile()),
          setPassword({ database, platform }, userId, hash),
          build.deleteFrom("user_session").where("user_id", "=", userId).compile(),
          entry({
            actor: { kind: "user", id: userId, name: email },
            target: { kind: "user", id: userId },
            accountId: null,
            detail: { email, purpose },
          }),
        ]);
        return true;
      } catch (error) {
        if (error instanceof StorageError && error.kind === "condition") return false;
        throw error;
      }
    },
  };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
