import type { ProtocolName } from "@interlingua/protocols";
import type { ColumnType, Generated } from "kysely";

/* The tables of sums by account, and of alerts, as their rows look; see schema.ts for what holds for all tables. */

/** As in schema.ts. */
type Money = ColumnType<number, bigint, bigint>;

/** What is summed up of calls. */
export interface UsageSums {
  calls: number;
  succeeded: number;
  input_uncached: number;
  input_cache_read: number;
  input_cache_write: number;
  output_total: number;
  output_reasoning: number;
  charge: Money;
  overrun: Money;
  /** Whole milliseconds. */
  duration_ms: number;
  /** Calls whose first token came within so many milliseconds and later than those of the column before. */
  first_token_100: Generated<number>;
  first_token_200: Generated<number>;
  first_token_400: Generated<number>;
  first_token_800: Generated<number>;
  first_token_1600: Generated<number>;
  first_token_3200: Generated<number>;
  first_token_6400: Generated<number>;
  first_token_12800: Generated<number>;
  first_token_25600: Generated<number>;
  first_token_51200: Generated<number>;
  first_token_beyond: Generated<number>;
}

/** Sums of an hour that has ended, of one account by one thing. Made from `usage_hour`. */
export interface UsageAccountTotalTable extends UsageSums {
  account_id: string;
  dimension: "model" | "channel" | "client_protocol";
  hour: number;
  value: string;
}

/** Sums of an hour that has ended, by all but the key. Made from `usage_hour`. */
interface UsageAccountHourTable extends UsageSums {
  /** Empty: all accounts together. */
  account_id: string;
  hour: number;
  model: string;
  channel: string;
  client_protocol: ProtocolName;
}

/** The keys that cost most in an hour that has ended. Made from `usage_hour`. */
interface UsageKeyTopTable {
  /** Empty: of all accounts together. */
  account_id: string;
  hour: number;
  access_key_id: string;
  calls: number;
  charge: Money;
}

/** When an account is told that its money runs low; an account without a row is told as is the default. */
interface AlertSettingTable {
  account_id: string;
  /** JSON list of whole percents. */
  thresholds: string;
  /** 1: told of the balance or the credit limit. */
  balance: number;
  /** 1: told of the quotas of its keys. */
  quotas: number;
}

export type AlertSubject = "balance" | "credit_limit" | "key_quota";

/** An alert that somebody has seen. */
interface AlertAcknowledgementTable {
  account_id: string;
  subject: AlertSubject;
  /** The access key; empty where it is about the account. */
  subject_id: string;
  /** Of what the percents are: another top-up, limit, quota or window is another crossing. */
  basis: string;
  threshold: number;
  acknowledged_at: number;
  acknowledged_by: string;
}

export interface UsageSchema {
  usage_account_total: UsageAccountTotalTable;
  usage_account_hour: UsageAccountHourTable;
  usage_key_top: UsageKeyTopTable;
  alert_setting: AlertSettingTable;
  alert_acknowledgement: AlertAcknowledgementTable;
}
