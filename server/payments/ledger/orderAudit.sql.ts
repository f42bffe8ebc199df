import { type RawBuilder, sql } from 'kysely';
import { ENDED_STATUSES } from '../../../domain/deliveries.ts';
import { literals } from '../../db/columns.sql.ts';
import { CENTS_AT_COMPLETION, centsOf } from '../../db/orderLines.sql.ts';

// Raw SQL: every check compares whole tables and formats its findings, which the builder would only obscure.
export type Check = { readonly name: string; readonly query: RawBuilder<unknown> };

/** The line `l` is of the price of an order: the fees and chargebacks of its card are in CARD_CHECKS. */
const IS_ORDER_MONEY = sql`l.kind not in ('card-fee', 'disputed', 'dispute-won', 'dispute-lost')`;

/**
 * Each order's payment, with the sums of its lines that the checks need. `debits` are what refunds took besides `unearned`,
 * `borne` the refunds that somebody
 * bears, `price` what the order costs once it is weighed.
 */
const MONEY = sql`money as (
  select p.order_id, p.state, p.amount, p.discount, p.amount - p.reduced as price, p.refunded, o.status,
    o.status in ('Cancelled', 'Rejected', 'Completed') and not exists (select from deliveries d
      where d.order_id = o.id and d.status not in (${literals(ENDED_STATUSES)})) as is_ended,
    (select coalesce(sum(r.amount), 0) from refunds r
      where r.order_id = o.id and r.state = 'refunded' and r.liable <> 'nobody') as borne,
    exists (select from refunds r where r.order_id = o.id and r.state in ('asking', 'pending', 'stuck')) as is_refunding,
    coalesce(l.cards, 0) as cards, coalesce(l.unearned, 0) as unearned, coalesce(l.taxes, 0) as taxes,
    coalesce(l.debits, 0) - (select coalesce(sum(s.cents - s.from_order), 0) from earnings s
      where s.order_id = o.id and s.entry_id is not null and s.undone_at is null) as debits
  from payments p join orders o on o.id = p.order_id
  left join (
    select e.order_id, sum(l.amount) filter (where l.account = 'card-clearing' and ${IS_ORDER_MONEY}) as cards,
      sum(l.amount) filter (where l.account = 'unearned') as unearned,
      sum(l.amount) filter (where l.account = 'taxes-payable') as taxes,
      sum(l.amount) filter (where l.account in ('taxes-payable', 'refund-costs', 'scrub', 'duber')
        and ${IS_ORDER_MONEY}
        and case l.kind when 'adjusted' then true when 'held' then false when 'corrected' then l.amount < 0
          else l.amount > 0 end) as debits
    from ledger_entries e join ledger_lines l on l.entry_id = e.id where e.order_id is not null group by e.order_id
  ) l on l.order_id = p.order_id)`;

/** What each account must have once an order with refunds has ended, unless everything was refunded. */
const EXPECTED_SUMS = sql`
  select o.id as order_id, s.account, s.party, s.amount from orders o cross join lateral (values
    ('scrub', o.scrub_id, -${centsOf('scrub')}), ('platform-revenue', null, -${centsOf('platform')}),
    ('taxes-payable', null, -${centsOf('state')})
  ) as s (account, party, amount) where o.status = 'Completed'
  union all select d.order_id, 'duber', d.duber_id, -d.price from deliveries d
    where d.status = 'Delivered' and not exists (select from earnings s where s.delivery_id = d.id)
  union all select p.order_id, s.account, s.party, s.amount from earnings p cross join lateral (values
    ('duber', p.duber_id, -p.cents),
    (case when p.bearer_id is null then 'refund-costs' else 'scrub' end, p.bearer_id, p.cents - p.from_order)
  ) as s (account, party, amount) where p.undone_at is null
  union all select r.order_id, s.account, s.party, s.amount from refunds r cross join lateral (values
    (case r.liable when 'platform' then 'refund-costs' else r.liable end, r.liable_user, r.amount + r.discount - r.taxes - r.forgiven),
    ('refund-costs', null, r.forgiven),
    ('taxes-payable', null, r.taxes)
  ) as s (account, party, amount) where r.state = 'refunded' and r.liable <> 'nobody'
  union all select r.order_id, 'platform-revenue', null, -r.amount from refunds r
    where r.state = 'dropped' and r.liable = 'nobody'`;

