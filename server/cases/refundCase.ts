import { v7 as newUuid } from 'uuid';
import type { Cents } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';
import { insertOpenedCase, openingOf } from './openCase.ts';

/** A refund that an operator has made without a case, and that a Scrub or a Duber bears. */
export type BorneRefund = {
  readonly refundId: string;
  readonly orderId: string;
  readonly deliveryId: string | null;
  readonly amount: Cents;
  readonly liable: 'scrub' | 'duber';
  readonly liableUser: string;
  readonly reason: string;
  /** The name of the operator. */
  readonly by: string;
};

/** Whoever bears a refund can read about it and contest it: it is a case that is decided already. */
export async function openRefundCase(tx: Tx, refund: BorneRefund, at: Date): Promise<void> {
  const { refundId, orderId, deliveryId, amount, liable, liableUser: userId, reason, by } = refund;
  const id = newUuid();
  const about = { userId, role: liable === 'scrub' ? 'Scrub' : 'Duber' } as const;
  await insertOpenedCase(
    tx,
    {
      ...{ id, kind: 'refund', reason: null, orderId, deliveryId, openedBy: null, about, people: [userId] },
      opening: openingOf('refund', 'Operator'),
      by: { role: 'Operator', id: null, name: by },
      report: { words: reason, cents: amount },
    },
    at,
  );
  await tx.insertInto('case_refunds').values({ case_id: id, position: 0, liable, refund_id: refundId }).execute();
}
