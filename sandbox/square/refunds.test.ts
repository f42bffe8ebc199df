import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bench, catchRefusal, createPayment, money, startBench, typeCard } from '../../testing/squareSandbox.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await startBench();
});

afterEach(() => bench.end());

test('a payment is refunded in parts until nothing is left', async () => {
  const { id } = await createPayment(bench);
  const idempotencyKey = randomUUID();
  const request = { idempotencyKey, paymentId: id, amountMoney: money(1000), reason: 'torn shirt' };
  const { refund } = await bench.client.refunds.refundPayment(request);
  expect(refund).toMatchObject({ status: 'PENDING', paymentId: id, amountMoney: money(1000), reason: 'torn shirt' });
  expect((await bench.client.refunds.refundPayment(request)).refund).toEqual(refund);
  const seen = await bench.client.refunds.get({ refundId: String(refund?.id) });
  expect(seen.refund?.status).toBe('COMPLETED');

  const more = (cents: number) =>
    bench.client.refunds.refundPayment({ idempotencyKey: randomUUID(), paymentId: id, amountMoney: money(cents) });
  expect(await catchRefusal(more(1684))).toMatchObject({ status: 400, code: 'REFUND_AMOUNT_INVALID' });
  await more(1683);
  const { payment } = await bench.client.payments.get({ paymentId: id });
  expect(payment).toMatchObject({ status: 'COMPLETED', refundedMoney: money(2683) });
  expect(payment?.refundIds).toHaveLength(2);
  expect(await catchRefusal(more(1))).toMatchObject({ category: 'REFUND_ERROR', code: 'REFUND_AMOUNT_INVALID' });
  expect((await bench.client.refunds.list()).data).toHaveLength(2);
});

