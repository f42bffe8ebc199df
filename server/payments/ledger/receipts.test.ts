import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAcceptingCards, openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { orderHandlers } from '../../orders/orders.ts';
import { takeOrderStep } from '../../orders/steps.ts';
import { CardNetworkUnavailableError } from '../card/cards.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { receiptHandlers } from './receipts.ts';

const HELD_AT = '2026-11-18T12:00:00.000Z';
const CHARGED_AT = '2026-11-18T12:00:05.000Z';
const card = { brand: 'VISA', last4: '1111' };

describe.each(RULE_DATABASES)('receipts on %s', (kind) => {
  let harness: PaymentHarness;
  let isAway = false;
  const accepting = createAcceptingCards();
  const capture: typeof accepting.capture = async (payment) => {
    if (isAway) throw new CardNetworkUnavailableError('away');
    return accepting.capture(payment);
  };
  beforeAll(async () => {
    harness = await openPaymentHarness(kind, { ...accepting, capture });
  });
  afterAll(() => harness?.close());
  const readReceipt = (id: string, bud = harness.users.buds[0]) =>
    receiptHandlers(harness.context).readReceipt({ caller: bud, params: { id } } as never);
  const step = (action: 'accept-order' | 'cancel-order', id: string) => {
    const caller = action === 'cancel-order' ? harness.users.buds[0] : harness.users.scrubs[0];
    return orderHandlers(harness.context)[action]({ caller, params: { id } } as never);
  };

  test('say when the card was held and charged, and what was refunded later and why', async () => {
    harness.setClock(HELD_AT);
    const id = await harness.createOrder('Requested');
    const held = { kind: 'held', amount: 26.83, at: HELD_AT };
    expect(await readReceipt(id)).toEqual({ card, movements: [held], pending: null, taxPercent: 8 });

    harness.setClock(CHARGED_AT);
    await step('accept-order', id);
    const charged = { kind: 'charged', amount: 26.83, at: CHARGED_AT };
    expect(await readReceipt(id)).toEqual({ card, movements: [held, charged], pending: null, taxPercent: 8 });

    for (const [at, amount] of [
      ['2026-11-19T08:00:00.000Z', 500],
      ['2026-11-20T08:00:00.000Z', 120],
    ] as const) {
      harness.setClock(at);
      await requestRefund(harness.context, { orderId: id, amount, liable: 'platform', reason: 'a torn shirt' });
      await harness.runPaymentJobs();
    }
    expect((await readReceipt(id)).movements.slice(2)).toEqual([
      { kind: 'refunded', amount: 5, at: '2026-11-19T08:00:00.000Z', reason: 'a torn shirt' },
      { kind: 'refunded', amount: 1.2, at: '2026-11-20T08:00:00.000Z', reason: 'a torn shirt' },
    ]);
  });

  test('say that a cancelled order’s hold is being released, and when it was', async () => {
    harness.setClock(HELD_AT);
    const id = await harness.createOrder('Requested');
    harness.setClock('2026-11-18T12:03:00Z');
    await step('cancel-order', id);
    expect(await readReceipt(id)).toMatchObject({ movements: [{ kind: 'held' }], pending: 'release', taxPercent: 8 });
    harness.setClock('2026-11-18T12:03:07Z');
    await harness.runPaymentJobs();
    expect(await readReceipt(id)).toEqual({
      card,
      movements: [
        { kind: 'held', amount: 26.83, at: HELD_AT },
        { kind: 'released', amount: 26.83, at: '2026-11-18T12:03:07.000Z' },
      ],
      pending: null,
      taxPercent: 8,
    });
  });

  test('say that the card is being charged while it is, although the order was cancelled meanwhile', async () => {
    harness.setClock(HELD_AT);
    const id = await harness.createOrder('Requested');
    // The answer to the first try is lost: nobody knows whether it was charged, so it is finished and then given back.
    isAway = true;
    await step('accept-order', id);
    isAway = false;
    const bud = harness.users.buds[0] as Parameters<typeof takeOrderStep>[1];
    await takeOrderStep(harness.context, bud, { id, action: 'cancel-accepted', reason: 'changed-mind' });
    expect(await readReceipt(id)).toMatchObject({ movements: [{ kind: 'held' }], pending: 'charge', taxPercent: 8 });
    harness.setClock(CHARGED_AT);
    await harness.runPaymentJobs();
    expect((await readReceipt(id)).movements.map(({ kind: movement }) => movement)).toEqual([
      'held',
      'charged',
      'refunded',
    ]);
  });

  test('are for the Bud whose order it is', async () => {
    const id = await harness.createOrder('Accepted');
    await expect(readReceipt(id, harness.users.buds[1])).rejects.toMatchObject({ failure: 'notFound' });
  });
});
