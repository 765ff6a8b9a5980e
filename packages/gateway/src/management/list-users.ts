import { type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import type { AccountRole } from "../storage/users-schema.ts";
import { normalEmail } from "./users.ts";

/** A user as operators see it. Times in unix milliseconds. */
export interface ListedUser {
  id: string;
  email: string;
  name: string;
  operator: boolean;
  disabledAt: number | null;
  createdAt: number;
  twoFactorEnabled: boolean;
  /** Whether there is a way to sign in yet: a password, a passkey or an outside provider. */
  canSignIn: boolean;
  /** Until when the user's link to set a password is good; null where there is none. */
  invitedUntil: number | null;
  /** When a page was last asked for or something was last done; null: never. */
  lastSeenAt: number | null;
  sessions: number;
  memberships: readonly { accountId: string; accountName: string; role: AccountRole }[];
}

export interface ListUsersOptions {
  /** One user alone. */
  id?: string | undefined;
  /** The first letters of the address or of the name, in either case. */
  search?: string | undefined;
  operator?: boolean | undefined;
  disabled?: boolean | undefined;
  twoFactor?: boolean | undefined;
  accountId?: string | undefined;
  /** Addresses behind this one. */
  after?: string | undefined;
  limit: number;
  /** Unix milliseconds. */
  now: number;
}

/** Users by their addresses. Rejects with a StorageError. */
export async function listUsers({ read }: Pick<Database, "read">, options: ListUsersOptions): Promise<ListedUser[]> {
  const { id, search, operator, disabled, twoFactor, accountId, after, limit, now } = options;
  let query = read
    .selectFrom("user")
    .select(["id", "email", "name", "operator", "disabled_at", "created_at", "two_factor_enabled"])
    .select([
      sql<number | null>`(select max(expires_at) from invitation
        where invitation.user_id = "user".id and expires_at > ${now})`.as("invited_until"),
      sql<number | null>`(select max(seen_at) from user_session where user_session.user_id = "user".id)`.as("seen_at"),
      sql<number | null>`(select at from audit_event
        where audit_event.actor_id = "user".id order by sequence desc limit 1)`.as("acted_at"),
      sql<number>`(select count(*) from user_session
        where user_session.user_id = "user".id and expires_at > ${now})`.as("sessions"),
      sql<number>`(select count(*) from user_credential where user_credential.user_id = "user".id)
        + (select count(*) from user_passkey where user_passkey.user_id = "user".id)`.as("ways"),
    ])
    .orderBy("email")
    .limit(limit);
  if (id !== undefined) query = query.where("id", "=", id);
  if (operator !== undefined) query = query.where("operator", "=", operator ? 1 : 0);
  if (disabled !== undefined) query = query.where("disabled_at", disabled ? "is not" : "is", null);
  if (twoFactor !== undefined) query = query.where("two_factor_enabled", "=", twoFactor ? 1 : 0);
  if (after !== undefined) query = query.where("email", ">", after);
  if (search !== undefined) {
    const begin = normalEmail(search);
    const end = `${begin}\u{10ffff}`;
    query = query.where((row) =>
      row.or([
        row.and([row("email", ">=", begin), row("email", "<", end)]),
        sql<SqlBool>`(lower(name) >= ${begin} and lower(name) < ${end})`,
        row("id", "=", search),
      ]),
    );
  }
  if (accountId !== undefined) {
    const members = read.selectFrom("membership").select("user_id").where("account_id", "=", accountId);
    query = query.where("id", "in", members);
  }
  const rows = await query.execute();
  if (rows.length === 0) return [];
  const memberships = await read
    .selectFrom("membership")
    .innerJoin("account", "account.id", "membership.account_id")
    .select(["user_id", "account_id as accountId", "account.name as accountName", "role"])
    .where(
      "user_id",
      "in",
      rows.map((row) => row.id),
    )
    .orderBy("account.name")
    .execute();
  const ofUser = Map.groupBy(memberships, ({ user_id }) => user_id);
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    operator: row.operator === 1,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
    twoFactorEnabled: row.two_factor_enabled === 1,
    canSignIn: Number(row.ways) > 0,
    invitedUntil: row.invited_until,
    lastSeenAt: row.seen_at === null && row.acted_at === null ? null : Math.max(row.seen_at ?? 0, row.acted_at ?? 0),
    sessions: Number(row.sessions),
    memberships: (ofUser.get(row.id) ?? []).map(({ user_id: _, ...membership }) => membership),
  }));
}
