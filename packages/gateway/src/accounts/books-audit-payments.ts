import { sql } from "kysely";
import { type BooksCheck, exact, type Finding } from "./books-audit-check.ts";

/** What must hold of money that came in. */
export function paymentChecks(): BooksCheck[] {
  return [
    {
      invariant: "I4",
      title: "every redeemed code has its line, and every such line its code",
      finds: sql<Finding>`
        select c.id as code, e.id as entry, ${exact("c.amount")} as worth, ${exact("e.amount")} as line
        from redemption_code c left join ledger_entry e on e.kind = 'redemption' and e.reference = c.id
        where (c.redeemed_at is not null and e.id is null) or (c.redeemed_at is null and e.id is not null)
          or e.amount <> c.amount or e.account_id is distinct from c.redeemed_by and e.id is not null
        union all
        select null, e.id, null, ${exact("e.amount")} from ledger_entry e
        where e.kind = 'redemption' and not exists (select 1 from redemption_code c where c.id = e.reference)`,
    },
    {
      invariant: "I4",
      title: "every paid order has its line, and every such line its order",
      finds: sql<Finding>`
        select o.id as payment_order, e.id as entry, ${exact("o.credit")} as credit, ${exact("e.amount")} as line
        from payment_order o left join ledger_entry e on e.kind = 'payment' and e.reference = o.id
        where (o.state = 'paid' and e.id is null) or (o.state <> 'paid' and e.id is not null)
          or e.amount <> o.credit or e.account_id <> o.account_id
        union all
        select null, e.id, null, ${exact("e.amount")} from ledger_entry e
        where e.kind = 'payment' and not exists (select 1 from payment_order o where o.id = e.reference)`,
    },
    {
      invariant: "I4",
      title: "no call is refunded more than it was charged",
      // A refund's reference is refund:<call>:<number>.
      finds: sql<Finding>`
        select r.call, cast(r.refunded as text) as refunded, ${exact("e.amount")} as charge
        from (
          select account_id, substr(rtrim(reference, '0123456789'), 8, length(rtrim(reference, '0123456789')) - 8) as call,
            sum(amount) as refunded
          from ledger_entry where kind = 'refund' and reference is not null group by 1, 2) r
        left join ledger_entry e on e.call_id = r.call and e.kind = 'charge' and e.account_id = r.account_id
        where e.id is null or r.refunded > -e.amount`,
    },
  ];
}
