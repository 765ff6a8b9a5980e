import type { ProtocolName } from "@interlingua/protocols";
import type { ColumnType, Generated } from "kysely";
import type { ChannelsSchema } from "./channels-schema.ts";
import type { ManagementSchema } from "./management-schema.ts";
import type { StatusSchema } from "./status-schema.ts";
import type { StoredResponsesSchema } from "./stored-responses-schema.ts";
import type { UsageSchema, UsageSums } from "./usage-schema.ts";
import type { UsersSchema } from "./users-schema.ts";

/*
 * The tables as their rows look. Times are unix milliseconds, durations milliseconds, booleans 0 or 1.
 * The migrations make the tables; the two are held together by tests.
 */

export type AccessKeyState = "enabled" | "disabled" | "expired" | "revoked";

/** `direct`: the same protocol on both sides, nothing converted. `converted`: through the canonical form. */
export type Lane = "direct" | "converted";

/**
 * How a call ended.
 * `succeeded`: the whole answer was handed over. `failed`: an error of the gateway or of the upstream, before the answer.
 * `refused`: the gateway said no (a broken body, an unknown model, a loss the caller does not accept).
 * `client_closed`: the caller went away. `upstream_incomplete`: the answer began and broke off.
 * `drained`: cut by a shutdown, or with its key. `interrupted`: the gateway died; recorded by whoever found the reservation.
 */
export type Outcome =
  | "succeeded"
  | "failed"
  | "refused"
  | "client_closed"
  | "upstream_incomplete"
  | "drained"
  | "interrupted";

/**
 * Whole nano-dollars, bound as bigint. Read by `readMoney` (money-column.ts): as it is, a column comes as a number, which
 * holds no more than 9 million dollars exactly and is an error beyond.
 */
type Money = ColumnType<number, bigint, bigint>;
/** Money that may be absent. */
type OptionalMoney = ColumnType<number | null, bigint | null, bigint | null>;

/** An account that may have calls run. `prepaid`: never below zero. `postpaid`: down to the credit limit, if there is one. */
export interface AccountTable {
  id: string;
  name: string;
  state: "active" | "suspended";
  billing: "prepaid" | "postpaid";
  balance: Money;
  reserved: Money;
  credit_limit: OptionalMoney;
  /** Parts per million that its calls cost of the list price: 1,000,000 is the price itself. */
  markup_ppm: number;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  concurrency: number | null;
  created_at: number;
}

export interface AccessKeyTable {
  id: string;
  public_id: string;
  name: string;
  /** HMAC-SHA-256 of the whole key, 32 bytes. The key itself is stored nowhere. */
  digest: Uint8Array;
  pepper_version: number;
  state: AccessKeyState;
  /** `configuration`: declared in the configuration file, which is the authority for it. */
  origin: "command" | "configuration";
  lossy: "allow" | "refuse";
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  /** Its own limits; null where those of the configuration hold. */
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  concurrency: number | null;
  account_id: string;
  /** JSON list of model names or patterns; null: all. */
  models: string | null;
  /** JSON list of addresses or ranges; null: all. */
  addresses: string | null;
  /** Nano-dollars; at most 9 million dollars, so that a number holds it. */
  quota: number | null;
  quota_period: QuotaPeriod | null;
  /** 1: prompts and answers are kept, encrypted, where the configuration allows it. */
  content_logging: number;
  purpose: KeyPurpose;
  /** The user whom a playground key serves; null for all others. */
  user_id: string | null;
}

/** `playground`: made by the console for what one user tries out there; in no list of keys unless asked for. */
export type KeyPurpose = "calls" | "playground";

export type QuotaPeriod = "total" | "day" | "week" | "month";

/** A secret that a rotation has replaced and that is still good until it expires. */
interface FormerSecretTable {
  public_id: string;
  access_key_id: string;
  digest: Uint8Array;
  pepper_version: number;
  expires_at: number;
}

