import { sql } from 'kysely';
import { queryRows, type Tx } from '../../db/database.ts';
import { CENTS_AT_COMPLETION, centsOf } from '../../db/orderLines.sql.ts';
import { CARD_CHECKS } from './cardAudit.sql.ts';
import { EARNING_CHECKS, IS_WITHOUT_EARNING, mayBeRefunded } from './earningAudit.sql.ts';
import { type Check, ORDER_CHECKS } from './orderAudit.sql.ts';
import { PROMO_CHECKS } from './promoAudit.sql.ts';

/** A failed check, and a sentence that names the wrong row. */
export type AuditProblem = { readonly check: string; readonly what: string };

const MAX_PROBLEMS_PER_CHECK = 50;

/**
 * Lines that their entry's source row decides. What else is debited for an order with refunds depends on what it has left.
 * Entries of earnings are in EARNING_CHECKS.
 */
const IS_FIXED = sql`(e.kind in ('captured', 'paid-out', 'payout-returned')
  or e.kind in ('completed', 'delivered', 'refunded') and l.amount < 0 and ${IS_WITHOUT_EARNING}
  or e.kind in ('completed', 'delivered') and ${IS_WITHOUT_EARNING}
    and not exists (select from refunds x where x.order_id = e.order_id))`;

/**
 * The lines each entry must have, computed from its source row. It repeats domain/ledger.ts on purpose, as a cross-check. The
 * other lines are in ORDER_CHECKS.
 */
const EXPECTED_LINES = sql`
  select e.id, e.kind, l.account, l.party, l.amount from ledger_entries e
    left join payments p on p.order_id = e.order_id and e.kind = 'captured'
    left join orders o on o.id = e.order_id and e.kind = 'completed'
    left join deliveries d on d.id = e.delivery_id and e.kind = 'delivered'
    left join refunds r on r.id = e.refund_id
    left join payments rp on rp.order_id = r.order_id
    left join payouts w on w.id = e.payout_id or w.return_entry = e.id
    cross join lateral (select case e.kind when 'payout-returned' then -w.amount else w.amount end as cents) paid
    left join users u on u.id = w.user_id
    cross join lateral (values
      ('card-clearing', p.bud_id, p.amount), ('promotions', null, p.discount), ('unearned', null, -p.amount - p.discount),
      ('unearned', null, ${CENTS_AT_COMPLETION}), ('scrub', o.scrub_id, -${centsOf('scrub')}),
      ('platform-revenue', null, -${centsOf('platform')}), ('taxes-payable', null, -${centsOf('state')}),
      ('unearned', null, d.price), ('duber', d.duber_id, -d.price),
      ('card-clearing', rp.bud_id, -r.amount), ('promotions', null, -r.discount), (lower(u.role), w.user_id, paid.cents), ('payouts', w.user_id, -paid.cents)
    ) as l (account, party, amount)
  where l.amount <> 0 and ${IS_FIXED}`;