/** The earned part of the price of order `m`. */
const EARNED = sql`(select ${CENTS_AT_COMPLETION} + coalesce((select sum(s.from_order) from earnings s
    where s.order_id = o.id and s.undone_at is null), 0) + coalesce((select sum(d.price) from deliveries d
    where d.order_id = o.id and d.status = 'Delivered' and not exists (select from earnings s where s.delivery_id = d.id)), 0)
  from orders o where o.id = m.order_id)`;
/** Whether all of its price went back, and its refunds are more than was earned: the rest of them is what nobody has earned. */
const IS_WHOLLY_RETURNED = sql`(m.refunded >= m.price and (select sum(r.amount + r.discount) from refunds r
    where r.order_id = m.order_id and r.state = 'refunded' and r.liable <> 'nobody') > ${EARNED})`;

/** The checks of each order's money as a whole: refunds and earnings depend on what the order has left. */
export const ORDER_CHECKS: readonly Check[] = [
  {
    name: 'orders have what was captured and not refunded',
    query: sql`with ${MONEY} select format('order %s: %s cents captured and %s refunded, but %s on card-clearing', order_id,
        amount, refunded, cards) as what
      from money where state = 'captured' and cards <> amount - refunded`,
  },
  {
    name: 'refunds and earnings take no more than was unearned',
    query: sql`with ${MONEY} select format('order %s: unearned is %s cents, and must be from %s to 0', order_id, unearned,
        -amount - discount) as what
      from money where state = 'captured' and unearned not between -amount - discount and 0`,
  },
  {
    name: 'refunds give back no more taxes than are owed',
    query: sql`with ${MONEY} select format('order %s: taxes-payable is %s cents, and must not be above 0', order_id,
        taxes) as what
      from money where taxes > 0`,
  },
  {
    name: 'refunds take what is unearned first',
    query: sql`with ${MONEY} select format('order %s: refunds took %s cents from others, although %s are unearned', order_id,
        debits, -unearned) as what
      from money where state = 'captured' and not is_refunding and unearned < 0 and debits > 0`,
  },
  {
    name: 'nothing is left unearned of an order that has ended',
    query: sql`with ${MONEY} select format('order %s is %s and all its money work is done, but unearned is %s cents', order_id,
        status, unearned) as what
      from money where is_ended and not is_refunding and state in ('captured', 'voided') and unearned <> 0`,
  },
  {
    name: 'nobody earns from an order that was refunded before',
    query: sql`with ${MONEY}, refunded as (
        select m.order_id, max(e.id) as last from money m join refunds r on r.order_id = m.order_id
          join ledger_entries e on e.refund_id = r.id
        where m.state = 'captured' and m.borne = m.price group by m.order_id)
      select format('order %s was refunded as a whole, but %s has earned %s cents since', f.order_id, l.party,
        -sum(l.amount + coalesce(p.cents - p.from_order, 0))) as what
      from refunded f join ledger_entries e on e.order_id = f.order_id and e.id > f.last
        join ledger_lines l on l.entry_id = e.id and l.account in ('scrub', 'duber')
          and case when e.kind = 'adjusted' then l.amount > 0 else e.kind not in ('corrected', 'held') and l.amount < 0 end
        left join earnings p on p.entry_id = e.id
      group by f.order_id, l.party having sum(l.amount + coalesce(p.cents - p.from_order, 0)) < 0`,
  },
  {
    name: 'everyone has earned their price less the refunds they are liable for',
    query: sql`with ${MONEY}, done as (
        select m.order_id from money m where m.state = 'captured' and m.is_ended and m.status = 'Completed'
          and not m.is_refunding and m.borne < m.price and exists (select from refunds r where r.order_id = m.order_id)
          and ${IS_WHOLLY_RETURNED} is not true),
      wrong as (
        select order_id, account, party, sum(expected)::int as expected, sum(actual)::int as actual from (
          select s.order_id, s.account, s.party, s.amount as expected, 0 as actual
            from (${EXPECTED_SUMS}) s join done using (order_id)
          union all select e.order_id, l.account, l.party, 0, l.amount
            from ledger_entries e join done using (order_id) join ledger_lines l on l.entry_id = e.id
            where l.account not in ('card-clearing', 'promotions', 'unearned') and ${IS_ORDER_MONEY}
        ) lines group by order_id, account, party having sum(expected) <> sum(actual))
      select format('order %s: %s%s has %s cents instead of %s', order_id, account, coalesce(':' || party::text, ''), actual,
        expected) as what from wrong`,
  },
];
