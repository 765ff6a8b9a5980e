import { type RawBuilder, type SqlBool, sql } from "kysely";
import { AccountsError } from "../accounts/accounts-error.ts";
import { entryBy, type NamedAuthor } from "../accounts/change-unit.ts";
import { creditOrder, creditUnit, explainCredit, maxCredit } from "../accounts/credits.ts";
import { ledgerEntries } from "../accounts/list-ledger.ts";
import { formatDollars } from "../catalogue/prices/money.ts";
import type { Platform } from "../platform.ts";
import { type Database, expecting, StorageError } from "../storage/database.ts";
import { moneyText } from "../storage/money-column.ts";
import { type CodeDigests, createCodeText, readCodeText } from "./code-text.ts";

/** What a code is given out for. */
interface NewCodes {
  /** Nano-dollars that each is worth. */
  amount: bigint;
  count: number;
  /** Unix milliseconds; null: good for ever. */
  expiresAt?: number | null | undefined;
  note?: string | undefined;
}

export type CodeState = "open" | "redeemed" | "expired" | "revoked";

/** A code as it may be shown: never the code itself. Money in nano-dollars, times in unix milliseconds. */
export interface CodeInfo {
  id: string;
  state: CodeState;
  amount: bigint;
  createdAt: number;
  expiresAt: number | null;
  note: string | null;
  redeemedAt: number | null;
  /** The account that redeemed it. */
  redeemedBy: string | null;
}

/** `unknown`: there is no such code. Whoever has a real one is told why it is not good any more. */
type Redemption =
  | { kind: "redeemed"; amount: bigint; balance: bigint }
  | { kind: "refused"; reason: "unknown" | Exclude<CodeState, "open"> };

/** Codes that are worth money to whoever redeems them first. What cannot be done rejects with an AccountsError. */
export interface RedemptionCodes {
  /** Makes codes. `code` is the only copy: what is stored cannot be turned back into it. */
  create(codes: NewCodes, actor: NamedAuthor): Promise<{ id: string; code: string }[]>;
  /** The newest first, at most 1000 unless told otherwise. */
  list(filter?: CodeFilter): Promise<CodeInfo[]>;
  /** Ends a code that nobody has redeemed, by its id. */
  revoke(id: string, actor: NamedAuthor): Promise<CodeInfo>;
  /** Credits the account with what the code is worth; of any number who ask at once, one. */
  redeem(code: string, accountId: string, actor: NamedAuthor): Promise<Redemption>;
}

interface CodeFilter {
  state?: CodeState | undefined;
  /** Codes behind this one in the list. */
  after?: { createdAt: number; id: string } | undefined;
  limit?: number;
}

export interface RedemptionCodesOptions {
  database: Database;
  platform: Platform;
  digests: CodeDigests;
}

const mostAtOnce = 1000;
const longestList = 1000;

