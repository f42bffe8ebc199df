import { sql } from 'kysely';
import type { BudId } from '../../../domain/accounts.ts';
import { isoTime } from '../../db/columns.sql.ts';
import type { Tx } from '../../db/database.ts';

/** The payment of a Bud's own order, in cents; undefined when the order is not theirs. */
export function findOrderPayment(tx: Tx, bud: BudId, orderId: string) {
  return tx
    .selectFrom('orders as o')
    .innerJoin('payments as p', 'p.order_id', 'o.id')
    .where('o.id', '=', orderId)
    .where('o.bud_id', '=', bud)
    .select((eb) => [
      'o.status',
      'p.state',
      'p.amount',
      'p.held',
      'o.tax_rate as taxRate',
      'p.card_brand as brand',
      'p.card_last4 as last4',
      isoTime('o.created_at').as('heldAt'),
      eb
        .selectFrom('ledger_entries as e')
        .where('e.kind', '=', 'captured')
        .whereRef('e.order_id', '=', 'o.id')
        .select(isoTime('e.at').as('at'))
        .as('chargedAt'),
      sql<string | null>`case when p.state = 'voided' then ${isoTime('p.updated_at')} end`.as('releasedAt'),
    ])
    .executeTakeFirst();
}

/** The holds of an order that others have taken the place of, oldest first, in cents: when that was, and when each was released. */
export function listReplacedHolds(tx: Tx, orderId: string) {
  return (
    tx
      .selectFrom('payments as p')
      .where('p.replaces', '=', orderId)
      // Those that never became the order's have lost their key.
      .where('p.idempotency_key', 'is not', null)
      .where('p.state', '<>', 'holding')
      .select([
        'p.amount',
        isoTime('p.created_at').as('replacedAt'),
        sql<string | null>`case when p.state = 'voided' then ${isoTime('p.updated_at')} end`.as('releasedAt'),
      ])
      .orderBy('p.created_at')
      .execute()
  );
}

/** The refunds made of an order, oldest first, in cents. */
export function listRefunds(tx: Tx, orderId: string): Promise<{ amount: number; at: string; reason: string }[]> {
  return tx
    .selectFrom('refunds as r')
    .innerJoin('ledger_entries as e', 'e.refund_id', 'r.id')
    .where('r.order_id', '=', orderId)
    .select(['r.amount', isoTime('e.at').as('at'), 'r.reason'])
    .orderBy('e.at')
    .execute();
}
