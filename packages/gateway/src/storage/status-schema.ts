import type { Generated } from "kysely";

/**
 * What calls tell of a channel and a model in an hour or a day of UTC, as far as the upstream answers for it. Made from
 * `call` and `attempt`; whoever is at fault is decided in `status/attempt-verdict.ts`.
 */
interface AvailabilityTable {
  span: "hour" | "day";
  /** The begin, unix milliseconds. */
  time: number;
  /** Empty: the calls to the model as callers saw them, whichever channel answered in the end. */
  channel: string;
  /** A published name: there are no more of them than entries in the channels' lists. */
  model: string;
  /** Those that tell something: good answers and the upstream's faults. */
  attempts: number;
  faults: number;
  /** Good streaming answers that let wait long for their first token. */
  slow: number;
  /** Tokens of good streaming answers, and the milliseconds from their first token to the last. */
  output_tokens: number;
  output_ms: number;
  /** Good streaming answers by how long their first token let wait, as in `usage_hour`. */
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

interface AvailabilityStateTable {
  id: 1;
  /** Hours before this are summed up for good. */
  closed_until: number;
}

export type IncidentSeverity = "maintenance" | "minor" | "major" | "critical";

/** What operators tell everybody of a disturbance. */
export interface IncidentTable {
  id: string;
  title: string;
  /** Plain text. */
  body: string;
  severity: IncidentSeverity;
  /** JSON lists of names. */
  channels: string;
  models: string;
  started_at: number;
  resolved_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface IncidentUpdateTable {
  id: string;
  incident_id: string;
  at: number;
  /** Plain text. */
  body: string;
  /** 1: it tells that the incident is over. */
  resolves: number;
}

/** The tables behind the public pages. */
export interface StatusSchema {
  availability: AvailabilityTable;
  availability_state: AvailabilityStateTable;
  incident: IncidentTable;
  incident_update: IncidentUpdateTable;
}
