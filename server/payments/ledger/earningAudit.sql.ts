import { type RawBuilder, sql } from 'kysely';
import { feeOfWay } from '../../db/orderLines.sql.ts';
import type { Check } from './orderAudit.sql.ts';
import { IS_HELD_LINE } from './pendingPayouts.sql.ts';

/** The entry `e` belongs to no earning: it is of another kind, or from a release before earnings. */
export const IS_WITHOUT_EARNING = sql`not exists (select from earnings s where s.entry_id = e.id)`;

/** Nobody earns from an order that is refunded as a whole, and the refund may have been dropped since. */
export const mayBeRefunded = (orderId: RawBuilder<unknown>) => sql`coalesce((select sum(r.amount) from refunds r
  where r.order_id = ${orderId}) >= (select p.amount from payments p where p.order_id = ${orderId}), false)`;

/** Each earning with the sums of its entry's lines. */
const PAID = sql`paid as (
  select s.*, e.kind as entry_kind, e.order_id as entry_order, e.delivery_id as entry_delivery,
    -- A Duber who bears a refund of the order has a debit beside it.
    (select coalesce(-sum(l.amount), 0) from ledger_lines l
      where l.entry_id = s.entry_id and l.account = 'duber' and l.party = s.duber_id and l.amount < 0) as credited,
    (select coalesce(sum(l.amount), 0) from ledger_lines l where l.entry_id = s.entry_id and l.account = 'unearned') as unearned,
    (select coalesce(sum(l.amount), 0) from ledger_lines l
      where l.entry_id = s.entry_id and l.party is not distinct from s.bearer_id
        and l.account = case when s.bearer_id is null then 'refund-costs' else 'scrub' end) as borne,
    exists (select from refunds r where r.order_id = s.order_id) as has_refunds,
    ${mayBeRefunded(sql`s.order_id`)} as may_be_refunded
  from earnings s left join ledger_entries e on e.id = s.entry_id)`;

/** The checks of what Dubers are paid, and of what is held. They accept deliveries of releases that did not know earnings. */
/** The price of the whole way of `deliveries d`: a relay lowers the price of the rest. */
const PRICE_OF_WAY = feeOfWay(sql`d.delivery_type`);