test('only what was captured can be refunded', async () => {
  const refund = (paymentId: string) =>
    catchRefusal(
      bench.client.refunds.refundPayment({ idempotencyKey: randomUUID(), paymentId, amountMoney: money(1) }),
    );
  const { id } = await createPayment(bench, { autocomplete: false });
  expect(await refund(id)).toMatchObject({ status: 400, code: 'REFUND_ERROR_PAYMENT_NEEDS_COMPLETION' });
  await bench.client.payments.cancel({ paymentId: id });
  expect(await refund(id)).toMatchObject({ status: 400, code: 'PAYMENT_NOT_REFUNDABLE' });
  expect(await refund('nobody')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

test('lists turn pages newest first and can be narrowed', async () => {
  const ids: string[] = [];
  for (const second of ['10', '11', '12', '13', '14']) {
    bench.setClock(`2026-03-04T05:06:${second}Z`);
    ids.unshift((await createPayment(bench, { locationId: second === '12' ? 'L2' : 'L1' })).id);
  }
  const seen: (string | undefined)[] = [];
  for await (const payment of await bench.client.payments.list({ limit: 2 })) seen.push(payment.id);
  expect(seen).toEqual(ids);
  const narrowed = await bench.client.payments.list({
    beginTime: '2026-03-04T05:06:11Z',
    endTime: '2026-03-04T05:06:14Z',
    locationId: 'L1',
    sortOrder: 'ASC',
  });
  expect(narrowed.data.map(({ id }) => id)).toEqual([ids[3], ids[1]]);
  expect((await bench.client.payments.list({ total: 1n })).data).toEqual([]);
  expect(await catchRefusal(bench.client.payments.list({ cursor: 'nonsense' }))).toMatchObject({
    code: 'INVALID_CURSOR',
  });
  expect(await catchRefusal(bench.client.payments.list({ sortOrder: 'UP' }))).toMatchObject({
    code: 'INVALID_SORT_ORDER',
  });
});

test('without a token nothing is answered but who is missing', async () => {
  const answer = await bench.app().inject({ url: '/sandbox/square/v2/payments' });
  expect(answer.statusCode).toBe(401);
  expect(answer.json().errors[0]).toMatchObject({ category: 'AUTHENTICATION_ERROR', code: 'UNAUTHORIZED' });
});

test('bad JSON, unknown fields, payments and paths are refused in the same shape', async () => {
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
  const post = (payload: string) =>
    bench.app().inject({ method: 'POST', url: '/sandbox/square/v2/payments', headers, payload });
  expect((await post('{"a":')).json().errors[0]).toMatchObject({ code: 'BAD_REQUEST' });
  expect((await post('[]')).json().errors[0]).toMatchObject({ code: 'EXPECTED_JSON_BODY' });
  const missing = { code: 'MISSING_REQUIRED_PARAMETER', field: 'idempotency_key' };
  expect((await post('{}')).json().errors[0]).toMatchObject(missing);
  expect((await post('{"idempotency_key":"k"}')).json().errors[0]).toMatchObject({ ...missing, field: 'source_id' });
  expect((await post('{"amount":1}')).json().errors[0]).toMatchObject({ code: 'BAD_REQUEST', field: 'amount' });
  expect((await post(`"${'x'.repeat(1024 * 1024)}"`)).statusCode).toBe(413);
  expect(await catchRefusal(bench.client.payments.get({ paymentId: 'nobody' }))).toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
  const nowhere = await bench.app().inject({ url: '/sandbox/square/v2/nothing', headers });
  expect(nowhere.statusCode).toBe(404);
  expect(nowhere.json().errors[0]).toMatchObject({ code: 'NOT_FOUND' });
});

test('a restart forgets nothing: payments, keys, tokens and refunds', async () => {
  const idempotencyKey = randomUUID();
  const held = await createPayment(bench, { idempotencyKey, autocomplete: false });
  const paid = await createPayment(bench);
  await bench.client.refunds.refundPayment({ idempotencyKey: 'r', paymentId: paid.id, amountMoney: money(5) });
  const used = await typeCard(bench);
  await createPayment(bench, { sourceId: used });
  const unused = await typeCard(bench);
  await bench.restart();
  expect((await bench.client.payments.get({ paymentId: held.id })).payment).toEqual(held);
  expect(await createPayment(bench, { idempotencyKey, autocomplete: false })).toEqual(held);
  expect((await bench.client.payments.get({ paymentId: paid.id })).payment?.refundedMoney).toEqual(money(5));
  expect((await bench.client.refunds.list()).data).toHaveLength(1);
  expect(await catchRefusal(createPayment(bench, { sourceId: used }))).toMatchObject({ code: 'CARD_TOKEN_USED' });
  expect((await createPayment(bench, { sourceId: unused })).status).toBe('COMPLETED');
});

test('faults play a network that is down, silent, or loses the answer', async () => {
  const plan = (fault: object) => bench.app().inject({ method: 'POST', url: '/sandbox/square/faults', payload: fault });
  const idempotencyKey = randomUUID();
  await plan({ on: 'create', how: 'unavailable' });
  expect(await catchRefusal(createPayment(bench, { idempotencyKey }))).toMatchObject({ status: 503 });
  expect((await bench.client.payments.list()).data).toHaveLength(0);
  await plan({ on: 'create', how: 'lost' });
  await expect(createPayment(bench, { idempotencyKey })).rejects.toThrow();
  const [payment] = (await bench.client.payments.list()).data;
  expect((await createPayment(bench, { idempotencyKey })).id).toBe(payment?.id);
  await plan({ on: 'get', how: 'silent', times: 2 });
  const asked = bench.client.payments.get({ paymentId: String(payment?.id) }, { timeoutInSeconds: 0.05 });
  await expect(asked).rejects.toThrow(/[Tt]imeout/);
  await bench.app().inject({ method: 'DELETE', url: '/sandbox/square/faults' });
  expect((await bench.client.payments.get({ paymentId: String(payment?.id) })).payment?.status).toBe('COMPLETED');
  expect((await plan({ on: 'create', how: 'sideways' })).statusCode).toBe(400);
});

test('the page shows every payment with its steps, and escapes what came with it', async () => {
  const { id } = await createPayment(bench, { autocomplete: false, referenceId: 'order-7', note: '<b>bold</b>' });
  await bench.client.payments.complete({ paymentId: id });
  const { body, headers } = await bench.app().inject({ url: '/sandbox/square' });
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(body).toContain('✓ COMPLETED');
  expect(body).toContain('order-7');
  expect(body).toContain('$26.83');
  expect(body).toMatch(/Authorised <span.*Captured <span/);
  expect(body).toContain('&#60;b&#62;bold');
  expect(body).toContain('4111 1111 1111 1111');
});
