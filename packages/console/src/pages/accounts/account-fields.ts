import { dollarsOf, parseDollars } from "../../shared/dollars.ts";
import type { Account, AccountSettings } from "./account-api.ts";

/** What stands in the form of an account, as it is typed. */
export interface AccountFields {
  name: string;
  billing: "prepaid" | "postpaid";
  creditLimit: string;
  /** Percent on top of the list price. */
  markup: number | string;
  limits: LimitFields;
}

export interface LimitFields {
  requests: number | string;
  tokens: number | string;
  concurrency: number | string;
}

export const noLimits: LimitFields = { requests: "", tokens: "", concurrency: "" };

export const newAccountFields: AccountFields = {
  name: "",
  billing: "prepaid",
  creditLimit: "",
  markup: 0,
  limits: noLimits,
};

export function fieldsOf(account: Account): AccountFields {
  const { requests_per_minute, tokens_per_minute, concurrency } = account.limits;
  return {
    name: account.name,
    billing: account.billing,
    creditLimit: account.credit_limit === null ? "" : dollarsOf(account.credit_limit),
    markup: (account.markup_ppm - 1_000_000) / 10_000,
    limits: { requests: requests_per_minute ?? "", tokens: tokens_per_minute ?? "", concurrency: concurrency ?? "" },
  };
}

/** The limits as the API takes them. */
export function limitsOf({ requests, tokens, concurrency }: LimitFields): NonNullable<AccountSettings["limits"]> {
  const limit = (value: number | string) => (value === "" ? null : Number(value));
  return { requests_per_minute: limit(requests), tokens_per_minute: limit(tokens), concurrency: limit(concurrency) };
}

/** The settings as the API takes them; undefined where the credit limit is no amount. */
export function settingsOf(fields: AccountFields): (AccountSettings & { name: string }) | undefined {
  const credit = fields.creditLimit.trim() === "" ? null : parseDollars(fields.creditLimit);
  if (credit === undefined) return undefined;
  return {
    name: fields.name.trim(),
    billing: fields.billing,
    credit_limit: fields.billing === "postpaid" ? credit : null,
    markup_ppm: 1_000_000 + Math.round(Number(fields.markup) * 10_000),
    limits: limitsOf(fields.limits),
  };
}
