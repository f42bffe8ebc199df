import { type RawBuilder, sql } from 'kysely';
import { type EarningShares, orderLinesOf } from '../../../domain/earnings.ts';
import type { EntryKind, LedgerAccount, LedgerLine } from '../../../domain/ledger.ts';
import type { OrderLedger, OrderRefund } from '../../../domain/orderBalance.ts';
import type { Tx } from '../../db/database.ts';
import { prepare } from '../../db/prepared.ts';

/** Locks the payment of the order whose id `order` selects. Also a part of the statement of a step. */
export const lockPaymentSql = (order: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select p.order_id from payments p where p.order_id = (${order}) for no key update`;

const lockPaymentOf = prepare<[orderId: string], { order_id: string }>((id) => lockPaymentSql(sql`${id}::uuid`));

/**
 * Locks an order's payment until the transaction ends, so that nobody refunds and earns at the same time. Read what you act
 * on in a statement of its own: the lock may have waited, and a statement sees what was committed before it started.
 */
export async function lockPayment(tx: Tx, orderId: string): Promise<void> {
  await lockPaymentOf.all(tx, orderId);
}

/** All entries of an order: one index for each kind. */
export const entriesOf = (orderId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select e.id from ledger_entries e where e.order_id = ${orderId} and e.kind in ('captured', 'completed')
  union all select e.id from deliveries d join ledger_entries e on e.delivery_id = d.id where d.order_id = ${orderId}
  union all select e.id from refunds r join ledger_entries e on e.refund_id = r.id where r.order_id = ${orderId}
  union all select a.entry_id from adjustments a where a.order_id = ${orderId})`;

/** An order's money. Lock its payment before, if you act on it. */
export async function readOrderLedger(tx: Tx, orderId: string): Promise<OrderLedger> {
  const payment = await tx
    .selectFrom('payments')
    .select('state')
    .select(sql<number>`amount - reduced + discount - discount_reduced`.as('price'))
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  const refunds = await tx
    .selectFrom('refunds')
    .select(['amount', 'discount', 'taxes', 'liable', 'liable_user as liableUser', 'forgiven', 'state'])
    .where('order_id', '=', orderId)
    .where('state', '<>', 'dropped')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const lines = await tx
    .selectFrom('ledger_lines')
    .select(['entry_id as entryId', 'kind', 'account', 'party', 'amount'])
    .where(sql<boolean>`entry_id in ${entriesOf(sql`${orderId}::uuid`)}`)
    .orderBy('entry_id')
    .orderBy('position')
    .$narrowType<{ kind: EntryKind; account: LedgerAccount }>()
    .execute();
  return {
    captured: payment?.state === 'captured' ? payment.price : 0,
    lines: withoutOthersEarnings(lines, await listEarningsWithBearer(tx, orderId)),
    refunds: refunds.map(
      ({ state, liable, amount, discount, ...refund }): OrderRefund => ({
        ...refund,
        amount: amount + discount,
        discount,
        liable: liable as OrderRefund['liable'],
        isMade: state === 'refunded',
      }),
    ),
  };
}

type EntryLine = LedgerLine & { readonly entryId: string; readonly kind: EntryKind };
type EarningWithBearer = EarningShares & { readonly entryId: string | null; readonly undoneBy: string | null };

/** The earnings of which others than the order bear a part. */
function listEarningsWithBearer(tx: Tx, orderId: string): Promise<EarningWithBearer[]> {
  return tx
    .selectFrom('earnings')
    .select(['duber_id as duberId', 'cents', 'from_order as fromOrder', 'bearer_id as bearerId'])
    .select(['entry_id as entryId', 'undone_by as undoneBy'])
    .where('order_id', '=', orderId)
    .whereRef('from_order', '<', 'cents')
    .where('entry_id', 'is not', null)
    .execute();
}

function withoutOthersEarnings(
  lines: readonly EntryLine[],
  earnings: readonly EarningWithBearer[],
): OrderLedger['lines'] {
  if (earnings.length === 0) return lines;
  return [...Map.groupBy(lines, ({ entryId }) => entryId)].flatMap(([entryId, entry]) => {
    const earning = earnings.find((one) => one.entryId === entryId || one.undoneBy === entryId);
    const kind = entry[0]?.kind ?? 'adjusted';
    return earning
      ? orderLinesOf(entry, earning, earning.undoneBy === entryId).map((line) => ({ ...line, kind }))
      : entry;
  });
}
