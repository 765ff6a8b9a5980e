import { z } from "zod";
import type { Accounts } from "../../accounts/accounts.ts";
import { AccountsError } from "../../accounts/accounts-error.ts";
import { credit } from "../../accounts/credits.ts";
import type { Platform } from "../../platform.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import type { ManagementCall, ManagementRoute } from "../routes.ts";
import { amountInput, limitsOf, newLimits } from "./account-schemas.ts";
import { mayBeUnchanged } from "./may-be-unchanged.ts";

/** Accounts of one request. */
const most = 500;
/** Units that are written at once: they share commits. */
const atOnce = 20;

const ids = z.array(z.string().min(1).max(128)).min(1).max(most).describe("Ids of accounts, each once.");

const change = z
  .discriminatedUnion("action", [
    z.strictObject({ action: z.literal("suspend"), accounts: ids }),
    z.strictObject({ action: z.literal("activate"), accounts: ids }),
    z.strictObject({ action: z.literal("set_limits"), accounts: ids, limits: newLimits }),
    z.strictObject({
      action: z.literal("credit"),
      accounts: ids,
      amount: amountInput,
      note: z.string().trim().min(1).max(500).optional(),
      reference: z
        .string()
        .trim()
        .min(8)
        .max(64)
        .describe("Unique to this request: each account is credited once for it, also where it is sent again."),
    }),
  ])
  .meta({ id: "BulkAccountChange" });

const resultSchema = z
  .object({
    account: z.string(),
    done: z.boolean(),
    error: z.string().nullable().describe("Why it was not done, for a person."),
  })
  .meta({ id: "BulkAccountResult" });

export interface AccountBulkParts {
  database: Database;
  accounts: Accounts;
  platform: Pick<Platform, "now" | "id">;
}

/** The same change of many accounts: a unit, an audit entry and a result for each. */
export function accountBulkRoutes({ database, accounts, platform }: AccountBulkParts): ManagementRoute[] {
  const apply = async (account: string, body: z.output<typeof change>, call: Author): Promise<void> => {
    switch (body.action) {
      case "suspend":
        await accounts.setState(account, "suspended", call);
        return;
      case "activate":
        await accounts.setState(account, "active", call);
        return;
      case "set_limits":
        await accounts.set(account, { limits: limitsOf(body.limits) }, call);
        return;
      case "credit": {
        const { amount, note } = body;
        const reference = `${body.reference}/${account}`;
        await credit(
          { database, platform },
          { accountId: account, kind: "top_up", amount, note, reference, actor: call },
        );
      }
    }
  };

  return [
    apiRoute({
      tag: "Accounts",
      method: "POST",
      path: "/api/v1/account-changes",
      summary: "Change many accounts",
      description: `At most ${most}; each is changed or not by itself, and the answer tells which were not.`,
      role: "operator",
      scope: "installation",
      audit: "account.changed",
      body: change,
      answer: z.object({ items: z.array(resultSchema) }),
      async handle(call) {
        const items: z.input<typeof resultSchema>[] = [];
        const wanted = [...new Set(call.body.accounts)];
        for (let at = 0; at < wanted.length; at += atOnce) {
          const some = wanted.slice(at, at + atOnce).map(async (account) => {
            const error = await whyNot(apply(account, call.body, call));
            return { account, done: error === null, error };
          });
          items.push(...(await Promise.all(some)));
        }
        mayBeUnchanged(call);
        return { body: { items } };
      },
    }),
  ];
}

type Author = Pick<ManagementCall, "actor" | "audit">;

async function whyNot(work: Promise<void>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (!(error instanceof AccountsError)) throw error;
    return error.message;
  }
}
