import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { waitFor } from '../../../testing/waits.ts';
import { openWeighedHarness, type WeighedHarness, XL } from '../../../testing/weighedHarness.ts';
import { payMore, priceOf, setPrice, WAYS } from '../../../testing/weighedOrders.ts';
import { transact } from '../../db/database.ts';
import { recordDispute } from '../../disputes/disputes.ts';
import { listProblems, retryProblem } from '../reconcile/problems.sql.ts';
import { dropRefund } from '../refunds/dropRefund.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { chargeEstimate } from './weighedPayments.ts';

const [SMALL, MEDIUM] = [priceOf('Small'), priceOf('Medium')];

describe.each(RULE_DATABASES)('cards of weighed orders when something goes wrong, on %s', (kind) => {
  let town: WeighedHarness;
  beforeAll(async () => {
    town = await openWeighedHarness(kind);
  });
  afterAll(() => town?.close());

  /** An order of which the estimate was charged on the sixth day. */
  const placeCharged = async () => {
    const id = await town.place();
    const { db, now } = town.harness.context;
    await transact(db, (tx) => chargeEstimate(tx, id, now()));
    await town.harness.runPaymentJobs();
    return id;
  };
  const refund = async (orderId: string, amount?: number) => {
    const request = {
      orderId,
      liable: 'platform',
      reason: 'torn',
      ...(amount === undefined ? {} : { amount }),
    } as const;
    const asked = await requestRefund(town.harness.context, request);
    await town.runLater();
    return asked.ok ? asked.id : expect.unreachable(asked.why);
  };
  /** Somebody refunds a part of the charge in Square's dashboard. */
  const refundAtSquare = async (orderId: string, amount: number) => {
    const [payment] = await town.checks.paymentsOf(orderId);
    const amountMoney = { amount, currency: 'USD' };
    await town.checks.square.refunds.refundPayment({ idempotencyKey: newId(), paymentId: payment?.id, amountMoney });
  };
  const problemsOf = async (id: string) =>
    (await listProblems(town.harness.context.db, 100)).filter(({ orderId }) => orderId === id);

  test.each([
    ['all of it', MEDIUM.totalPrice, 0],
    ['most of it', 2000, MEDIUM.totalPrice - 2000],
    ['more than half', 1300, MEDIUM.totalPrice - SMALL.totalPrice],
    ['a part', 300, MEDIUM.totalPrice - SMALL.totalPrice],
  ])('what weighs less goes back as far as it is there after a refund of %s', async (_what, refunded, reduction) => {
    const id = await placeCharged();
    await refund(id, refunded);
    await town.weigh(id, SMALL);
    await town.runLater();
    expect(await town.checks.atNetwork(id)).toEqual([`COMPLETED ${MEDIUM.totalPrice} -${refunded + reduction}`]);
    expect(await problemsOf(id)).toEqual([]);
    await town.finish(id);
    expect(await town.earnings.problemsOf(id)).toEqual([]);
  });

  test('of what weighs less goes back at once what the bank has not given back', async () => {
    const { context, runPaymentJobs } = town.harness;
    const id = await placeCharged();
    const [payment] = await town.checks.paymentsOf(id);
    const lost = { reason: 'NOT_RECEIVED', state: 'LOST', version: 1, dueAt: null, createdAt: null };
    await recordDispute(context, { squareId: newId(), paymentId: payment?.id ?? '', amount: 2200, ...lost });
    await town.weigh(id, SMALL);
    await runPaymentJobs();
    const left = MEDIUM.totalPrice - 2200;
    expect(await town.checks.atNetwork(id)).toEqual([`COMPLETED ${MEDIUM.totalPrice} -${left}`]);
    const [ofBank] = await problemsOf(id);
    expect(ofBank).toMatchObject({ about: 'refund', cents: MEDIUM.totalPrice - SMALL.totalPrice - left });
    await dropRefund(context.db, ofBank?.id ?? '', context.now());
    await town.finish(id);
    expect(await town.earnings.problemsOf(id)).toEqual([]);
  });

  test('of a price that falls twice each difference goes back once', async () => {
    const id = await placeCharged();
    for (const price of [SMALL, WAYS]) await town.weigh(id, price);
    await town.finish(id);
    expect(await town.checks.atNetwork(id)).toEqual([`COMPLETED ${MEDIUM.totalPrice} -${MEDIUM.totalPrice - 1198}`]);
    expect(await town.earnings.problemsOf(id)).toEqual([]);
  });

  test('the difference of lighter laundry goes back once the refund that had taken it is dropped', async () => {
    const id = await placeCharged();
    await refundAtSquare(id, 1);
    const dropped = await refund(id);
    await town.weigh(id, SMALL);
    const refunds = (await problemsOf(id)).filter(({ about }) => about === 'refund');
    expect(refunds).toMatchObject([{ id: dropped, kind: 'refund' }]);
    expect(await dropRefund(town.harness.context.db, dropped, town.harness.context.now())).toBe(true);
    await town.finish(id);
    expect(await town.checks.atNetwork(id)).toEqual([`COMPLETED ${MEDIUM.totalPrice} -${891 + 1}`]);
    expect(await town.earnings.problemsOf(id)).toEqual([]);
  });

  test('called off after its price fell, and before it is charged, it is charged what its Duber has earned', async () => {
    const { harness, earnings, checks } = town;
    const id = await town.place();
    const delivery = await harness.context.db
      .selectFrom('deliveries')
      .select('id')
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow();
    await earnings.carry(delivery.id, 0, ['accept-delivery', 'way-to-pickup']);
    await earnings.pay(delivery.id, { kind: 'trip', cents: 599, borneBy: 'order' });
    for (const price of [MEDIUM, SMALL]) await setPrice(harness.context, id, price);
    await earnings.callOff(id);
    await town.runLater();
    expect(await checks.atNetwork(id)).toEqual(['COMPLETED 599 -0']);
    expect(await checks.payment(id)).toMatchObject({ state: 'captured', amount: 599, reduced: 0, refunded: 0 });
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('retrying releases the hold of an order that costs nothing, after somebody has charged and refunded it at Square', async () => {
    const { harness, earnings, checks } = town;
    const id = await town.place();
    await earnings.endDeliveries(id);
    const [payment] = await checks.paymentsOf(id);
    await checks.square.payments.complete({ paymentId: payment?.id ?? '' });
    await town.weigh(id, { ...WAYS, pickup: 0, delivery: 0, totalPrice: 0 });
    expect(await problemsOf(id)).toMatchObject([{ id, kind: 'release' }]);
    await refundAtSquare(id, 3574);
    expect(await retryProblem(harness.context.db, id, harness.context.now())).toBe(true);
    await town.runLater();
    await earnings.expectPayment(id, 'voided');
    expect(await checks.atNetwork(id)).toEqual(['COMPLETED 3574 -3574']);
    expect([await problemsOf(id), await earnings.problemsOf(id)]).toEqual([[], []]);
  });

  test('retrying charges the card of an order that waits for another Scrub, who would work for nothing otherwise', async () => {
    const { harness, earnings, checks } = town;
    const { db, now } = harness.context;
    const id = await town.place();
    const [payment] = await checks.paymentsOf(id);
    await checks.square.payments.cancel({ paymentId: payment?.id ?? '' });
    await transact(db, (tx) => chargeEstimate(tx, id, now()));
    await harness.runPaymentJobs();
    await db.updateTable('orders').set({ status: 'Requested', round: 2 }).where('id', '=', id).execute();
    expect(await problemsOf(id)).toMatchObject([{ id, kind: 'hold-over' }]);
    expect(await retryProblem(db, id, now()), 'a hold that is over cannot be charged').toBe(false);
    const mayPass = { failure: 'The network did not say why' };
    await db.updateTable('payments').set(mayPass).where('order_id', '=', id).execute();
    expect(await problemsOf(id)).toMatchObject([{ id, kind: 'capture' }]);
    expect(await retryProblem(db, id, now())).toBe(true);
    await earnings.expectPayment(id, 'capturing');
  });

  test('a request to pay more that waits for its turn until another one is answered asks for no hold', async () => {
    const { harness, checks } = town;
    const id = await town.place();
    const { cards, db } = harness.context;
    const answered = Promise.withResolvers<void>();
    const asked: string[] = [];
    const hold: typeof cards.hold = async (request) => {
      asked.push(request.orderId);
      await answered.promise;
      return cards.hold(request);
    };
    const context = { ...harness.context, cards: { ...cards, hold } };
    // Three of one Bud are at the card network at a time.
    const all = Array.from({ length: 4 }, () => payMore(context, harness.users, { orderId: id, price: XL }));
    await waitFor(async () => {
      const intents = db.selectFrom('payments').select('state').where('replaces', '=', id);
      expect([asked.length, (await intents.execute()).length]).toEqual([3, 4]);
    });
    answered.resolve();
    expect((await Promise.all(all)).map((outcome) => outcome.kind).toSorted()).toEqual([
      'gone',
      'gone',
      'gone',
      'held',
    ]);
    expect(asked).toHaveLength(3);
    await town.runLater();
    const released = ['CANCELED 3574 -0', 'CANCELED 5653 -0', 'CANCELED 5653 -0'];
    expect(await checks.atNetwork(id)).toEqual([...released, 'COMPLETED 5653 -0']);
    expect(await town.earnings.problemsOf(id)).toEqual([]);
  });
});