export function createRedemptionCodes({ database, platform, digests }: RedemptionCodesOptions): RedemptionCodes {
  const { build } = database;

  /** Neither redeemed nor revoked nor expired. */
  const isOpen = (): RawBuilder<boolean> =>
    sql<boolean>`redeemed_at is null and revoked_at is null
      and (expires_at is null or expires_at > ${platform.now()})`;

  const select = () =>
    database.read
      .selectFrom("redemption_code")
      .select(["id", "created_at", "expires_at", "note", "redeemed_at", "redeemed_by", "revoked_at"])
      .select(moneyText("amount").as("amount"));

  const read = async (by: { id: string } | { digests: readonly Uint8Array[] }): Promise<CodeInfo | undefined> => {
    const query = "id" in by ? select().where("id", "=", by.id) : select().where("digest", "in", by.digests);
    const row = await query.executeTakeFirst();
    return row && infoOf(row, platform.now());
  };

  return {
    async create({ amount, count, expiresAt = null, note = null }, actor) {
      const now = platform.now();
      checkNew({ amount, count, expiresAt, note }, now);
      const codes = Array.from({ length: count }, () => ({
        id: platform.id("code"),
        code: createCodeText(platform.randomBytes),
      }));
      const inserts = codes.map(({ id, code }) => {
        const row = { id, digest: digests(code)[0], amount, created_at: now, expires_at: expiresAt, note };
        return build
          .insertInto("redemption_code")
          .values({ ...row, redeemed_at: null, redeemed_by: null, revoked_at: null })
          .compile();
      });
      const audit = entryBy({ database, platform }, actor, {
        action: "codes.created",
        target: codes.length === 1 ? { kind: "code", id: codes[0]?.id ?? "" } : null,
        accountId: null,
        detail: { amount: formatDollars(amount), count, expires_at: expiresAt, note },
      });
      await database.write([...inserts, audit], { alone: true });
      return codes;
    },

    async list({ state, after, limit = longestList } = {}) {
      const now = platform.now();
      let query = select().orderBy("created_at", "desc").orderBy("id", "desc").limit(limit);
      if (after) query = query.where(sql<SqlBool>`(created_at, id) < (${after.createdAt}, ${after.id})`);
      if (state === "open") query = query.where(isOpen());
      if (state === "redeemed") query = query.where("redeemed_at", "is not", null);
      if (state === "revoked") query = query.where("revoked_at", "is not", null);
      if (state === "expired") {
        query = query.where("expires_at", "<=", now).where("redeemed_at", "is", null).where("revoked_at", "is", null);
      }
      return (await query.execute()).map((row) => infoOf(row, now));
    },

    async revoke(id, actor) {
      const update = build
        .updateTable("redemption_code")
        .set({ revoked_at: platform.now() })
        .where("id", "=", id)
        .where("redeemed_at", "is", null)
        .where("revoked_at", "is", null)
        .compile();
      const target = { kind: "code", id };
      const audit = entryBy({ database, platform }, actor, { action: "code.revoked", target, accountId: null });
      try {
        await database.write([expecting(1, update), audit], { alone: true });
      } catch (error) {
        if (!isLost(error)) throw error;
        const info = await read({ id });
        if (!info) throw new AccountsError("unknown", `There is no code "${id}"`);
        throw new AccountsError("refused", `The code "${id}" is ${info.state} already`);
      }
      const info = await read({ id });
      if (!info) throw new Error(`The code ${id} is gone right after it was revoked`);
      return info;
    },

    async redeem(text, accountId, actor) {
      const code = readCodeText(text);
      const found = code === undefined ? undefined : await read({ digests: digests(code) });
      if (!found) return { kind: "refused", reason: "unknown" };
      if (found.state !== "open") return { kind: "refused", reason: found.state };
      const { id, amount } = found;
      const given = { accountId, kind: "redemption", amount, reference: id, actor } as const;
      const { entryId, statements, audit } = creditUnit({ database, platform }, given);
      const take = build
        .updateTable("redemption_code")
        .set({ redeemed_at: platform.now(), redeemed_by: accountId })
        .where("id", "=", id)
        .where(isOpen())
        .compile();
      try {
        await database.write([expecting(1, take), ...statements, audit], creditOrder(accountId));
      } catch (error) {
        if (!isLost(error)) throw error;
        const now = await read({ id });
        if (now && now.state !== "open") return { kind: "refused", reason: now.state };
        // It is still good: the account cannot take it. What does not exist breaks the reference to it.
        if (error.kind === "constraint") throw new AccountsError("unknown", `There is no account "${accountId}"`);
        await explainCredit(database, given, error);
        throw error;
      }
      const [entry] = await ledgerEntries(database, (query) => query.where("id", "=", entryId));
      if (!entry) throw new Error(`The ledger entry ${entryId} is gone right after it was written`);
      return { kind: "redeemed", amount, balance: entry.balanceAfter };
    },
  };
}

function isLost(error: unknown): error is StorageError {
  return error instanceof StorageError && (error.kind === "condition" || error.kind === "constraint");
}

function checkNew({ amount, count, expiresAt, note }: CheckedCodes, now: number): void {
  if (amount <= 0n || amount > maxCredit) {
    throw new AccountsError(
      "invalid",
      `A code is worth more than $0.00 and at most ${formatDollars(maxCredit)}`,
      "amount",
    );
  }
  if (!Number.isInteger(count) || count < 1 || count > mostAtOnce) {
    throw new AccountsError("invalid", `1 to ${mostAtOnce} codes can be made at once`, "count");
  }
  if (expiresAt !== null && expiresAt <= now) {
    throw new AccountsError("invalid", "The expiry must be in the future", "expiresAt");
  }
  if ((note?.length ?? 0) > 500) throw new AccountsError("invalid", "A note has at most 500 characters", "note");
}

type CheckedCodes = Pick<NewCodes, "amount" | "count"> & { expiresAt: number | null; note: string | null };

interface CodeRow {
  id: string;
  amount: string;
  created_at: number;
  expires_at: number | null;
  note: string | null;
  redeemed_at: number | null;
  redeemed_by: string | null;
  revoked_at: number | null;
}

function infoOf(row: CodeRow, now: number): CodeInfo {
  return {
    id: row.id,
    state: stateOf(row, now),
    amount: BigInt(row.amount),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    note: row.note,
    redeemedAt: row.redeemed_at,
    redeemedBy: row.redeemed_by,
  };
}

function stateOf({ redeemed_at, revoked_at, expires_at }: CodeRow, now: number): CodeState {
  if (redeemed_at !== null) return "redeemed";
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && expires_at <= now ? "expired" : "open";
}
