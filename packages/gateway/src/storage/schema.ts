import type { ProtocolName } from "@interlingua/protocols";
import type { Generated } from "kysely";

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
 * `drained`: cut by a shutdown.
 */
export type Outcome = "succeeded" | "failed" | "refused" | "client_closed" | "upstream_incomplete" | "drained";

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
}

/** One row for each change to something that instances keep in memory; the highest sequence tells whether to look again. */
interface ChangeTable {
  sequence: Generated<number>;
  entity: "access_key";
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
}

export interface Schema {
  access_key: AccessKeyTable;
  change_sequence: ChangeTable;
  secret_check: SecretCheckTable;
  call: CallTable;
}
