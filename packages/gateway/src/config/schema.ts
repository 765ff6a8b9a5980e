import { z } from "zod";
import { accessKeySchema, addressRange } from "./access-key-schema.ts";
import { accountSchema } from "./account-schema.ts";
import { callsSchema, contentLoggingSchema } from "./calls-schema.ts";
import { capabilitySchema } from "./capability-schema.ts";
import { channelSchema } from "./channel-schema.ts";
import { highestLimit } from "./config.ts";
import { database } from "./database-schema.ts";
import { mediaSchema } from "./media-schema.ts";
import { outboundSchema } from "./outbound-schema.ts";
import { paymentsSchema } from "./payments-schema.ts";
import { priceSchema } from "./price-schema.ts";
import { count, duration, size } from "./quantity.ts";
import { redis } from "./redis-schema.ts";
import { consoleSchema, signInSchema } from "./sign-in-schema.ts";
import { statusSchema } from "./status-schema.ts";
import { storedResponsesSchema } from "./stored-responses-schema.ts";

const seconds = 1000;
const minutes = 60 * seconds;
const kib = 1024;
const mib = 1024 * kib;

const listen = z.string("must be a text such as 127.0.0.1:8080").transform((text, context) => {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+)):([0-9]{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || !(port <= 65_535)) {
    context.addIssue({ code: "custom", message: "must be host:port, such as 127.0.0.1:8080 or [::1]:8080" });
    return z.NEVER;
  }
  return { host, port };
});

const server = z.strictObject({
  headers_timeout: duration(10 * seconds),
  body_idle: duration(10 * seconds),
  body_total: duration(60 * seconds),
  keep_alive: duration(75 * seconds),
  max_connections: count(10_000),
  max_connections_per_address: count(500),
  ping_interval: duration(15 * seconds, { min: seconds }),
  trusted_proxies: z
    .array(addressRange, "must be a list of addresses")
    .max(1000, "must not hold more than 1000 addresses")
    .default([]),
});

export const limits = z.strictObject({
  header_bytes: size(16 * kib, { max: mib }),
  header_count: count(100),
  url_bytes: size(8 * kib, { max: mib }),
  body: size(32 * mib, { max: 512 * mib }),
  json_depth: count(64, { max: 512 }),
  json_values: count(200_000),
  sse_event: size(8 * mib, { max: 256 * mib }),
  stream_bytes: size(256 * mib),
  response_bytes: size(64 * mib, { max: 512 * mib }),
  stream_buffer_pause: size(256 * kib),
  requests_per_minute: count(600, { max: highestLimit }),
  tokens_per_minute: count(2_000_000, { max: highestLimit }),
  concurrency: count(100, { max: highestLimit }),
  redis_down: z.enum(["local", "deny", "allow"], { error: "must be local, deny or allow" }).default("local"),
});

export const upstream = z.strictObject({
  connect_timeout: duration(3 * seconds, { max: 10 * seconds }),
  first_byte_stream: duration(60 * seconds, { max: 15 * minutes }),
  first_byte_other: duration(300 * seconds, { max: 15 * minutes }),
  idle: duration(120 * seconds),
  total_stream: duration(60 * minutes),
  total_other: duration(15 * minutes),
});

const auth = z.strictObject({
  poll: duration(500, { min: 50, max: 1000 }),
  max_stale: duration(1 * seconds, { min: 100, max: 1000 }),
  failures_per_minute: count(20),
});

const drain = z.strictObject({
  delay: duration(5 * seconds, { min: 0 }),
  timeout: duration(120 * seconds, { min: 0 }),
});
export const billing = z.strictObject({
  on_disconnect: z
    .enum(["received", "drain", "free"], { error: "must be received, drain or free" })
    .default("received"),
  unpriced: z
    .enum(["allow", "postpaid_only", "refuse"], { error: "must be allow, postpaid_only or refuse" })
    .default("postpaid_only"),
  assumed_output: count(32_768, { max: 10_000_000 }),
});
const record = z.strictObject({ commit_timeout: duration(5 * seconds) });

/** The whole document (design.md 8), with the defaults of reliability.md 2. */
export const configSchema = z.strictObject({
  listen: listen.prefault("127.0.0.1:8080"),
  database: database.prefault("sqlite:data/interlingua.db"),
  redis: redis.optional(),
  sandbox: z.boolean("must be true or false").default(false),
  channels: z
    .array(channelSchema, "must be a list of channels")
    .max(10_000, "must not hold more than 10000 channels")
    .default([]),
  accounts: z.array(accountSchema, "must be a list of accounts").default([]),
  access_keys: z.array(accessKeySchema, "must be a list of access keys").default([]),
  prices: z.array(priceSchema, "must be a list of prices").max(10_000).default([]),
  capabilities: z.array(capabilitySchema, "must be a list of capabilities").max(1000).default([]),
  billing: billing.prefault({}),
  payments: paymentsSchema.prefault({}),
  server: server.prefault({}),
  limits: limits.prefault({}),
  upstream: upstream.prefault({}),
  outbound: outboundSchema.prefault({}),
  media: mediaSchema.prefault({}),
  auth: auth.prefault({}),
  drain: drain.prefault({}),
  record: record.prefault({}),
  calls: callsSchema.prefault({}),
  content_logging: contentLoggingSchema.prefault({}),
  stored_responses: storedResponsesSchema.prefault({}),
  console: consoleSchema.prefault({}),
  status: statusSchema.prefault({}),
  sign_in: signInSchema.prefault({}),
});

export type ConfigDocument = z.output<typeof configSchema>;
