import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  catchFirstError,
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

test('a payment is refunded in parts until nothing is left', async () => {
  const { id } = await createPayment(harness);
  const idempotencyKey = randomUUID();
  const request = { idempotencyKey, paymentId: id, amountMoney: toUsd(1000), reason: 'torn shirt' };
  const { refund } = await harness.client.refunds.refundPayment(request);
  expect(refund).toMatchObject({ status: 'PENDING', paymentId: id, amountMoney: toUsd(1000), reason: 'torn shirt' });
  expect((await harness.client.refunds.refundPayment(request)).refund).toEqual(refund);
  const seen = await harness.client.refunds.get({ refundId: String(refund?.id) });
  expect(seen.refund?.status).toBe('COMPLETED');

  const more = (cents: number) =>
    harness.client.refunds.refundPayment({ idempotencyKey: randomUUID(), paymentId: id, amountMoney: toUsd(cents) });
  expect(await catchFirstError(more(1684))).toMatchObject({ status: 400, code: 'REFUND_AMOUNT_INVALID' });
  await more(1683);
  const { payment } = await harness.client.payments.get({ paymentId: id });
  expect(payment).toMatchObject({ status: 'COMPLETED', refundedMoney: toUsd(2683) });
  expect(payment?.refundIds).toHaveLength(2);
  expect(await catchFirstError(more(1))).toMatchObject({ category: 'REFUND_ERROR', code: 'REFUND_AMOUNT_INVALID' });
  expect((await harness.client.refunds.list()).data).toHaveLength(2);
});

