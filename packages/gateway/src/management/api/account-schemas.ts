import { z } from "zod";
import type { AccountInfo } from "../../accounts/account-row.ts";
import type { AccountSettings } from "../../accounts/account-settings.ts";
import { mostCounted } from "../../accounts/count-keys.ts";
import { highestLimit, highestMarkupPpm } from "../../config/config.ts";
import { moneySchema, timeSchema } from "../api-schemas.ts";

/* Accounts as the API shows and takes them. */

export const accountStates = ["active", "suspended"] as const;
export const billings = ["prepaid", "postpaid"] as const;

const limit = z.number().int().nullable().describe("Of all keys of the account together; null: none.");

/** What its users see of an account, and operators beside other things. */
const accountShape = {
  id: z.string(),
  name: z.string(),
  state: z.enum(accountStates),
  billing: z.enum(billings),
  declared: z.boolean().describe("Declared in the configuration file, which alone changes it."),
  balance: moneySchema,
  reserved: moneySchema.describe("Nano-dollars set aside for running calls."),
  available: moneySchema.nullable().describe("Nano-dollars that new calls may cost; null: without bound."),
  credit_limit: moneySchema.nullable().describe("How far below zero a postpaid balance may go; null: without bound."),
  limits: z.object({ requests_per_minute: limit, tokens_per_minute: limit, concurrency: limit }),
  created_at: timeSchema,
};

export const accountSchema = z.object(accountShape).meta({ id: "Account" });

export const operatedAccountSchema = z
  .object({
    ...accountShape,
    markup_ppm: z
      .number()
      .int()
      .describe("What calls cost of the list price, in parts per million: 1000000 is the price."),
    spent_today: moneySchema.describe("Nano-dollars charged for calls since midnight (UTC)."),
    spent_this_month: moneySchema.describe("Nano-dollars charged for calls since the first of the month (UTC)."),
    keys: z.number().int().describe(`Access keys that are not revoked, counted up to ${mostCounted}.`),
  })
  .meta({ id: "OperatedAccount" });

/** An amount in a request: nano-dollars as decimal text, or as a whole number that JSON keeps exact. */
export const amountInput = z
  .string()
  .regex(/^-?(?:0|[1-9][0-9]{0,18})$/, "must be whole nano-dollars as a text")
  .transform(BigInt)
  .describe("Nano-dollars as decimal text: 1 USD is 1000000000.");

const newLimit = z.number().int().min(1).max(highestLimit).nullable().optional().describe("Null: none.");

export const newLimits = z.strictObject({
  requests_per_minute: newLimit,
  tokens_per_minute: newLimit,
  concurrency: newLimit,
});

const settings = {
  billing: z.enum(billings).optional(),
  credit_limit: amountInput.nullable().optional(),
  markup_ppm: z.number().int().min(0).max(highestMarkupPpm).optional(),
  limits: newLimits.optional(),
};

const name = z.string().min(1).max(100);

export const newAccountBody = z.strictObject({ name, ...settings });
export const changedAccountBody = z.strictObject({
  name: name.optional(),
  state: z.enum(accountStates).optional(),
  ...settings,
});

/** The settings that a body names. */
export function settingsOf(body: Partial<z.output<typeof newAccountBody>>): AccountSettings {
  const { name, billing, credit_limit, markup_ppm, limits } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(billing === undefined ? {} : { billing }),
    ...(credit_limit === undefined ? {} : { creditLimit: credit_limit }),
    ...(markup_ppm === undefined ? {} : { markupPpm: markup_ppm }),
    ...(limits === undefined ? {} : { limits: limitsOf(limits) }),
  };
}

export function limitsOf(limits: z.output<typeof newLimits>): NonNullable<AccountSettings["limits"]> {
  const { requests_per_minute, tokens_per_minute, concurrency } = limits;
  return {
    ...(requests_per_minute === undefined ? {} : { requestsPerMinute: requests_per_minute }),
    ...(tokens_per_minute === undefined ? {} : { tokensPerMinute: tokens_per_minute }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}

export function accountJson(info: AccountInfo, declared: boolean): z.input<typeof accountSchema> {
  const text = (amount: bigint | null) => (amount === null ? null : String(amount));
  return {
    id: info.id,
    name: info.name,
    state: info.state,
    billing: info.billing,
    declared,
    balance: String(info.balance),
    reserved: String(info.reserved),
    available: text(info.available),
    credit_limit: text(info.creditLimit),
    limits: {
      requests_per_minute: info.limits.requestsPerMinute ?? null,
      tokens_per_minute: info.limits.tokensPerMinute ?? null,
      concurrency: info.limits.concurrency ?? null,
    },
    created_at: info.createdAt,
  };
}
