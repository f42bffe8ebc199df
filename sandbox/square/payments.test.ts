import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  catchFirstError,
  catchSquareError,
  createPayment,
  type SquareSandbox,
  startSquareSandbox,
  tokenizeCard,
  toUsd,
} from '../../testing/squareSandbox.ts';

let harness: SquareSandbox;

beforeEach(async () => {
  harness = await startSquareSandbox();
});

afterEach(() => harness.stop());

test('a payment with autocomplete false is approved and holds the amount for seven days', async () => {
  const payment = await createPayment(harness, {
    autocomplete: false,
    referenceId: 'order-1',
    locationId: 'L1',
    note: 'two bags',
    customerId: 'ann',
  });
  expect(payment).toMatchObject({
    status: 'APPROVED',
    amountMoney: toUsd(2683),
    totalMoney: toUsd(2683),
    approvedMoney: toUsd(2683),
    createdAt: '2026-03-04T05:06:07.000Z',
    delayDuration: 'P7D',
    delayAction: 'CANCEL',
    delayedUntil: '2026-03-11T05:06:07.000Z',
    sourceType: 'CARD',
    locationId: 'L1',
    referenceId: 'order-1',
    note: 'two bags',
    customerId: 'ann',
    cardDetails: {
      status: 'AUTHORIZED',
      entryMethod: 'KEYED',
      cvvStatus: 'CVV_ACCEPTED',
      avsStatus: 'AVS_ACCEPTED',
      card: { cardBrand: 'VISA', last4: '5858' },
      cardPaymentTimeline: { authorizedAt: '2026-03-04T05:06:07.000Z' },
    },
  });
  expect(payment.receiptUrl).toBeUndefined();
  expect((await harness.client.payments.get({ paymentId: payment.id })).payment).toEqual(payment);
});

test('autocomplete, the default, captures at once', async () => {
  const payment = await createPayment(harness);
  expect(payment).toMatchObject({ status: 'COMPLETED', cardDetails: { status: 'CAPTURED' } });
  expect(payment.receiptUrl).toBe(`${harness.url}#${payment.id}`);
});

test('an approved payment is completed once, and only with its current version token', async () => {
  const { id, versionToken } = await createPayment(harness, { autocomplete: false });
  const wrong = { paymentId: id, versionToken: 'not the one' };
  expect(await catchFirstError(harness.client.payments.complete(wrong))).toEqual({
    status: 400,
    category: 'INVALID_REQUEST_ERROR',
    code: 'VERSION_MISMATCH',
    field: 'version_token',
  });
  harness.setClock('2026-03-04T06:00:00Z');
  const { payment } = await harness.client.payments.complete({ paymentId: id, versionToken: versionToken ?? null });
  expect(payment).toMatchObject({
    status: 'COMPLETED',
    updatedAt: '2026-03-04T06:00:00.000Z',
    cardDetails: { status: 'CAPTURED', cardPaymentTimeline: { capturedAt: '2026-03-04T06:00:00.000Z' } },
  });
  expect(payment?.versionToken).not.toBe(versionToken);
  const again = await catchSquareError(harness.client.payments.complete({ paymentId: id }));
  expect(again.statusCode).toBe(400);
  expect(again.errors).toEqual([
    {
      category: 'INVALID_REQUEST_ERROR',
      code: 'BAD_REQUEST',
      detail: `Payment ${id} is in inflight state COMPLETED, which is invalid for the requested operation`,
    },
  ]);
});

test('a cancelled hold is void: it can be neither completed nor cancelled again', async () => {
  const { id } = await createPayment(harness, { autocomplete: false });
  const { payment } = await harness.client.payments.cancel({ paymentId: id });
  expect(payment).toMatchObject({ status: 'CANCELED', approvedMoney: toUsd(0), cardDetails: { status: 'VOIDED' } });
  const refused = { status: 400, category: 'INVALID_REQUEST_ERROR', code: 'BAD_REQUEST' };
  expect(await catchFirstError(harness.client.payments.complete({ paymentId: id }))).toMatchObject(refused);
  expect(await catchFirstError(harness.client.payments.cancel({ paymentId: id }))).toMatchObject(refused);
});