test('only what was captured can be refunded', async () => {
  const refund = (paymentId: string) =>
    catchFirstError(
      harness.client.refunds.refundPayment({ idempotencyKey: randomUUID(), paymentId, amountMoney: toUsd(1) }),
    );
  const { id } = await createPayment(harness, { autocomplete: false });
  expect(await refund(id)).toMatchObject({ status: 400, code: 'REFUND_ERROR_PAYMENT_NEEDS_COMPLETION' });
  await harness.client.payments.cancel({ paymentId: id });
  expect(await refund(id)).toMatchObject({ status: 400, code: 'PAYMENT_NOT_REFUNDABLE' });
  expect(await refund('nobody')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

test('lists are paged newest first and can be filtered', async () => {
  const ids: string[] = [];
  for (const second of ['10', '11', '12', '13', '14']) {
    harness.setClock(`2026-03-04T05:06:${second}Z`);
    ids.unshift((await createPayment(harness, { locationId: second === '12' ? 'L2' : 'L1' })).id);
  }
  const seen: (string | undefined)[] = [];
  for await (const payment of await harness.client.payments.list({ limit: 2 })) seen.push(payment.id);
  expect(seen).toEqual(ids);
  const narrowed = await harness.client.payments.list({
    beginTime: '2026-03-04T05:06:11Z',
    endTime: '2026-03-04T05:06:14Z',
    locationId: 'L1',
    sortOrder: 'ASC',
  });
  expect(narrowed.data.map(({ id }) => id)).toEqual([ids[3], ids[1]]);
  expect((await harness.client.payments.list({ total: 1 })).data).toEqual([]);
  expect(await catchFirstError(harness.client.payments.list({ cursor: 'nonsense' }))).toMatchObject({
    code: 'INVALID_CURSOR',
  });
  expect(await catchFirstError(harness.client.payments.list({ sortOrder: 'UP' }))).toMatchObject({
    code: 'INVALID_SORT_ORDER',
  });
});

test('without a token every call is a 401', async () => {
  const answer = await harness.app().inject({ url: '/sandbox/square/v2/payments' });
  expect(answer.statusCode).toBe(401);
  expect(answer.json().errors[0]).toMatchObject({ category: 'AUTHENTICATION_ERROR', code: 'UNAUTHORIZED' });
});

test('bad JSON, unknown fields, payments and paths return errors of the same shape', async () => {
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
  const post = (payload: string) =>
    harness.app().inject({ method: 'POST', url: '/sandbox/square/v2/payments', headers, payload });
  expect((await post('{"a":')).json().errors[0]).toMatchObject({ code: 'BAD_REQUEST' });
  expect((await post('[]')).json().errors[0]).toMatchObject({ code: 'EXPECTED_JSON_BODY' });
  const missing = { code: 'MISSING_REQUIRED_PARAMETER', field: 'idempotency_key' };
  expect((await post('{}')).json().errors[0]).toMatchObject(missing);
  expect((await post('{"idempotency_key":"k"}')).json().errors[0]).toMatchObject({ ...missing, field: 'source_id' });
  expect((await post('{"amount":1}')).json().errors[0]).toMatchObject({ code: 'BAD_REQUEST', field: 'amount' });
  expect((await post(`"${'x'.repeat(1024 * 1024)}"`)).statusCode).toBe(413);
  expect(await catchFirstError(harness.client.payments.get({ paymentId: 'nobody' }))).toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
  const nowhere = await harness.app().inject({ url: '/sandbox/square/v2/nothing', headers });
  expect(nowhere.statusCode).toBe(404);
  expect(nowhere.json().errors[0]).toMatchObject({ code: 'NOT_FOUND' });
});

test('a restart keeps payments, keys, tokens and refunds', async () => {
  const idempotencyKey = randomUUID();
  const held = await createPayment(harness, { idempotencyKey, autocomplete: false });
  const paid = await createPayment(harness);
  await harness.client.refunds.refundPayment({ idempotencyKey: 'r', paymentId: paid.id, amountMoney: toUsd(5) });
  const used = await tokenizeCard(harness);
  await createPayment(harness, { sourceId: used });
  const unused = await tokenizeCard(harness);
  await harness.restart();
  expect((await harness.client.payments.get({ paymentId: held.id })).payment).toEqual(held);
  expect(await createPayment(harness, { idempotencyKey, autocomplete: false })).toEqual(held);
  expect((await harness.client.payments.get({ paymentId: paid.id })).payment?.refundedMoney).toEqual(toUsd(5));
  expect((await harness.client.refunds.list()).data).toHaveLength(1);
  expect(await catchFirstError(createPayment(harness, { sourceId: used }))).toMatchObject({ code: 'CARD_TOKEN_USED' });
  expect((await createPayment(harness, { sourceId: unused })).status).toBe('COMPLETED');
});

test('simulated failures cover a network that is down, silent, or loses the answer', async () => {
  const plan = (failure: object) =>
    harness.app().inject({ method: 'POST', url: '/sandbox/square/faults', payload: failure });
  const idempotencyKey = randomUUID();
  await plan({ on: 'create', how: 'unavailable' });
  expect(await catchFirstError(createPayment(harness, { idempotencyKey }))).toMatchObject({ status: 503 });
  expect((await harness.client.payments.list()).data).toHaveLength(0);
  await plan({ on: 'create', how: 'lost' });
  await expect(createPayment(harness, { idempotencyKey })).rejects.toThrow();
  const [payment] = (await harness.client.payments.list()).data;
  expect((await createPayment(harness, { idempotencyKey })).id).toBe(payment?.id);
  await plan({ on: 'get', how: 'silent', times: 2 });
  const asked = harness.client.payments.get({ paymentId: String(payment?.id) }, { timeoutMs: 50 });
  await expect(asked).rejects.toThrow(/[Tt]imeout/);
  await harness.app().inject({ method: 'DELETE', url: '/sandbox/square/faults' });
  expect((await harness.client.payments.get({ paymentId: String(payment?.id) })).payment?.status).toBe('COMPLETED');
  expect((await plan({ on: 'create', how: 'sideways' })).statusCode).toBe(400);
});

test('the page shows every payment with its steps, and escapes its texts', async () => {
  const { id } = await createPayment(harness, { autocomplete: false, referenceId: 'order-7', note: '<b>bold</b>' });
  await harness.client.payments.complete({ paymentId: id });
  const { body, headers } = await harness.app().inject({ url: '/sandbox/square' });
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(body).toContain('✓ COMPLETED');
  expect(body).toContain('order-7');
  expect(body).toContain('$26.83');
  expect(body).toMatch(/Authorised <span.*Captured <span/);
  expect(body).toContain('&#60;b&#62;bold');
  expect(body).toContain('4111 1111 1111 1111');
});
