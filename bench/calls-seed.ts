import { DatabaseSync } from "node:sqlite";
import type { DatabaseConfig } from "../packages/gateway/src/config/config.ts";
import { connectClient } from "../packages/gateway/src/storage/postgres/connections.ts";

/* A made-up past of 30 days: 1,000,000 calls of 400,000 access keys of 500 accounts, in SQL that both engines run. */

export const calls = 1_000_000;
const keys = 400_000;
const accounts = 500;
export const begin = Date.UTC(2026, 9, 1);
const spacing = 2592;
export const end = begin + calls * spacing;

/** The time of the call that is this far into the past. */
export const timeAt = (part: number) => begin + Math.floor(calls * part) * spacing;

/*
 * a, b, c: numbers below 1000 that have nothing to do with each other. Rare things come 10 times in all.
 * Key 0 has 5 % of the calls; account 1 has 20 %, account 2 has 1 %.
 */
const drawn = `
  select i, i * 2654435761 % 4294967296 / 4294968 as a, i * 1597334677 % 4294967296 / 4294968 as b,
    i * 3812015801 % 4294967296 / 4294968 as c, i * 2246822519 % 4294967296 as k
  from numbers`;

const keyed = `
  select i, a, b, c, case when b < 50 then 0 else k % ${keys} end as key from (${drawn}) as drawn`;

const accountOf = (key: string) =>
  `'acct_' || (case when ${key} % 1000 < 200 then 1 when ${key} % 1000 < 210 then 2 else 3 + ${key} % ${accounts - 2} end)`;

const insertCalls = `
insert into call (id, request_id, started_at, access_key_id, client_protocol, upstream_protocol, lane, channel, model,
  upstream_model, stream, status, outcome, error_kind, input_uncached, input_cache_read, output_total, output_reasoning,
  usage_estimated, notices, admission_ms, connect_ms, first_byte_ms, first_token_ms, end_ms, account_id, reserved, charge,
  overrun, price_version, price_lines, usage_disputed)
with recursive numbers(i) as (select cast(1 as bigint) union all select i + 1 from numbers where i < ${calls}),
  keyed as (${keyed})
select 'call_' || (1000000000 + i) || 'abcdefghjkmnpqrs', 'call_' || (1000000000 + i) || 'abcdefghjkmnpqrs',
  ${begin} + i * ${spacing}, 'key_' || key,
  case when i % 100000 = 53 then 'generate-content' when a < 500 then 'messages' when a < 800 then 'responses' else 'chat-completions' end,
  case when c < 600 then 'messages' else 'responses' end, case when c < 500 then 'direct' else 'converted' end,
  case when i % 100000 = 51 then 'rare-channel' else 'channel-' || (c % 6) end,
  case when i % 100000 = 50 then 'rare-model' when a < 300 then 'model-a' when a < 500 then 'model-b' else 'model-' || (a % 18) end,
  'upstream-' || (a % 18), case when b % 10 < 7 then 1 else 0 end,
  case when i % 100000 = 52 then 504 when c >= 970 then (case when i % 2 = 0 then 502 else 429 end) else 200 end,
  case when i % 100000 = 52 then 'failed' when c >= 970 then (case when i % 3 = 0 then 'client_closed' else 'failed' end) else 'succeeded' end,
  case when i % 100000 = 52 then 'timeout' when c >= 970 then 'upstream_bad' else null end,
  500 + k0, 4000 + k0, 200 + a, 0, 0,
  case when b % 10 = 9 then '[{"field":"top_k","verdict":"dropped","detail":"The upstream has no such setting."}]' else '[]' end,
  0.3, 2.5, 300.0 + a, 310.0 + a, 2000.0 + a * 10, ${accountOf("key")}, 10000000000,
  case when i % 100000 = 54 then 9000000000 else 1000000 + a * 1000 end, 0, 'price_1',
  '[{"class":"input","quantity":500,"price":"1000000000","amount":"500000"},{"class":"output","quantity":200,"price":"5000000000","amount":"1000000"}]', 0
from (select keyed.*, a * b % 1000 as k0 from keyed) as drawn_calls`;

const statements = [
  `insert into account (id, name, state, billing, balance, reserved, markup_ppm, created_at)
   with recursive numbers(i) as (select cast(1 as bigint) union all select i + 1 from numbers where i < ${accounts})
   select 'acct_' || i, 'account ' || i, 'active', 'postpaid', 0, 0, 1000000, 0 from numbers`,
  `insert into access_key (id, public_id, name, digest, pepper_version, state, origin, lossy, created_at, account_id)
   with recursive numbers(i) as (select cast(0 as bigint) union all select i + 1 from numbers where i < ${keys - 1})
   select 'key_' || i, 'public_' || i, 'key ' || i, (select digest from one_digest), 1, 'enabled', 'command', 'allow', 0, ${accountOf("i")} from numbers`,
  insertCalls,
  `insert into usage_hour (account_id, access_key_id, hour, model, channel, client_protocol, calls, succeeded, input_uncached,
     input_cache_read, input_cache_write, output_total, output_reasoning, charge, overrun, duration_ms, first_token_400, first_token_800, first_token_1600)
   select account_id, access_key_id, started_at - started_at % 3600000, model, channel, client_protocol, count(*),
     sum(case when outcome = 'succeeded' then 1 else 0 end), sum(input_uncached), sum(input_cache_read), 0, sum(output_total), 0,
     sum(charge), 0, cast(sum(end_ms) as bigint), sum(case when first_token_ms <= 400 then 1 else 0 end),
     sum(case when first_token_ms > 400 and first_token_ms <= 800 then 1 else 0 end), sum(case when first_token_ms > 800 then 1 else 0 end)
   from call group by 1, 2, 3, 4, 5, 6`,
  `insert into attempt (call_id, number, channel, upstream_protocol, upstream_model, lane, started_ms, status, possibly_billed)
   select id, 1, channel, upstream_protocol, upstream_model, lane, 0.3, 200, 0 from call`,
];

/** Fills an up-to-date, empty database. */
export async function seed(config: DatabaseConfig): Promise<void> {
  switch (config.kind) {
    case "sqlite": {
      const database = new DatabaseSync(config.path, { enableForeignKeyConstraints: false });
      database.exec("pragma synchronous = off; pragma cache_size = -500000");
      database.exec("create temp table one_digest as select zeroblob(32) as digest; begin");
      for (const statement of statements) database.exec(statement);
      database.exec("commit");
      database.close();
      return;
    }
    case "postgres": {
      const client = await connectClient(config.url);
      try {
        await fill(client);
      } finally {
        await client.end();
      }
    }
  }
}

async function fill(client: Awaited<ReturnType<typeof connectClient>>): Promise<void> {
  await client.query("set statement_timeout = 0; set session_replication_role = replica; set synchronous_commit = off");
  await client.query("create temp table one_digest as select decode(repeat('00', 32), 'hex') as digest");
  for (const statement of statements) await client.query(statement);
  // What the server does by itself in the minutes after.
  for (const table of ["call", "usage_hour", "access_key", "attempt"]) await client.query(`vacuum analyze ${table}`);
}
