import type { SquareContext } from './createPayment.ts';
import { isDisputed } from './disputes.ts';
import { findPayment, refuseVersionMismatch } from './payments.ts';
import { fingerprint, readBody, readMoney, readText, requireMoney, requireText } from './requestBody.ts';
import { findStoredAnswer, newId, type SquareStore } from './store.ts';
import { type ApiResponse, type Money, type Payment, type Refund, refuse, SquareRefusal } from './types.ts';

const KNOWN_FIELDS = [
  'idempotency_key',
  'amount_money',
  'app_fee_money',
  'payment_id',
  'reason',
  'payment_version_token',
  'team_member_id',
];

/** As with Square, a refund starts PENDING. Here it is COMPLETED the next time it is read. */
export function createRefund(store: SquareStore, received: unknown, place: SquareContext): ApiResponse {
  const body = readBody(received, KNOWN_FIELDS);
  const key = `refund ${requireText(body, 'idempotency_key', 45)}`;
  const amount = requireMoney(body, 'amount_money', 1);
  const paymentId = requireText(body, 'payment_id', 192);
  const reason = readText(body, 'reason', 192);
  const fee = readMoney(body, 'app_fee_money');
  const print = fingerprint(body);
  const before = findStoredAnswer(store, key, print);
  if (before) return before;

  const payment = findPayment(store, paymentId, place);
  const expected = readText(body, 'payment_version_token', 192);
  if (expected !== undefined && expected !== payment.version_token)
    throw refuseVersionMismatch('payment_version_token');
  requireRefundable(payment, amount);
  if (isDisputed(store, payment))
    throw refuseRefund('PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE', 'A payment that is contested cannot be refunded.');
  const at = place.now().toISOString();
  const refund: Refund = {
    id: `${payment.id}_${newId(43)}`,
    status: 'PENDING',
    payment_id: payment.id,
    order_id: newId(24),
    location_id: payment.location_id,
    destination_type: 'CARD',
    amount_money: amount,
    ...(fee ? { app_fee_money: fee } : {}),
    ...(reason ? { reason } : {}),
    created_at: at,
    updated_at: at,
  };
  const answer: ApiResponse = { status: 200, body: { refund } };
  const what = `Refunded ${(amount.amount / 100).toFixed(2)}${reason ? `: ${reason}` : ''}`;
  store.write({ at, what, refund, payment: addRefund(payment, refund), given: { key, fingerprint: print, answer } });
  return answer;
}

export function getRefund(store: SquareStore, id: string, place: SquareContext): ApiResponse {
  const refund = store.refunds.get(id);
  if (!refund) throw refuse('NOT_FOUND', `Could not find refund with id: ${id}`, 'refund_id', 404);
  return { status: 200, body: { refund: completePendingRefund(store, refund, place) } };
}

export function completePendingRefund(store: SquareStore, refund: Refund, { now }: SquareContext): Refund {
  if (refund.status !== 'PENDING') return refund;
  const at = now().toISOString();
  const completed: Refund = { ...refund, status: 'COMPLETED', updated_at: at };
  store.write({ at, what: 'A refund arrived', refund: completed });
  return completed;
}

function addRefund(payment: Payment, refund: Refund): Payment {
  const soFar = payment.refunded_money?.amount ?? 0;
  return {
    ...payment,
    updated_at: refund.created_at,
    refunded_money: { amount: soFar + refund.amount_money.amount, currency: refund.amount_money.currency },
    refund_ids: [...(payment.refund_ids ?? []), refund.id],
    version_token: newId(32),
  };
}

function requireRefundable(payment: Payment, amount: Money): void {
  if (payment.status === 'APPROVED') {
    throw refuseRefund('REFUND_ERROR_PAYMENT_NEEDS_COMPLETION', 'The payment must be completed before a refund.');
  }
  if (payment.status !== 'COMPLETED') {
    throw refuseRefund('PAYMENT_NOT_REFUNDABLE', `A payment that is ${payment.status} cannot be refunded.`);
  }
  const left = payment.total_money.amount - (payment.refunded_money?.amount ?? 0);
  if (amount.amount > left) {
    throw refuseRefund('REFUND_AMOUNT_INVALID', 'The requested refund amount exceeds the amount left to refund.');
  }
}

function refuseRefund(code: string, detail: string): SquareRefusal {
  return new SquareRefusal(400, { category: 'REFUND_ERROR', code, detail });
}
