import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import { type ChangedOrders, openChangedOrders } from '../../testing/changedOrders.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { createCase } from '../cases/createCase.ts';
import { transact } from '../db/database.ts';
import { takeDeliveryStep } from '../deliveries/steps.ts';
import { onLaundryHandedOver } from '../handovers/handoverEffects.ts';
import { handoverHandlers } from '../handovers/handovers.ts';
import { readOrderTemplateData } from '../notifications/templateData.sql.ts';
import { setPolicy } from '../town/policies.sql.ts';
import { reopenOrder } from './reopenOrder.ts';

const TOTAL = 2683;
const [LOAD, WAY] = [1250, 599];
const DELIVERY = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
const NOT_CLEAN = { reason: 'not-clean' };

describe.each(RULE_DATABASES)('clocks and rounds of accepted orders, on %s', (kind) => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders(kind);
  });
  afterAll(() => orders?.close());

  const accepted = () => orders.harness.createOrder('Accepted');
  const atScrub = async () => {
    const id = await accepted();
    await orders.carry(id, DELIVERY);
    return id;
  };
  const done = async () => {
    const id = await atScrub();
    await orders.press('start-order', id);
    await orders.press('complete-order', id);
    await orders.carry(id, DELIVERY);
    await orders.runPayments();
    return id;
  };
  const passAndRun = async (ms: number) => {
    orders.pass(ms);
    await orders.runTimers();
  };
  const setStart = (value: 'open' | 'careful') =>
    setPolicy(orders.context.db, { name: 'start', value, setBy: 'Olga' }, orders.context.now());
  const lastStep = async (id: string) => (await orders.stateOf(id)).steps.at(-1);
  const handOver = (id: string) =>
    transact(orders.context.db, (tx) => onLaundryHandedOver(tx, id, orders.context.now()));

  /** An operator takes the last step of a Duber back, or calls their delivery off. */
  const asTown = async (action: 'correct' | 'call-off', orderId: string) => {
    const { db } = orders.context;
    const delivery = db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
    const { id } = await delivery.orderBy('created_at', 'desc').limit(1).executeTakeFirstOrThrow();
    await takeDeliveryStep(orders.context, { role: 'Operator', id: null }, { id, action, reason: 'asked' });
  };

  describe.each(['a Duber', 'the Bud'])('laundry that %s brought', (who) => {
    const bring = async () => {
      if (who === 'a Duber') return atScrub();
      const id = await orders.place({ selfDelivery: true });
      await orders.press('accept-order', id);
      await handOver(id);
      return id;
    };

    test('reminds the Scrub once, after 4 hours', async () => {
      const id = await bring();
      await passAndRun(4 * HOUR_MS - 1_000);
      expect(await lastStep(id)).not.toBe('1 remind System');
      await passAndRun(1_000);
      expect(await lastStep(id)).toBe('1 remind System');
      await passAndRun(DAY_MS);
      expect((await orders.stateOf(id)).steps.filter((step) => step.includes('remind'))).toHaveLength(1);
      expect(await orders.notices(id)).toContain('reminder Scrub');
      // It is no news for the history that people see.
      expect((await orders.readAsScrub(id))?.statusHistory.map(({ status }) => status)).toEqual([
        'Requested',
        'Accepted',
      ]);
    });

    test('reminds nobody who has started', async () => {
      const id = await bring();
      await orders.press('start-order', id);
      await passAndRun(4 * HOUR_MS);
      expect(await lastStep(id)).toBe('1 start-order Scrub');
    });

    test('can be started where the town is careful, and not before it is there', async () => {
      await setStart('careful');
      try {
        const id = await accepted();
        await orders.carry(id, DELIVERY.slice(0, 4));
        await expect(orders.press('start-order', id)).rejects.toMatchObject({ failure: 'laundryNotHere' });
        await orders.carry(id, DELIVERY.slice(4));
        for (const order of [id, await bring()])
          expect(await orders.press('start-order', order)).toMatchObject({ status: 'In_Progress' });
      } finally {
        orders.pass(1_000);
        await setStart('open');
      }
    });
  });

  test('people meet without a Duber when the delivery was called off, both ways', async () => {
    const { context, bud } = orders;
    const receive = (caller: object, id: string) =>
      handoverHandlers(context).confirmReceived({ caller, params: { id }, body: { bags: 1 } } as never);
    const [id, started] = [await accepted(), await accepted()];
    for (const one of [id, started]) await asTown('call-off', one);
    await setStart('careful');
    try {
      expect(await receive(orders.scrub(), id)).toMatchObject({ holder: { role: 'Scrub' } });
      await orders.press('start-order', id);
    } finally {
      orders.pass(1_000);
      await setStart('open');
    }
    // The start says it as well.
    await orders.press('start-order', started);
    expect(await receive(orders.scrub(), started)).toMatchObject({ holder: { role: 'Scrub' } });
    await orders.press('complete-order', id);
    await asTown('call-off', id);
    expect(await receive(bud, id)).toMatchObject({ holder: { role: 'Bud' } });
    const items = [{ what: 'shirt', kind: 'missing', worth: 10, ageMonths: 1, asked: 5 }];
    await createCase(context, { caller: bud, body: { kind: 'claim', orderId: id, items } } as never);
    await passAndRun(7 * DAY_MS);
    await orders.runPayments();
    expect(await orders.stateOf(id)).toMatchObject({ closed: true, unearned: 0 });
  });

  test('laundry that arrives again after a mistake reminds nobody twice', async () => {
    const id = await atScrub();
    await passAndRun(4 * HOUR_MS);
    await asTown('correct', id);
    await orders.carry(id, DELIVERY.slice(4));
    expect((await orders.stateOf(id)).timers).not.toContain('remind');
    await passAndRun(4 * HOUR_MS);
    expect((await orders.stateOf(id)).steps.filter((step) => step.includes('remind'))).toHaveLength(1);
  });

  test('both are notified once that it is late, 48 hours after the start', async () => {
    const [id, quick] = [await atScrub(), await atScrub()];
    for (const one of [id, quick]) await orders.press('start-order', one);
    await orders.press('complete-order', quick);
    await passAndRun(2 * DAY_MS - 1_000);
    expect(await lastStep(id)).toBe('1 start-order Scrub');
    await passAndRun(1_000);
    await passAndRun(2 * DAY_MS);
    expect(await lastStep(id)).toBe('1 late System');
    expect(await orders.notices(id)).toEqual(expect.arrayContaining(['late Bud', 'late Scrub']));
    expect(await orders.notices(quick)).not.toContain('late Bud');
    await orders.press('complete-order', id);
    await orders.carry(id, DELIVERY);
  });

  test('an order is closed 7 days after its last delivery, with nothing left unearned', async () => {
    const id = await done();
    const selfService = await orders.place({ selfDelivery: true, selfPickup: true });
    for (const action of ['accept-order', 'start-order', 'complete-order'] as const)
      await orders.press(action, selfService);
    // Completed before it was delivered to the Scrub, as the policy `open` allows.
    const under = await accepted();
    for (const action of ['start-order', 'complete-order'] as const) await orders.press(action, under);
    await orders.carry(under, DELIVERY, { isOutbound: true });
    await passAndRun(7 * DAY_MS - 1_000);
    expect((await orders.stateOf(id)).closed).toBe(false);
    await passAndRun(1_000);
    for (const one of [id, selfService])
      expect(await orders.stateOf(one)).toMatchObject({ status: 'Completed', closed: true, unearned: 0 });
    // A Duber may still bring it back.
    expect((await orders.stateOf(under)).closed).toBe(false);
    expect((await orders.readAsScrub(id))?.statusHistory.at(-1)?.status).toBe('Completed');
    await orders.carry(under, DELIVERY);
    await passAndRun(7 * DAY_MS);
    expect((await orders.stateOf(under)).closed).toBe(true);
    await expect(orders.asTown('reopen', id, NOT_CLEAN)).rejects.toMatchObject({ failure: 'orderClosed' });
  });

  describe('reopen', () => {
    test.each(['platform', 'scrub'] as const)(
      'has it cleaned again: the %s pays the deliveries, the Bud nothing, and nobody earns the laundry twice',
      async (waysPaidBy) => {
        const id = await done();
        const town = { orderId: id, waysPaidBy, ...NOT_CLEAN };
        const reopened = await transact(orders.context.db, (tx) => reopenOrder(orders.context, tx, town));
        expect(reopened).toMatchObject({ status: 'In_Progress', round: 2 });
        await orders.carry(id, DELIVERY, { round: 2, duber: 1 });
        await orders.press('complete-order', id);
        await orders.carry(id, DELIVERY, { round: 2, duber: 2 });
        await orders.runPayments();
        expect(orders.paid(id)).toBe(TOTAL);
        const { scrub, duber, 'refund-costs': costs } = await orders.earned(id);
        expect(duber).toBe(4 * WAY);
        expect([scrub, costs]).toEqual(waysPaidBy === 'scrub' ? [LOAD - 2 * WAY, undefined] : [LOAD, -2 * WAY]);
        expect(await orders.stateOf(id)).toMatchObject({
          status: 'Completed',
          unearned: 0,
          deliveries: [
            '1 Bud_To_Scrub Delivered',
            '1 Scrub_To_Bud Delivered',
            '2 Bud_To_Scrub Delivered',
            '2 Scrub_To_Bud Delivered',
          ],
        });
        expect(await orders.notices(id)).toEqual(expect.arrayContaining(['reopened Bud', 'reopened Scrub']));
        // The week begins again.
        await passAndRun(7 * DAY_MS);
        expect((await orders.stateOf(id)).closed).toBe(true);
      },
    );

    test('waits for the deliveries of the round before', async () => {
      const id = await atScrub();
      for (const action of ['start-order', 'complete-order'] as const) await orders.press(action, id);
      await expect(orders.asTown('reopen', id, NOT_CLEAN)).rejects.toMatchObject({ failure: 'deliveriesOpen' });
      await orders.carry(id, DELIVERY);
    });
  });

  describe('cancel-by-operator', () => {
    const ASKED = { reason: 'asked' };
    const WORDS = { words: 'Noor brings it on Friday.' };

    test.each(['Requested', 'Accepted'] as const)('gives back all of an order that is %s', async (status) => {
      const id = await orders.harness.createOrder(status);
      await orders.asTown('cancel-by-operator', id, ASKED);
      await orders.runPayments();
      expect(orders.paid(id)).toBe(0);
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Cancelled', unearned: 0 });
      expect(await orders.problemsOf(id)).toEqual([]);
      expect(await orders.notices(id)).toEqual(expect.arrayContaining(['cancelled Bud', 'cancelled Scrub']));
      expect(await readOrderTemplateData(orders.context.db, id, orders.context.now())).toMatchObject({
        isWithScrub: false,
      });
    });

    test('refunds the unearned money when the laundry is at the Scrub, and says how it gets home', async () => {
      const id = await atScrub();
      await orders.press('start-order', id);
      const silent = orders.asTown('cancel-by-operator', id, { ...ASKED, ...WORDS });
      await expect(silent).rejects.toMatchObject({ failure: 'invalid', validationErrors: [{ property: 'wayHome' }] });
      const unpaid = orders.asTown('cancel-by-operator', id, { ...ASKED, wayHome: 'bring' });
      await expect(unpaid).rejects.toMatchObject({
        failure: 'invalid',
        validationErrors: [{ property: 'waysPaidBy' }],
      });
      await orders.asTown('cancel-by-operator', id, { ...ASKED, ...WORDS, wayHome: 'fetch' });
      await orders.runPayments();
      expect(orders.paid(id)).toBe(WAY);
      expect(await orders.earned(id)).toEqual({ duber: WAY });
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Cancelled', unearned: 0 });
      expect((await orders.readAsScrub(id))?.exceptions).toMatchObject([
        { action: 'cancel-by-operator', by: 'Operator', ...ASKED, ...WORDS },
      ]);
      // The mail to the Scrub says that they still have the laundry.
      expect(await readOrderTemplateData(orders.context.db, id, orders.context.now())).toMatchObject({
        isWithScrub: true,
        wayHome: 'fetch',
      });
    });

    test.each([
      { waysPaidBy: 'bud', paid: 2 * WAY },
      { waysPaidBy: 'platform', paid: WAY },
      // A Scrub who has earned nothing bears nothing, so the platform does.
      { waysPaidBy: 'scrub', paid: WAY },
    ])('has the laundry brought home, and the way home is paid by the $waysPaidBy', async ({ waysPaidBy, paid }) => {
      const id = await atScrub();
      await orders.asTown('cancel-by-operator', id, { ...ASKED, wayHome: 'bring', waysPaidBy });
      await orders.runPayments();
      expect(orders.paid(id)).toBe(paid);
      await orders.carry(id, DELIVERY);
      await orders.runPayments();
      expect(orders.paid(id)).toBe(paid);
      expect(await orders.earned(id)).toMatchObject({ duber: 2 * WAY });
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Cancelled', unearned: 0 });
      expect(await orders.problemsOf(id)).toEqual([]);
    });

    test('gives back what its Bud would have paid for the way home when nobody drives it', async () => {
      const id = await atScrub();
      await orders.asTown('cancel-by-operator', id, { ...ASKED, wayHome: 'bring', waysPaidBy: 'bud' });
      await orders.runPayments();
      const { db, now } = orders.context;
      const way = db.selectFrom('deliveries').select('id').where('order_id', '=', id);
      const { id: deliveryId } = await way.where('delivery_type', '=', 'Scrub_To_Bud').executeTakeFirstOrThrow();
      const called = { id: deliveryId, action: 'call-off', reason: 'asked' } as const;
      await takeDeliveryStep({ db, now, wake: () => {} } as never, { role: 'Operator', id: null }, called);
      await orders.runPayments();
      expect(orders.paid(id)).toBe(WAY);
      expect(await orders.stateOf(id)).toMatchObject({ unearned: 0 });
      expect(await orders.problemsOf(id)).toEqual([]);
    });

    test('waits until no Duber has the laundry', async () => {
      const id = await accepted();
      await orders.carry(id, DELIVERY.slice(0, 3));
      const early = orders.asTown('cancel-by-operator', id, { ...ASKED, ...WORDS });
      await expect(early).rejects.toMatchObject({ failure: 'laundryOnBoard' });
      await orders.carry(id, DELIVERY.slice(3));
    });
  });
});
