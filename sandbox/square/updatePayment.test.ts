import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  catchFirstError,
  createPayment,
  type SquareSandbox,
  startSquareSandbox,
  toUsd,
} from '../../testing/squareSandbox.ts';

let harness: SquareSandbox;
beforeEach(async () => {
  harness = await startSquareSandbox();
});
afterEach(() => harness.stop());

const update = (paymentId: string, cents: number, more: object = {}) =>
  harness.client.payments.update({
    paymentId,
    idempotencyKey: randomUUID(),
    payment: { amountMoney: toUsd(cents) },
    ...more,
  });

test('a hold is lowered once per key, and then completed with its new version', async () => {
  const { id, versionToken, capabilities } = await createPayment(harness, { autocomplete: false });
  expect(capabilities).toContain('EDIT_AMOUNT_DOWN');
  const request = { idempotencyKey: 'once', payment: { amountMoney: toUsd(1000), versionToken } };
  const { payment } = await update(id, 1000, request);
  expect(payment).toMatchObject({ status: 'APPROVED', amountMoney: toUsd(1000), totalMoney: toUsd(1000) });
  expect((await update(id, 1000, request)).payment).toEqual(payment);
  const old = harness.client.payments.complete({ paymentId: id, versionToken });
  expect(await catchFirstError(old)).toMatchObject({ code: 'VERSION_MISMATCH' });
  const completed = await harness.client.payments.complete({ paymentId: id, versionToken: payment?.versionToken });
  expect(completed.payment).toMatchObject({ status: 'COMPLETED', totalMoney: toUsd(1000), approvedMoney: toUsd(1000) });
  expect(completed.payment?.capabilities).toBeUndefined();
});

test('a payment that cannot be lowered is refused, and stays as it is', async () => {
  const refused = { status: 400, category: 'INVALID_REQUEST_ERROR' };
  const { id, versionToken } = await createPayment(harness, { autocomplete: false });
  expect(await catchFirstError(update(id, 2684))).toMatchObject(refused);
  expect(await catchFirstError(update(id, 0))).toMatchObject({ ...refused, code: 'VALUE_TOO_LOW' });
  const stale = { payment: { amountMoney: toUsd(1), versionToken: 'stale' } };
  expect(await catchFirstError(update(id, 1, stale))).toMatchObject({ ...refused, code: 'VERSION_MISMATCH' });
  expect((await harness.client.payments.get({ paymentId: id })).payment).toMatchObject({ versionToken });

  const gift = await createPayment(harness, { autocomplete: false, sourceId: 'cnon:gift-card-nonce-ok' });
  expect(gift.capabilities).not.toContain('EDIT_AMOUNT_DOWN');
  expect(await catchFirstError(update(gift.id, 1))).toMatchObject({ ...refused, code: 'BAD_REQUEST' });
  const done = await createPayment(harness);
  expect(await catchFirstError(update(done.id, 1))).toMatchObject({ ...refused, code: 'BAD_REQUEST' });
});
