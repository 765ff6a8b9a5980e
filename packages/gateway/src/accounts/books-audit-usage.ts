import { sql } from "kysely";
import type { CheckBounds } from "./books-audit-bounds.ts";
import type { BooksCheck, Finding } from "./books-audit-check.ts";

const hourMs = 3_600_000;

/** What each sum of an hour adds up of a call. */
const shares = {
  calls: sql`1`,
  succeeded: sql`case when outcome = 'succeeded' then 1 else 0 end`,
  // What provider-run tools gave to read is priced as other input.
  input_uncached: sql`coalesce(input_uncached, 0) + coalesce(input_tool_prompt, 0)`,
  input_cache_read: sql`coalesce(input_cache_read, 0)`,
  input_cache_write: sql`coalesce(input_cache_write, 0) + coalesce(input_cache_write_5m, 0) + coalesce(input_cache_write_1h, 0)`,
  output_total: sql`coalesce(output_total, 0)`,
  output_reasoning: sql`coalesce(output_reasoning, 0)`,
  charge: sql`charge`,
  overrun: sql`overrun`,
  duration_ms: sql`cast(floor(coalesce(end_ms, 0) + 0.5) as bigint)`,
  first_tokens: sql`case when first_token_ms is null then 0 else 1 end`,
};

/** Waits for the first token are counted in classes; here all of them together. */
const classes = ["100", "200", "400", "800", "1600", "3200", "6400", "12800", "25600", "51200", "beyond"];
const firstTokens = sql.join(
  classes.map((name) => sql.ref(`first_token_${name}`)),
  sql` + `,
);

/** The sums of hours of which every call is kept. */
export function usageCheck({ callsFrom, upgradedAt }: CheckBounds): BooksCheck {
  const from = Math.ceil(Math.max(callsFrom, upgradedAt) / hourMs) * hourMs;
  const names = Object.keys(shares);
  const kept = names.map((name) => (name === "first_tokens" ? sql`${firstTokens}` : sql.ref(name)));
  const keys = sql`account_id, access_key_id, hour, model, channel, client_protocol`;
  return {
    invariant: "M14",
    title: "the sums of an hour are those of its calls",
    finds: sql<Finding>`
      select ${keys}, ${sql.join(names.map((name) => sql`cast(sum(${sql.ref(name)}) as text) as ${sql.ref(name)}`))}
      from (
        select account_id, access_key_id, started_at - started_at % ${sql.lit(hourMs)} as hour,
          coalesce(model, '') as model, coalesce(channel, '') as channel, client_protocol,
          ${sql.join(Object.entries(shares).map(([name, share]) => sql`-(${share}) as ${sql.ref(name)}`))}
        from call where started_at >= ${from}
        union all
        select ${keys}, ${sql.join(kept)} from usage_hour where hour >= ${from}) as parts
      group by ${keys}
      having ${sql.join(
        names.map((name) => sql`sum(${sql.ref(name)}) <> 0`),
        sql` or `,
      )}`,
  };
}
