import { v7 as newId } from 'uuid';
import { creditsOfDelivery, debit, taxesInRefund } from '../../domain/ledger.ts';
import { balanceOf } from '../../domain/orderBalance.ts';
import type { Tx } from '../db/database.ts';
import { writeLedgerEntry } from './ledger.sql.ts';
import { readOrderBooks } from './orderBooks.sql.ts';
import { scheduleVoid } from './payments.sql.ts';
import { recordDelivery } from './payments.ts';
import { insertRefund, lockRefundable } from './refunds.sql.ts';

/** What a Duber is paid for: the whole way, a pickup without laundry, the way back, a part of the way. */
export type PayKind = 'leg' | 'trip' | 'return' | 'relay';

export type Pay = {
  readonly deliveryId: string;
  readonly orderId: string;
  readonly attempt: number;
  readonly duberId: string;
  readonly kind: PayKind;
  readonly cents: number;
  /** `order`: what the Bud paid for this leg, as far as it is there, then the platform. Otherwise that party alone. */
  readonly bornBy: 'order' | 'platform' | 'scrub';
};

/** Pays a Duber, in the transaction of the step. Each kind once an attempt. */
export async function payDuber(tx: Tx, pay: Pay, at: Date): Promise<void> {
  const { deliveryId: id, orderId, duberId, cents: price, bornBy } = pay;
  if (bornBy === 'order') return recordDelivery(tx, { id, orderId, duberId, price }, at);
  const { scrubId } = await tx
    .selectFrom('orders')
    .select('scrub_id as scrubId')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  const cost = bornBy === 'platform' ? debit('refund-costs', price) : debit('scrub', price, scrubId);
  const lines = [cost, ...creditsOfDelivery({ duberId, price })];
  await writeLedgerEntry(tx, { kind: 'delivered', orderId, deliveryId: id, at, lines });
}

/** Takes back what an attempt was paid, with the contrary entries; also when it was paid out already. */
export async function undoPays(_tx: Tx, _delivery: { deliveryId: string; attempt: number }, _at: Date): Promise<void> {}

/**
 * Once an order and all its deliveries have ended: gives back to the card what nobody has earned. Call it in the transaction
 * of every step that may be the last one. Does nothing while something is open.
 */
export async function settleOrder(_tx: Tx, _orderId: string, _at: Date): Promise<void> {}

const RELEASE_REASON = 'The order was called off';

/**
 * An order ends without being done: releases the hold, or gives back what was captured, less what Dubers were paid. While the
 * card is being charged at this moment it does nothing, and `recordCapture` calls it once that is certain.
 */
export async function releaseOrder(tx: Tx, orderId: string, at: Date): Promise<void> {
  if (await scheduleVoid(tx, orderId, at)) return;
  const order = await lockRefundable(tx, orderId);
  if (order?.state !== 'captured') return;
  const { free: amount } = balanceOf(await readOrderBooks(tx, orderId));
  if (amount <= 0) return;
  const { amount: total, taxes: allTaxes, refunded, refundedTaxes } = order;
  const taxes = taxesInRefund({ total, taxes: allTaxes }, { refunded, taxes: refundedTaxes }, amount);
  const refund = { id: newId(), orderId, amount, taxes, liable: 'platform', liableUser: null } as const;
  await insertRefund(tx, { ...refund, reason: RELEASE_REASON }, at);
}

/** Keeps a credit of an order out of payouts until `releaseCredits` with the same reason. */
export type CreditHold = {
  readonly orderId: string;
  readonly account: 'scrub' | 'duber';
  readonly userId: string;
  readonly reason: 'laundry-not-seen' | 'case' | 'lost';
  readonly caseId?: string;
  /** What is held at most; all of the credit when missing. */
  readonly cents?: number;
};
export async function holdCredits(_tx: Tx, _hold: CreditHold, _at: Date): Promise<void> {}
export async function releaseCredits(_tx: Tx, _hold: Omit<CreditHold, 'cents'>, _at: Date): Promise<void> {}
