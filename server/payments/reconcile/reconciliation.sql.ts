import { type NotNull, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { addMs, POLL_MS } from '../card/retry.ts';

export type PaymentToReconcile = NonNullable<Awaited<ReturnType<typeof takeDueReconciliation>>>;

/** Leases a payment that is due for reconciliation. If the reconciliation fails, it is due again at `leasedUntil`. */
export function takeDueReconciliation(tx: Tx, now: Date) {
  return (
    tx
      .updateTable('payments as p')
      .set({ look_at: addMs(now, POLL_MS) })
      .where('p.order_id', '=', ({ selectFrom }) =>
        selectFrom('payments')
          .select('order_id')
          .where('look_at', '<=', now)
          .orderBy('look_at')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returning(({ exists, selectFrom }) => {
        const refunds = selectFrom('refunds as r').whereRef('r.order_id', '=', 'p.order_id');
        return [
          'p.order_id as orderId',
          'p.bud_id as budId',
          'p.card_fee as cardFee',
          'p.fee_tries as feeTries',
          'p.state',
          'p.amount',
          'p.square_id as squareId',
          'p.look_at as leasedUntil',
          // Cents that the card network has accepted as refunds, as far as we know.
          refunds
            .where('r.state', 'in', ['pending', 'refunded'])
            .select(sql<number>`coalesce(sum(r.amount), 0)::int`.as('cents'))
            .as('refunded'),
          exists(refunds.where('r.state', '=', 'asking').select('r.id')).as('isRefundInFlight'),
        ];
      })
      // Only payments with a Square id become due, and a sum without grouping always has a row.
      .$narrowType<{ squareId: NotNull; leasedUntil: NotNull; refunded: NotNull }>()
      .executeTakeFirst()
  );
}

/** Records the result of a reconciliation: null when the ledger agrees, and when to look again. */
export async function finishReconciliation(
  tx: Tx,
  { orderId, squareId, leasedUntil }: Pick<PaymentToReconcile, 'orderId' | 'squareId' | 'leasedUntil'>,
  { discrepancy, isFeeMissing, lookAt }: { discrepancy: string | null; isFeeMissing: boolean; lookAt: Date | null },
): Promise<void> {
  await tx
    .updateTable('payments')
    .set((eb) => ({
      concern: discrepancy,
      fee_tries: isFeeMissing ? eb('fee_tries', '+', 1) : eb.ref('fee_tries'),
      // A webhook may have made the payment due again meanwhile.
      look_at: eb.case().when('look_at', '=', leasedUntil).then(lookAt).else(eb.ref('look_at')).end(),
    }))
    .where('order_id', '=', orderId)
    // Another hold may have taken the place of this one.
    .where('square_id', '=', squareId)
    .execute();
}

/** Schedules another release for a hold that the card network still has after it was voided here. */
export async function releaseHoldAgain(
  tx: Tx,
  { orderId, squareId }: Pick<PaymentToReconcile, 'orderId' | 'squareId'>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ state: 'voiding', due_at: now, tries: 0, updated_at: now })
    .where('order_id', '=', orderId)
    .where('square_id', '=', squareId)
    .where('state', '=', 'voided')
    .execute();
}

/** Writes down the fee of a payment; false when another worker was faster. */
export async function recordCardFee(
  tx: Tx,
  { orderId, squareId, cardFee }: Pick<PaymentToReconcile, 'orderId' | 'squareId' | 'cardFee'>,
  fee: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payments')
    .set({ card_fee: fee })
    .where('order_id', '=', orderId)
    .where('square_id', '=', squareId)
    .where('state', '=', 'captured')
    .where('card_fee', 'is not distinct from', cardFee)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
