import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEarningTests } from '../../../testing/earningTests.ts';
import { createAcceptingCards, openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import type { Cards } from '../card/cards.ts';
import { dropRefund } from '../refunds/dropRefund.ts';

const FEE = 599;

describe.each(RULE_DATABASES)('earnings of an order that was called off, on %s', (kind) => {
  let harness: PaymentHarness;
  let earnings: ReturnType<typeof openEarningTests>;
  let isRefused = false;
  beforeAll(async () => {
    const cards = createAcceptingCards();
    const refund: Cards['refund'] = async (asked) =>
      isRefused ? { kind: 'refused', reason: 'the account is closed' } : cards.refund(asked);
    harness = await openPaymentHarness(kind, { ...cards, refund });
    earnings = openEarningTests(harness);
  });
  afterAll(() => harness?.close());

  test('the order bears a delivery that is taken back and made again, as it did before', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.carry(outbound);
    await earnings.callOff(id);
    await harness.runPaymentJobs();
    const ended = { 'card-clearing': FEE, duber: -FEE };
    expect(await earnings.sumsOf(id)).toEqual(ended);
    await earnings.undo(outbound);
    await earnings.startOver(outbound, 'Way_To_Drop');
    expect(await earnings.sumsOf(id)).toEqual({ 'card-clearing': FEE, unearned: -FEE });
    await earnings.deliver(outbound);
    await harness.runPaymentJobs();
    expect(await earnings.sumsOf(id)).toEqual(ended);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('the platform bears a way once it has the money, because the card network does not take it back', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.carry(outbound, 0, ['accept-delivery', 'way-to-pickup', 'collected']);
    isRefused = true;
    await earnings.callOff(id);
    await harness.runPaymentJobs();
    isRefused = false;
    const { db, now } = harness.context;
    const stuck = await db.selectFrom('refunds').select('id').where('order_id', '=', id).executeTakeFirstOrThrow();
    expect(await dropRefund(db, stuck.id, now())).toBe(true);
    const before = await earnings.sumsOf(id);
    await earnings.pay(outbound, { kind: 'return', cents: FEE, borneBy: 'order' });
    expect(await earnings.sumsOf(id)).toEqual({ ...before, 'refund-costs': FEE, duber: -FEE });
    await earnings.endDeliveries(id);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });
});
