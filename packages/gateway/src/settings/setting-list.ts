import type { z } from "zod";
import { callsSchema, contentLoggingSettings } from "../config/calls-schema.ts";
import type { Config } from "../config/config.ts";
import { showDuration, showSize } from "../config/quantity.ts";
import { billing, limits, upstream } from "../config/schema.ts";
import { consoleSchema, signInSchema } from "../config/sign-in-schema.ts";
import { storedResponsesSchema } from "../config/stored-responses-schema.ts";

/** The part of the configuration that may change while the gateway runs, with what its readers want beside it. */
export type LiveConfig = Pick<
  Config,
  | "server"
  | "limits"
  | "upstream"
  | "record"
  | "billing"
  | "calls"
  | "contentLogging"
  | "storedResponses"
  | "signIn"
  | "console"
>;

type SettingGroup =
  | "limits"
  | "billing"
  | "upstream"
  | "calls"
  | "content_logging"
  | "stored_responses"
  | "sign_in"
  | "console";

/** How a value is written: `duration` as `10s`, `size` as `32MiB`, the others as JSON has them. */
type SettingKind = "duration" | "size" | "count" | "flag" | "choice" | "text";

/** As the file spells it. */
export type SettingValue = string | number | boolean;

/** One value of the configuration that operators may set in the console. */
export interface SettingDefinition {
  /** The path in the configuration file: `calls.retention`. */
  name: string;
  group: SettingGroup;
  kind: SettingKind;
  /** For a choice: what there is to choose from. */
  choices: readonly string[];
  /** The bounds as the file spells them; null where there are none. */
  least: string | null;
  most: string | null;
  /** The schema of the file. */
  schema: z.ZodType;
  /** The value in a configuration, as the file spells it. */
  show(config: LiveConfig): SettingValue;
  /** The configuration with another value, which is one of the schema's output. */
  apply(config: LiveConfig, value: unknown): LiveConfig;
}

type Shape<Section extends keyof LiveConfig> = {
  [Field in keyof LiveConfig[Section]]: { section: Section; field: Field };
}[keyof LiveConfig[Section]];
type Place = { [Section in keyof LiveConfig]: Shape<Section> }[keyof LiveConfig];

function define(name: string, kind: SettingKind, place: Place, schema: z.ZodType, choices: readonly string[] = []) {
  const meta = schema.meta();
  const bound = (value: unknown) => (typeof value === "string" ? value : null);
  const read = (config: LiveConfig): unknown => new Map(Object.entries(config[place.section])).get(place.field);
  const definition: SettingDefinition = {
    name,
    // The first step of a path is its group: the list below is all there is.
    group: name.slice(0, name.indexOf(".")) as SettingGroup,
    kind,
    choices,
    least: bound(meta?.min),
    most: bound(meta?.max),
    schema,
    show: (config) => spelt(kind, read(config)),
    apply: (config, value) => ({ ...config, [place.section]: { ...config[place.section], [place.field]: value } }),
  };
  return definition;
}

function spelt(kind: SettingKind, value: unknown): SettingValue {
  if (kind === "duration") return showDuration(Number(value));
  if (kind === "size") return showSize(Number(value));
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}

const keyLimits = { section: "limits" } as const;
const times = { section: "upstream" } as const;
const { requests_per_minute, tokens_per_minute, concurrency } = limits.shape;
const { first_byte_stream, first_byte_other, idle, total_stream, total_other } = upstream.shape;
const content = contentLoggingSettings.shape;
const stored = storedResponsesSchema.shape;

/** Every setting, in the order in which it is shown. */
export const settingList: readonly SettingDefinition[] = [
  define("limits.requests_per_minute", "count", { ...keyLimits, field: "requestsPerMinute" }, requests_per_minute),
  define("limits.tokens_per_minute", "count", { ...keyLimits, field: "tokensPerMinute" }, tokens_per_minute),
  define("limits.concurrency", "count", { ...keyLimits, field: "concurrency" }, concurrency),
  define("billing.unpriced", "choice", { section: "billing", field: "unpriced" }, billing.shape.unpriced, [
    "allow",
    "postpaid_only",
    "refuse",
  ]),
  define(
    "billing.on_disconnect",
    "choice",
    { section: "billing", field: "onDisconnect" },
    billing.shape.on_disconnect,
    ["received", "drain", "free"],
  ),
  define(
    "billing.assumed_output",
    "count",
    { section: "billing", field: "assumedOutputTokens" },
    billing.shape.assumed_output,
  ),
  define("upstream.first_byte_stream", "duration", { ...times, field: "firstByteStreamMs" }, first_byte_stream),
  define("upstream.first_byte_other", "duration", { ...times, field: "firstByteOtherMs" }, first_byte_other),
  define("upstream.idle", "duration", { ...times, field: "idleMs" }, idle),
  define("upstream.total_stream", "duration", { ...times, field: "totalStreamMs" }, total_stream),
  define("upstream.total_other", "duration", { ...times, field: "totalOtherMs" }, total_other),
  define("calls.retention", "duration", { section: "calls", field: "retentionMs" }, callsSchema.shape.retention),
  define("content_logging.enabled", "flag", { section: "contentLogging", field: "enabled" }, content.enabled),
  define(
    "content_logging.retention",
    "duration",
    { section: "contentLogging", field: "retentionMs" },
    content.retention,
  ),
  define("content_logging.max_bytes", "size", { section: "contentLogging", field: "maxBytes" }, content.max_bytes),
  define("stored_responses.keep", "choice", { section: "storedResponses", field: "keep" }, stored.keep, [
    "asked",
    "default",
    "never",
  ]),
  define("stored_responses.ttl", "duration", { section: "storedResponses", field: "ttlMs" }, stored.ttl),
  define("stored_responses.max_bytes", "size", { section: "storedResponses", field: "maxBytes" }, stored.max_bytes),
  define("sign_in.password", "flag", { section: "signIn", field: "password" }, signInSchema.shape.password),
  define(
    "sign_in.operator_two_factor",
    "flag",
    { section: "signIn", field: "operatorTwoFactor" },
    signInSchema.shape.operator_two_factor,
  ),
  define("console.notice", "text", { section: "console", field: "notice" }, consoleSchema.shape.notice),
];
