import { type RawBuilder, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import type { CheckBounds } from "./books-audit-bounds.ts";
import { type BooksCheck, exact, type Finding } from "./books-audit-check.ts";

/** What must hold of call records, their attempts and the reservations that they come from. */
export function callChecks(engine: Database["engine"], bounds: CheckBounds): BooksCheck[] {
  return [
    {
      invariant: "I1",
      title: "every ended reservation has its call record",
      finds: sql<Finding>`
        select r.call_id as call, r.state from reservation r
        where r.state <> 'open' and r.started_at >= ${bounds.callsFrom}
          and not exists (select 1 from call c where c.id = r.call_id)`,
    },
    {
      invariant: "I1",
      title: "no call is recorded before its reservation has ended",
      finds: sql<Finding>`
        select r.call_id as call, r.state from reservation r
        where r.state = 'open' and exists (select 1 from call c where c.id = r.call_id)`,
    },
    {
      invariant: "I2",
      title: "every charged call had money set aside",
      finds: sql<Finding>`
        select c.id as call, ${exact("c.charge")} as charge from call c
        where c.charge > 0 and c.started_at >= ${bounds.reservationsFrom}
          and not exists (select 1 from reservation r where r.call_id = c.id)`,
    },
    {
      invariant: "I2",
      title: "a call and its reservation tell the same",
      // Where the acknowledgement of a reservation was lost, the call was refused and recorded as one without money: what
      // was set aside is given back (relay/recovery.ts).
      finds: sql<Finding>`
        select c.id as call, ${exact("c.reserved")} as recorded, ${exact("r.amount")} as reserved,
          c.account_id as account, r.account_id as reserved_account
        from reservation r join call c on c.id = r.call_id
        where (c.reserved <> r.amount and not (r.state = 'voided' and c.reserved = 0 and c.charge = 0))
          or c.account_id <> r.account_id or c.access_key_id <> r.access_key_id
          or (r.state = 'voided' and c.charge <> 0)`,
    },
    {
      invariant: "I6",
      title: "a charge is at least nothing and at most what was set aside",
      finds: sql<Finding>`
        select c.id as call, ${exact("c.charge")} as charge, ${exact("c.reserved")} as reserved from call c
        where c.charge < 0 or c.charge > c.reserved or c.overrun < 0`,
    },
    {
      invariant: "I6",
      title: "the lines of a price add up to the charge",
      // The charge of an interrupted call is the sum that its last checkpoint noted, without lines.
      finds: sql<Finding>`
        select call, charge, lines from (
          select c.id as call, ${exact("c.charge")} as charge, c.charge as charged, ${sumOfLines(engine)} as lines
          from call c where (c.charge <> 0 or c.price_lines <> '[]') and c.outcome <> 'interrupted') as priced
        where charge <> cast(lines as text)`,
    },
    {
      invariant: "I9",
      title: "attempts are numbered from 1 on without a gap, and one of them gave the answer of a call that succeeded",
      finds: sql<Finding>`
        select c.id as call, c.outcome, coalesce(t.attempts, 0) as attempts, t.highest, coalesce(t.good, 0) as good
        from call c left join (
          select call_id, count(*) as attempts, min(number) as lowest, max(number) as highest,
            sum(case when error_kind is null then 1 else 0 end) as good
          from attempt group by call_id) t on t.call_id = c.id
        where c.started_at >= ${bounds.upgradedAt} and (t.lowest <> 1 or t.highest <> t.attempts or t.good > 1
          or (c.outcome = 'succeeded' and coalesce(t.good, 0) <> 1))`,
    },
    {
      invariant: "M18",
      title: "the prices that calls were charged by are kept",
      finds: sql<Finding>`
        select version as price_version, example as call from (
          select price_version as version, min(id) as example from call
            where price_version is not null group by price_version
          union all
          select price_version, min(call_id) from reservation where price_version is not null group by price_version
        ) as used
        where not exists (select 1 from price_version p where p.id = used.version)`,
    },
  ];
}

function sumOfLines(engine: Database["engine"]): RawBuilder<number> {
  switch (engine) {
    case "sqlite":
      return sql<number>`(
        select coalesce(sum(cast(json_extract(value, '$.amount') as integer)), 0) from json_each(c.price_lines))`;
    case "postgres":
      return sql<number>`(
        select coalesce(sum(cast(line ->> 'amount' as numeric)), 0)
        from json_array_elements(cast(c.price_lines as json)) as line)`;
  }
}
