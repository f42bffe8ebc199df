import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAcceptingCards, openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { openPayTests } from '../../../testing/payTests.ts';
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

describe.each(RULE_DATABASES)('pays on %s', (kind) => {
  let harness: PaymentHarness;
  let pays: ReturnType<typeof openPayTests>;
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
    pays = openPayTests(harness);
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
  const problemsOf = (id: string) => pays.problemsOf(id);

  test('the order bears a trip, and the platform the delivery after it; each is paid once', async () => {
    const { id, outbound } = await pays.placeOrder();
    for (let times = 0; times < 2; times += 1) await pays.pay(outbound, { kind: 'trip', cents: FEE, borneBy: 'order' });
    expect(await pays.sumsOf(id)).toEqual({ 'card-clearing': TOTAL, unearned: FEE - TOTAL, duber: -FEE });
    await pays.startOver(outbound, 'Pending');
    await pays.carry(outbound);
    expect(await pays.sumsOf(id)).toMatchObject({ unearned: FEE - TOTAL, duber: -2 * FEE, 'refund-costs': FEE });
    await pays.complete(id);
    await pays.carryAll(id);
    expect(await pays.sumsOf(id)).toEqual({
      ...COMPLETED,
      'card-clearing': TOTAL,
      duber: -3 * FEE,
      'refund-costs': FEE,
    });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('the Scrub bears a way that is named so, and what was taken back is as if it had never been paid', async () => {
    const { id, outbound } = await pays.placeOrder();
    await pays.pay(outbound, { kind: 'return', cents: FEE, borneBy: 'scrub' });
    expect(await pays.sumsOf(id)).toMatchObject({ unearned: -TOTAL, duber: -FEE, scrub: FEE });
    await pays.undo(outbound);
    await pays.undo(outbound);
    expect(await pays.sumsOf(id)).toEqual({ 'card-clearing': TOTAL, unearned: -TOTAL });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('a Duber pays for a refund from what the same order gives them later', async () => {
    const { id, outbound } = await pays.placeOrder();
    await pays.carry(outbound);
    const asked = { orderId: id, liable: 'duber', amount: 700, reason: 'late' } as const;
    expect(await requestRefund(harness.context, asked)).toMatchObject({ ok: true });
    await harness.runPaymentJobs();
    await pays.complete(id);
    await pays.carryAll(id);
    expect(await pays.sumsOf(id)).toMatchObject({ 'card-clearing': TOTAL - 700, duber: 671 - 2 * FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('a relay and the delivery after it share the price of the way', async () => {
    const { id, outbound } = await pays.placeOrder();
    await pays.pay(outbound, { kind: 'relay', cents: 200, borneBy: 'order' });
    await pays.startOver(outbound, 'Pending');
    await queryRows(harness.context.db, sql`update deliveries set price = price - 200 where id = ${outbound}`);
    await pays.carry(outbound, 1);
    expect(await pays.sumsOf(id)).toMatchObject({ unearned: FEE - TOTAL, duber: -FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('a delivery from a release without pays passes the checks, and can be taken back', async () => {
    const { id, outbound } = await pays.placeOrder();
    await pays.carry(outbound);
    await queryRows(harness.context.db, sql`delete from pays where order_id = ${id}`);
    expect(await problemsOf(id)).toEqual([]);
    await pays.undo(outbound);
    await pays.startOver(outbound, 'Way_To_Drop');
    expect(await pays.sumsOf(id)).toEqual({ 'card-clearing': TOTAL, unearned: -TOTAL });
    await pays.deliver(outbound);
    expect(await pays.sumsOf(id)).toMatchObject({ unearned: FEE - TOTAL, duber: -FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('an order that is called off refunds what was captured, less what its Dubers were paid', async () => {
    const { id, outbound } = await pays.placeOrder();
    await pays.pay(outbound, { kind: 'trip', cents: FEE, borneBy: 'order' });
    for (let times = 0; times < 2; times += 1) await pays.callOff(id);
    await harness.runPaymentJobs();
    expect(await pays.sumsOf(id)).toEqual({ 'card-clearing': FEE, duber: -FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('the platform pays for what is still carried after an order was called off', async () => {
    const { id, outbound } = await pays.placeOrder();
    await pays.carry(outbound, 0, ['accept-delivery', 'way-to-pickup', 'collected']);
    await pays.callOff(id);
    await pays.pay(outbound, { kind: 'return', cents: FEE, borneBy: 'order' });
    await harness.runPaymentJobs();
    expect(await pays.sumsOf(id)).toEqual({ 'refund-costs': FEE, duber: -FEE });
    await pays.endDeliveries(id);
    await pays.settle(id);
    await harness.runPaymentJobs();
    expect(await pays.sumsOf(id)).toEqual({ 'refund-costs': FEE, duber: -FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('an order that is called off while its card is being charged gives everything back when it is', async () => {
    capture = 'unreachable';
    const { id } = await pays.placeOrder();
    await pays.callOff(id);
    await pays.expectPayment(id, 'capturing');
    capture = 'captured';
    await pays.runUntilCaptured(id);
    expect(await pays.sumsOf(id)).toEqual({});
    expect(await problemsOf(id)).toEqual([]);
    harness.setClock('2026-11-18T12:00:00Z');
  });

  test('a hold that cannot be captured is released when its order is called off, and the platform pays the trip', async () => {
    capture = { kind: 'refused', reason: 'the hold has ended' };
    const [before, after] = [await pays.placeOrder(), await pays.placeOrder()];
    await pays.expectPayment(before.id, 'stuck');
    await pays.pay(before.outbound, { kind: 'trip', cents: FEE, borneBy: 'order' });
    await pays.callOff(before.id);
    await pays.callOff(after.id);
    await harness.runPaymentJobs();
    for (const { id } of [before, after]) await pays.expectPayment(id, 'voided');
    expect(await pays.sumsOf(before.id)).toEqual({ 'refund-costs': FEE, duber: -FEE });
    expect(await pays.sumsOf(after.id)).toEqual({});
    expect([...(await problemsOf(before.id)), ...(await problemsOf(after.id))]).toEqual([]);
  });

  test('a charge that nobody has begun ends with its order, and the platform pays the trip', async () => {
    capture = 'unreachable';
    const { id, outbound } = await pays.placeOrder();
    // As if the server had ended between the step and the first try.
    await queryRows(harness.context.db, sql`update payments set tries = 0 where order_id = ${id}`);
    await pays.pay(outbound, { kind: 'trip', cents: FEE, borneBy: 'order' });
    await pays.callOff(id);
    await harness.runPaymentJobs();
    await pays.expectPayment(id, 'voided');
    expect(await pays.sumsOf(id)).toEqual({ 'refund-costs': FEE, duber: -FEE });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('money that the card network does not take back stays with the platform, and is not asked for again', async () => {
    const { id, outbound } = await pays.placeOrder();
    await pays.complete(id);
    await pays.endDelivery(outbound);
    await pays.carryAll(id);
    refundOutcome = 'refused';
    await pays.settle(id);
    await harness.runPaymentJobs();
    refundOutcome = 'refunded';
    const { db, now } = harness.context;
    const [stuck] = await db.selectFrom('refunds').select(['id', 'amount']).where('order_id', '=', id).execute();
    expect(stuck?.amount).toBe(FEE);
    expect(await dropRefund(db, stuck?.id ?? '', now())).toBe(true);
    await pays.settle(id);
    await harness.runPaymentJobs();
    expect(await pays.sumsOf(id)).toEqual({
      ...{ ...COMPLETED, 'platform-revenue': -125 - FEE },
      'card-clearing': TOTAL,
      duber: -FEE,
    });
    expect(await problemsOf(id)).toEqual([]);
    expect(await proposeAdjustment(db, id)).toEqual([]);
  });

  test('the fee of a way that was called off goes back to the card once, on top of what the platform refunds', async () => {
    const { id, outbound } = await pays.placeOrder();
    await refund(id, 500);
    await pays.complete(id);
    await pays.endDelivery(outbound);
    await pays.settle(id);
    await pays.carryAll(id);
    await pays.settle(id);
    await harness.runPaymentJobs();
    expect(await pays.sumsOf(id)).toEqual({
      ...{ ...COMPLETED, 'taxes-payable': -90, 'refund-costs': 480 },
      'card-clearing': TOTAL - 500 - FEE,
      duber: -FEE,
    });
    await refund(id);
    expect(await pays.sumsOf(id)).toMatchObject({ scrub: -1250, duber: -FEE, 'refund-costs': 480 + 1494 });
    expect((await pays.sumsOf(id))['taxes-payable']).toBeUndefined();
    expect(await problemsOf(id)).toEqual([]);
  });

  test('nobody earns from an order that is refunded as a whole, except what others pay', async () => {
    const { id, outbound } = await pays.placeOrder();
    await refund(id);
    await pays.pay(outbound, { kind: 'trip', cents: FEE, borneBy: 'order' });
    await pays.pay(outbound, { kind: 'return', cents: 300, borneBy: 'platform' });
    expect(await pays.sumsOf(id)).toEqual({ duber: -300, 'refund-costs': 300 });
    await pays.undo(outbound);
    expect(await pays.sumsOf(id)).toEqual({});
    expect(await problemsOf(id)).toEqual([]);
  });

  test('money that a refund took from the platform is returned when a delivery is undone', async () => {
    const { id, outbound } = await pays.placeOrder();
    await pays.carry(outbound);
    await refund(id, TOTAL - 100);
    expect((await pays.sumsOf(id))['refund-costs']).toBe(FEE - 100);
    await pays.undo(outbound);
    await pays.startOver(outbound, 'Way_To_Drop');
    expect(await pays.sumsOf(id)).toEqual({ 'card-clearing': 100, unearned: -100 });
    await pays.deliver(outbound);
    expect(await pays.sumsOf(id)).toEqual({ 'card-clearing': 100, duber: -FEE, 'refund-costs': FEE - 100 });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('an order that is completed again is paid once', async () => {
    const { id } = await pays.placeOrder();
    await pays.complete(id);
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
    expect(await pays.sumsOf(id)).toMatchObject({ scrub: -1250 });
    expect(await problemsOf(id)).toEqual([]);
  });

  test.runIf(kind === 'postgres')(
    'settling, refunds, pays and takings back at the same time leave an exact ledger',
    async () => {
      const orders = await Promise.all(Array.from({ length: 6 }, () => pays.placeOrder()));
      await Promise.all(
        orders.flatMap(({ id, outbound }) => [
          pays.complete(id).then(() => pays.settle(id)),
          pays.pay(outbound, { kind: 'trip', cents: FEE, borneBy: 'order' }).then(() => pays.undo(outbound)),
          refund(id, 700),
        ]),
      );
      for (const { id, outbound } of orders) {
        await pays.endDelivery(outbound);
        await pays.carryAll(id);
        await Promise.all([pays.settle(id), pays.settle(id), pays.settle(id)]);
      }
      await harness.runPaymentJobs();
      for (const { id } of orders) {
        expect(await problemsOf(id)).toEqual([]);
        expect(await pays.sumsOf(id)).toMatchObject({ 'card-clearing': TOTAL - 700 - FEE, scrub: -1250, duber: -FEE });
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
