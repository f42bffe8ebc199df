import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openEarningTests } from '../../../testing/earningTests.ts';
import { createAcceptingCards, openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { queryRow, queryRows } from '../../db/database.ts';
import { orderHandlers } from '../../orders/orders.ts';
import { CardNetworkUnavailableError, type Cards, type Refused } from '../card/cards.ts';
import { proposeAdjustment } from '../ledger/adjustments.ts';
import { dropRefund } from '../refunds/dropRefund.ts';
import { requestRefund } from '../refunds/refunds.ts';

const [FEE, TOTAL] = [599, 2683];
/** What is left when nothing is unearned any more. */
const COMPLETED = { scrub: -1250, 'platform-revenue': -125, 'taxes-payable': -110 };

describe.each(RULE_DATABASES)('earnings on %s', (kind) => {
  let harness: PaymentHarness;
  let earnings: ReturnType<typeof openEarningTests>;
  let refundOutcome: 'refunded' | 'refused' = 'refunded';
  let capture: 'captured' | 'unreachable' | Refused;
  beforeAll(async () => {
    const answer: Cards['capture'] = async ({ amount }) => {
      if (capture === 'unreachable') throw new CardNetworkUnavailableError('no answer');
      return capture === 'captured' ? { kind: capture, amount } : capture;
    };
    const cards = createAcceptingCards();
    const refundCard: Cards['refund'] = async (asked) =>
      refundOutcome === 'refused' ? { kind: 'refused', reason: 'the account is closed' } : cards.refund(asked);
    harness = await openPaymentHarness(kind, { ...cards, capture: answer, refund: refundCard });
    earnings = openEarningTests(harness);
  });
  beforeEach(() => {
    capture = 'captured';
  });
  afterAll(() => harness?.close());

  const refund = async (orderId: string, amount?: number) => {
    const asked = { orderId, liable: 'platform', reason: 'late', ...(amount === undefined ? {} : { amount }) } as const;
    expect(await requestRefund(harness.context, asked)).toMatchObject({ ok: true });
    await harness.runPaymentJobs();
  };
  const problemsOf = (id: string) => earnings.problemsOf(id);

  test('the order bears a trip, and the platform the delivery after it; each is paid once', async () => {
    const { id, outbound } = await earnings.placeOrder();
    for (let times = 0; times < 2; times += 1)
      await earnings.pay(outbound, { kind: 'trip', cents: FEE, borneBy: 'order' });
    expect(await earnings.sumsOf(id)).toEqual({ 'card-clearing': TOTAL, unearned: FEE - TOTAL, duber: -FEE });
    await earnings.startOver(outbound, 'Pending');
    await earnings.carry(outbound);
    expect(await earnings.sumsOf(id)).toMatchObject({ unearned: FEE - TOTAL, duber: -2 * FEE, 'refund-costs': FEE });
    await earnings.complete(id);
    await earnings.carryAll(id);
    expect(await earnings.sumsOf(id)).toEqual({
      ...COMPLETED,
      'card-clearing': TOTAL,
      duber: -3 * FEE,
      'refund-costs': FEE,
    });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('the Scrub bears a way that is named so, and what was taken back is as if it had never been paid', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.pay(outbound, { kind: 'return', cents: FEE, borneBy: 'scrub' });
    expect(await earnings.sumsOf(id)).toMatchObject({ unearned: -TOTAL, duber: -FEE, scrub: FEE });
    await earnings.undo(outbound);
    await earnings.undo(outbound);
    expect(await earnings.sumsOf(id)).toEqual({ 'card-clearing': TOTAL, unearned: -TOTAL });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('a Duber pays for a refund from what the same order gives them later', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.carry(outbound);
    const asked = { orderId: id, liable: 'duber', amount: 700, reason: 'late' } as const;
    expect(await requestRefund(harness.context, asked)).toMatchObject({ ok: true });
    await harness.runPaymentJobs();
    await earnings.complete(id);
    await earnings.carryAll(id);
    expect(await earnings.sumsOf(id)).toMatchObject({ 'card-clearing': TOTAL - 700, duber: 671 - 2 * FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('a relay and the delivery after it share the price of the way', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.pay(outbound, { kind: 'relay', cents: 200, borneBy: 'order' });
    await earnings.startOver(outbound, 'Pending');
    await queryRows(harness.context.db, sql`update deliveries set price = price - 200 where id = ${outbound}`);
    await earnings.carry(outbound, 1);
    expect(await earnings.sumsOf(id)).toMatchObject({ unearned: FEE - TOTAL, duber: -FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('a delivery from a release without earnings passes the checks, and can be taken back', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.carry(outbound);
    await queryRows(harness.context.db, sql`delete from earnings where order_id = ${id}`);
    expect(await problemsOf(id)).toEqual([]);
    await earnings.undo(outbound);
    await earnings.startOver(outbound, 'Way_To_Drop');
    expect(await earnings.sumsOf(id)).toEqual({ 'card-clearing': TOTAL, unearned: -TOTAL });
    await earnings.deliver(outbound);
    expect(await earnings.sumsOf(id)).toMatchObject({ unearned: FEE - TOTAL, duber: -FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('an order that is called off refunds what was captured, less what its Dubers were paid', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.pay(outbound, { kind: 'trip', cents: FEE, borneBy: 'order' });
    for (let times = 0; times < 2; times += 1) await earnings.callOff(id);
    await harness.runPaymentJobs();
    expect(await earnings.sumsOf(id)).toEqual({ 'card-clearing': FEE, duber: -FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('the platform pays for what is still carried after an order was called off', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.carry(outbound, 0, ['accept-delivery', 'way-to-pickup', 'collected']);
    await earnings.callOff(id);
    await earnings.pay(outbound, { kind: 'return', cents: FEE, borneBy: 'order' });
    await harness.runPaymentJobs();
    expect(await earnings.sumsOf(id)).toEqual({ 'refund-costs': FEE, duber: -FEE });
    await earnings.endDeliveries(id);
    await earnings.settle(id);
    await harness.runPaymentJobs();
    expect(await earnings.sumsOf(id)).toEqual({ 'refund-costs': FEE, duber: -FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('an order that is called off while its card is being charged gives everything back when it is', async () => {
    capture = 'unreachable';
    const { id } = await earnings.placeOrder();
    await earnings.callOff(id);
    await earnings.expectPayment(id, 'capturing');
    capture = 'captured';
    await earnings.runUntilCaptured(id);
    expect(await earnings.sumsOf(id)).toEqual({});
    expect(await problemsOf(id)).toEqual([]);
    harness.setClock('2026-11-18T12:00:00Z');
  });

  test('a hold that cannot be captured is released when its order is called off, and the platform pays the trip', async () => {
    capture = { kind: 'refused', reason: 'the hold has ended' };
    const [before, after] = [await earnings.placeOrder(), await earnings.placeOrder()];
    await earnings.expectPayment(before.id, 'stuck');
    await earnings.pay(before.outbound, { kind: 'trip', cents: FEE, borneBy: 'order' });
    await earnings.callOff(before.id);
    await earnings.callOff(after.id);
    await harness.runPaymentJobs();
    for (const { id } of [before, after]) await earnings.expectPayment(id, 'voided');
    expect(await earnings.sumsOf(before.id)).toEqual({ 'refund-costs': FEE, duber: -FEE });
    expect(await earnings.sumsOf(after.id)).toEqual({});
    expect([...(await problemsOf(before.id)), ...(await problemsOf(after.id))]).toEqual([]);
  });

  test('a charge that nobody has begun ends with its order, and the platform pays the trip', async () => {
    capture = 'unreachable';
    const { id, outbound } = await earnings.placeOrder();
    // As if the server had ended between the step and the first try.
    await queryRows(harness.context.db, sql`update payments set tries = 0 where order_id = ${id}`);
    await earnings.pay(outbound, { kind: 'trip', cents: FEE, borneBy: 'order' });
    await earnings.callOff(id);
    await harness.runPaymentJobs();
    await earnings.expectPayment(id, 'voided');
    expect(await earnings.sumsOf(id)).toEqual({ 'refund-costs': FEE, duber: -FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('money that the card network does not take back stays with the platform, and is not asked for again', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.complete(id);
    await earnings.endDelivery(outbound);
    await earnings.carryAll(id);
    refundOutcome = 'refused';
    await earnings.settle(id);
    await harness.runPaymentJobs();
    refundOutcome = 'refunded';
    const { db, now } = harness.context;
    const [stuck] = await db.selectFrom('refunds').select(['id', 'amount']).where('order_id', '=', id).execute();
    expect(stuck?.amount).toBe(FEE);
    expect(await dropRefund(db, stuck?.id ?? '', now())).toBe(true);
    await earnings.settle(id);
    await harness.runPaymentJobs();
    expect(await earnings.sumsOf(id)).toEqual({
      ...{ ...COMPLETED, 'platform-revenue': -125 - FEE },
      'card-clearing': TOTAL,
      duber: -FEE,
    });
    expect(await problemsOf(id)).toEqual([]);
    expect(await proposeAdjustment(db, id)).toEqual([]);
  });

  test('the fee of a way that was called off goes back to the card once, on top of what the platform refunds', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await refund(id, 500);
    await earnings.complete(id);
    await earnings.endDelivery(outbound);
    await earnings.settle(id);
    await earnings.carryAll(id);
    await earnings.settle(id);
    await harness.runPaymentJobs();
    expect(await earnings.sumsOf(id)).toEqual({
      ...{ ...COMPLETED, 'taxes-payable': -90, 'refund-costs': 480 },
      'card-clearing': TOTAL - 500 - FEE,
      duber: -FEE,
    });
    await refund(id);
    expect(await earnings.sumsOf(id)).toMatchObject({ scrub: -1250, duber: -FEE, 'refund-costs': 480 + 1494 });
    expect((await earnings.sumsOf(id))['taxes-payable']).toBeUndefined();
    expect(await problemsOf(id)).toEqual([]);
  });

  test('nobody earns from an order that is refunded as a whole, except what others pay', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await refund(id);
    await earnings.pay(outbound, { kind: 'trip', cents: FEE, borneBy: 'order' });
    await earnings.pay(outbound, { kind: 'return', cents: 300, borneBy: 'platform' });
    expect(await earnings.sumsOf(id)).toEqual({ duber: -300, 'refund-costs': 300 });
    await earnings.undo(outbound);
    expect(await earnings.sumsOf(id)).toEqual({});
    expect(await problemsOf(id)).toEqual([]);
  });

  test('money that a refund took from the platform is returned when a delivery is undone', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.carry(outbound);
    await refund(id, TOTAL - 100);
    expect((await earnings.sumsOf(id))['refund-costs']).toBe(FEE - 100);
    await earnings.undo(outbound);
    await earnings.startOver(outbound, 'Way_To_Drop');
    expect(await earnings.sumsOf(id)).toEqual({ 'card-clearing': 100, unearned: -100 });
    await earnings.deliver(outbound);
    expect(await earnings.sumsOf(id)).toEqual({ 'card-clearing': 100, duber: -FEE, 'refund-costs': FEE - 100 });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('an order that is completed again is paid once', async () => {
    const { id } = await earnings.placeOrder();
    await earnings.complete(id);
    await queryRows(
      harness.context.db,
      sql`update orders set status = 'In_Progress', round = 2, self_pickup = true where id = ${id}`,
    );
    await queryRows(
      harness.context.db,
      sql`insert into steps (subject_kind, subject_id, status, action, attempt, position, actor_role, at)
        values ('order', ${id}, 'In_Progress', 'reopen', 1, 9, 'Operator', now())`,
    );
    expect(await problemsOf(id)).toEqual([]);
    const request = { caller: harness.users.scrubs[0], params: { id } } as never;
    await orderHandlers(harness.context)['complete-order'](request);
    expect(await earnings.sumsOf(id)).toMatchObject({ scrub: -1250 });
    expect(await problemsOf(id)).toEqual([]);
  });

  test.runIf(kind === 'postgres')(
    'settling, refunds, earnings and takings back at the same time leave an exact ledger',
    async () => {
      const orders = await Promise.all(Array.from({ length: 6 }, () => earnings.placeOrder()));
      await Promise.all(
        orders.flatMap(({ id, outbound }) => [
          earnings.complete(id).then(() => earnings.settle(id)),
          earnings.pay(outbound, { kind: 'trip', cents: FEE, borneBy: 'order' }).then(() => earnings.undo(outbound)),
          refund(id, 700),
        ]),
      );
      for (const { id, outbound } of orders) {
        await earnings.endDelivery(outbound);
        await earnings.carryAll(id);
        await Promise.all([earnings.settle(id), earnings.settle(id), earnings.settle(id)]);
      }
      await harness.runPaymentJobs();
      for (const { id } of orders) {
        expect(await problemsOf(id)).toEqual([]);
        expect(await earnings.sumsOf(id)).toMatchObject({
          'card-clearing': TOTAL - 700 - FEE,
          scrub: -1250,
          duber: -FEE,
        });
      }
      expect(
        await queryRow(
          harness.context.db,
          sql`select 1 as one from refunds where state not in ('refunded', 'dropped')`,
        ),
      ).toBeUndefined();
    },
  );
});
