import { z } from "zod";
import { type AuditActor, type AuditDetail, auditStatement } from "../audit/audit-log.ts";
import type { Platform } from "../platform.ts";
import { type Database, expecting, type Statement, StorageError } from "../storage/database.ts";
import type { AccountRole } from "../storage/users-schema.ts";
import { passwordProblem } from "./password-rules.ts";
import type { Passwords } from "./passwords.ts";

/** A user could not be made, found or changed. The message is one line for whoever asked. */
export class UserError extends Error {
  readonly code: "invalid" | "taken" | "unknown_user" | "unknown_account";
  /** The field that is wrong, where it is one. */
  readonly field: "email" | "name" | "password" | undefined;

  constructor(code: UserError["code"], message: string, field?: UserError["field"]) {
    super(message);
    this.name = "UserError";
    this.code = code;
    this.field = field;
  }
}

/** A user as lists show it. */
export interface UserInfo {
  id: string;
  email: string;
  name: string;
  operator: boolean;
  disabledAt: number | null;
  createdAt: number;
  twoFactorEnabled: boolean;
  memberships: readonly { accountId: string; role: AccountRole }[];
}

/** What a new user is made of. */
export interface NewUser {
  email: string;
  name: string;
  password: string;
}

/** Checked and ready to be written. */
interface PreparedUser {
  id: string;
  email: string;
  name: string;
  /** The row and its password, in this order. */
  statements: readonly Statement[];
}

/** Users, as whoever runs the installation manages them. Every change leaves an entry in the audit log. */
export interface Users {
  list(): Promise<UserInfo[]>;
  /** By id or e-mail address. Rejects with a UserError where there is none. */
  find(user: string): Promise<UserInfo>;
  /** Checks and hashes; writes nothing. Rejects with a UserError of code `invalid`. */
  prepare(user: NewUser, role: { operator: boolean }): Promise<PreparedUser>;
  create(user: NewUser, role: { operator: boolean }, actor: AuditActor): Promise<UserInfo>;
  /** Sets a new password and ends all sessions of the user. */
  resetPassword(user: string, password: string, actor: AuditActor): Promise<UserInfo>;
  /** A disabled user has no sessions and gets none: from the acknowledged change on. */
  setDisabled(user: string, disabled: boolean, actor: AuditActor): Promise<UserInfo>;
  /** Gives the user the role in the account, or takes it away by null, and ends the user's sessions. */
  setRole(user: string, accountId: string, role: AccountRole | null, actor: AuditActor): Promise<UserInfo>;
  /** Ends all sessions of the user, from the acknowledged change on. */
  endSessions(user: string, actor: AuditActor): Promise<void>;
}

export interface UsersOptions {
  database: Database;
  platform: Platform;
  passwords: Passwords;
}

const emailSchema = z.email().max(254);

