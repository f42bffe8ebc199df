import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../domain/durations.ts';
import { type ChangedOrders, openChangedOrders } from '../../testing/changedOrders.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { lockPayment, payUnderLock } from '../payments/earnings/earnings.ts';

const TOTAL = 2683;
const PICKUP = 599;
const DELIVERY = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
const ON_THE_WAY = DELIVERY.slice(0, 2);
const ILL = { reason: 'ill' };
const CHANGED_MIND = { reason: 'changed-mind' };

describe.each(RULE_DATABASES)('orders that change their mind, on %s', (kind) => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders(kind);
  });
  afterAll(() => orders?.close());

  const accepted = () => orders.harness.createOrder('Accepted');
  const givenBack = async () => {
    const id = await accepted();
    await orders.change('give-back', id, ILL);
    return id;
  };
  const choose = (id: string, index = 1) => orders.change('choose-scrub', id, { scrubId: orders.scrub(index).id });
  /** Everything went back to the card, and nobody has earned anything. */
  const expectAllBack = async (id: string) => {
    await orders.runPayments();
    expect(orders.paid(id)).toBe(0);
    expect(await orders.stateOf(id)).toMatchObject({ unearned: 0 });
    expect(await orders.earned(id)).toEqual({});
    expect(await orders.problemsOf(id)).toEqual([]);
  };

  describe('cancel-accepted', () => {
    test('costs nothing while no Duber is on the way: the card gets everything back, and the delivery is called off', async () => {
      const id = await accepted();
      expect(await orders.cancellation(id)).toEqual({ isPossible: true, fee: 0, refund: TOTAL / 100, why: null });
      expect(await orders.change('cancel-accepted', id, CHANGED_MIND)).toMatchObject({ status: 'Cancelled', round: 1 });
      expect(await orders.stateOf(id)).toMatchObject({
        timers: [],
        steps: ['1 place-order Bud', '1 accept-order Scrub', '1 cancel-accepted Bud'],
        deliveries: ['1 Bud_To_Scrub Called_Off'],
      });
      expect(await orders.notices(id)).toEqual(expect.arrayContaining(['cancelled Bud', 'cancelled Scrub']));
      await expectAllBack(id);
    });

    test('pays a Duber who is on the way, as the Bud was shown, and gives all the rest back', async () => {
      const id = await accepted();
      await orders.carry(id, ON_THE_WAY, { duber: 2 });
      expect(await orders.cancellation(id)).toEqual({
        isPossible: true,
        fee: PICKUP / 100,
        refund: (TOTAL - PICKUP) / 100,
        why: null,
      });
      await orders.change('cancel-accepted', id, { ...CHANGED_MIND, fee: PICKUP / 100 });
      await orders.runPayments();
      expect(orders.paid(id)).toBe(PICKUP);
      expect(await orders.earned(id)).toEqual({ duber: PICKUP });
      expect(await orders.stateOf(id)).toMatchObject({ unearned: 0, payment: 'captured' });
    });

    test('costs no more than what is left of the fee, when an earlier Duber was paid a part of it', async () => {
      const id = await accepted();
      await orders.carry(id, ON_THE_WAY, { duber: 2 });
      const { db } = orders.context;
      const [delivery] = await db
        .selectFrom('deliveries')
        .select(['id', 'duber_id'])
        .where('order_id', '=', id)
        .execute();
      const earning = { deliveryId: delivery?.id ?? '', duberId: delivery?.duber_id ?? '', orderId: id, attempt: 1 };
      const trip = { ...earning, kind: 'trip', cents: PICKUP, borneBy: 'order' } as const;
      await holdTransaction(db, async (tx) => {
        await lockPayment(tx, id);
        await payUnderLock(tx, trip, orders.context.now());
      });
      await db.updateTable('deliveries').set({ attempt: 2 }).where('order_id', '=', id).execute();
      expect(await orders.cancellation(id)).toMatchObject({ fee: 0, refund: (TOTAL - PICKUP) / 100 });
      await orders.change('cancel-accepted', id, { ...CHANGED_MIND, fee: 0 });
      await orders.runPayments();
      expect(orders.paid(id)).toBe(PICKUP);
      expect(await orders.problemsOf(id)).toEqual([]);
    });

    test('is refused when it costs more than the Bud was shown, and nothing happens', async () => {
      const id = await accepted();
      const { fee } = await orders.cancellation(id);
      await orders.carry(id, ON_THE_WAY, { duber: 1 });
      await expect(orders.change('cancel-accepted', id, { ...CHANGED_MIND, fee })).rejects.toMatchObject({
        failure: 'costsMore',
      });
      expect(await orders.stateOf(id)).toMatchObject({
        status: 'Accepted',
        deliveries: ['1 Bud_To_Scrub Way_To_Pick'],
      });
      await orders.change('cancel-accepted', id, CHANGED_MIND);
    });

    test('is over once a bag has moved', async () => {
      const id = await accepted();
      await orders.carry(id, DELIVERY.slice(0, 3));
      const why = 'The laundry is on its way already';
      expect(await orders.cancellation(id)).toEqual({ isPossible: false, fee: 0, refund: 0, why });
      for (const step of [undefined, ...DELIVERY.slice(3)]) {
        if (step) await orders.carry(id, [step]);
        const late = orders.change('cancel-accepted', id, CHANGED_MIND);
        await expect(late).rejects.toMatchObject({ failure: 'laundryMoved' });
      }
      const here = 'The laundry is with the Scrub already';
      expect(await orders.cancellation(id)).toMatchObject({ isPossible: false, why: here });
      await expect(orders.change('cancel-accepted', id, CHANGED_MIND)).rejects.toMatchObject({ message: here });
      await expect(orders.change('give-back', id, ILL)).rejects.toMatchObject({
        message: 'You have the laundry already',
      });
      await orders.press('start-order', id);
      expect(await orders.cancellation(id)).toMatchObject({ isPossible: false, why: 'This order is In Progress' });
      await expect(orders.change('cancel-accepted', id, CHANGED_MIND)).rejects.toMatchObject({
        failure: 'wrongStatus',
      });
    });

    test('needs one of its reasons, and words for another one', async () => {
      const id = await accepted();
      for (const [body, property] of [
        [{}, 'reason'],
        [{ reason: 'ill' }, 'reason'],
        [{ reason: 'other' }, 'words'],
      ] as const) {
        const refused = orders.change('cancel-accepted', id, body);
        await expect(refused).rejects.toMatchObject({ failure: 'invalid', validationErrors: [{ property }] });
      }
      await orders.change('cancel-accepted', id, { reason: 'other', words: 'My cat sleeps on it.' });
      await expectAllBack(id);
    });

    test('answers a repeated request with the first answer', async () => {
      const id = await accepted();
      const body = { ...CHANGED_MIND, requestKey: Buffer.from('the same key') };
      const first = await orders.change('cancel-accepted', id, body);
      expect(await orders.change('cancel-accepted', id, body)).toEqual(first);
      const other = { ...CHANGED_MIND, requestKey: Buffer.from('another key') };
      await expect(orders.change('cancel-accepted', id, other)).rejects.toMatchObject({ failure: 'wrongStatus' });
    });

    test.each(['silent', 'loses answers'] as const)(
      'gives everything back when the card network %s at that moment',
      async (how) => {
        orders.network.captures = how;
        try {
          const id = await accepted();
          expect(await orders.stateOf(id)).toMatchObject({ payment: 'capturing' });
          await orders.change('cancel-accepted', id, CHANGED_MIND);
          orders.network.captures = 'answers';
          orders.pass(HOUR_MS);
          await expectAllBack(id);
          expect(await orders.stateOf(id)).toMatchObject({ payment: 'captured' });
        } finally {
          orders.network.captures = 'answers';
        }
      },
    );
  });

  describe('give-back', () => {
    test('lets the Bud choose another Scrub: same price, no second charge, and the order continues', async () => {
      const id = await accepted();
      const captured = orders.network.captured;
      expect(await orders.change('give-back', id, ILL)).toMatchObject({ status: 'Requested', round: 2 });
      expect(await orders.stateOf(id)).toMatchObject({ round: 2, deliveries: ['1 Bud_To_Scrub Called_Off'] });
      expect(await orders.notices(id)).toContain('given-back Bud');
      expect(await orders.notices(id)).not.toContain('accepted Bud');
      expect(await choose(id)).toMatchObject({ status: 'Requested', round: 2 });
      await orders.press('accept-order', id, 1);
      await orders.carry(id, DELIVERY, { round: 2 });
      await orders.press('start-order', id, 1);
      await orders.press('complete-order', id, 1);
      await orders.carry(id, DELIVERY, { round: 2 });
      await orders.runPayments();
      expect(orders.network.captured).toBe(captured);
      expect(orders.paid(id)).toBe(TOTAL);
      expect(await orders.stateOf(id)).toMatchObject({
        status: 'Completed',
        unearned: 0,
        deliveries: ['1 Bud_To_Scrub Called_Off', '2 Bud_To_Scrub Delivered', '2 Scrub_To_Bud Delivered'],
        steps: [
          '1 place-order Bud',
          '1 accept-order Scrub',
          '1 give-back Scrub',
          '2 choose-scrub Bud',
          '2 accept-order Scrub',
          '2 start-order Scrub',
          '2 complete-order Scrub',
        ],
      });
      expect(await orders.notices(id)).toEqual(expect.arrayContaining(['accepted Bud', 'placed Scrub']));
      expect(await orders.problemsOf(id)).toEqual([]);
    });

    test('ends the part of the Scrub: they cannot answer it, see where the Bud lives, or get it again', async () => {
      const id = await givenBack();
      for (const action of ['accept-order', 'reject-order'] as const) {
        const message = 'You have given this order back';
        await expect(orders.press(action, id)).rejects.toMatchObject({ failure: 'wrongStatus', message });
      }
      const order = await orders.readAsScrub(id);
      expect(order?.bud).toMatchObject({ email: null, phone: null });
      expect(order?.budAddress).toMatchObject({ label: 'Approximate' });
      expect(order?.orderInstructions).toBeNull();
      await expect(choose(id, 0)).rejects.toMatchObject({ failure: 'scrubUnavailable' });
      await choose(id);
      expect(await orders.readAsScrub(id)).toBeUndefined();
      expect((await orders.readAsScrub(id, 1))?.budAddress).toMatchObject({ label: 'Default' });
      await expect(orders.press('accept-order', id)).rejects.toMatchObject({ failure: 'notFound' });
      await expect(choose(id, 2)).rejects.toMatchObject({ failure: 'notGivenBack' });
    });

    test('may happen again: a Scrub who gave it back is not asked a second time', async () => {
      const id = await givenBack();
      await choose(id);
      await orders.press('accept-order', id, 1);
      await orders.change('give-back', id, ILL, orders.scrub(1));
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Requested', round: 3 });
      expect(await orders.notices(id)).toContain('given-back Bud');
      for (const index of [0, 1])
        await expect(choose(id, index)).rejects.toMatchObject({ failure: 'scrubUnavailable' });
      await choose(id, 2);
      await orders.press('reject-order', id, 2);
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Rejected' });
      await expectAllBack(id);
    });

    test('pays a Duber on the way at the cost of the Scrub, whose Bud then cancels', async () => {
      const id = await accepted();
      await orders.carry(id, ON_THE_WAY, { duber: 0 });
      await orders.change('give-back', id, ILL);
      await orders.press('cancel-order', id);
      await orders.runPayments();
      expect(orders.paid(id)).toBe(0);
      expect(await orders.earned(id)).toEqual({ duber: PICKUP, scrub: -PICKUP });
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Cancelled', unearned: 0 });
    });

    test('is over once a bag has moved', async () => {
      const id = await accepted();
      await orders.carry(id, DELIVERY.slice(0, 3));
      await expect(orders.change('give-back', id, ILL)).rejects.toMatchObject({ failure: 'laundryMoved' });
      await orders.carry(id, DELIVERY.slice(3));
    });

    test('waits 4 hours for another Scrub, not until the request would have expired, and then gives everything back', async () => {
      const id = await givenBack();
      orders.pass(4 * HOUR_MS - 1_000);
      await orders.runTimers();
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Requested' });
      orders.pass(1_000);
      await orders.runTimers();
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Cancelled' });
      expect((await orders.stateOf(id)).steps.at(-1)).toBe('2 expire-given-back System');
      expect(await orders.notices(id)).toContain('cancelled Bud');
      expect(await orders.notices(id)).not.toContain('cancelled Scrub');
      await expectAllBack(id);
    });

    test('starts one clock and ends those of before: one that is left behind ends nothing', async () => {
      const id = await givenBack();
      expect((await orders.stateOf(id)).timers).toEqual(['expire-given-back']);
      await orders.leaveClock(id, 'expire-request');
      await orders.runTimers();
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Requested' });
      await choose(id);
      expect((await orders.stateOf(id)).timers).toEqual(['expire-request']);
      await orders.leaveClock(id, 'expire-given-back');
      await orders.runTimers();
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Requested' });
      await orders.press('accept-order', id, 1);
      await orders.leaveClock(id, 'expire-given-back');
      await orders.runTimers();
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Accepted' });
    });

    test('gives the next Scrub a full day, and no earlier timer ends it', async () => {
      const id = await accepted();
      orders.pass(22 * HOUR_MS);
      await orders.change('give-back', id, ILL);
      orders.pass(3 * HOUR_MS);
      await orders.runTimers();
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Requested', round: 2 });
      await choose(id);
      orders.pass(24 * HOUR_MS - 1_000);
      await orders.runTimers();
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Requested' });
      orders.pass(1_000);
      await orders.runTimers();
      expect((await orders.stateOf(id)).steps.at(-1)).toBe('2 expire-request System');
      await expectAllBack(id);
    });
  });
});