/** Each query selects one sentence, `what`, per wrong row. */
const CHECKS: readonly Check[] = [
  {
    name: 'the ledger sums to zero',
    query: sql`select format('all lines add up to %s cents', sum(amount)) as what from ledger_lines
      having sum(amount) <> 0`,
  },
  {
    name: 'every entry sums to zero',
    query: sql`select format('entry %s (%s) has %s lines that add up to %s cents', e.id, e.kind, count(l.amount),
        coalesce(sum(l.amount), 0)) as what
      from ledger_entries e left join ledger_lines l on l.entry_id = e.id
      group by e.id having coalesce(sum(l.amount), 0) <> 0 or count(l.amount) < 2`,
  },
  {
    name: 'every line belongs to an entry and has its kind and time',
    query: sql`select format('line %s of entry %s: %s', l.position, l.entry_id, case when e.id is null
        then 'there is no such entry' else 'its kind or time is not the entry''s' end) as what
      from ledger_lines l left join ledger_entries e on e.id = l.entry_id
      where e.id is null or l.kind <> e.kind or l.at <> e.at`,
  },
  {
    name: 'entries match their sources',
    query: sql`with expected as (${EXPECTED_LINES}), actual as (
        select e.id, e.kind, l.account, l.party, l.amount from ledger_entries e join ledger_lines l on l.entry_id = e.id
        where ${IS_FIXED}),
      wrong as (
        (select 'should have' as how, * from (select * from expected except all select * from actual) missing)
        union all (select 'should not have' as how, * from (select * from actual except all select * from expected) extra))
      select format('entry %s (%s) %s %s cents on %s%s', id, kind, how, amount, account,
        coalesce(':' || party::text, '')) as what from wrong order by id, how desc`,
  },
  {
    name: 'payments match entries',
    query: sql`select format('order %s: its payment is %s, but the ledger %s', p.order_id, p.state, case when e.id is null
        then 'has no capture' else 'has a capture' end) as what
      from payments p left join ledger_entries e on e.order_id = p.order_id and e.kind = 'captured'
      where (p.state = 'captured') <> (e.id is not null)
      union all select format('entry %s: order %s has no payment', e.id, e.order_id)
      from ledger_entries e where e.kind = 'captured'
        and not exists (select 1 from payments p where p.order_id = e.order_id)`,
  },
  {
    name: 'orders match entries',
    query: sql`select format('order %s is %s, but according to the ledger it %s completed', o.id, o.status,
        case when e.id is null then 'was not' else 'was' end) as what
      from orders o left join ledger_entries e on e.order_id = o.id and e.kind = 'completed'
      where (o.status = 'Completed' and ${CENTS_AT_COMPLETION} > 0) <> (e.id is not null)
        and not (e.id is null and ${mayBeRefunded(sql`o.id`)})
        -- Completed once, and in work again.
        and not (e.id is not null and exists (select from steps s where s.subject_id = o.id and s.action = 'reopen'))`,
  },
  {
    name: 'refunds match entries',
    query: sql`select format('refund %s of order %s is %s, but according to the ledger it %s made', r.id, r.order_id, r.state,
        case when e.id is null then 'was not' else 'was' end) as what
      from refunds r left join ledger_entries e on e.refund_id = r.id
      where (r.state = 'refunded') <> (e.id is not null)
      union all select format('entry %s: refund %s does not belong to order %s', e.id, r.id, e.order_id)
      from ledger_entries e join refunds r on r.id = e.refund_id where r.order_id <> e.order_id
      union all select format('order %s: %s cents refunded, but its refunds add up to %s', p.order_id, p.refunded,
        coalesce(sum(r.amount), 0)) from payments p
        left join refunds r on r.order_id = p.order_id and r.state = 'refunded'
      group by p.order_id having p.refunded <> coalesce(sum(r.amount), 0)`,
  },
  {
    name: 'payouts match entries',
    query: sql`select format('payout %s of %s: %s cents, but its lines add up to %s', w.id, w.user_id, w.amount,
        coalesce(-sum(l.amount), 0)) as what
      from payouts w left join payout_lines k on k.payout_id = w.id
        left join ledger_lines l on l.entry_id = k.entry_id and l.position = k.position
      group by w.id having w.amount <> coalesce(-sum(l.amount), 0)
      union all select format('payout %s has line %s of entry %s, which is %s', w.id, l.position, l.entry_id,
        case when l.party is distinct from w.user_id then 'another user''s' when l.at >= w.period_end
          then 'too recent' else 'not an earning' end)
      from payouts w join payout_lines k on k.payout_id = w.id
        join ledger_lines l on l.entry_id = k.entry_id and l.position = k.position
      where l.party is distinct from w.user_id or l.at >= w.period_end or l.account not in ('scrub', 'duber')
        or l.kind = 'paid-out'
      union all select format('payout %s is not in the ledger', w.id) from payouts w
      where not exists (select 1 from ledger_entries e where e.payout_id = w.id)
      union all select format('payout %s came back, but its entry is %s', w.id, coalesce(e.kind, 'missing')) from payouts w
        left join ledger_entries e on e.id = w.return_entry
      where w.state = 'returned' and e.kind is distinct from 'payout-returned'
      union all select format('entry %s: no payout came back', e.id) from ledger_entries e
      where e.kind = 'payout-returned' and not exists (select 1 from payouts w where w.return_entry = e.id)`,
  },
  {
    name: 'orders match their lines',
    query: sql`select format('order %s has a load of %s and a total of %s cents, but its lines add up to %s and %s', o.id,
        o.load_price, o.total_price, ${centsOf('scrub')}, l.total) as what
      from orders o left join lateral (select coalesce(sum(ol.cents), 0) as total from order_lines ol where ol.order_id = o.id) l on true
      where (o.load_price, o.total_price) <> (${centsOf('scrub')}, l.total)`,
  },
  {
    name: 'orders match payments',
    query: sql`select format('order %s costs %s cents, %s of them a promo''s, but its payment is %s and %s', o.id, o.total_price,
        coalesce(o.discount, 0), p.amount - p.reduced, p.discount - p.discount_reduced) as what
      from orders o join payments p on p.order_id = o.id
      where o.bud_id <> p.bud_id
        -- Of an order that is weighed and called off, only what Dubers have earned is charged.
        or (o.total_price, coalesce(o.discount, 0))
          <> (p.amount - p.reduced + p.discount - p.discount_reduced, p.discount - p.discount_reduced) and not (p.held is not null and p.amount <= p.held
          and o.status in ('Cancelled', 'Rejected'))
      union all select format('order %s is %s and has no payment', o.id, o.status) from orders o
      where not exists (select 1 from payments p where p.order_id = o.id)
      union all select format('order %s is %s, but its payment is %s', o.id, o.status, p.state)
      from orders o join payments p on p.order_id = o.id
      where not (case when o.status in ('Requested', 'Cancelled', 'Rejected') and exists (select from steps s
            where s.subject_id = o.id and s.action = 'accept-order')
          then p.state in ('capturing', 'captured', 'voiding', 'voided', 'stuck')
            or p.state = 'held' and p.held is not null and o.status = 'Requested'
        when o.status = 'Requested' then p.state = 'held'
        when o.status in ('Cancelled', 'Rejected') then p.state in ('voiding', 'voided', 'stuck')
        else p.state in ('capturing', 'captured', 'stuck')
          -- It is weighed before it is completed, and may cost nothing then.
          or p.held is not null and (p.state = 'held' and o.status <> 'Completed'
            or p.state in ('voiding', 'voided') and o.total_price = 0) end)
      union all select format('the payment of %s is %s, but there is no such order', p.order_id, p.state)
      from payments p where p.state in ('held', 'capturing', 'captured')
        and not exists (select 1 from orders o where o.id = p.order_id)`,
  },
  {
    name: 'one hold pays for an order',
    query: sql`select format('the hold of %s, which was to take the place of another, is %s', r.order_id, r.state) as what
      from payments r left join payments p on p.order_id = r.replaces
      where r.replaces is not null and (p.order_id is null or p.held is null
        or r.state not in ('holding', 'voiding', 'voided', 'declined', 'stuck'))
      union all select format('the hold %s is in %s payments', square_id, count(*)) from payments
      where square_id is not null group by square_id having count(*) > 1
      union all select format('payout %s has line %s of entry %s, although the card of the order is not charged', k.payout_id, k.position, k.entry_id)
      from payout_lines k join ledger_entries e on e.id = k.entry_id join payments p on p.order_id = e.order_id
      where p.held is not null and p.state = 'held'`,
  },
  {
    name: 'the triggers that protect the ledger are on',
    query: sql`select format('trigger %s of %s is %s', wanted.name, wanted.of, case when t.oid is null then 'missing'
        else 'switched off' end) as what
      from (values ('ledger_open', 'ledger_entries'), ('ledger_balance', 'ledger_entries'),
        ('ledger_keep', 'ledger_entries'), ('ledger_keep', 'adjustments'), ('ledger_join', 'ledger_lines'), ('ledger_balance', 'ledger_lines'),
        ('ledger_keep', 'ledger_lines'), ('ledger_keep', 'payout_lines'), ('order_lines_agree', 'orders'),
        ('order_lines_agree', 'order_lines')) as wanted (name, of)
      left join pg_trigger t on t.tgname = wanted.name and t.tgrelid = to_regclass(wanted.of)
      where t.oid is null or t.tgenabled <> 'O'`,
  },
  ...EARNING_CHECKS,
  ...ORDER_CHECKS,
  ...CARD_CHECKS,
  ...PROMO_CHECKS,
];

export const CHECK_NAMES = CHECKS.map(({ name }) => name);

/** Runs every check over the whole database, read-only. Reports up to fifty problems per check. */
export async function findAuditProblems(tx: Tx): Promise<AuditProblem[]> {
  const problems: AuditProblem[] = [];
  for (const { name, query } of CHECKS) {
    const wrong = await queryRows<{ what: string }>(
      tx,
      sql`select what from (${query}) wrong limit ${MAX_PROBLEMS_PER_CHECK}`,
    );
    problems.push(...wrong.map(({ what }) => ({ check: name, what })));
  }
  return problems;
}
