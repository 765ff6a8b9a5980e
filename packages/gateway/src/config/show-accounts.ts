import type { AccessKeyConfig, AccountConfig, KeyLimits } from "./config.ts";
import { showDollars } from "./dollars.ts";
import { showInstant } from "./instant.ts";
import { showMarkup } from "./markup.ts";

/** Stands for every secret. */
export const mask = "***";

/** An account as the file spells it. */
export function showAccount({ name, billing, creditLimit, markupPpm, limits }: AccountConfig): object {
  return {
    name,
    billing,
    ...(creditLimit === null ? {} : { credit_limit: showDollars(creditLimit) }),
    markup: showMarkup(markupPpm),
    ...showLimits(limits),
  };
}

/** An access key as the file spells it, without the key itself. */
export function showAccessKey(key: AccessKeyConfig): object {
  const { name, account, lossy, expiresAt, models, addresses, quota, contentLogging, limits = {} } = key;
  return {
    name,
    key: mask,
    ...(account === undefined ? {} : { account }),
    lossy,
    ...(expiresAt === undefined ? {} : { expires: showInstant(expiresAt) }),
    ...(models === undefined ? {} : { models }),
    ...(addresses === undefined ? {} : { addresses }),
    ...(quota === undefined ? {} : { quota: showDollars(quota.amount), quota_period: quota.period }),
    ...(contentLogging ? { content_logging: true } : {}),
    ...showLimits(limits),
  };
}

function showLimits({ requestsPerMinute, tokensPerMinute, concurrency }: Partial<KeyLimits>): object {
  return {
    ...(requestsPerMinute === undefined ? {} : { requests_per_minute: requestsPerMinute }),
    ...(tokensPerMinute === undefined ? {} : { tokens_per_minute: tokensPerMinute }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}
