import { sql } from 'kysely';
import type { Check } from './orderAudit.sql.ts';

/** What the platform has paid for promo codes, and how often each is used. */
export const PROMO_CHECKS: readonly Check[] = [
  {
    name: 'the platform has paid what promo codes took off, less what went back',
    query: sql`select format('order %s: promo codes took off %s cents, of which %s went back, but %s are on promotions', p.order_id,
        p.discount, r.cents, l.cents) as what
      from payments p
        cross join lateral (select coalesce(sum(x.discount), 0) as cents from refunds x
          where x.order_id = p.order_id and (x.state = 'refunded' or x.state = 'dropped' and x.liable = 'nobody')) r
        cross join lateral (select coalesce(sum(x.amount), 0) as cents from ledger_entries e
          join ledger_lines x on x.entry_id = e.id and x.account = 'promotions' where e.order_id = p.order_id) l
      where p.discount > 0 and l.cents <> case p.state when 'captured' then p.discount else 0 end - r.cents
      union all select format('entry %s is of order %s, which has no promo code', e.id, e.order_id) from ledger_entries e
        join ledger_lines l on l.entry_id = e.id and l.account = 'promotions'
      where not exists (select from payments p where p.order_id = e.order_id and p.discount > 0)`,
  },
  {
    name: 'a promo code never pays for more than its share',
    query: sql`select format('order %s: %s of %s cents are a promo code''s, which took %s off', p.order_id, p.discount,
        p.amount + p.discount, u.discount) as what
      from payments p left join promo_uses u on u.order_id = p.order_id
      where p.discount > 0 and (u.order_id is null or p.discount > u.discount)
      union all select format('order %s: %s of %s cents went back to the card, and %s of %s to the platform', p.order_id, r.card,
        p.amount, r.promo, p.discount)
      from payments p cross join lateral (select coalesce(sum(x.amount), 0) as card, coalesce(sum(x.discount), 0) as promo
        from refunds x where x.order_id = p.order_id and x.state <> 'dropped') r
      where r.promo > p.discount or p.state = 'captured' and p.amount > 0 and r.card = p.amount and r.promo < p.discount`,
  },
  {
    name: 'promo codes are used as often as their orders say',
    query: sql`select format('promo code %s: %s uses are counted, and %s orders have it', m.code, m.uses, u.uses) as what
      from promos m cross join lateral (
        select count(*)::int as uses from promo_uses x where x.promo_id = m.id and x.returned_at is null) u
      where m.uses <> u.uses
      union all select format('order %s, whose payment is %s, %s a use of %s', u.order_id, p.state,
        case when u.returned_at is null then 'counts as' else 'does not count as' end, m.code)
      from promo_uses u join payments p on p.order_id = u.order_id join promos m on m.id = u.promo_id
      where p.state <> 'stuck' and (u.returned_at is null) = (p.state in ('voiding', 'voided', 'declined'))
      union all select format('order %s: its code is %s instead of %s', o.id, coalesce(o.promo_code, 'none'), coalesce(m.code, 'none'))
      from orders o left join promo_uses u on u.order_id = o.id left join promos m on m.id = u.promo_id
      where o.promo_code is distinct from m.code`,
  },
];
