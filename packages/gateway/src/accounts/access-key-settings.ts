import { formatDollars } from "../catalogue/prices/money.ts";
import { isAddressRange } from "../config/address-ranges.ts";
import { highestQuota } from "../config/config.ts";
import type { AccessKeyTable } from "../storage/schema.ts";
import { type LimitChange, limitColumns } from "./access-key-row.ts";
import type { KeyQuota } from "./auth-result.ts";
import { checkedLimits, checkedName, invalid } from "./common-settings.ts";

/** What can be set of a key; what is absent stays as it is. */
export interface AccessKeySettings {
  name?: string;
  lossy?: "allow" | "refuse";
  /** Its own limits; null gives it that of the configuration. */
  limits?: LimitChange;
  /** Unix milliseconds; null: never. */
  expiresAt?: number | null;
  /** Names, or patterns with `*`; none of them allows nothing, null allows all. */
  models?: readonly string[] | null;
  /** Addresses or ranges; none of them allows nobody, null allows all. */
  addresses?: readonly string[] | null;
  quota?: KeyQuota | null;
  contentLogging?: boolean;
}

/** The columns that settings may change: no state, no secret, no account. */
export type SettingColumns = Partial<
  Pick<
    AccessKeyTable,
    | "name"
    | "lossy"
    | "requests_per_minute"
    | "tokens_per_minute"
    | "concurrency"
    | "expires_at"
    | "models"
    | "addresses"
    | "quota"
    | "quota_period"
    | "content_logging"
  >
>;

const longestList = 1000;

/** The columns that the settings name, checked. Throws an AccountsError of code `invalid` that names the setting. */
export function settingColumns(settings: AccessKeySettings): SettingColumns {
  const { name, lossy, limits, expiresAt, models, addresses, quota, contentLogging } = settings;
  return {
    ...(name === undefined ? {} : { name: checkedName(name) }),
    ...(lossy === undefined ? {} : { lossy }),
    ...(limits === undefined ? {} : limitColumns(checkedLimits(limits))),
    ...(expiresAt === undefined ? {} : { expires_at: checkedTime(expiresAt) }),
    ...(models === undefined ? {} : { models: listColumn(models, "models", isModelPattern, "a model name") }),
    ...(addresses === undefined
      ? {}
      : { addresses: listColumn(addresses, "addresses", isAddressRange, "an address or a range such as 10.0.0.0/8") }),
    ...(quota === undefined ? {} : quotaColumns(quota)),
    ...(contentLogging === undefined ? {} : { content_logging: contentLogging ? 1 : 0 }),
  };
}

function checkedTime(time: number | null): number | null {
  if (time === null || (Number.isSafeInteger(time) && time >= 0)) return time;
  throw invalid("expiresAt", "The expiry must be a time");
}

function isModelPattern(text: string): boolean {
  return /^[\w.:/@*-]{1,128}$/.test(text);
}

function listColumn(
  list: readonly string[] | null,
  field: string,
  fits: (entry: string) => boolean,
  what: string,
): string | null {
  if (list === null) return null;
  if (list.length > longestList) throw invalid(field, `A list must not hold more than ${longestList} entries`);
  const wrong = list.find((entry) => !fits(entry));
  if (wrong !== undefined) throw invalid(field, `${JSON.stringify(wrong.slice(0, 128))} is not ${what}`);
  return JSON.stringify(list);
}

function quotaColumns(quota: KeyQuota | null): Pick<AccessKeyTable, "quota" | "quota_period"> {
  if (quota === null) return { quota: null, quota_period: null };
  const { amount, period } = quota;
  if (amount < 0n || amount > highestQuota) {
    throw invalid("quota", `A quota must be from $0.00 to ${formatDollars(highestQuota)}`);
  }
  // Exact: the highest quota is below 2^53 nano-dollars.
  return { quota: Number(amount), quota_period: period };
}
