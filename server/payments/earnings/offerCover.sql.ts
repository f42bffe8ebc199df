import { sql } from 'kysely';
import type { Cents } from '../../../domain/payments.ts';
import { queryRow, queryRows, type Tx } from '../../db/database.ts';
import { CENTS_OF_WAYS } from '../../db/orderLines.sql.ts';
import { isInPayout, type PendingPayout, releaseCredits } from '../ledger/pendingPayouts.sql.ts';

export type Worker = { readonly account: 'scrub' | 'duber'; readonly userId: string };

/** The line `l` is a part of a credit that the pending payout `h` keeps for something. */
const isKept = sql`h.entry_id = l.entry_id and l.amount < 0 and h.ended_at is null`;

/** Locks a worker, so that what covers their offers is not promised or paid out twice. */
export async function lockWorker(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

/** The purpose that money of a worker is wanted for. Money already kept for this purpose counts. */
type Purpose = { readonly caseId: string } | { readonly waysOf: string };

const isKeptFor = (purpose: Purpose) =>
  'caseId' in purpose
    ? sql`h.case_id = ${purpose.caseId}::uuid`
    : sql`(h.reason = 'ways' and exists (select from cases c where c.id = h.case_id and c.order_id = ${purpose.waysOf}::uuid))`;

/**
 * What a worker has earned and not been paid, less refunds that they bear and that are under way, and less what is kept for
 * something else. In cents.
 */
export async function readFreeBalance(tx: Tx, { account, userId }: Worker, purpose: Purpose): Promise<Cents> {
  const row = await queryRow<{ cents: number }>(
    tx,
    sql`select (
      (select coalesce(-sum(l.amount), 0) from ledger_lines l where l.party = ${userId}::uuid and l.account = ${account})
      - (select coalesce(-sum(l.amount), 0) from payout_holds h join ledger_lines l on ${isKept}
          and l.party = h.user_id and l.account = h.account
        where h.user_id = ${userId}::uuid and h.account = ${account} and (${isKeptFor(purpose)}) is not true
          and not ${isInPayout})
      - (select coalesce(sum(r.amount + r.discount - r.taxes - r.forgiven), 0) from refunds r
        where r.liable_user = ${userId}::uuid and r.state in ('asking', 'pending', 'stuck'))
    )::float8 as cents`,
  );
  return row?.cents ?? 0;
}

/** What the deliveries of another round of an order cost, in cents. */
export async function readWaysCost(tx: Tx, orderId: string): Promise<Cents> {
  const row = await queryRow<{ cents: number }>(
    tx,
    sql`select ${CENTS_OF_WAYS} as cents from orders o where o.id = ${orderId}`,
  );
  return row?.cents ?? 0;
}

/** What each order has credited to a worker that is in no payout and that nothing keeps, the oldest first. In cents. */
export const listFreeCredits = (tx: Tx, { account, userId }: Worker): Promise<{ orderId: string; cents: Cents }[]> =>
  queryRows(
    tx,
    sql`select e.order_id as "orderId", -sum(l.amount)::int as cents from ledger_lines l join ledger_entries e on e.id = l.entry_id
      where l.party = ${userId}::uuid and l.account = ${account} and e.order_id is not null and not ${isInPayout}
        and not exists (select from payout_holds h where ${isKept})
      group by e.order_id having sum(l.amount) < 0 order by min(l.at), e.order_id`,
  );

/** All deliveries of an order have ended: what offers to clean it again have reserved is free again. */
export async function endWays(tx: Tx, orderId: string, at: Date): Promise<void> {
  const pending = await queryRows<PendingPayout>(
    tx,
    sql`select h.order_id as "orderId", h.account, h.user_id as "userId", h.reason, h.case_id as "caseId"
      from cases c join payout_holds h on h.case_id = c.id and h.reason = 'ways' and h.ended_at is null
      where c.order_id = ${orderId} and c.offer = 'clean-again'`,
  );
  for (const one of pending) await releaseCredits(tx, one, at);
}
