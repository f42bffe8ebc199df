import { sql } from 'kysely';
import type { EntryKind, LedgerAccount } from '../../domain/ledger.ts';
import type { OrderBooks, OrderRefund } from '../../domain/orderBalance.ts';
import type { Tx } from '../db/database.ts';
import { prepare } from '../db/prepared.ts';

const lockPaymentOf = prepare<[orderId: string], { order_id: string }>(
  (id) => sql`select p.order_id from payments p where p.order_id = ${id} for no key update`,
);
const findRefundsOf = prepare<[orderId: string], { id: string }>(
  (id) => sql`select r.id from refunds r where r.order_id = ${id} and r.state <> 'dropped' limit 1`,
);

/**
 * Whether an order has refunds, made or under way. Locks its payment until the transaction ends, so that nobody refunds and
 * earns at the same time.
 */
export async function lockAndFindRefunds(tx: Tx, orderId: string): Promise<boolean> {
  await lockPaymentOf.all(tx, orderId);
  // A statement of its own: the lock may have waited, and a statement sees what was committed before it started.
  return (await findRefundsOf.one(tx, orderId)) !== undefined;
}

/** All entries of an order: one index for each kind. */
const entriesOf = (orderId: string) => sql`(
  select e.id from ledger_entries e where e.order_id = ${orderId} and e.kind in ('captured', 'completed')
  union all select e.id from deliveries d join ledger_entries e on e.delivery_id = d.id where d.order_id = ${orderId}
  union all select e.id from refunds r join ledger_entries e on e.refund_id = r.id where r.order_id = ${orderId}
  union all select a.entry_id from adjustments a where a.order_id = ${orderId})`;

/** An order's money. Lock its payment before, if you act on it. */
export async function readOrderBooks(tx: Tx, orderId: string): Promise<OrderBooks> {
  const payment = await tx
    .selectFrom('payments')
    .select(['state', 'amount'])
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  const refunds = await tx
    .selectFrom('refunds')
    .select(['amount', 'taxes', 'liable', 'liable_user as liableUser', 'state'])
    .where('order_id', '=', orderId)
    .where('state', '<>', 'dropped')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const lines = await tx
    .selectFrom('ledger_lines')
    .select(['kind', 'account', 'party', 'amount'])
    .where(sql<boolean>`entry_id in ${entriesOf(orderId)}`)
    .orderBy('entry_id')
    .orderBy('position')
    .$narrowType<{ kind: EntryKind; account: LedgerAccount }>()
    .execute();
  return {
    captured: payment?.state === 'captured' ? payment.amount : 0,
    lines,
    refunds: refunds.map(
      ({ state, liable, ...refund }): OrderRefund => ({
        ...refund,
        liable: liable as OrderRefund['liable'],
        isMade: state === 'refunded',
      }),
    ),
  };
}
