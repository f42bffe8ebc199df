import { v7 as newId } from 'uuid';
import type { UnpaidReason } from '../../domain/promises.ts';
import { openRefundCase } from '../cases/refundCase.ts';
import type { Tx } from '../db/database.ts';
import { findRefundableCents, recordRefund } from '../payments/refunds/refunds.ts';
import { endOwedCredit, findOwedCredit, insertOwedCredit, type MissedTimes, type OwedCredit } from './promise.sql.ts';

export { isCreditOwed } from './promise.sql.ts';

const REASON = 'The promised time was missed';

/** Owes the credit of an order whose promised time is over, and whose laundry was not back by then. */
export async function oweCredit(
  tx: Tx,
  order: MissedTimes & { readonly needed: { readonly isBackInTime: boolean } },
  at: Date,
): Promise<void> {
  const isMissed = order.promisedAt !== null && order.promisedAt <= at && !order.needed.isBackInTime;
  if (isMissed) await insertOwedCredit(tx, order, at);
}

/**
 * Pays what is owed for a missed promise, once: to the card of the order, from who had the laundry then, or from the town. Nothing is paid
 * for a promise that was kept, as a phone said later, nor for one that the Bud made impossible.
 */
export async function settlePromise(tx: Tx, orderId: string, at: Date): Promise<void> {
  const owed = await findOwedCredit(tx, orderId);
  if (!owed) return;
  const { backAt, promisedAt } = owed;
  const holderRole = owed.holderRole ?? 'Bud';
  if (backAt && backAt <= promisedAt) return endOwedCredit(tx, orderId, { state: 'kept', backAt, holderRole }, at);
  const unpaid = (reason: UnpaidReason) =>
    endOwedCredit(tx, orderId, { state: 'unpaid', reason, backAt, holderRole }, at);
  const reason = whyUnpaid(owed);
  if (reason) return unpaid(reason);
  const { liable, liableUser, deliveryId, most } = bearerOf(owed);
  const cents = Math.min((await findRefundableCents(tx, orderId)) ?? 0, most);
  if (cents <= 0) return unpaid('nothing-left');
  const refund = await recordRefund(
    tx,
    {
      ...{ id: newId(), orderId, amount: cents, liable, reason: REASON, isCompensation: true },
      ...(liableUser === null ? {} : { liableUser }),
      ...(deliveryId === null ? {} : { deliveryId }),
    },
    at,
  );
  if (!refund.ok) return unpaid('nothing-left');
  const paid = { state: 'paid', liable, liableUser, refundId: refund.id, cents, backAt, holderRole } as const;
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

/** The order has ended: its money goes back, and nothing more is owed. */
export const forgetPromise = (tx: Tx, orderId: string, at: Date): Promise<void> =>
  endOwedCredit(tx, orderId, { state: 'unpaid', reason: 'cancelled' }, at);

/** Why the promise could not be kept: otherwise a Bud could earn the credit from people who have done nothing wrong. */
function whyUnpaid({ holderRole, wasGivenLate, wasNotHome }: OwedCredit): UnpaidReason | undefined {
  if (holderRole === null || holderRole === 'Bud') return 'with-bud';
  if (wasGivenLate) return 'late-pickup';
  return wasNotHome ? 'not-home' : undefined;
}

type Bearer = {
  readonly liable: 'platform' | 'scrub' | 'duber';
  readonly liableUser: string | null;
  readonly deliveryId: string | null;
  readonly most: number;
};

/**
 * The town pays at most what it keeps of the order: friends who place orders and are late on purpose earn nothing. A worker pays with what
 * they have earned.
 */
function bearerOf({ cents, kept, borneBy, holderRole, holderId, deliveryId }: OwedCredit): Bearer {
  if (borneBy !== 'holder')
    return { liable: 'platform', liableUser: null, deliveryId: null, most: Math.min(cents, kept) };
  return holderRole === 'Scrub'
    ? { liable: 'scrub', liableUser: holderId, deliveryId: null, most: cents }
    : { liable: 'duber', liableUser: holderId, deliveryId, most: cents };
}
