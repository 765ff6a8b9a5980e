import { type DestinationStream, pino } from "pino";
import { redact } from "./redact.ts";

/**
 * The fields a log line may bear (S1). Everything else is dropped and counted: a new field is a decision made here.
 * None of them ever holds a prompt, an answer, a key, a header or a query string.
 */
export interface LogFields {
  account_id?: string;
  access_key_id?: string;
  access_key_name?: string;
  address?: string;
  attempt?: number;
  call_id?: string;
  channel?: string;
  client_protocol?: string;
  count?: number;
  database?: string;
  detail?: string;
  duration_ms?: number;
  error_code?: string;
  error_kind?: string;
  error_message?: string;
  error_name?: string;
  error_stack?: string;
  field?: string;
  file?: string;
  lane?: string;
  method?: string;
  model?: string;
  outcome?: string;
  /** Without the query. */
  path?: string;
  port?: number;
  reason?: string;
  request_id?: string;
  signal?: string;
  status?: number;
  stream?: boolean;
  upstream_model?: string;
  upstream_protocol?: string;
  version?: string;
}

const allowed: Record<keyof LogFields, true> = {
  account_id: true,
  access_key_id: true,
  access_key_name: true,
  address: true,
  attempt: true,
  call_id: true,
  channel: true,
  client_protocol: true,
  count: true,
  database: true,
  detail: true,
  duration_ms: true,
  error_code: true,
  error_kind: true,
  error_message: true,
  error_name: true,
  error_stack: true,
  field: true,
  file: true,
  lane: true,
  method: true,
  model: true,
  outcome: true,
  path: true,
  port: true,
  reason: true,
  request_id: true,
  signal: true,
  status: true,
  stream: true,
  upstream_model: true,
  upstream_protocol: true,
  version: true,
};

type LogLevel = "debug" | "info" | "warn" | "error";

/** The operator's log: one JSON object a line. `event` is a fixed sentence of ours, never built from a caller's data. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** How many fields were dropped since the start because they are not on the list. */
  droppedFields(): number;
}

/** Longest text of one field, in UTF-16 units; the rest is cut. */
const maxText = 1024;

export interface LogOptions {
  now: () => number;
  level?: LogLevel | "silent";
  /** Where lines go: standard error unless told otherwise. */
  destination?: DestinationStream;
}

/** Makes the log. Strings are cut at 1 KiB, secrets and query strings in them are masked, control characters escaped. */
export function createLog(options: LogOptions): Log {
  let dropped = 0;
  const sink = pino(
    {
      level: options.level ?? "info",
      base: null,
      timestamp: () => `,"time":"${new Date(options.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: "event",
    },
    options.destination ?? pino.destination({ fd: 2, sync: true }),
  );

  const write = (level: LogLevel, event: string, fields: LogFields | undefined) => {
    if (!sink.isLevelEnabled(level)) return;
    const kept: Record<string, string | number | boolean> = {};
    for (const [name, value] of Object.entries(fields ?? {})) {
      if (value === undefined) continue;
      const clean = Object.hasOwn(allowed, name) ? cleanValue(value) : undefined;
      if (clean === undefined) dropped += 1;
      else kept[name] = clean;
    }
    sink[level](kept, cleanText(event));
  };

  return {
    debug: (event, fields) => write("debug", event, fields),
    info: (event, fields) => write("info", event, fields),
    warn: (event, fields) => write("warn", event, fields),
    error: (event, fields) => write("error", event, fields),
    droppedFields: () => dropped,
  };
}

/** Only scalars are logged: an object could carry anything. */
function cleanValue(value: unknown): string | number | boolean | undefined {
  if (typeof value === "number" || typeof value === "boolean") return value;
  return typeof value === "string" ? cleanText(value) : undefined;
}

function cleanText(text: string): string {
  // Cut before redacting too: patterns then run over bounded text.
  const safe = redact(text.slice(0, 2 * maxText));
  return safe.length > maxText ? `${safe.slice(0, maxText)}…` : safe;
}