export const EARNING_CHECKS: readonly Check[] = [
  {
    name: 'earnings match entries',
    query: sql`with ${PAID} select format('the %s of delivery %s, attempt %s, is %s cents, but its entry has %s, of which %s were unearned',
        kind, delivery_id, attempt, cents, credited, unearned) as what
      from paid
      where entry_id is null and cents > 0 and not may_be_refunded
        or entry_id is not null and not (credited = cents or may_be_refunded and credited = cents - from_order)
        or unearned not between 0 and from_order or entry_id is not null and borne < cents - from_order
        or entry_id is not null and not has_refunds and (unearned <> from_order or borne <> cents - from_order)
      union all select format('the %s of delivery %s has entry %s of another kind, order or delivery', kind, delivery_id, entry_id)
      from paid where entry_kind <> case kind when 'leg' then 'delivered' when 'return' then 'returned'
          when 'relay' then 'relayed' else kind end
        or entry_order <> order_id or entry_delivery <> delivery_id
      union all select format('entry %s (%s) has no earning', e.id, e.kind) from ledger_entries e
      where e.kind in ('trip', 'returned', 'relayed') and ${IS_WITHOUT_EARNING}
        or e.kind = 'delivered' and ${IS_WITHOUT_EARNING} and exists (select from earnings s where s.delivery_id = e.delivery_id)
      union all select format('delivery %s: two entries say that it was delivered', e.delivery_id) from ledger_entries e
      where e.kind = 'delivered' and ${IS_WITHOUT_EARNING} group by e.delivery_id having count(*) > 1`,
  },
  {
    name: 'what was taken back has its contrary entry',
    query: sql`with wrong as (
        select s.delivery_id, s.attempt, s.kind, s.entry_id, s.undone_by from earnings s
        where s.undone_at is not null and s.entry_id is not null and (s.undone_by is null or exists (
          select from (
            select account, party, sum(amount) as amount from ledger_lines where entry_id in (s.entry_id, s.undone_by)
            group by account, party) l where l.amount <> 0))
          or s.undone_at is null and s.undone_by is not null or s.entry_id is null and s.undone_by is not null)
      select format('the %s of delivery %s, attempt %s: entry %s is not taken back by %s', kind, delivery_id, attempt, entry_id,
        coalesce(undone_by::text, 'any')) as what from wrong
      union all select format('entry %s takes back %s earnings', e.id, count(s.kind)) from ledger_entries e
        left join earnings s on s.undone_by = e.id
      where e.kind = 'corrected' group by e.id having count(s.kind) <> 1`,
  },
  {
    name: 'deliveries match entries',
    query: sql`with found as (
        select d.id, d.order_id, d.status, d.price, exists (select from earnings s where s.delivery_id = d.id) as has_earnings,
          exists (select from earnings s where s.delivery_id = d.id and s.kind = 'leg' and s.undone_at is null)
            or exists (select from ledger_entries e where e.delivery_id = d.id and e.kind = 'delivered'
              and ${IS_WITHOUT_EARNING}) as is_paid
        from deliveries d)
      select format('delivery %s is %s, but according to the ledger it %s delivered', id, status,
        case when is_paid then 'was' else 'was not' end) as what
      from found where price > 0 and (status = 'Delivered') <> is_paid
        and not (not is_paid and not has_earnings and ${mayBeRefunded(sql`found.order_id`)})
      union all select format('entry %s: delivery %s does not belong to order %s', e.id, d.id, e.order_id)
      from ledger_entries e join deliveries d on d.id = e.delivery_id where d.order_id <> e.order_id
      union all select format('delivery %s of order %s: its Dubers have %s cents for the way, which costs %s', d.id, d.order_id,
        sum(s.cents), ${PRICE_OF_WAY}) from deliveries d join orders o on o.id = d.order_id
          join earnings s on s.delivery_id = d.id
      where s.kind in ('leg', 'relay') and s.undone_at is null
        -- Once it was brought back, the whole way begins again.
        and s.attempt > coalesce((select max(t.attempt) from steps t
          where t.subject_id = d.id and t.action = 'brought-back'), 0)
        -- A Bud who wanted to fetch it has not paid for a way home.
        and not (o.way_home = 'bring' and ${PRICE_OF_WAY} = 0)
      -- Who hands laundry on and who gets it earn a third of the way at least.
      group by d.id, o.id having sum(s.cents) > ${PRICE_OF_WAY}
        + count(*) filter (where s.kind = 'relay') * ceil(${PRICE_OF_WAY} / 3.0)`,
  },
  {
    name: 'what is held is credited, and in no payout',
    query: sql`select format('entry %s holds %s cents of %s, but only %s are credited', h.entry_id, h.cents, h.user_id,
        c.cents) as what
      from payout_holds h cross join lateral (
        select coalesce(-sum(l.amount) filter (where l.amount < 0 or l.kind = 'held'), 0) as cents
        from ledger_entries e join ledger_lines l on l.entry_id = e.id
        where e.order_id = h.order_id and l.account = h.account and l.party = h.user_id) c
      where h.entry_id is not null and (select -sum(l.amount) from ledger_lines l
        where l.entry_id = h.entry_id and l.account = h.account and l.party = h.user_id and l.amount < 0) > c.cents
      union all select format('entry %s (held) does not move a credit of one person to itself', e.id) from ledger_entries e
        join ledger_lines l on l.entry_id = e.id
      where e.kind = 'held' group by e.id
      having count(*) <> 2 or count(distinct (l.account, l.party)) <> 1 or bool_or(l.account not in ('scrub', 'duber'))
      union all select format('payout %s has line %s of entry %s, which is held', w.id, k.position, k.entry_id)
      from payout_holds h join ledger_entries e on e.order_id = h.order_id
        join ledger_lines l on l.entry_id = e.id and l.account = h.account and l.party = h.user_id
        join payout_lines k on k.entry_id = l.entry_id and k.position = l.position join payouts w on w.id = k.payout_id
      -- Clocks of servers differ.
      where h.since < w.created_at - interval '5 minutes' and coalesce(h.ended_at, 'infinity') > w.created_at
        and coalesce(h.until, 'infinity') > w.created_at
        and ${IS_HELD_LINE}`,
  },
];