/** Prices of a model, and from when on they hold. Append-only. */
interface PriceVersionTable {
  id: string;
  model: string;
  /** Null: on every channel. */
  channel: string | null;
  valid_from: number;
  source: "seed" | "configuration" | "operator";
  /** JSON. */
  prices: string;
  created_at: number;
}

/** A gateway process. Its times are the database's. */
interface InstanceTable {
  id: string;
  started_at: number;
  heartbeat_at: number;
}

export type ReservationState = "open" | "settled" | "voided" | "recovered";

/** Money set aside for a call, before anything was sent. */
interface ReservationTable {
  call_id: string;
  account_id: string;
  access_key_id: string;
  quota_window: string | null;
  amount: Money;
  state: ReservationState;
  instance_id: string;
  /** The database's time. */
  created_at: number;
  price_version: string | null;
  started_at: number;
  client_protocol: ProtocolName;
  model: string | null;
  stream: number;
  /** JSON: what was used so far, for the record that another process writes when this one dies. */
  checkpoint: string | null;
  checkpoint_charge: Money;
}

/** What a key has used of its quota in one window: `total`, `2026-11-21`, `2026-W47` or `2026-11`, by the database's clock. */
interface QuotaUsageTable {
  access_key_id: string;
  quota_window: string;
  used: Money;
  reserved: Money;
}

export type LedgerKind = "charge" | "top_up" | "payment" | "redemption" | "adjustment" | "refund";

/** A change of a balance. Append-only. */
interface LedgerEntryTable {
  id: string;
  account_id: string;
  at: number;
  kind: LedgerKind;
  /** What it adds to the balance: a charge is negative. */
  amount: Money;
  balance_after: Money;
  access_key_id: string | null;
  quota_window: string | null;
  call_id: string | null;
  /** The code, order or event that it comes from. Unique with the kind. */
  reference: string | null;
  note: string | null;
  actor: string;
}

interface IdempotencyKeyTable {
  access_key_id: string;
  digest: Uint8Array;
  body_digest: Uint8Array;
  call_id: string;
  created_at: number;
}

interface RedemptionCodeTable {
  id: string;
  digest: Uint8Array;
  amount: Money;
  created_at: number;
  expires_at: number | null;
  note: string | null;
  redeemed_at: number | null;
  redeemed_by: string | null;
  revoked_at: number | null;
}

export interface PaymentOrderTable {
  id: string;
  account_id: string;
  /** In the currency's smallest unit. */
  amount_minor: number;
  currency: string;
  credit: Money;
  state: "open" | "paid" | "cancelled";
  created_at: number;
  paid_at: number | null;
}

interface PaymentEventTable {
  id: string;
  received_at: number;
  order_id: string | null;
  outcome: string;
}

/** One try of one channel for a call. Milliseconds since the call's begin. */
export interface AttemptTable {
  call_id: string;
  number: number;
  channel: string;
  upstream_protocol: ProtocolName;
  upstream_model: string;
  lane: Lane;
  started_ms: number;
  connect_ms: number | null;
  first_byte_ms: number | null;
  end_ms: number | null;
  status: number | null;
  error_kind: string | null;
  error_code: string | null;
  possibly_billed: number;
}

/** Sums of the calls of an hour. */
export interface UsageHourTable extends UsageSums {
  account_id: string;
  access_key_id: string;
  hour: number;
  model: string;
  channel: string;
  client_protocol: ProtocolName;
}

/** What changed. `channel`: a channel or a routing rule. `termination`: running calls of the access key with this id are to end (A3). */
export type ChangeEntity = "access_key" | "account" | "channel" | "price" | "setting" | "termination";

/** One row for each change to something that instances keep in memory; the highest sequence tells whether to look again. */
interface ChangeTable {
  sequence: Generated<number>;
  entity: ChangeEntity;
  entity_id: string;
  changed_at: number;
}

