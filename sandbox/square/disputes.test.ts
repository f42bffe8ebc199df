import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPayment, type SquareSandbox, startSquareSandbox, toUsd } from '../../testing/squareSandbox.ts';
import type { Dispute } from './types.ts';

let harness: SquareSandbox;
beforeEach(async () => {
  harness = await startSquareSandbox();
});
afterEach(() => harness.stop());

type Answer = { status: number; body: { dispute: Dispute; disputes?: Dispute[]; errors?: { code: string }[] } };

async function call(method: 'GET' | 'POST', path: string, payload?: object): Promise<Answer> {
  const { statusCode: status, body } = await harness.app().inject({
    method,
    url: `/sandbox/square${path}`,
    headers: { authorization: 'Bearer any' },
    ...(payload ? { payload } : {}),
  });
  return { status, body: JSON.parse(body) };
}

async function contest(): Promise<Dispute> {
  const { id } = await createPayment(harness);
  const { status, body } = await call('POST', '/disputes', { payment_id: id });
  expect(status).toBe(201);
  return body.dispute;
}
const evidence = (id: string, key: string, text = 'It was delivered') =>
  call('POST', `/v2/disputes/${id}/evidence-text`, { idempotency_key: key, evidence_text: text });
const codeOf = ({ status, body }: Answer) => [status, body.errors?.[0]?.code];

test('the amount of a captured payment says that it is contested, and why', async () => {
  const { id } = await createPayment(harness, { autocomplete: false, amountMoney: toUsd(8806) });
  expect((await call('GET', '/v2/disputes')).body.disputes).toBeUndefined();
  await harness.client.payments.complete({ paymentId: id });
  const { body } = await call('GET', '/v2/disputes?states=EVIDENCE_REQUIRED');
  expect(body.disputes).toMatchObject([
    {
      reason: 'NOT_RECEIVED',
      state: 'EVIDENCE_REQUIRED',
      amount_money: toUsd(8806),
      disputed_payment: { payment_id: id },
    },
  ]);
});

test('evidence is added once a key, submitted once, and survives a restart', async () => {
  const { id } = await contest();
  expect(codeOf(await call('POST', `/v2/disputes/${id}/submit-evidence`))).toEqual([400, 'BAD_REQUEST']);
  for (const key of ['a', 'a', 'b']) expect((await evidence(id, key)).status).toBe(200);
  expect(codeOf(await evidence(id, 'a', 'something else'))).toEqual([400, 'IDEMPOTENCY_KEY_REUSED']);
  expect(codeOf(await evidence(id, 'c', 'x'.repeat(501)))).toEqual([400, 'VALUE_TOO_LONG']);
  expect((await call('POST', `/v2/disputes/${id}/submit-evidence`)).body.dispute.state).toBe('PROCESSING');
  await harness.restart();
  const { body } = await call('GET', `/v2/disputes/${id}`);
  expect([body.dispute.state, body.dispute.evidence_ids.length]).toEqual(['PROCESSING', 2]);
  for (const path of ['submit-evidence', 'accept'])
    expect(codeOf(await call('POST', `/v2/disputes/${id}/${path}`)), path).toEqual([400, 'DISPUTE_ERROR']);
});

test('a payment that is contested is not refunded, and it is contested once at a time', async () => {
  const { id, disputed_payment } = await contest();
  const refund = { idempotency_key: 'r', payment_id: disputed_payment.payment_id, amount_money: toUsd(100) };
  expect(codeOf(await call('POST', '/v2/refunds', refund))).toEqual([400, 'PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE']);
  expect((await call('POST', '/disputes', { payment_id: disputed_payment.payment_id })).status).toBe(400);
  expect((await call('POST', `/v2/disputes/${id}/accept`)).body.dispute.state).toBe('ACCEPTED');
});

test('lists disputes page by page', async () => {
  const ids = [];
  for (let made = 0; made < 21; made += 1) ids.push((await contest()).id);
  const first = (await call('GET', '/v2/disputes')).body as { disputes: Dispute[]; cursor?: string };
  const second = (await call('GET', `/v2/disputes?cursor=${first.cursor}`)).body as typeof first;
  expect(second.cursor).toBeUndefined();
  expect([...first.disputes, ...second.disputes].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});
