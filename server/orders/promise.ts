import { v7 as newId } from 'uuid';
import { openRefundCase } from '../cases/refundCase.ts';
import type { Tx } from '../db/database.ts';
import { findRefundableCents, recordRefund } from '../payments/refunds/refunds.ts';
import { endOwedCredit, findOwedCredit, type OwedCredit } from './promise.sql.ts';

export { isCreditOwed, oweCredit } from './promise.sql.ts';

const REASON = 'The promised time was missed';

/**
 * Pays what is owed for a missed promise, once: to the card of the order, from who had the laundry then, or from the town. Nothing is paid
 * for a promise that was kept, as a phone said later, and nothing to a Bud who had the laundry all the time, or did not open the door.
 */
export async function settlePromise(tx: Tx, orderId: string, at: Date): Promise<void> {
  const owed = await findOwedCredit(tx, orderId);
  if (!owed) return;
  const { backAt, promisedAt } = owed;
  if (backAt && backAt <= promisedAt) return endOwedCredit(tx, orderId, { state: 'kept', backAt }, at);
  const bearer = bearerOf(owed);
  const left = (await findRefundableCents(tx, orderId)) ?? 0;
  const cents = Math.min(left, bearer?.most ?? 0);
  if (!bearer || cents <= 0) return endOwedCredit(tx, orderId, { state: 'unpaid', backAt }, at);
  const { liable, liableUser, deliveryId } = bearer;
  const refund = await recordRefund(
    tx,
    {
      ...{ id: newId(), orderId, amount: cents, liable, reason: REASON, isCompensation: true },
      ...(liableUser === null ? {} : { liableUser }),
      ...(deliveryId === null ? {} : { deliveryId }),
    },
    at,
  );
  if (!refund.ok) return endOwedCredit(tx, orderId, { state: 'unpaid', backAt }, at);
  const paid = { state: 'paid', liable, liableUser, refundId: refund.id, cents, backAt } as const;
  await endOwedCredit(tx, orderId, paid, at);
  // Who bears it reads why, and can contest it once.
  if (liable !== 'platform' && liableUser !== null)
    await openRefundCase(
      tx,
      {
        ...{ refundId: refund.id, orderId, deliveryId, amount: cents, liable, liableUser },
        ...{ reason: REASON, by: 'the promised time' },
      },
      at,
    );
}

type Bearer = {
  readonly liable: 'platform' | 'scrub' | 'duber';
  readonly liableUser: string | null;
  readonly deliveryId: string | null;
  readonly most: number;
};

/**
 * The town pays at most its own fee of the order: friends who place orders and are late on purpose earn nothing. A worker pays with what
 * they have earned.
 */
function bearerOf({
  cents,
  fee,
  borneBy,
  holderRole,
  holderId,
  deliveryId,
  wasAtDoor,
}: OwedCredit): Bearer | undefined {
  if (wasAtDoor || holderRole === null || holderRole === 'Bud' || borneBy === null) return undefined;
  if (borneBy === 'town') return { liable: 'platform', liableUser: null, deliveryId: null, most: Math.min(cents, fee) };
  return holderRole === 'Scrub'
    ? { liable: 'scrub', liableUser: holderId, deliveryId: null, most: cents }
    : { liable: 'duber', liableUser: holderId, deliveryId, most: cents };
}