test('a completed payment cannot be cancelled, by id or by key', async () => {
  const idempotencyKey = randomUUID();
  const { id } = await createPayment(harness, { idempotencyKey });
  const refused = { status: 400, category: 'INVALID_REQUEST_ERROR', code: 'BAD_REQUEST' };
  expect(await catchFirstError(harness.client.payments.cancel({ paymentId: id }))).toMatchObject(refused);
  expect(await catchFirstError(harness.client.payments.cancelByIdempotencyKey({ idempotencyKey }))).toMatchObject(
    refused,
  );
});

test('a cancel by key voids the hold and frees the key; an unknown key is not an error', async () => {
  const idempotencyKey = randomUUID();
  expect((await harness.client.payments.cancelByIdempotencyKey({ idempotencyKey })).errors).toBeUndefined();
  const first = await createPayment(harness, { idempotencyKey, autocomplete: false });
  await harness.client.payments.cancelByIdempotencyKey({ idempotencyKey });
  expect((await harness.client.payments.get({ paymentId: first.id })).payment?.status).toBe('CANCELED');
  const second = await createPayment(harness, { idempotencyKey, autocomplete: false });
  expect(second).toMatchObject({ status: 'APPROVED' });
  expect(second.id).not.toBe(first.id);
});

test('the same key and body return the same answer and charge once, even in parallel', async () => {
  const idempotencyKey = randomUUID();
  const answers = await Promise.all(
    [1, 2, 3].map(() => createPayment(harness, { idempotencyKey, autocomplete: false })),
  );
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect((await harness.client.payments.list()).data).toHaveLength(1);
  const other = createPayment(harness, { idempotencyKey, autocomplete: false, amountMoney: toUsd(1) });
  expect(await catchFirstError(other)).toEqual({
    status: 400,
    category: 'INVALID_REQUEST_ERROR',
    code: 'IDEMPOTENCY_KEY_REUSED',
    field: 'idempotency_key',
  });
});

test.each([
  ['cnon:card-nonce-declined', 'GENERIC_DECLINE', 'CVV_ACCEPTED', 'AVS_ACCEPTED'],
  ['cnon:card-nonce-rejected-cvv', 'CVV_FAILURE', 'CVV_REJECTED', 'AVS_ACCEPTED'],
  ['cnon:card-nonce-rejected-postalcode', 'ADDRESS_VERIFICATION_FAILURE', 'CVV_ACCEPTED', 'AVS_REJECTED'],
  ['cnon:card-nonce-rejected-expiration', 'INVALID_EXPIRATION', 'CVV_ACCEPTED', 'AVS_ACCEPTED'],
  ['cnon:gift-card-nonce-insufficient-funds', 'INSUFFICIENT_FUNDS', 'CVV_ACCEPTED', 'AVS_ACCEPTED'],
])('%s is a 402 %s with a failed payment, and stays so under its key', async (sourceId, code, cvv, avs) => {
  const idempotencyKey = randomUUID();
  const error = await catchSquareError(createPayment(harness, { sourceId, idempotencyKey }));
  expect(error.statusCode).toBe(402);
  expect(error.errors).toEqual([{ category: 'PAYMENT_METHOD_ERROR', code, detail: `Authorization error: '${code}'` }]);
  expect(error.body).toMatchObject({
    payment: {
      status: 'FAILED',
      approved_money: { amount: 0, currency: 'USD' },
      card_details: { status: 'FAILED', cvv_status: cvv, avs_status: avs },
    },
  });
  const again = await catchSquareError(createPayment(harness, { sourceId, idempotencyKey }));
  expect(again.body).toEqual(error.body);
});

test('unknown, used and expired card tokens have different errors', async () => {
  const refuse = (sourceId: string) => catchFirstError(createPayment(harness, { sourceId }));
  const refused = { category: 'INVALID_REQUEST_ERROR', field: 'source_id' };
  expect(await refuse('cnon:nobody-knows')).toEqual({ ...refused, status: 404, code: 'NOT_FOUND' });
  expect(await refuse('cnon:card-nonce-already-used')).toEqual({ ...refused, status: 400, code: 'CARD_TOKEN_USED' });
  const token = await tokenizeCard(harness);
  const idempotencyKey = randomUUID();
  const first = await createPayment(harness, { sourceId: token, idempotencyKey });
  expect(first.cardDetails?.card).toMatchObject({ cardBrand: 'VISA', last4: '1111', expMonth: 12, expYear: 2030 });
  expect(await createPayment(harness, { sourceId: token, idempotencyKey })).toEqual(first);
  expect(await refuse(token)).toEqual({ ...refused, status: 400, code: 'CARD_TOKEN_USED' });
  const late = await tokenizeCard(harness);
  harness.setClock('2026-03-05T05:06:07Z');
  expect(await refuse(late)).toEqual({ ...refused, status: 400, code: 'CARD_TOKEN_EXPIRED' });
});

