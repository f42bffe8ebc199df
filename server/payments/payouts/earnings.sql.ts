import { sql } from 'kysely';
import type { EarningLine, Payout } from '../../../contract/earnings.ts';
import { PAYOUT_KINDS } from '../../../domain/ledger.ts';
import { isoTime, orderNumber } from '../../db/columns.sql.ts';
import type { Tx } from '../../db/database.ts';
import { CLAIMS_END, pendingReason } from '../earnings/claimTime.sql.ts';
import { isInPayout } from '../ledger/pendingPayouts.sql.ts';

export type Earner = { readonly account: 'scrub' | 'duber'; readonly userId: string };

const payeeOf = ({ userId }: Earner) => ({ person: sql`${userId}::uuid` });

const selectLines = (tx: Tx, { account, userId }: Earner) =>
  tx.selectFrom('ledger_lines as l').where('l.party', '=', userId).where('l.account', '=', account);

/** Everything earned and how much of it is paid out, in cents. */
export function sumEarnedAndPaid(tx: Tx, earner: Earner): Promise<{ earned: number; paid: number }> {
  return selectLines(tx, earner)
    .select([
      sql<number>`coalesce(-sum(l.amount) filter (where l.kind not in ('paid-out', 'payout-returned')), 0)::float8`.as(
        'earned',
      ),
      sql<number>`coalesce(sum(l.amount) filter (where l.kind in ('paid-out', 'payout-returned')), 0)::float8`.as(
        'paid',
      ),
    ])
    .executeTakeFirstOrThrow();
}

/** Cents earned per week since a Monday. Week 0 starts on that Monday. */
export function sumEarningsByWeek(tx: Tx, earner: Earner, since: Date): Promise<{ week: number; earned: number }[]> {
  return selectLines(tx, earner)
    .where('l.kind', 'not in', PAYOUT_KINDS)
    .where('l.at', '>=', since)
    .select([
      sql<number>`floor(extract(epoch from l.at - ${since}::timestamptz) / 604800)::int`.as('week'),
      sql<number>`-sum(l.amount)::float8`.as('earned'),
    ])
    .groupBy('week')
    .execute();
}

/** The user's payouts, newest first, amounts in cents. */
export function listPayouts(tx: Tx, userId: string, limit: number): Promise<Payout[]> {
  return tx
    .selectFrom('payouts as w')
    .where('w.user_id', '=', userId)
    .select([
      'w.id',
      isoTime('w.period_end').as('periodEnd'),
      'w.amount',
      'w.state as status',
      isoTime('w.created_at').as('createdAt'),
      isoTime('w.sent_at').as('sentAt'),
    ])
    .orderBy('w.period_end', 'desc')
    .limit(limit)
    .execute();
}

export async function isPayoutOf(tx: Tx, userId: string, payoutId: string): Promise<boolean> {
  const query = tx.selectFrom('payouts').select('id').where('id', '=', payoutId).where('user_id', '=', userId);
  return (await query.executeTakeFirst()) !== undefined;
}

const MAX_LINES = 10_000;

/** Cents that are earned and in no payout before something has happened. */
export async function sumHeld(tx: Tx, earner: Earner, now: Date): Promise<number> {
  const held = selectLines(tx, earner)
    .where('l.kind', '<>', 'paid-out')
    .where(({ not }) => not(isInPayout))
    .where(pendingReason(payeeOf(earner), now), 'is not', null)
    .select(sql<number>`coalesce(-sum(l.amount), 0)::float8`.as('cents'));
  return (await held.executeTakeFirstOrThrow()).cents;
}

/** The lines of one payout, or those not paid out yet. Amounts are in cents, above zero for earnings. */
export function listStatementLines(
  tx: Tx,
  earner: Earner,
  payoutId: string | undefined,
  now: Date,
): Promise<EarningLine[]> {
  return selectLines(tx, earner)
    .innerJoin('ledger_entries as e', 'e.id', 'l.entry_id')
    .leftJoin('refunds as r', 'r.id', 'e.refund_id')
    .leftJoin('orders as o', 'o.id', 'e.order_id')
    .leftJoin('adjustments as a', 'a.entry_id', 'e.id')
    .leftJoin('earnings as p', (join) =>
      join.onRef('p.delivery_id', '=', 'e.delivery_id').onRef('p.entry_id', '=', 'e.id'),
    )
    .where('l.kind', '<>', 'paid-out')
    .where(({ exists, not, selectFrom }) => {
      const payoutLine = selectFrom('payout_lines as k')
        .select('k.payout_id')
        .whereRef('k.entry_id', '=', 'l.entry_id')
        .whereRef('k.position', '=', 'l.position');
      return payoutId === undefined ? not(exists(payoutLine)) : exists(payoutLine.where('k.payout_id', '=', payoutId));
    })
    .select([
      isoTime('l.at').as('at'),
      'l.kind',
      'e.order_id as orderId',
      sql<string | null>`${orderNumber}`.as('orderNumber'),
      'e.delivery_id as deliveryId',
      sql<
        string | null
      >`coalesce(r.reason, a.reason, case when l.kind = 'held' then (select h.reason from payout_holds h
          where h.entry_id = e.id order by h.since desc limit 1)
        -- A refund that was made before the order was earned is taken from the credit.
        when l.amount > 0 then (select u.reason from refunds u where u.order_id = e.order_id and u.liable_user = l.party
          and u.state <> 'dropped' order by u.created_at desc limit 1) end)`.as('reason'),
      sql<boolean>`coalesce(p.bearer_id = l.party and l.amount > 0, false)`.as('isBorne'),
      (payoutId === undefined ? pendingReason(payeeOf(earner), now) : sql<null>`null`).as('waitsFor'),
      isoTime(sql`(select ${CLAIMS_END} from orders o where o.id = e.order_id)`).as('payableFrom'),
      sql<number>`-l.amount`.as('amount'),
    ])
    .orderBy('l.at')
    .orderBy('l.entry_id')
    .limit(MAX_LINES)
    .execute();
}
