import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAcceptingCards, openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { openPayTests } from '../../../testing/payTests.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import type { Cards } from '../card/cards.ts';
import { dropRefund } from '../refunds/dropRefund.ts';

const FEE = 599;

describe.each(RULE_DATABASES)('pays of an order that was called off, on %s', (kind) => {
  let harness: PaymentHarness;
  let pays: ReturnType<typeof openPayTests>;
  let isRefused = false;
  beforeAll(async () => {
    const cards = createAcceptingCards();
    const refund: Cards['refund'] = async (asked) =>
      isRefused ? { kind: 'refused', reason: 'the account is closed' } : cards.refund(asked);
    harness = await openPaymentHarness(kind, { ...cards, refund });
    pays = openPayTests(harness);
  });
  afterAll(() => harness?.close());

  test('the order bears a delivery that is taken back and made again, as it did before', async () => {
    const { id, outbound } = await pays.placeOrder();
    await pays.carry(outbound);
    await pays.callOff(id);
    await harness.runPaymentJobs();
    const ended = { 'card-clearing': FEE, duber: -FEE };
    expect(await pays.sumsOf(id)).toEqual(ended);
    await pays.undo(outbound);
    await pays.startOver(outbound, 'Way_To_Drop');
    expect(await pays.sumsOf(id)).toEqual({ 'card-clearing': FEE, unearned: -FEE });
    await pays.deliver(outbound);
    await harness.runPaymentJobs();
    expect(await pays.sumsOf(id)).toEqual(ended);
    expect(await pays.problemsOf(id)).toEqual([]);
  });

  test('the platform bears a way once it has the money, because the card network does not take it back', async () => {
    const { id, outbound } = await pays.placeOrder();
    await pays.carry(outbound, 0, ['accept-delivery', 'way-to-pickup', 'collected']);
    isRefused = true;
    await pays.callOff(id);
    await harness.runPaymentJobs();
    isRefused = false;
    const { db, now } = harness.context;
    const stuck = await db.selectFrom('refunds').select('id').where('order_id', '=', id).executeTakeFirstOrThrow();
    expect(await dropRefund(db, stuck.id, now())).toBe(true);
    const before = await pays.sumsOf(id);
    await pays.pay(outbound, { kind: 'return', cents: FEE, borneBy: 'order' });
    expect(await pays.sumsOf(id)).toEqual({ ...before, 'refund-costs': FEE, duber: -FEE });
    await pays.endDeliveries(id);
    expect(await pays.problemsOf(id)).toEqual([]);
  });
});