export function createUsers({ database, platform, passwords }: UsersOptions): Users {
  const { build } = database;

  const listWhere = async (user: string | undefined): Promise<UserInfo[]> => {
    let query = database.read.selectFrom("user").selectAll().orderBy("email");
    if (user !== undefined) {
      query = query.where((row) => row.or([row("id", "=", user), row("email", "=", normalEmail(user))]));
    }
    const rows = await query.execute();
    if (rows.length === 0) return [];
    const memberships = await database.read
      .selectFrom("membership")
      .selectAll()
      .where(
        "user_id",
        "in",
        user === undefined ? database.read.selectFrom("user").select("id") : rows.map(({ id }) => id),
      )
      .orderBy("account_id")
      .execute();
    const ofUser = Map.groupBy(memberships, (membership) => membership.user_id);
    return rows.map((row) => ({
      id: row.id,
      email: row.email,
      name: row.name,
      operator: row.operator === 1,
      disabledAt: row.disabled_at,
      createdAt: row.created_at,
      twoFactorEnabled: row.two_factor_enabled === 1,
      memberships: (ofUser.get(row.id) ?? []).map(({ account_id, role }) => ({ accountId: account_id, role })),
    }));
  };

  const find = async (user: string): Promise<UserInfo> => {
    const [found] = await listWhere(user);
    if (!found) throw new UserError("unknown_user", `There is no user ${user}`);
    return found;
  };

  const entry = (actor: AuditActor, action: string, id: string, detail: AuditDetail, accountId: string | null = null) =>
    auditStatement(database, platform, { actor, action, target: { kind: "user", id }, accountId, detail });

  const sessionsEnd = (id: string) => build.deleteFrom("user_session").where("user_id", "=", id).compile();

  const prepare = async (given: NewUser, { operator }: { operator: boolean }): Promise<PreparedUser> => {
    const { email, name } = checkedUser(given);
    checkPassword(given.password, [email, name]);
    const password = await passwords.hash(given.password);
    const id = platform.id("usr");
    const user = insertUser({ database, platform }, { id, email, name, operator });
    return { id, email, name, statements: [user, setPassword({ database, platform }, id, password)] };
  };

  return {
    list: () => listWhere(undefined),
    find,
    prepare,
    async create(given, role, actor) {
      const user = await prepare(given, role);
      const detail = { email: user.email, name: user.name, operator: role.operator };
      try {
        await database.write([...user.statements, entry(actor, "user.created", user.id, detail)]);
      } catch (error) {
        throw asTaken(error, user.email);
      }
      return find(user.id);
    },
    async resetPassword(user, password, actor) {
      const { id, email, name } = await find(user);
      checkPassword(password, [email, name]);
      const set = setPassword({ database, platform }, id, await passwords.hash(password));
      await database.write([set, sessionsEnd(id), entry(actor, "user.password_reset", id, { email })]);
      return find(id);
    },
    async setDisabled(user, disabled, actor) {
      const { id, email } = await find(user);
      const now = platform.now();
      const change = build
        .updateTable("user")
        .set({ disabled_at: disabled ? now : null, updated_at: now })
        .where("id", "=", id);
      const action = disabled ? "user.disabled" : "user.enabled";
      await database.write([expecting(1, change.compile()), sessionsEnd(id), entry(actor, action, id, { email })]);
      return find(id);
    },
    async setRole(user, accountId, role, actor) {
      const { id, email, memberships } = await find(user);
      const before = memberships.find((membership) => membership.accountId === accountId)?.role ?? null;
      const change =
        role === null
          ? build.deleteFrom("membership").where("user_id", "=", id).where("account_id", "=", accountId)
          : build
              .insertInto("membership")
              .values({ user_id: id, account_id: accountId, role, created_at: platform.now() })
              .onConflict((conflict) => conflict.columns(["user_id", "account_id"]).doUpdateSet({ role }));
      const detail = { email, before, after: role };
      try {
        await database.write([
          change.compile(),
          sessionsEnd(id),
          entry(actor, "user.role_changed", id, detail, accountId),
        ]);
      } catch (error) {
        if (error instanceof StorageError && error.kind === "constraint") {
          throw new UserError("unknown_account", `There is no account ${accountId}`);
        }
        throw error;
      }
      return find(id);
    },
    async endSessions(user, actor) {
      const { id, email } = await find(user);
      await database.write([sessionsEnd(id), entry(actor, "user.sessions_ended", id, { email })]);
    },
  };
}

/** The address and name of a new user as they are stored. Throws a UserError of code `invalid`. */
export function checkedUser(given: Pick<NewUser, "email" | "name">): Pick<NewUser, "email" | "name"> {
  const email = normalEmail(given.email);
  const name = given.name.trim();
  if (!emailSchema.safeParse(email).success) {
    throw new UserError("invalid", `${given.email.slice(0, 254)} is no e-mail address`, "email");
  }
  if (name === "" || name.length > 100) {
    throw new UserError("invalid", "The name must have 1 to 100 characters", "name");
  }
  return { email, name };
}

type WriteOptions = Pick<UsersOptions, "database" | "platform">;

/** The statement that makes a user. Whoever makes one vouches for the address: providers may be linked by it. */
export function insertUser(
  { database, platform }: WriteOptions,
  { id, email, name, operator }: { id: string; email: string; name: string; operator: boolean },
): Statement {
  const now = platform.now();
  return database.build
    .insertInto("user")
    .values({
      id,
      email,
      name,
      image: null,
      email_verified: 1,
      operator: operator ? 1 : 0,
      disabled_at: null,
      created_at: now,
      updated_at: now,
    })
    .compile();
}

/** The statement that gives a user a password, whether it had one or not. */
export function setPassword({ database, platform }: WriteOptions, userId: string, hash: string): Statement {
  const now = platform.now();
  return database.build
    .insertInto("user_credential")
    .values({
      id: platform.id("crd"),
      user_id: userId,
      provider_id: "credential",
      account_id: userId,
      password: hash,
      ...noProvider,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["provider_id", "account_id"]).doUpdateSet({ password: hash, updated_at: now }),
    )
    .compile();
}

export function checkPassword(password: string, own: readonly string[]): void {
  const problem = passwordProblem(password, own);
  if (problem) throw new UserError("invalid", problem, "password");
}

/** A user whose address is taken, as an error for whoever asked; any other error as it is. */
export function asTaken(error: unknown, email: string): unknown {
  return error instanceof StorageError && error.kind === "constraint"
    ? new UserError("taken", `There is a user with the address ${email} already`, "email")
    : error;
}

export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

const noProvider = {
  access_token: null,
  refresh_token: null,
  id_token: null,
  access_token_expires_at: null,
  refresh_token_expires_at: null,
  scope: null,
};
