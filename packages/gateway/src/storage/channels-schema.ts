import type { Dialect, ProtocolName } from "@interlingua/protocols";

/* The tables of channels and routing as their rows look; see schema.ts for what holds for all tables. */

/** A channel that operators have made while the gateway ran. */
export interface ChannelTable {
  id: string;
  name: string;
  /** JSON lists, as in the configuration. */
  protocols: string;
  models: string;
  base_url: string;
  /** Sealed. */
  credential: Uint8Array | null;
  credential_header: string | null;
  /** JSON object of names and values, sealed. */
  headers: Uint8Array | null;
  setting: "operational" | "under_observation" | "disabled";
  priority: number;
  weight: number | null;
  on_disconnect: "received" | "drain" | "free" | null;
  /** The make of the server; null: as its address or the model's name tells. */
  dialect: Dialect | null;
  note: string | null;
  created_at: number;
  updated_at: number;
  /** Grows by one with every change: who changes what has changed meanwhile is told so. */
  version: number;
}

/** What decides before pattern, priority and lane. In the order of `position`; the first that fits a call holds. */
export interface RoutingRuleTable {
  id: string;
  position: number;
  /** A name, or a pattern with `*`; null: any. */
  model: string | null;
  client_protocol: ProtocolName | null;
  account_id: string | null;
  access_key_id: string | null;
  /** JSON. */
  action: string;
  enabled: number;
  note: string | null;
  created_at: number;
  updated_at: number;
  version: number;
}

/** A small call that an operator has sent to a channel to see whether it works. The last twenty of a channel stay. */
export interface ChannelTestTable {
  id: string;
  /** Its name. */
  channel: string;
  at: number;
  model: string;
  upstream_model: string;
  protocol: ProtocolName;
  succeeded: number;
  status: number | null;
  first_byte_ms: number | null;
  total_ms: number;
  /** What the model said. */
  text: string;
  /** What went wrong: a fault of the connection, or the kind of the upstream's error. */
  problem: string | null;
  message: string | null;
}

/** The tables of this file by name. */
export interface ChannelsSchema {
  channel: ChannelTable;
  routing_rule: RoutingRuleTable;
  channel_test: ChannelTestTable;
}
