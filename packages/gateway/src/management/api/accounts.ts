import { z } from "zod";
import { type AccountInfo, accountInfo } from "../../accounts/account-row.ts";
import type { Accounts } from "../../accounts/accounts.ts";
import { countKeys } from "../../accounts/count-keys.ts";
import { credit } from "../../accounts/credits.ts";
import { listAccounts, placeOf } from "../../accounts/list-accounts.ts";
import { accountSpend } from "../../calls/account-spend.ts";
import type { Platform } from "../../platform.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { moneySchema } from "../api-schemas.ts";
import { ManagementError } from "../failure.ts";
import { nextSchema, opaqueCursor, pageOf, pageQuery } from "../paging.ts";
import type { ManagementRoute } from "../routes.ts";
import {
  accountJson,
  accountSchema,
  accountStates,
  amountInput,
  billings,
  changedAccountBody,
  newAccountBody,
  operatedAccountSchema,
  settingsOf,
} from "./account-schemas.ts";
import { orRefused } from "./accounts-failure.ts";
import { mayBeUnchanged } from "./may-be-unchanged.ts";

export interface AccountRoutesParts {
  database: Database;
  accounts: Accounts;
  /** The accounts of the configuration file. */
  declared: readonly { name: string }[];
  platform: Pick<Platform, "now" | "id">;
}

const cursors = opaqueCursor(
  z.discriminatedUnion("sort", [
    z.object({ sort: z.literal("newest"), value: z.int(), id: z.string() }),
    z.object({ sort: z.literal("name"), value: z.string(), id: z.string() }),
    z.object({ sort: z.literal("balance"), value: z.string().regex(/^-?[0-9]{1,19}$/), id: z.string() }),
  ]),
);

const forOperators = { tag: "Accounts", scope: "installation", role: "operator" } as const;

/** Accounts: all of them, as operators run them, and one, as its users see it. */
export function accountRoutes({ database, accounts, declared, platform }: AccountRoutesParts): ManagementRoute[] {
  const isDeclared = ({ name }: { name: string }) => declared.some((account) => account.name === name);

  const operated = async (infos: readonly AccountInfo[]): Promise<z.input<typeof operatedAccountSchema>[]> => {
    const ids = infos.map(({ id }) => id);
    const [spent, keys] = await Promise.all([accountSpend(database, ids, platform.now()), countKeys(database, ids)]);
    return infos.map((info) => ({
      ...accountJson(info, isDeclared(info)),
      markup_ppm: info.markupPpm,
      spent_today: String(spent(info.id).today),
      spent_this_month: String(spent(info.id).month),
      keys: keys(info.id),
    }));
  };
  const one = async (info: AccountInfo) => {
    const [account] = await operated([info]);
    if (!account) throw new Error("One account is shown as one");
    return account;
  };

  return [
    apiRoute({
      ...forOperators,
      method: "GET",
      path: "/api/v1/accounts",
      summary: "List accounts",
      description: "A search finds names by their first letters, and a whole id.",
      audit: "none",
      query: z.object({
        ...pageQuery,
        search: z.string().trim().min(1).max(100).optional(),
        state: z.enum(accountStates).optional(),
        billing: z.enum(billings).optional(),
        sort: z.enum(["name", "newest", "balance"]).default("name").describe("`balance`: the lowest first."),
      }),
      answer: z.object({ items: z.array(operatedAccountSchema), next: nextSchema }),
      async handle({ query }) {
        const { cursor, limit, sort, ...filter } = query;
        const after = cursors.decode(cursor);
        if (after && after.sort !== sort) {
          throw new ManagementError(400, "invalid_cursor", "The cursor is of a list in another order.", {
            field: "cursor",
          });
        }
        const rows = await listAccounts(database, { ...filter, order: sort, after, limit: limit + 1 });
        const { items, next } = pageOf(rows, limit, accountInfo, cursors, (row) => {
          const { value, id } = placeOf(row, sort);
          // The place is of the type that the order's cursor has.
          return { sort, value, id } as Parameters<typeof cursors.encode>[0];
        });
        return { body: { items: await operated(items), next } };
      },
    }),
    apiRoute({
      ...forOperators,
      method: "POST",
      path: "/api/v1/accounts",
      summary: "Create an account",
      description: "Prepaid, at list prices and without limits of its own, unless told otherwise.",
      audit: "account.created",
      body: newAccountBody,
      answer: operatedAccountSchema,
      status: 201,
      async handle(call) {
        const info = await orRefused(accounts.create({ name: call.body.name, ...settingsOf(call.body) }, call));
        return { body: await one(info) };
      },
    }),
    apiRoute({
      tag: "Accounts",
      method: "GET",
      path: "/api/v1/accounts/:account",
      summary: "Show an account",
      role: "viewer",
      scope: "account",
      audit: "none",
      answer: accountSchema,
      async handle({ accountId }) {
        const info = await orRefused(accounts.show(accountId));
        return { body: accountJson(info, isDeclared(info)) };
      },
    }),
    apiRoute({
      tag: "Accounts",
      method: "GET",
      path: "/api/v1/accounts/:account/operation",
      summary: "Show an account to operators",
      role: "operator",
      scope: "account",
      audit: "none",
      answer: operatedAccountSchema,
      async handle({ accountId }) {
        return { body: await one(await orRefused(accounts.show(accountId))) };
      },
    }),
    apiRoute({
      tag: "Accounts",
      method: "PATCH",
      path: "/api/v1/accounts/:account",
      summary: "Change an account",
      description: "The keys of a suspended account are refused; calls that run are finished and paid.",
      role: "operator",
      scope: "account",
      audit: "account.changed",
      body: changedAccountBody,
      answer: operatedAccountSchema,
      async handle(call) {
        const { state, ...body } = call.body;
        // The state alone may be changed of an account of the file, too.
        const alone = state !== undefined && Object.keys(body).length === 0;
        const change = alone
          ? accounts.setState(call.accountId, state, call)
          : accounts.set(call.accountId, { ...settingsOf(body), ...(state === undefined ? {} : { state }) }, call);
        const info = await orRefused(change);
        mayBeUnchanged(call);
        return { body: await one(info) };
      },
    }),
    apiRoute({
      tag: "Accounts",
      method: "POST",
      path: "/api/v1/accounts/:account/credits",
      summary: "Credit an account",
      description:
        "A top-up adds money; an adjustment may also take some away, as long as a prepaid account keeps what is set aside " +
        "for its running calls. The same reference is credited once.",
      role: "operator",
      scope: "account",
      audit: "account.topped_up",
      body: z.strictObject({
        kind: z.enum(["top_up", "adjustment"]).default("top_up"),
        amount: amountInput,
        note: z.string().trim().min(1).max(500).optional(),
        reference: z.string().trim().min(1).max(200).optional().describe("An invoice, for example."),
      }),
      answer: z.object({
        outcome: z
          .enum(["credited", "repeated"])
          .describe("`repeated`: the reference was credited before; nothing changed."),
        entry: z.string(),
        amount: moneySchema,
        balance: moneySchema.describe("Nano-dollars after the entry."),
      }),
      status: 201,
      async handle(call) {
        const { id: accountId } = await orRefused(accounts.show(call.accountId));
        const { kind, entry } = await orRefused(
          credit({ database, platform }, { ...call.body, accountId, actor: call }),
        );
        const { id, amount, balanceAfter } = entry;
        return { body: { outcome: kind, entry: id, amount: String(amount), balance: String(balanceAfter) } };
      },
    }),
  ];
}
