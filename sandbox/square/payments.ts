import type { SquareContext } from './createPayment.ts';
import { assessFee } from './fees.ts';
import { fingerprint, readBody, readMoney, readText, requireText } from './requestBody.ts';
import { findStoredAnswer, newId, type SquareStore } from './store.ts';
import { type ApiResponse, type Money, type Payment, refuse } from './types.ts';

export function getPayment(store: SquareStore, id: string, place: SquareContext): ApiResponse {
  return { status: 200, body: { payment: findPayment(store, id, place) } };
}

/** Updates the payment to now: a hold that was not captured in time has expired, and a captured one costs a fee. */
export function findPayment(store: SquareStore, id: string, place: SquareContext): Payment {
  const payment = store.payments.get(id);
  if (!payment) throw refuse('NOT_FOUND', `Could not find payment with id: ${id}`, 'payment_id', 404);
  return refreshPayment(store, payment, place);
}

export function refreshPayment(store: SquareStore, payment: Payment, place: SquareContext): Payment {
  const { publicUrl, now } = place;
  if (payment.status === 'COMPLETED') return assessFee(store, payment, place);
  if (payment.status !== 'APPROVED' || now().toISOString() < payment.delayed_until) return payment;
  const at = payment.delayed_until;
  const ended =
    payment.delay_action === 'COMPLETE' ? toCapturedPayment(payment, at, publicUrl()) : toVoidedPayment(payment, at);
  const what = payment.delay_action === 'COMPLETE' ? 'Captured when its time was up' : 'Voided when its time was up';
  store.write({ at, what, payment: ended });
  return ended;
}

const UPDATE_FIELDS = ['idempotency_key', 'payment'];

/** UpdatePayment: a hold that was not captured yet becomes smaller. What else Square can change is not simulated. */
export function updatePayment(store: SquareStore, id: string, received: unknown, place: SquareContext): ApiResponse {
  const body = readBody(received, UPDATE_FIELDS);
  const key = `update ${requireText(body, 'idempotency_key', 45)}`;
  const print = fingerprint({ ...body, id });
  const before = findStoredAnswer(store, key, print);
  if (before) return before;
  const changes = readBody(body.payment ?? {}, ['amount_money', 'version_token']);
  const expected = readText(changes, 'version_token', 192);
  const amount = readMoney(changes, 'amount_money');
  const payment = findPayment(store, id, place);
  if (expected !== undefined && expected !== payment.version_token)
    throw refuseVersionMismatch('payment.version_token');
  requireApproved(payment);
  const updated = amount ? toSmallerPayment(payment, amount, place.now().toISOString()) : payment;
  const answer: ApiResponse = { status: 200, body: { payment: updated } };
  const what = `Changed to ${(updated.total_money.amount / 100).toFixed(2)}`;
  store.write({ at: updated.updated_at, what, payment: updated, given: { key, fingerprint: print, answer } });
  return answer;
}

function toSmallerPayment(payment: Payment, amount: Money, at: string): Payment {
  const field = 'payment.amount_money.amount';
  if (amount.amount < 1) throw refuse('VALUE_TOO_LOW', 'Must be greater than or equal to 1.', field);
  if (amount.amount > payment.amount_money.amount)
    throw refuse('BAD_REQUEST', 'The stand-in only lowers the amount of a payment.', field);
  if (!payment.capabilities?.includes('EDIT_AMOUNT_DOWN'))
    throw refuse('BAD_REQUEST', `The amount of payment ${payment.id} cannot be lowered.`, field);
  const total = { ...amount, amount: amount.amount + (payment.tip_money?.amount ?? 0) };
  return {
    ...payment,
    amount_money: amount,
    total_money: total,
    approved_money: total,
    updated_at: at,
    version_token: newId(32),
  };
}

export function completePayment(store: SquareStore, id: string, received: unknown, place: SquareContext): ApiResponse {
  const body = readBody(received ?? {}, ['version_token']);
  const expected = readText(body, 'version_token', 192);
  const payment = findPayment(store, id, place);
  if (expected !== undefined && expected !== payment.version_token) throw refuseVersionMismatch('version_token');
  requireApproved(payment);
  const at = place.now().toISOString();
  const completed = toCapturedPayment(payment, at, place.publicUrl());
  store.write({ at, what: 'Captured', payment: completed });
  return { status: 200, body: { payment: completed } };
}

export function cancelPayment(store: SquareStore, id: string, place: SquareContext): ApiResponse {
  const payment = findPayment(store, id, place);
  requireApproved(payment);
  return { status: 200, body: { payment: voidPayment(store, payment, place) } };
}

/** An unknown key is not an error: nothing was held, which is what the caller wants. */
export function cancelByKey(store: SquareStore, received: unknown, place: SquareContext): ApiResponse {
  const body = readBody(received, ['idempotency_key']);
  const key = `payment ${requireText(body, 'idempotency_key', 45)}`;
  const id = store.paymentByKey.get(key);
  if (!id) return { status: 200, body: {} };
  const payment = findPayment(store, id, place);
  // A declined or expired hold has nothing to void.
  if (payment.status === 'FAILED' || payment.status === 'CANCELED') return { status: 200, body: {} };
  requireApproved(payment);
  voidPayment(store, payment, place, key);
  return { status: 200, body: {} };
}

export function refuseVersionMismatch(field: string) {
  return refuse('VERSION_MISMATCH', 'The version token does not match the current version of the payment.', field);
}

function voidPayment(store: SquareStore, payment: Payment, { now }: SquareContext, freedKey?: string): Payment {
  const at = now().toISOString();
  const canceled = toVoidedPayment(payment, at);
  // After a cancel by key, CreatePayment with the same key is allowed again.
  store.write({ at, what: 'Voided', payment: canceled, ...(freedKey ? { freedKey } : {}) });
  return canceled;
}

function requireApproved(payment: Payment): void {
  if (payment.status === 'APPROVED') return;
  const state = `Payment ${payment.id} is in inflight state ${payment.status}`;
  throw refuse('BAD_REQUEST', `${state}, which is invalid for the requested operation`);
}

// What has ended cannot be edited.
const withoutEdits = ({ capabilities: _ended, ...payment }: Payment): Payment => payment;

function toCapturedPayment(payment: Payment, at: string, publicUrl: string): Payment {
  const timeline = { ...payment.card_details.card_payment_timeline, captured_at: at };
  return {
    ...withoutEdits(payment),
    status: 'COMPLETED',
    updated_at: at,
    card_details: { ...payment.card_details, status: 'CAPTURED', card_payment_timeline: timeline },
    receipt_number: payment.id.slice(0, 4),
    receipt_url: `${publicUrl}/sandbox/square#${payment.id}`,
    version_token: newId(32),
  };
}

function toVoidedPayment(payment: Payment, at: string): Payment {
  const timeline = { ...payment.card_details.card_payment_timeline, voided_at: at };
  return {
    ...withoutEdits(payment),
    status: 'CANCELED',
    updated_at: at,
    approved_money: { ...payment.approved_money, amount: 0 },
    card_details: { ...payment.card_details, status: 'VOIDED', card_payment_timeline: timeline },
    version_token: newId(32),
  };
}
