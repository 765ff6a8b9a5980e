import { firstTokenBuckets } from "../../packages/gateway/src/calls/first-token-buckets.ts";
import type { BulkLoad } from "./bulk-load.ts";

/** Makes the hourly sums of all calls that are there, as each call adds itself to them. */
export function sumUpHours(load: BulkLoad): void {
  let above = -1;
  const waits = firstTokenBuckets.map(({ upTo }) => {
    const upper = Number.isFinite(upTo) ? ` and first_token_ms <= ${upTo}` : "";
    const counted = `sum(case when first_token_ms > ${above}${upper} then 1 else 0 end)`;
    above = upTo;
    return counted;
  });
  load.run(`
    insert into usage_hour (account_id, access_key_id, hour, model, channel, client_protocol, calls, succeeded,
      input_uncached, input_cache_read, input_cache_write, output_total, output_reasoning, charge, overrun, duration_ms,
      ${firstTokenBuckets.map(({ column }) => column).join(", ")})
    select account_id, access_key_id, started_at - started_at % 3600000, coalesce(model, ''), coalesce(channel, ''),
      client_protocol, count(*), sum(case when outcome = 'succeeded' then 1 else 0 end), sum(coalesce(input_uncached, 0)),
      sum(coalesce(input_cache_read, 0)), sum(coalesce(input_cache_write, 0)), sum(coalesce(output_total, 0)),
      sum(coalesce(output_reasoning, 0)), sum(charge), sum(overrun), sum(cast(floor(coalesce(end_ms, 0) + 0.5) as integer)),
      ${waits.join(", ")}
    from call group by 1, 2, 3, 4, 5, 6 order by 3`);
}