/** Proves at start that the secret is the one the stored digests were made with. */
interface SecretCheckTable {
  pepper_version: number;
  digest: Uint8Array;
}

export interface CallTable {
  id: string;
  request_id: string;
  started_at: number;
  access_key_id: string;
  client_protocol: ProtocolName;
  upstream_protocol: ProtocolName | null;
  lane: Lane | null;
  channel: string | null;
  model: string | null;
  upstream_model: string | null;
  stream: number;
  status: number;
  outcome: Outcome;
  error_kind: string | null;
  input_uncached: number | null;
  input_cache_read: number | null;
  input_cache_write: number | null;
  input_cache_write_5m: number | null;
  input_cache_write_1h: number | null;
  input_tool_prompt: number | null;
  /** A second view on input counters, never added. */
  input_audio: number | null;
  output_total: number | null;
  output_reasoning: number | null;
  output_audio: number | null;
  output_image: number | null;
  /** JSON object of counts by tool. */
  server_tools: string | null;
  usage_estimated: number;
  /** JSON array of notices. */
  notices: string;
  admission_ms: number | null;
  connect_ms: number | null;
  first_byte_ms: number | null;
  first_token_ms: number | null;
  end_ms: number | null;
  account_id: string;
  reserved: Money;
  charge: Money;
  /** What the upstream's usage would have cost beyond the reservation (M6). */
  overrun: Money;
  price_version: string | null;
  /** JSON array. */
  price_lines: string;
  /** 1: the upstream's own figures were not believed (M12). */
  usage_disputed: number;
  abort_reason: string | null;
}

/** Sums of an hour that has ended, by one thing alone: what dashboards read. Made from `usage_hour`. */
export interface UsageTotalTable
  extends Omit<UsageHourTable, "account_id" | "access_key_id" | "model" | "channel" | "client_protocol"> {
  dimension: "all" | "account" | "model" | "channel" | "client_protocol";
  /** Empty for `all`. */
  value: string;
}

interface UsageTotalStateTable {
  id: 1;
  closed_until: number;
  checked_until: number;
}

interface UsageLateTable {
  call_id: string;
  hour: number;
}

/** What is kept of the content of a call: the bodies as they went over the wire, from the caller to the upstream and back. */
export type ContentPart = "client_request" | "upstream_request" | "upstream_answer" | "client_answer";

interface CallContentTable {
  call_id: string;
  part: ContentPart;
  stored_at: number;
  expires_at: number;
  /** Bytes that went over the wire. */
  size: number;
  /** 1: not all of them are kept. */
  cut: number;
  /** Sealed. */
  bytes: Uint8Array;
}

/** A value that is set in the console (settings/). */
interface SettingTable {
  name: string;
  /** JSON, as the configuration file spells it. */
  value: string;
  /** Grows with every change. */
  version: number;
  updated_at: number;
  /** The id of the user, or the name of what is no user. */
  updated_by: string;
}

export interface Schema
  extends UsersSchema,
    ManagementSchema,
    ChannelsSchema,
    UsageSchema,
    StatusSchema,
    StoredResponsesSchema {
  setting: SettingTable;
  account: AccountTable;
  access_key: AccessKeyTable;
  former_secret: FormerSecretTable;
  price_version: PriceVersionTable;
  instance: InstanceTable;
  reservation: ReservationTable;
  quota_usage: QuotaUsageTable;
  ledger_entry: LedgerEntryTable;
  idempotency_key: IdempotencyKeyTable;
  redemption_code: RedemptionCodeTable;
  payment_order: PaymentOrderTable;
  payment_event: PaymentEventTable;
  attempt: AttemptTable;
  usage_hour: UsageHourTable;
  change_sequence: ChangeTable;
  secret_check: SecretCheckTable;
  call: CallTable;
  usage_total: UsageTotalTable;
  usage_total_state: UsageTotalStateTable;
  usage_late: UsageLateTable;
  call_content: CallContentTable;
}