test.each([
  [{ number: '4000000000000002' }, 'GENERIC_DECLINE'],
  [{ cvv: '911' }, 'CVV_FAILURE'],
  [{ postalCode: '99999' }, 'ADDRESS_VERIFICATION_FAILURE'],
  [{ expMonth: 1, expYear: 2040 }, 'INVALID_EXPIRATION'],
])('a card typed with %o gets a token that is refused when charged', async (card, code) => {
  const sourceId = await tokenizeCard(harness, card);
  const refusal = await catchFirstError(createPayment(harness, { sourceId, autocomplete: false }));
  expect(refusal).toMatchObject({ status: 402, category: 'PAYMENT_METHOD_ERROR', code });
  expect(await catchFirstError(createPayment(harness, { sourceId }))).toMatchObject({ code: 'CARD_TOKEN_USED' });
});

test('a hold that is not captured in time expires', async () => {
  const held = await createPayment(harness, { autocomplete: false, delayDuration: 'PT36H' });
  const kept = await createPayment(harness, { autocomplete: false, delayDuration: 'PT36H', delayAction: 'COMPLETE' });
  const status = async (paymentId: string) => (await harness.client.payments.get({ paymentId })).payment?.status;
  harness.setClock('2026-03-05T17:06:06Z');
  expect(await status(held.id)).toBe('APPROVED');
  harness.setClock('2026-03-05T17:06:07Z');
  expect(await status(held.id)).toBe('CANCELED');
  expect(await status(kept.id)).toBe('COMPLETED');
  expect(await catchFirstError(harness.client.payments.complete({ paymentId: held.id }))).toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test.each([
  [{ sourceId: ' ' }, 'VALUE_EMPTY', 'source_id'],
  [{ idempotencyKey: 'k'.repeat(46) }, 'VALUE_TOO_LONG', 'idempotency_key'],
  [{ referenceId: 'r'.repeat(41) }, 'VALUE_TOO_LONG', 'reference_id'],
  [{ amountMoney: undefined }, 'MISSING_REQUIRED_PARAMETER', 'amount_money'],
  [{ amountMoney: toUsd(0) }, 'VALUE_TOO_LOW', 'amount_money.amount'],
  [{ amountMoney: toUsd(5_000_001) }, 'AMOUNT_TOO_HIGH', 'amount_money.amount'],
  [{ amountMoney: { amount: 100, currency: 'EUR' } }, 'INVALID_VALUE', 'amount_money.currency'],
  [{ appFeeMoney: toUsd(2500) }, 'INVALID_FEES', 'app_fee_money'],
  [{ autocomplete: false, delayDuration: 'a while' }, 'INVALID_VALUE', 'delay_duration'],
  [{ autocomplete: false, delayDuration: 'P8D' }, 'INVALID_VALUE', 'delay_duration'],
  [{ delayDuration: 'P1D' }, 'BAD_REQUEST', 'delay_duration'],
  [{ autocomplete: false, delayAction: 'SHRUG' }, 'INVALID_ENUM_VALUE', 'delay_action'],
  [{ sourceId: 'ccof:customer-card-id-ok' }, 'MISSING_REQUIRED_PARAMETER', 'customer_id'],
] as [object, string, string][])('a request with %o is refused and frees its key', async (request, code, field) => {
  const idempotencyKey = randomUUID();
  expect(await catchFirstError(createPayment(harness, { idempotencyKey, ...request }))).toEqual({
    status: 400,
    category: 'INVALID_REQUEST_ERROR',
    code,
    field,
  });
  expect((await createPayment(harness, { idempotencyKey })).status).toBe('COMPLETED');
});

test('accepts a key of 45 and a reference of 40 characters', async () => {
  const payment = await createPayment(harness, { idempotencyKey: 'k'.repeat(45), referenceId: 'r'.repeat(40) });
  expect(payment.referenceId).toBe('r'.repeat(40));
});
