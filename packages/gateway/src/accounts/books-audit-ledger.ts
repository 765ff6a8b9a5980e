import { type RawBuilder, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { databaseTime } from "../storage/database-time.ts";
import { type CheckBounds, ownerlessMs } from "./books-audit-bounds.ts";
import { type BooksCheck, exact, type Finding } from "./books-audit-check.ts";

/** What must hold of balances, quotas, reservations and the lines of the ledger. */
export function ledgerChecks(engine: Database["engine"], bounds: CheckBounds): BooksCheck[] {
  const { readNow } = databaseTime(engine);
  return [
    {
      invariant: "I3",
      title: "a call has at most one line of each kind",
      finds: sql<Finding>`
        select call_id as call, kind, count(*) as lines from ledger_entry
        where call_id is not null group by call_id, kind having count(*) > 1`,
    },
    {
      invariant: "I3",
      title: "every charge line has its call, of the same amount",
      finds: sql<Finding>`
        select e.id as entry, e.call_id as call, ${exact("e.amount")} as line, ${exact("c.charge")} as charge
        from ledger_entry e left join call c on c.id = e.call_id
        where e.kind = 'charge' and (
          (c.id is null and (e.call_id is null or e.at >= ${bounds.callsFrom}))
          or c.charge <> -e.amount or c.account_id <> e.account_id
          or (c.id is not null and c.access_key_id is distinct from e.access_key_id))`,
    },
    {
      invariant: "I3",
      title: "every charged call has its line",
      finds: sql<Finding>`
        select c.id as call, ${exact("c.charge")} as charge from call c
        where c.charge > 0 and not exists (
          select 1 from ledger_entry e where e.call_id = c.id and e.kind = 'charge')`,
    },
    {
      invariant: "I4",
      title: "a balance is the sum of its lines",
      finds: sql<Finding>`
        select a.id as account, ${exact("a.balance")} as balance, cast(coalesce(l.total, 0) as text) as lines
        from account a left join (
          select account_id, sum(amount) as total from ledger_entry group by account_id) l on l.account_id = a.id
        where a.balance <> coalesce(l.total, 0)`,
    },
    {
      invariant: "I4",
      title: "what an account has set aside is the sum of its open reservations",
      finds: sql<Finding>`
        select a.id as account, ${exact("a.reserved")} as reserved, cast(coalesce(r.total, 0) as text) as open
        from account a left join (
          select account_id, sum(amount) as total from reservation where state = 'open' group by account_id) r
          on r.account_id = a.id
        where a.reserved <> coalesce(r.total, 0)`,
    },
    {
      invariant: "I4",
      title: "what a key has used and set aside of a window is the sum of its charges and open reservations",
      finds: sql<Finding>`
        select access_key_id as access_key, quota_window, cast(sum(used) as text) as used_too_much,
          cast(sum(reserved) as text) as reserved_too_much
        from (
          select access_key_id, quota_window, used, reserved from quota_usage
          union all
          select access_key_id, quota_window, sum(amount), 0 from ledger_entry
            where kind = 'charge' and quota_window is not null group by access_key_id, quota_window
          union all
          select access_key_id, quota_window, 0, -sum(amount) from reservation
            where state = 'open' and quota_window is not null group by access_key_id, quota_window) as parts
        group by access_key_id, quota_window having sum(used) <> 0 or sum(reserved) <> 0`,
    },
    {
      invariant: "I5",
      title: "a prepaid account covers what is set aside",
      finds: sql<Finding>`
        select id as account, ${exact("balance")} as balance, ${exact("reserved")} as reserved from account
        where reserved < 0 or (billing = 'prepaid' and balance < reserved)`,
    },
    {
      invariant: "I5",
      title: "no quota is exceeded",
      // A quota that was made smaller may be exceeded lawfully.
      finds: sql<Finding>`
        select u.access_key_id as access_key, u.quota_window, ${exact("u.used")} as used,
          ${exact("u.reserved")} as reserved, ${exact("k.quota")} as quota
        from quota_usage u join access_key k on k.id = u.access_key_id
        where u.used + u.reserved > k.quota and length(u.quota_window) = case k.quota_period
            when 'total' then 5 when 'month' then 7 when 'week' then 8 when 'day' then 10 end
          and not exists (select 1 from audit_event a where a.target_kind = 'access_key' and a.target_id = k.id
            and (a.detail like '%"quota_before"%' or a.detail like '%"quota_period_before"%'))`,
    },
    {
      invariant: "I7",
      title: "no reservation is left open by a gateway that is gone for a minute",
      finds: bounds.gatewayRuns
        ? unownedReservations(readNow)
        : sql<Finding>`select call_id as call from reservation where false`,
    },
  ];
}

/** Open reservations whose gateway has given no sign of life for a minute. */
export function unownedReservations(now: RawBuilder<number>): RawBuilder<Finding> {
  return sql<Finding>`
    select r.call_id as call, r.account_id as account, r.instance_id as instance, ${exact("r.amount")} as amount
    from reservation r left join instance i on i.id = r.instance_id
    where r.state = 'open' and r.created_at < ${now} - ${sql.lit(ownerlessMs)}
      and (i.id is null or i.heartbeat_at < ${now} - ${sql.lit(ownerlessMs)})`;
}
