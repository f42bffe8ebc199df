import { sql } from 'kysely';
import type { Check } from './orderAudit.sql.ts';

/** The checks of what the card network keeps, and of what cardholders contest. */
export const CARD_CHECKS: readonly Check[] = [
  {
    name: 'card fees match entries',
    query: sql`with fees as (
        select e.order_id, sum(l.amount) filter (where l.account = 'card-fees') as fee,
          bool_and(l.account = 'card-fees' or l.account = 'card-clearing' and l.party = p.bud_id) as is_right
        from ledger_entries e join ledger_lines l on l.entry_id = e.id left join payments p on p.order_id = e.order_id
        where e.kind = 'card-fee' group by e.order_id)
      select format('order %s: the fee of its card is %s cents, but the ledger says %s', coalesce(p.order_id, f.order_id),
        coalesce(p.card_fee, 0), coalesce(f.fee, 0)) as what
      from (select * from payments where card_fee is not null) p full join fees f on f.order_id = p.order_id
      where coalesce(p.card_fee, 0) <> coalesce(f.fee, 0) or not coalesce(f.is_right, true)`,
  },
  {
    name: 'chargebacks match entries',
    query: sql`with expected as (
        select d.debit_entry as id, 'disputed' as kind, d.order_id, l.account, l.party, l.amount
        from disputes d join payments p on p.order_id = d.order_id
          cross join lateral (values ('disputes', null, d.cents), ('card-clearing', p.bud_id, -d.cents)) l (account, party, amount)
        where d.debit_entry is not null
        union all select d.end_entry, 'dispute-' || d.status, d.order_id, l.account, l.party, l.amount
        from disputes d join payments p on p.order_id = d.order_id
          cross join lateral (values ('disputes', null, -d.cents),
            (case when d.status = 'won' then 'card-clearing' else coalesce(d.liable_account, 'refund-costs') end,
              case when d.status = 'won' then p.bud_id else d.liable_user end, d.cents)) l (account, party, amount)
        where d.end_entry is not null),
      actual as (
        select e.id, e.kind, e.order_id, l.account, l.party, l.amount
        from ledger_entries e join ledger_lines l on l.entry_id = e.id
        where e.kind in ('disputed', 'dispute-won', 'dispute-lost')),
      wrong as (
        (select 'should have' as how, * from (select * from expected except all select * from actual) missing)
        union all (select 'should not have' as how, * from (select * from actual except all select * from expected) extra))
      select format('entry %s (%s) of order %s %s %s cents on %s', id, kind, order_id, how, amount, account) as what from wrong
      union all select format('chargeback %s is %s, but the ledger does not say how it ended', id, status) from disputes
      where (ended_at is not null and debit_entry is not null) <> (end_entry is not null)`,
  },
];
