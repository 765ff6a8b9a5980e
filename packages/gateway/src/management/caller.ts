import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Secret } from "../accounts/secret.ts";
import type { AuditActor } from "../audit/audit-log.ts";
import type { Database } from "../storage/database.ts";
import type { AccountRole } from "../storage/users-schema.ts";
import { cookieNames, cookieValue } from "./cookie-names.ts";
import { idleSince, seenEvery, tokenDigest } from "./session-rules.ts";

/** An account that a user belongs to. */
export interface Membership {
  accountId: string;
  accountName: string;
  role: AccountRole;
}

/** The user who makes a request, with what it may do, as the database says at this moment. */
export interface Caller {
  userId: string;
  /** The id of the session, or of the API token. */
  sessionId: string;
  email: string;
  name: string;
  operator: boolean;
  twoFactorEnabled: boolean;
  /** The user is an operator, and is not taken for one until there is a second factor. */
  operatorWithheld?: true;
  memberships: readonly Membership[];
  /** There where the request came with an API token instead of a session. */
  token?: { id: string; name: string; access: "read" | "write" };
}

/** What a route asks of its caller, weakest first; `user`: anybody who has signed in. */
export type Role = "user" | AccountRole | "operator";

const rank: Readonly<Record<AccountRole, number>> = { viewer: 1, member: 2, owner: 3 };

/**
 * Whether the caller may do what the role names: in the given account, or where that is undefined in any. Operators may
 * do everything.
 */
export function mayAct(caller: Caller, role: Role, accountId: string | undefined): boolean {
  if (role === "user" || caller.operator) return true;
  if (role === "operator") return false;
  return caller.memberships.some(
    (membership) =>
      (accountId === undefined || membership.accountId === accountId) && rank[membership.role] >= rank[role],
  );
}

/** The weaker one of two roles. */
export function weaker(one: AccountRole, other: AccountRole): AccountRole {
  return rank[one] < rank[other] ? one : other;
}

/** Finds who makes a request. */
export interface Callers {
  /** The caller of the cookies' session, or undefined. Notes that the session was used. */
  find(cookie: string): Promise<Caller | undefined>;
  /** What a page of this session sends in `x-csrf-token` with everything that changes something (S7). */
  csrfToken(caller: Caller): string;
  isCsrfToken(caller: Caller, token: string): boolean;
}

export function createCallers(options: {
  database: Database;
  secret: Secret;
  now: () => number;
  /** Where browsers reach the console; null: on this machine alone, by http. */
  url: string | null;
  /** Whether operators without a second factor are taken for ordinary users. */
  needsSecondFactor: () => boolean;
}): Callers {
  const { database, now } = options;
  const cookieName = cookieNames(options.url).session;
  const key = Buffer.from(hkdfSync("sha256", options.secret.bytes, "", "interlingua console pages 1", 32));
  const csrfToken = ({ sessionId }: Caller) => createHmac("sha256", key).update(sessionId).digest("base64url");
  return {
    async find(cookie) {
      // The library's signature behind the token adds nothing to 256 random bits of which the digest is looked for.
      const [token] = cookieValue(cookie, cookieName)?.split(".", 1) ?? [];
      const session = token ? await findSession(database, token, now()) : undefined;
      if (!session) return undefined;
      const memberships = await membershipsOf(database, session.userId);
      if (now() - session.seenAt >= seenEvery) await noteUse(database, session.sessionId, now());
      const { sessionId, userId, email, name } = session;
      const twoFactorEnabled = session.twoFactor === 1;
      const rights = operatorRights(session, options.needsSecondFactor());
      return { sessionId, userId, email, name, ...rights, twoFactorEnabled, memberships };
    },
    csrfToken,
    isCsrfToken(caller, given) {
      const expected = Buffer.from(csrfToken(caller));
      const presented = Buffer.from(given);
      return presented.length === expected.length && timingSafeEqual(presented, expected);
    },
  };
}

/** Whether a user counts as an operator at this moment; the columns of the user are 0 or 1. */
export function operatorRights(
  user: { operator: number; twoFactor: number },
  needsSecondFactor: boolean,
): Pick<Caller, "operator" | "operatorWithheld"> {
  if (user.operator !== 1) return { operator: false };
  return needsSecondFactor && user.twoFactor !== 1 ? { operator: false, operatorWithheld: true } : { operator: true };
}

/** The session of the token and its user, unless the session is over or the user disabled (see `isLive`). */
function findSession({ read }: Pick<Database, "read">, token: string, now: number) {
  return read
    .selectFrom("user_session as session")
    .innerJoin("user", "user.id", "session.user_id")
    .select([
      "session.id as sessionId",
      "session.seen_at as seenAt",
      "user.id as userId",
      "user.email",
      "user.name",
      "user.operator",
      "user.two_factor_enabled as twoFactor",
    ])
    .where("session.token", "=", tokenDigest(token))
    .where("session.expires_at", ">", now)
    .where("session.seen_at", ">", idleSince(now))
    .where("user.disabled_at", "is", null)
    .executeTakeFirst();
}

/** The accounts that the user belongs to, by their ids. */
export function membershipsOf({ read }: Pick<Database, "read">, userId: string): Promise<Membership[]> {
  return read
    .selectFrom("membership")
    .innerJoin("account", "account.id", "membership.account_id")
    .select(["account.id as accountId", "account.name as accountName", "membership.role"])
    .where("membership.user_id", "=", userId)
    .orderBy("account.id")
    .execute();
}

async function noteUse({ build, write }: Database, sessionId: string, now: number): Promise<void> {
  await write([build.updateTable("user_session").set({ seen_at: now }).where("id", "=", sessionId).compile()]);
}

/** The caller as the author of an audit entry. */
export function actorOf(caller: Caller, address: string): AuditActor {
  const name = caller.token ? `${caller.email}, by API token ${caller.token.name}` : caller.email;
  return { kind: "user", id: caller.userId, name, address };
}
