import { type RawBuilder, sql } from 'kysely';
import { MISSING_WITHIN_MS } from '../../../domain/claims.ts';
import type { PendingReason } from '../../../domain/earnings.ts';
import { budHasLaundrySince } from '../../db/columns.sql.ts';
import { centsOf } from '../../db/orderLines.sql.ts';
import { isInPayout, ownPendingReason } from '../ledger/pendingPayouts.sql.ts';
import { takenByBank } from '../refunds/disputeMoney.sql.ts';

// What may still go back to a card is not payable, except up to a trust that a worker's closed orders have paid for (decision 122).

/** When the time for claims about `orders o` ends; null while it has not begun, and when nobody can claim. */
export const CLAIMS_END = sql<Date | null>`${budHasLaundrySince(sql`o`)} + make_interval(secs => ${sql.lit(MISSING_WITHIN_MS / 1000)})`;

/** Whether somebody may still claim something of `orders o`, now or later. */
const mayBeClaimed = (now: Date) =>
  sql`o.closed_at is null and o.status not in ('Cancelled', 'Rejected') and coalesce(${CLAIMS_END} >= ${now}::timestamptz, true)`;

/** The closed orders that a person has worked for, and how many thirds of their fees are this person's. */
const worksOf = (person: RawBuilder<unknown>) => sql`(
  select o.id, 1 as thirds from orders o where o.scrub_id = ${person} and o.closed_at is not null
  union all select d.order_id, count(*)::int from deliveries d join orders o on o.id = d.order_id and o.round = d.round
    where d.duber_id = ${person} and d.status = 'Delivered' and o.closed_at is not null group by d.order_id)`;

/** What the platform bears of the order `o`, in cents: refunds, chargebacks that it lost, and pays. */
const LOSS = sql`((select coalesce(sum(case when r.liable = 'platform' then r.amount else r.forgiven end), 0) from refunds r
    where r.order_id = o.id and r.state <> 'dropped')
  + (select coalesce(sum(c.cents), 0) from disputes c
    where c.order_id = o.id and c.status = 'lost' and c.debit_entry is not null and c.liable_user is null)
  + (select coalesce(sum(s.cents - s.from_order), 0) from earnings s
    where s.order_id = o.id and s.bearer_id is null and s.undone_at is null))`;

/** What the card has paid and kept paid of the platform's fee for the order `o` with the payment `p`, in cents. */
const KEPT_FEE = sql`greatest(0, ${centsOf('platform')} - p.discount + p.discount_reduced - ${takenByBank(sql`o.id`)}
  - (select coalesce(sum(r.amount - r.forgiven), 0) from refunds r
    where r.order_id = o.id and r.state <> 'dropped' and r.liable in ('scrub', 'duber')))`;

/** How many cents that may still go back to a card a person is paid: their thirds of what the platform has kept of closed orders. */
const trustOf = (person: RawBuilder<unknown>) => sql`(
  select greatest(0, coalesce(sum(w.thirds * (${KEPT_FEE} - ${LOSS})), 0)::bigint / 3)
  from ${worksOf(person)} w join orders o on o.id = w.id join payments p on p.order_id = o.id and p.state = 'captured')`;

/**
 * What a person's lines of each order that may be claimed add up to: those that are paid out, and those from before a time that are
 * due and that nothing else holds.
 */
const openOrdersOf = (person: RawBuilder<unknown>, now: Date, before: Date | undefined) => sql`
  select o.id, min(l.at) as at,
    coalesce(-sum(l.amount) filter (where ${isInPayout}), 0) as paid,
    coalesce(-sum(l.amount) filter (where not ${isInPayout} and ${ownPendingReason(now)} is null
      and ${before ? sql`l.at < ${before}::timestamptz` : sql`true`}), 0) as due
  from ledger_lines l join ledger_entries e on e.id = l.entry_id join orders o on o.id = e.order_id
  where l.party = ${person} and l.account in ('scrub', 'duber') and ${mayBeClaimed(now)}
  group by o.id`;

/**
 * The orders whose credits wait for the end of the time for claims. Within the trust, the oldest do not. An order of which a refund
 * took more than is due does not wait either: the next payout takes the rest.
 */
const waitingOrdersOf = (person: RawBuilder<unknown>, now: Date, before: Date | undefined) => sql`(
  with open as materialized (${openOrdersOf(person, now, before)})
  select d.id from (select o.id, sum(o.due) over (order by o.at, o.id) as reached from open o where o.due > 0) d
  where d.reached + (select coalesce(sum(greatest(0, o.paid + least(0, o.due))), 0) from open o) > ${trustOf(person)})`;

/** Whose lines are looked at, and up to when they are earned; without a time, all. */
export type PayeeSql = { readonly person: RawBuilder<unknown>; readonly before?: Date };

/** Why a line `l` of one person in the ledger is in no payout yet; null when nothing holds it. */
export const pendingReason = ({ person, before }: PayeeSql, now: Date): RawBuilder<PendingReason | null> =>
  // The orders depend on no line, so that they are looked up once.
  sql`coalesce(${ownPendingReason(now)}, case when (select e.order_id from ledger_entries e where e.id = l.entry_id)
    in (select w.id from ${waitingOrdersOf(person, now, before)} w) then 'claim-time' end)`;
