import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentHarness } from '../../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { openWeighedHarness, type WeighedHarness, XL } from '../../../testing/weighedHarness.ts';
import {
  acceptOrder,
  CARD,
  CARD_THAT_CANNOT_BE_LOWERED,
  payMore,
  placeWeighedOrder,
  priceOf,
  setPrice,
  WAYS,
} from '../../../testing/weighedOrders.ts';
import { transact } from '../../db/database.ts';
import { receiptHandlers } from '../ledger/receipts.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { chargeEstimate, lockWeighedPayment } from './weighedPayments.ts';

const [SMALL, MEDIUM, LARGE] = [priceOf('Small'), priceOf('Medium'), priceOf('Large')];

describe.each(RULE_DATABASES)('orders that are weighed, on %s', (kind) => {
  let town: WeighedHarness;
  let harness: PaymentHarness;
  let earnings: WeighedHarness['earnings'];
  let checks: WeighedHarness['checks'];
  beforeAll(async () => {
    town = await openWeighedHarness(kind);
    ({ harness, earnings, checks } = town);
    await earnings.earnTrust();
  });
  afterAll(() => town?.close());

  const place: WeighedHarness['place'] = (more) => town.place(more);
  const weigh: WeighedHarness['weigh'] = (id, price) => town.weigh(id, price);
  const finish: WeighedHarness['finish'] = (id) => town.finish(id);
  const pay: WeighedHarness['pay'] = (id, more) => town.pay(id, more);
  const runLater = () => town.runLater();
  const readReceipt = async (id: string) => {
    const receipt = await receiptHandlers(harness.context).readReceipt({
      caller: harness.users.buds[0],
      params: { id },
    } as never);
    return [...receipt.movements.map(({ kind, amount }) => `${kind} ${amount}`), receipt.pending];
  };

  test('holds the most it may cost, and is not charged when it is accepted', async () => {
    const id = await place();
    await harness.runPaymentJobs();
    expect(await checks.atNetwork(id)).toEqual(['APPROVED 3574 -0']);
    expect(await checks.payment(id)).toEqual({ state: 'held', amount: 2683, reduced: 0, held: 3574, refunded: 0 });
    expect(await readReceipt(id)).toEqual(['held 35.74', null]);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test.each([
    ['the estimate', MEDIUM],
    ['less', SMALL],
    ['all that is held', LARGE],
    ['only the ways', WAYS],
  ])('is charged once and to the cent: %s', async (_what, price) => {
    const id = await place();
    await weigh(id, price);
    expect(await checks.atNetwork(id)).toEqual([`COMPLETED ${price.totalPrice} -0`]);
    await finish(id);
    expect(await checks.cardClearing(id)).toBe(price.totalPrice);
    expect(await earnings.sumsOf(id)).toMatchObject({ 'card-clearing': price.totalPrice, duber: -1198 });
    expect(await readReceipt(id)).toEqual(['held 35.74', `charged ${price.totalPrice / 100}`, null]);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('a card whose hold cannot be lowered is charged as a whole, and the difference goes back', async () => {
    const id = await place({ sourceId: CARD_THAT_CANNOT_BE_LOWERED });
    await weigh(id, SMALL);
    await finish(id);
    expect(await checks.atNetwork(id)).toEqual(['COMPLETED 3574 -1782']);
    expect(await checks.cardClearing(id)).toBe(1792);
    expect(await readReceipt(id)).toEqual(['held 35.74', 'charged 35.74', 'refunded 17.82', null]);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('an order that costs nothing releases its hold', async () => {
    const id = await place();
    await earnings.endDeliveries(id);
    await weigh(id, { ...WAYS, pickup: 0, delivery: 0, totalPrice: 0 });
    expect(await checks.atNetwork(id)).toEqual(['CANCELED 3574 -0']);
    await earnings.complete(id);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('another hold takes the place of the first, which is released then, and only the new one is charged', async () => {
    const id = await place();
    expect(await pay(id)).toEqual({ kind: 'held' });
    expect(await checks.atNetwork(id)).toEqual(['CANCELED 3574 -0', 'COMPLETED 5653 -0']);
    expect((await readReceipt(id)).toSorted()).toEqual(
      ['held 35.74', 'held 56.53', 'released 35.74', 'charged 56.53', null].toSorted(),
    );
    await finish(id);
    expect(await checks.cardClearing(id)).toBe(5653);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('a declined card changes nothing', async () => {
    const id = await place();
    const before = await checks.payment(id);
    expect(await pay(id, { sourceId: 'cnon:card-nonce-declined' })).toMatchObject({ kind: 'declined' });
    expect(await checks.payment(id)).toEqual(before);
    expect(await checks.atNetwork(id)).toEqual(['APPROVED 3574 -0', 'FAILED 5653 -0']);
    expect(await pay(id)).toEqual({ kind: 'held' });
    expect(await checks.atNetwork(id)).toEqual(['CANCELED 3574 -0', 'COMPLETED 5653 -0', 'FAILED 5653 -0']);
  });

  test.each(['lost', 'unavailable'])('a request that is repeated after its hold is %s holds once', async (how) => {
    const id = await place();
    await checks.plan({ on: 'create', how, times: 1_000 });
    await expect(pay(id, { key: 'one' })).rejects.toThrow('the card network does not answer');
    await checks.recover();
    // Another token comes with the repetition: the first one counts.
    const again = () => pay(id, { key: 'one', sourceId: 'cnon:card-nonce-declined' });
    expect([await again(), await again(), await pay(id)]).toEqual([
      { kind: 'held' },
      { kind: 'held' },
      { kind: 'gone' },
    ]);
    expect(await checks.atNetwork(id)).toEqual(['CANCELED 3574 -0', 'COMPLETED 5653 -0']);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test.each([
    ['the order is called off', (id: string) => earnings.callOff(id), ['CANCELED 3574 -0', 'CANCELED 5653 -0']],
    [
      'the estimate is charged',
      (id: string) => transact(harness.context.db, (tx) => chargeEstimate(tx, id, harness.context.now())),
      ['CANCELED 5653 -0', 'COMPLETED 2683 -0'],
    ],
  ])('the new hold is released when %s meanwhile', async (_what, meanwhile, expected) => {
    const id = await place();
    const { cards } = harness.context;
    const hold: typeof cards.hold = async (request) => {
      const held = await cards.hold(request);
      await meanwhile(id);
      return held;
    };
    const context = { ...harness.context, cards: { ...cards, hold } };
    expect(await payMore(context, harness.users, { orderId: id, price: XL })).toEqual({ kind: 'gone' });
    await runLater();
    expect(await checks.atNetwork(id)).toEqual(expected);
    expect(await pay(id)).toEqual({ kind: 'gone' });
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('the new hold is released when what it is for cannot be written', async () => {
    const id = await place();
    // No line of a price is below zero.
    await expect(pay(id, { price: { ...XL, loadPrice: -1 } })).rejects.toThrow('order_lines_cents_check');
    await runLater();
    expect(await checks.atNetwork(id)).toEqual(['APPROVED 3574 -0', 'CANCELED 5653 -0']);
    await weigh(id, MEDIUM);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('six days later the estimate is charged, and what it weighs less goes back; more is never charged', async () => {
    const id = await place();
    const { db, now } = harness.context;
    expect(await transact(db, (tx) => chargeEstimate(tx, id, now()))).toBe(true);
    expect(await transact(db, (tx) => chargeEstimate(tx, id, now()))).toBe(false);
    await harness.runPaymentJobs();
    const expected = { isCharged: true, price: 2683, discount: 0, atMost: 2683, mayChange: true };
    expect(await transact(db, (tx) => lockWeighedPayment(tx, id))).toEqual(expected);
    await expect(weigh(id, LARGE)).rejects.toThrow('cannot cost 3574');
    await weigh(id, SMALL);
    await runLater();
    expect(await checks.atNetwork(id)).toEqual(['COMPLETED 2683 -891']);
    await weigh(id, SMALL);
    await finish(id);
    await expect(weigh(id, WAYS)).rejects.toThrow('cannot cost 1198');
    expect(await checks.cardClearing(id)).toBe(1792);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('a price that falls while the card is being charged gives the difference back', async () => {
    const id = await place();
    await setPrice(harness.context, id, MEDIUM);
    await setPrice(harness.context, id, SMALL);
    await runLater();
    await runLater();
    expect(await checks.atNetwork(id)).toEqual(['COMPLETED 2683 -891']);
    await finish(id);
    expect(await checks.cardClearing(id)).toBe(1792);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test.each(['update', 'complete', 'get'])('an answer that is lost (%s) charges nothing twice', async (on) => {
    const id = await place();
    await checks.plan({ on, how: 'lost' });
    await weigh(id, SMALL);
    await runLater();
    expect(await checks.atNetwork(id)).toEqual(['COMPLETED 1792 -0']);
    await finish(id);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('called off while it is held, it is charged what its Duber has earned, and nothing when nobody has', async () => {
    const [quiet, onTheWay] = [await place(), await place()];
    const [delivery] = await harness.context.db
      .selectFrom('deliveries')
      .select('id')
      .where('order_id', '=', onTheWay)
      .execute();
    await earnings.carry(delivery?.id ?? '', 0, ['accept-delivery', 'way-to-pickup']);
    await earnings.pay(delivery?.id ?? '', { kind: 'trip', cents: 599, borneBy: 'order' });
    for (const id of [quiet, onTheWay]) await earnings.callOff(id);
    await runLater();
    expect(await checks.atNetwork(quiet)).toEqual(['CANCELED 3574 -0']);
    expect(await checks.atNetwork(onTheWay)).toEqual(['COMPLETED 599 -0']);
    expect(await earnings.sumsOf(onTheWay)).toEqual({ 'card-clearing': 599, duber: -599 });
    expect(await readReceipt(onTheWay)).toEqual(['held 35.74', 'charged 5.99', null]);
    for (const id of [quiet, onTheWay]) expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('a Duber is paid out only once the card is charged', async () => {
    const id = await place();
    const [delivery] = await harness.context.db
      .selectFrom('deliveries')
      .select('id')
      .where('order_id', '=', id)
      .execute();
    await earnings.payOut('duber');
    await earnings.carry(delivery?.id ?? '');
    expect((await earnings.linesOf('duber')).map(({ waitsFor }) => waitsFor)).toContain('not-charged');
    expect(await earnings.payOut('duber')).toBe(0);
    await weigh(id, MEDIUM);
    expect(await earnings.payOut('duber')).toBe(599);
    await finish(id);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('a refund of all that it costs leaves nobody anything to earn', async () => {
    const id = await place({ sourceId: CARD_THAT_CANNOT_BE_LOWERED });
    await weigh(id, SMALL);
    await runLater();
    const refund = { orderId: id, liable: 'platform', reason: 'torn' } as const;
    expect(await requestRefund(harness.context, refund)).toMatchObject({ ok: true, amount: 1792, taxes: 44 });
    await runLater();
    await finish(id);
    expect(await checks.atNetwork(id)).toEqual(['COMPLETED 3574 -3574']);
    expect(await earnings.sumsOf(id)).toEqual({});
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('nobody is charged for an order that no Scrub has accepted', async () => {
    const id = await placeWeighedOrder(harness.context, harness.users);
    const { db, now } = harness.context;
    expect(await transact(db, (tx) => chargeEstimate(tx, id, now()))).toBe(false);
    await harness.runPaymentJobs();
    expect(await checks.atNetwork(id)).toEqual(['APPROVED 3574 -0']);
  });

  test('given back and accepted again, it is still charged only when it is weighed', async () => {
    const id = await placeWeighedOrder(harness.context, harness.users, { sourceId: CARD });
    await acceptOrder(harness.context, harness.users, id);
    await harness.runPaymentJobs();
    const { db } = harness.context;
    await db.updateTable('orders').set({ status: 'Requested', round: 2 }).where('id', '=', id).execute();
    expect(await earnings.problemsOf(id)).toEqual([]);
    await acceptOrder(harness.context, harness.users, id).catch(() => undefined);
    await harness.runPaymentJobs();
    expect(await checks.atNetwork(id)).toEqual(['APPROVED 3574 -0']);
  });
});
