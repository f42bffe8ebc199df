import { sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../../server/db/database.ts';

// Raw SQL: every check compares whole tables, apart from the product's own reads.

/** The last step of each case that has moved money or laundry: an offer that was carried out, or a decision. */
const CARRIED_OUT = sql`select e.* from steps e
  where e.status = 'decided' and e.action in ('accept-offer', 'silent-bud', 'decide')`;

/** Whether an order `o` is open, and its Bud has not got the clean laundry of its last round. */
const MAY_BE_CLAIMED = sql`(o.closed_at is null and o.status not in ('Cancelled', 'Rejected')
  and not (o.status = 'Completed' and exists (select from handovers g left join deliveries d on d.id = g.delivery_id
    where g.order_id = o.id and g.round = o.round and g.taker_role = 'Bud'
      and coalesce(d.delivery_type, 'Scrub_To_Bud') = 'Scrub_To_Bud'
      and not exists (select from handovers b where b.order_id = g.order_id and b.takes_back = g.position))))`;

/** Each query selects one sentence, `what`, per wrong row. */
const CHECKS = {
  'a case has got what was said last, once': sql`
    select format('case C-%s: %s cents were said last, and %s refunded', c.no, coalesce(t.cents, 0), coalesce(g.cents, 0)) as what
    from cases c
      left join (select distinct on (subject_id) subject_id, cents from (${CARRIED_OUT}) e order by subject_id, position desc) t
        on t.subject_id = c.id
      left join (select cr.case_id, sum(r.amount)::int as cents from case_refunds cr join refunds r on r.id = cr.refund_id
        where r.state = 'refunded' group by cr.case_id) g on g.case_id = c.id
    where coalesce(t.cents, 0) <> coalesce(g.cents, 0)`,
  'a refund of a case is of that case, and made': sql`
    select format('refund %s (%s) is of %s cases, and %s', r.id, r.reason, count(c.id), r.state) as what
    from refunds r left join case_refunds cr on cr.refund_id = r.id
      left join cases c on c.id = cr.case_id and c.order_id = r.order_id and r.reason = 'Case C-' || c.no
    where r.reason like 'Case C-%' or cr.case_id is not null group by r.id having count(c.id) <> 1 or r.state <> 'refunded'`,
  'a decision gives every item what it says': sql`
    select format('case C-%s: %s cents were decided, and %s refunded', c.no, i.decided, g.cents) as what from cases c
      cross join lateral (select coalesce(sum(decided), 0) as decided from claim_items where case_id = c.id) i
      cross join lateral (select coalesce(sum(r.amount), 0) as cents from case_refunds cr join refunds r on r.id = cr.refund_id
        where cr.case_id = c.id and r.state = 'refunded') g
    where i.decided > g.cents`,
  'less than an offer is given only when nothing is left': sql`
    select format('case C-%s: %s of %s cents were given, although the order has more', c.no, e.cents, c.offer_cents) as what
    from (${CARRIED_OUT}) e join cases c on c.id = e.subject_id join payments p on p.order_id = c.order_id
      -- Those that a person has dropped since, too: they were in the way of the offer.
      cross join lateral (select coalesce(sum(r.amount), 0) as cents from refunds r where r.order_id = c.order_id) g
    where e.action <> 'decide' and e.offer = 'give-back' and e.cents < c.offer_cents and g.cents < p.amount`,
  'an order is cleaned again once for each offer of it': sql`
    select format('order %s: cleaned again %s times for %s offers', o.id, s.times, e.times) as what from orders o
      cross join lateral (select count(*) as times from steps s
        where s.subject_id = o.id and s.action = 'reopen' and s.reason = 'clean-again') s
      cross join lateral (select count(*) as times from (${CARRIED_OUT}) e join cases c on c.id = e.subject_id
        where c.order_id = o.id and e.action <> 'decide' and e.offer = 'clean-again') e
    where s.times <> e.times`,
  'no case is left, and a case that ends without a decision says why': sql`
    select format('case C-%s (%s) is %s', no, kind, status) as what from cases where status not in ('decided', 'closed')
    union all select format('case C-%s: nobody said why it was closed', c.no) from cases c join steps e on e.subject_id = c.id
      where e.action = 'close' and e.actor_role = 'Operator' and e.words is null
    union all select format('case C-%s: its timer %s is left', c.no, t.action) from timers t join cases c on c.id = t.subject_id
      where c.status = 'closed'`,
  'a hold of a claim ends with the claim': sql`
    select format('%s cents of %s are %s, although case C-%s is %s', h.cents, h.user_id,
      case when h.ended_at is null then 'held' else 'released' end, c.no, c.status) as what
    from payout_holds h join cases c on c.id = h.case_id
    where h.reason = 'case' and (h.ended_at is null) = (c.status in ('decided', 'closed'))
    union all select format('order %s: what %s earned is held as lost, although no case says so', h.order_id, h.user_id)
      from payout_holds h where h.reason = 'lost' and h.ended_at is null and not exists (select from cases c
        where c.order_id = h.order_id and c.kind = 'lost' and c.status not in ('decided', 'closed'))`,
  // A credit of an order of which something may still be claimed is not owed yet (decision 122).
  'what was held is paid out, or its person owes money': sql`
    select format('entry %s: %s of %s cents were held and never paid, although %s cents are owed', h.entry_id, -l.amount, h.user_id, u.cents)
      as what
    from payout_holds h join ledger_lines l on l.entry_id = h.entry_id and l.amount < 0
      cross join lateral (select coalesce(sum(w.cents), 0) as cents from (
        select e.order_id, -sum(x.amount) as cents from ledger_lines x join ledger_entries e on e.id = x.entry_id
        where x.party = h.user_id and x.account = h.account and x.kind <> 'paid-out' and not exists (select from payout_lines k
          where k.entry_id = x.entry_id and k.position = x.position) group by e.order_id) w
        where w.cents <= 0 or not exists (select from orders o where o.id = w.order_id and ${MAY_BE_CLAIMED})) u
    where h.ended_at is not null and u.cents > 0
      and not exists (select from orders o where o.id = h.order_id and ${MAY_BE_CLAIMED})
      and not exists (select from payout_lines k where k.entry_id = l.entry_id and k.position = l.position)
      and not exists (select from payout_holds o where o.user_id = h.user_id and o.ended_at is null
        and (o.until is null or o.until > h.ended_at))`,
  'nobody is paid for laundry that nobody has seen': sql`
    select format('order %s: its Scrub was paid, although nobody had seen the laundry', o.id) as what
    from ledger_entries e join orders o on o.id = e.order_id
      join ledger_lines l on l.entry_id = e.id and l.account = 'scrub' and l.amount < 0
      join payout_lines k on k.entry_id = l.entry_id and k.position = l.position join payouts w on w.id = k.payout_id
    where e.kind = 'completed'
      and not exists (select from earnings s join deliveries d on d.id = s.delivery_id and d.delivery_type = 'Bud_To_Scrub'
        where s.order_id = o.id and s.kind = 'leg' and s.at <= w.created_at and coalesce(s.undone_at, 'infinity') >= w.created_at)
      -- What came without a Duber was seen by the one who takes it back. What only came back was perhaps never there.
      and not exists (select from handovers h left join handovers b on b.order_id = h.order_id and b.takes_back = h.position
          left join deliveries d on d.id = h.delivery_id
        where h.order_id = o.id and h.taker_id = l.party and h.at <= w.created_at and coalesce(b.at, 'infinity') >= w.created_at
          and (d.delivery_type = 'Bud_To_Scrub' or d.id is null and exists (select from handovers g
            join deliveries y on y.id = g.delivery_id and y.delivery_type = 'Scrub_To_Bud'
            where g.order_id = o.id and g.taker_role <> 'Duber' and g.at <= w.created_at)))
      and (w.created_at < e.at + interval '11 hours' or exists (select from deliveries d where d.order_id = o.id
        and d.delivery_type = 'Bud_To_Scrub' and d.round = 1 and d.status not in ('Delivered', 'Called_Off')))`,
  'who bears the whole refund of an order gains nothing by it': sql`
    select format('order %s was refunded by its %s, who still has %s cents of it', p.order_id, r.liable, g.cents) as what
    from payments p
      join lateral (select min(liable) as liable, min(liable_user::text)::uuid as person from refunds r
        where r.order_id = p.order_id and r.state = 'refunded' having count(distinct (liable, liable_user)) = 1
          and sum(r.amount + r.discount - r.forgiven) = p.amount + p.discount) r on r.person is not null
      cross join lateral (select -coalesce(sum(l.amount), 0) as cents from ledger_entries e join ledger_lines l on l.entry_id = e.id
        where e.order_id = p.order_id and l.account = r.liable and l.party = r.person and l.kind <> 'dispute-lost') g
      cross join lateral (select coalesce(sum(s.cents - s.from_order), 0) as cents from earnings s
        where s.order_id = p.order_id and s.duber_id = r.person and s.undone_at is null) own
    where g.cents > own.cents`,
} as const;

/** Accounts for every case: its refunds, its re-cleans and what was held for it. Call it when nothing is due any more. */
export async function auditCases(db: Tx): Promise<string[]> {
  const problems: string[] = [];
  for (const [check, query] of Object.entries(CHECKS))
    for (const { what } of await queryRows<{ what: string }>(db, query)) problems.push(`${check}: ${what}`);
  return problems;
}

/** How often what was not planned has happened. */
export async function countCaseSteps(db: Tx): Promise<Record<string, number>> {
  const counts = await queryRow<Record<string, number>>(
    db,
    sql`select
      (select count(*)::int from steps where action in ('cancel-accepted', 'cancel-by-operator')) as "cancelled after acceptance",
      (select count(*)::int from steps where action = 'give-back') as "given back",
      (select count(*)::int from steps where action = 'reopen') as reopened,
      (select count(*)::int from steps where action = 'pickup-failed') as "failed pickups",
      (select count(*)::int from steps where action = 'brought-back') as "brought back",
      (select count(*)::int from steps where action = 'relay') as relayed,
      (select count(*)::int from steps where action = 'report-lost') as lost,
      (select count(*)::int from steps where action = 'call-off') as "called off",
      (select count(*)::int from steps where action = 'correct') as corrected,
      (select count(*)::int from cases where kind = 'claim') as claims,
      (select count(*)::int from steps where action = 'answer') as answers,
      (select count(*)::int from steps where action = 'accept-offer' and status = 'decided') as "offers accepted",
      (select count(*)::int from steps where action = 'silent-bud' and status = 'decided') as "offers carried out by a timer",
      (select count(*)::int from steps where action = 'refuse-offer') as "offers refused",
      (select count(*)::int from steps where action = 'decide') as decisions,
      (select count(*)::int from steps where subject_kind = 'case' and action = 'contest') as contests,
      (select count(*)::int from steps where subject_kind = 'case' and action = 'close' and actor_role = 'System') as "closed by a timer",
      (select count(*)::int from case_refunds) as "refunds of cases",
      (select count(*)::int from ledger_entries where kind = 'held') as "credits held"`,
  );
  return counts ?? {};
}
