import { sql } from "kysely";
import { type Author, entryBy } from "../accounts/change-unit.ts";
import type { AuditDetail } from "../audit/audit-log.ts";
import type { Platform } from "../platform.ts";
import { type Database, expecting, type Statement, StorageError } from "../storage/database.ts";
import type { AccountRole } from "../storage/users-schema.ts";
import type { Invitations } from "./invitations.ts";
import { asTaken, checkedUser, insertUser, type NewUser, normalEmail, UserError } from "./users.ts";

/** A change that would leave nobody who can do what is needed. */
export class LastOneError extends Error {
  readonly code: "last_operator" | "last_owner";

  constructor(code: LastOneError["code"], message: string) {
    super(message);
    this.name = "LastOneError";
    this.code = code;
  }
}

/** A link that a user gets, once. */
export interface IssuedLink {
  userId: string;
  token: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

/** What operators do with users, and owners with the members of their account. Every change leaves an audit entry. */
export interface UserAdministration {
  /** A new user without a password, with a role in an account where one is named. Rejects with a UserError. */
  invite(
    user: Pick<NewUser, "email" | "name">,
    rights: { operator: boolean; membership?: { accountId: string; role: AccountRole } | undefined },
    author: Author & { createdBy: string | null },
  ): Promise<IssuedLink>;
  /** A new link to set a password. The password there is stays good until the link is used; sessions end. */
  reset(userId: string, author: Author & { createdBy: string | null }): Promise<IssuedLink>;
  /** Rejects with a LastOneError where the last operator would be disabled. */
  setDisabled(userId: string, disabled: boolean, author: Author): Promise<void>;
  /** Rejects with a LastOneError where there would be no operator any more. */
  setOperator(userId: string, operator: boolean, author: Author): Promise<void>;
  /** Takes the second factor away from a user who has lost it, and ends the user's sessions. */
  removeTwoFactor(userId: string, author: Author): Promise<void>;
  /** Adds a user who exists to an account. What the user may do elsewhere goes on, and so do the sessions. */
  addMember(accountId: string, email: string, role: AccountRole, author: Author): Promise<{ userId: string }>;
  /**
   * Changes a member's role or, by null, takes the member out of the account; ends the user's sessions. With `keepOwner`
   * rejects with a LastOneError where the account would have no owner any more. False where there is no such member.
   */
  setMember(
    change: { accountId: string; userId: string; role: AccountRole | null; keepOwner: boolean },
    author: Author,
  ): Promise<boolean>;
}

export interface UserAdministrationOptions {
  database: Database;
  platform: Platform;
  invitations: Invitations;
}

export function createUserAdministration(options: UserAdministrationOptions): UserAdministration {
  const { database, platform, invitations } = options;
  const { build, read } = database;

  const entry = (author: Author, action: string, id: string, detail: AuditDetail, accountId: string | null = null) =>
    entryBy({ database, platform }, author, { action, target: { kind: "user", id }, accountId, detail });
  const sessionsEnd = (id: string) => build.deleteFrom("user_session").where("user_id", "=", id).compile();
  /**
   * Locked before a condition over several rows is judged: of two who take each other's rights at the same time the second
   * waits here, and then sees what the first has done.
   */
  const lock = () => build.updateTable("audit_head").set({ id: 1 }).where("id", "=", 1).compile();

  const find = async (id: string) => {
    const user = await read
      .selectFrom("user")
      .select(["id", "email", "operator", "disabled_at"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (!user) throw new UserError("unknown_user", `There is no user ${id}`);
    return user;
  };

  /** Changes a user, unless nobody but the user is an operator who can sign in. */
  const changeUser = async (
    id: string,
    change: { disabled_at: number | null } | { operator: 0 | 1 },
    leavesOperator: boolean,
    tell: Statement,
  ): Promise<void> => {
    let update = build
      .updateTable("user")
      .set({ ...change, updated_at: platform.now() })
      .where("id", "=", id);
    if (leavesOperator) {
      update = update.where((row) =>
        row.exists(
          row
            .selectFrom("user as other")
            .select("other.id")
            .where("other.operator", "=", 1)
            .where("other.disabled_at", "is", null)
            .where("other.id", "!=", id),
        ),
      );
    }
    try {
      await database.write([lock(), expecting(1, update.compile()), sessionsEnd(id), tell]);
    } catch (error) {
      if (!leavesOperator || !(error instanceof StorageError) || error.kind !== "condition") throw error;
      throw new LastOneError("last_operator", "This is the last operator who can sign in: make another one first");
    }
  };

  return {
    async invite(given, { operator, membership }, author) {
      const { email, name } = checkedUser(given);
      const userId = platform.id("usr");
      const { token, expiresAt, statements } = invitations.issue(userId, "welcome", author.createdBy);
      const member = membership && {
        user_id: userId,
        account_id: membership.accountId,
        role: membership.role,
        created_at: platform.now(),
      };
      const detail = { email, name, operator, ...(membership && { role: membership.role }) };
      try {
        await database.write([
          insertUser({ database, platform }, { id: userId, email, name, operator }),
          ...(member ? [build.insertInto("membership").values(member).compile()] : []),
          ...statements,
          entry(author, "user.invited", userId, detail, membership?.accountId ?? null),
        ]);
      } catch (error) {
        throw asTaken(error, email);
      }
      return { userId, token, expiresAt };
    },

    async reset(userId, author) {
      const { email } = await find(userId);
      const { token, expiresAt, statements } = invitations.issue(userId, "reset", author.createdBy);
      const tell = entry(author, "user.reset_link_made", userId, { email });
      await database.write([...statements, sessionsEnd(userId), tell]);
      return { userId, token, expiresAt };
    },

    async setDisabled(userId, disabled, author) {
      const user = await find(userId);
      const change = { disabled_at: disabled ? platform.now() : null };
      const tell = entry(author, disabled ? "user.disabled" : "user.enabled", userId, { email: user.email });
      await changeUser(userId, change, disabled && user.operator === 1, tell);
    },

    async setOperator(userId, operator, author) {
      const user = await find(userId);
      const detail = { email: user.email, before: user.operator === 1, after: operator };
      const tell = entry(author, "user.operator_changed", userId, detail);
      const leaves = !operator && user.operator === 1 && user.disabled_at === null;
      await changeUser(userId, { operator: operator ? 1 : 0 }, leaves, tell);
    },

    async removeTwoFactor(userId, author) {
      const { email } = await find(userId);
      await database.write([
        build.deleteFrom("user_two_factor").where("user_id", "=", userId).compile(),
        build
          .updateTable("user")
          .set({ two_factor_enabled: 0, updated_at: platform.now() })
          .where("id", "=", userId)
          .compile(),
        sessionsEnd(userId),
        entry(author, "user.second_factor_removed", userId, { email }),
      ]);
    },

    async addMember(accountId, email, role, author) {
      const user = await read
        .selectFrom("user")
        .select(["id", "email"])
        .where("email", "=", normalEmail(email))
        .executeTakeFirst();
      if (!user) throw new UserError("unknown_user", `There is no user ${email}`);
      const row = { user_id: user.id, account_id: accountId, role, created_at: platform.now() };
      const detail = { email: user.email, before: null, after: role };
      try {
        await database.write([
          build.insertInto("membership").values(row).compile(),
          entry(author, "user.role_changed", user.id, detail, accountId),
        ]);
      } catch (error) {
        if (!(error instanceof StorageError) || error.kind !== "constraint") throw error;
        throw new UserError("taken", `${user.email} belongs to the account already`, "email");
      }
      return { userId: user.id };
    },

    async setMember({ accountId, userId, role, keepOwner }, author) {
      const member = await read
        .selectFrom("membership")
        .innerJoin("user", "user.id", "membership.user_id")
        .select(["role", "email"])
        .where("user_id", "=", userId)
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      if (!member) return false;
      const guarded = keepOwner && member.role === "owner" && role !== "owner";
      const another = sql<boolean>`exists (
        select 1 from membership as other
        where other.account_id = ${accountId} and other.role = 'owner' and other.user_id <> ${userId})`;
      const allowed = guarded ? another : sql<boolean>`true`;
      const ofMember = { user_id: userId, account_id: accountId };
      const change =
        role === null
          ? build.deleteFrom("membership").where((row) => row.and([row.and(ofMember), allowed]))
          : build
              .updateTable("membership")
              .set({ role })
              .where((row) => row.and([row.and(ofMember), allowed]));
      const detail = { email: member.email, before: member.role, after: role };
      try {
        await database.write([
          lock(),
          expecting(1, change.compile()),
          sessionsEnd(userId),
          entry(author, "user.role_changed", userId, detail, accountId),
        ]);
      } catch (error) {
        if (!(error instanceof StorageError) || error.kind !== "condition") throw error;
        if (guarded) throw lastOwner();
        return false;
      }
      return true;
    },
  };
}

function lastOwner(): LastOneError {
  return new LastOneError("last_owner", "An account keeps at least one owner: make another one first");
}
