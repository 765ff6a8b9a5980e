import { createHash } from "node:crypto";
import { z } from "zod";
import type { AuditEvent } from "../audit/audit-log.ts";
import type { Platform } from "../platform.ts";
import { type Database, expecting, type Statement, StorageError } from "../storage/database.ts";
import type { AccountRole } from "../storage/users-schema.ts";
import { type Caller, type Membership, mayAct, membershipsOf, operatorRights, weaker } from "./caller.ts";
import { ManagementError, notFound } from "./failure.ts";
import { seenEvery } from "./session-rules.ts";

/** What every API token begins with. */
const apiTokenPrefix = "ilt_";
const form = /^ilt_[A-Za-z0-9_-]{43}$/;

/** Most tokens of one user. */
const mostTokens = 50;

type TokenRole = AccountRole | "operator";

export interface ApiTokenInfo {
  id: string;
  name: string;
  /** The token's last four characters. */
  tail: string;
  access: "read" | "write";
  role: TokenRole;
  /** Null: the whole installation. */
  accountIds: readonly string[] | null;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

type NewApiToken = Pick<ApiTokenInfo, "name" | "access" | "role" | "accountIds" | "expiresAt">;

/** Makes the entry of a change, to be put last into its unit. */
type Entry = (event: Pick<AuditEvent, "target" | "accountId" | "detail">) => Statement;

/** Tokens by which programs act for a user, with no more than the user may do at that moment (A8). */
export interface ApiTokens {
  /** The caller of a token, or undefined where it is not good (any more). Notes that the token was used. */
  find(token: string): Promise<Caller | undefined>;
  list(userId: string): Promise<ApiTokenInfo[]>;
  /** The token itself is told this once. Throws a ManagementError where the caller may not give what it is to have. */
  create(caller: Caller, wanted: NewApiToken, entry: Entry): Promise<{ token: string; info: ApiTokenInfo }>;
  /** Throws 404 where the user has no such token. */
  revoke(userId: string, id: string, entry: Entry): Promise<void>;
}

const accountIdsSchema = z.array(z.string());

export function createApiTokens(
  database: Database,
  platform: Platform,
  /** Whether operators without a second factor are taken for ordinary users. */
  needsSecondFactor: () => boolean,
): ApiTokens {
  const { read, build } = database;
  return {
    async find(token) {
      if (!form.test(token)) return undefined;
      const now = platform.now();
      const row = await read
        .selectFrom("api_token as token")
        .innerJoin("user", "user.id", "token.user_id")
        .select(["token.id", "token.name", "token.access", "token.role", "token.account_ids", "token.last_used_at"])
        .select(["user.id as userId", "user.email", "user.name as userName", "user.operator"])
        .select("user.two_factor_enabled as twoFactor")
        .where("token.digest", "=", digestOf(token))
        .where((at) => at.or([at("token.expires_at", "is", null), at("token.expires_at", ">", now)]))
        .where("user.disabled_at", "is", null)
        .executeTakeFirst();
      if (!row) return undefined;
      if (now - (row.last_used_at ?? 0) >= seenEvery) {
        const used = build.updateTable("api_token").set({ last_used_at: now }).where("id", "=", row.id);
        await database.write([used.compile()]);
      }
      const { operator } = operatorRights(row, needsSecondFactor());
      const rights = await rightsOf(database, { ...row, operator }, accountsOf(row.account_ids));
      return {
        userId: row.userId,
        sessionId: row.id,
        email: row.email,
        name: row.userName,
        twoFactorEnabled: row.twoFactor === 1,
        ...rights,
        token: { id: row.id, name: row.name, access: row.access },
      };
    },

    async list(userId) {
      const rows = await read
        .selectFrom("api_token")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("id", "desc")
        .limit(mostTokens)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        tail: row.tail,
        access: row.access,
        role: row.role,
        accountIds: accountsOf(row.account_ids),
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        lastUsedAt: row.last_used_at,
      }));
    },

    async create(caller, wanted, entry) {
      const { name, access, role, accountIds, expiresAt } = wanted;
      const now = platform.now();
      if (expiresAt !== null && expiresAt <= now) throw wrong("expires_at", "must be in the future");
      if ((accountIds === null) !== (role === "operator")) {
        throw wrong("account_ids", "must be null for the role 'operator', and a list for all others");
      }
      for (const accountId of accountIds ?? []) {
        if (!mayAct(caller, "viewer", accountId) || !(await isAccount(database, accountId))) throw notFound();
        if (!mayAct(caller, role, accountId)) throw tooMuch();
      }
      if (!mayAct(caller, role, undefined)) throw tooMuch();
      const { count } = await read
        .selectFrom("api_token")
        .select((row) => row.fn.countAll<number>().as("count"))
        .where("user_id", "=", caller.userId)
        .executeTakeFirstOrThrow();
      if (Number(count) >= mostTokens) {
        throw new ManagementError(409, "too_many_tokens", `There are ${mostTokens} tokens already: revoke one first.`);
      }
      const token = apiTokenPrefix + Buffer.from(platform.randomBytes(32)).toString("base64url");
      const info: ApiTokenInfo = {
        id: platform.id("tok"),
        name,
        tail: token.slice(-4),
        access,
        role,
        accountIds,
        createdAt: now,
        expiresAt,
        lastUsedAt: null,
      };
      const insert = build.insertInto("api_token").values({
        id: info.id,
        digest: digestOf(token),
        tail: info.tail,
        user_id: caller.userId,
        name,
        access,
        role,
        account_ids: accountIds === null ? null : JSON.stringify(accountIds),
        created_at: now,
        expires_at: expiresAt,
        last_used_at: null,
      });
      const detail = { name, access, role, accounts: accountIds, expires_at: expiresAt };
      await database.write([
        insert.compile(),
        entry({ target: { kind: "api_token", id: info.id }, accountId: null, detail }),
      ]);
      return { token, info };
    },

    async revoke(userId, id, entry) {
      const row = await read
        .selectFrom("api_token")
        .select("name")
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .executeTakeFirst();
      if (!row) throw notFound();
      const remove = build.deleteFrom("api_token").where("id", "=", id).where("user_id", "=", userId);
      try {
        await database.write([
          expecting(1, remove.compile()),
          entry({ target: { kind: "api_token", id }, accountId: null, detail: { name: row.name } }),
        ]);
      } catch (error) {
        if (error instanceof StorageError && error.kind === "condition") throw notFound();
        throw error;
      }
    },
  };
}

