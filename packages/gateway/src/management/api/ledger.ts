import { z } from "zod";
import { accountPosition, percentOf } from "../../accounts/alerts.ts";
import { readBalance } from "../../accounts/balance.ts";
import { type LedgerEntry, listKeyLedger, listLedger } from "../../accounts/list-ledger.ts";
import { usageTotal } from "../../calls/usage.ts";
import { hourMs, hourOf } from "../../calls/usage-hour.ts";
import type { Platform } from "../../platform.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { moneySchema } from "../api-schemas.ts";
import { notFound } from "../failure.ts";
import { nextSchema, pageQuery } from "../paging.ts";
import type { ManagementRoute } from "../routes.ts";
import { orRefused } from "./accounts-failure.ts";
import {
  accountMoneyJson,
  accountMoneySchema,
  ledgerEntryJson,
  ledgerEntrySchema,
  ledgerKinds,
} from "./ledger-schemas.ts";

export interface LedgerParts {
  database: Database;
  platform: Pick<Platform, "now">;
}

/** Days of which the pace is taken by which money is spent. */
const paceDays = 7;

const timeParam = z.coerce.number().int().min(0).optional();

const balanceSchema = z
  .object({
    ...accountMoneySchema.shape,
    used_percent: z
      .number()
      .int()
      .nullable()
      .describe(
        "Whole percents used of what was there after the last top-up, or of the credit limit; null: of neither.",
      ),
    spent_7_days: moneySchema.describe("What the calls of the last seven days cost."),
    days_left: z
      .number()
      .nullable()
      .describe("Days that what is available lasts at the pace of the last seven; null: unknown."),
  })
  .meta({ id: "Balance" });

/** What an account has, and how it came to that. */
export function ledgerRoutes({ database, platform }: LedgerParts): ManagementRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/api/v1/accounts/:account/balance",
      tag: "Balance",
      summary: "Show the balance",
      role: "viewer",
      scope: "account",
      audit: "none",
      answer: balanceSchema,
      async handle({ accountId }) {
        const end = hourOf(platform.now()) + hourMs;
        const [money, week] = await Promise.all([
          readBalance(database, accountId),
          usageTotal(database, { accountId, from: end - paceDays * 24 * hourMs, to: end }),
        ]);
        if (!money) throw notFound();
        const position = accountPosition(money);
        const available = money.available;
        const lasts = available !== null && week.charge > 0n;
        return {
          body: {
            ...accountMoneyJson(money),
            used_percent: position ? percentOf(position) : null,
            spent_7_days: String(week.charge),
            // A hint to people, no amount: exact to some digits is enough.
            days_left: lasts ? Number((available * BigInt(paceDays) * 10n) / week.charge) / 10 : null,
          },
        };
      },
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/accounts/:account/ledger",
      tag: "Balance",
      summary: "List ledger entries",
      description:
        "The newest first. The entries of one key are those of its calls, in the order in which the calls began; a page may then hold fewer than asked for and go on all the same.",
      role: "viewer",
      scope: "account",
      audit: "none",
      query: z.object({
        ...pageQuery,
        kind: z
          .enum([...ledgerKinds, "credit"])
          .optional()
          .describe("'credit': all but what calls cost."),
        key: z.string().min(1).max(64).optional().describe("Only what the calls of this key cost."),
        from: timeParam.describe("Unix milliseconds: from this moment on."),
        to: timeParam.describe("Unix milliseconds: before this moment."),
      }),
      answer: z.object({ items: z.array(ledgerEntrySchema), next: nextSchema }).meta({ id: "LedgerList" }),
      async handle({ accountId, query: { key, ...query } }) {
        const filter = { ...query, accountId };
        const page = await orRefused(
          key === undefined ? listLedger(database, filter) : listKeyLedger(database, { ...filter, accessKeyId: key }),
        );
        const names = await namesIn(database, accountId, page.entries);
        return {
          body: { items: page.entries.map((entry) => ledgerEntryJson(entry, names)), next: page.nextCursor },
        };
      },
    }),
  ];
}

/** The names of the keys and users of some entries, whatever their number in two reads. */
async function namesIn({ read }: Pick<Database, "read">, accountId: string, entries: readonly LedgerEntry[]) {
  const keyIds = [...new Set(entries.flatMap(({ accessKeyId }) => accessKeyId ?? []))];
  const userIds = [...new Set(entries.filter(({ kind }) => kind !== "charge").map(({ actor }) => actor))];
  const [keys, users] = await Promise.all([
    keyIds.length === 0
      ? []
      : read
          .selectFrom("access_key")
          .select(["id", "name"])
          .where("account_id", "=", accountId)
          .where("id", "in", keyIds)
          .execute(),
    userIds.length === 0 ? [] : read.selectFrom("user").select(["id", "name"]).where("id", "in", userIds).execute(),
  ]);
  const byId = (rows: readonly { id: string; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name]));
  return { keys: byId(keys), users: byId(users) };
}