/** What the token's user may do now, as far as the token goes. */
async function rightsOf(
  database: Database,
  token: { userId: string; operator: boolean; role: TokenRole },
  accountIds: readonly string[] | null,
): Promise<Pick<Caller, "operator" | "memberships">> {
  if (token.role === "operator" || accountIds === null) return { operator: token.operator, memberships: [] };
  const { role } = token;
  if (accountIds.length === 0) return { operator: false, memberships: [] };
  // An operator may act in any account as its owner, and so may the token, in those it is for.
  const own: Membership[] = token.operator
    ? (await accountNames(database, accountIds)).map((account) => ({ ...account, role: "owner" }))
    : (await membershipsOf(database, token.userId)).filter(({ accountId }) => accountIds.includes(accountId));
  return { operator: false, memberships: own.map((each) => ({ ...each, role: weaker(each.role, role) })) };
}

function accountNames({ read }: Pick<Database, "read">, ids: readonly string[]) {
  return read
    .selectFrom("account")
    .select(["id as accountId", "name as accountName"])
    .where("id", "in", [...ids])
    .orderBy("id")
    .execute();
}

async function isAccount({ read }: Pick<Database, "read">, id: string): Promise<boolean> {
  return (await read.selectFrom("account").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

function accountsOf(text: string | null): string[] | null {
  return text === null ? null : accountIdsSchema.parse(JSON.parse(text));
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function wrong(field: string, what: string): ManagementError {
  return new ManagementError(400, "invalid_request", `The field '${field}' ${what}.`, { field });
}

function tooMuch(): ManagementError {
  return new ManagementError(403, "forbidden", "A token cannot do more than you can.", { field: "role" });
}
