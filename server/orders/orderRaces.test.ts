import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../domain/durations.ts';
import { type ChangedOrders, openChangedOrders } from '../../testing/changedOrders.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { waitForLockWaits } from '../../testing/lockWaits.ts';
import { takeDeliveryStep } from '../deliveries/steps.ts';
import { Refusal } from '../http/refusals.ts';
import { takeOrderStep } from './steps.ts';

const WAY = 599;
const ROUNDS = 6;
const DELIVERY = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
const CHANGED_MIND = { reason: 'changed-mind' };
const ILL = { reason: 'ill' };

// One session cannot race with itself.
describe('eight at once at an order that changes', () => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders('postgres');
  });
  afterAll(() => orders?.close());

  type Racer = () => Promise<unknown>;
  /** Starts four of each at once. Returns how many of each were not refused; anything but a refusal fails the test. */
  const race = async (...kinds: readonly Racer[]): Promise<number[]> => {
    const racers = Array.from({ length: 8 / kinds.length }, () => kinds).flat();
    const outcomes = await Promise.allSettled(racers.map((start) => start()));
    const wrong = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(wrong.filter((reason) => !(reason instanceof Refusal))).toEqual([]);
    return kinds.map(
      (_, kind) => outcomes.filter(({ status }, at) => at % kinds.length === kind && status === 'fulfilled').length,
    );
  };
  const cancel =
    (id: string): Racer =>
    () =>
      orders.change('cancel-accepted', id, CHANGED_MIND);

  test.each([
    ['way-to-pickup', 1],
    ['collected', 2],
  ] as const)(
    'cancel and %s: the Duber is paid if they were on the way, and never has laundry of a cancelled order',
    async (step, before) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = await orders.harness.createOrder('Accepted');
        await orders.carry(id, DELIVERY.slice(0, before));
        const [cancelled, moved] = await race(cancel(id), () => orders.carry(id, [step]));
        const { status, deliveries } = await orders.stateOf(id);
        await orders.runPayments();
        expect(moved).toBeLessThanOrEqual(1);
        if (status === 'Cancelled') {
          expect([cancelled, deliveries]).toEqual([1, ['1 Bud_To_Scrub Called_Off']]);
          const fee = step === 'collected' || moved === 1 ? WAY : 0;
          expect(orders.paid(id)).toBe(fee);
          expect(await orders.earned(id)).toEqual(fee === 0 ? {} : { duber: WAY });
          expect(await orders.stateOf(id)).toMatchObject({ unearned: 0 });
        } else {
          expect([cancelled, moved, step]).toEqual([0, 1, 'collected']);
          await orders.carry(id, DELIVERY.slice(3));
        }
      }
    },
  );

  const waitUntilOneWaits = () => waitForLockWaits(orders.context.db, 1);

  test('a step that waited for one that leaves the status as it is comes after it in the history', async () => {
    const { context } = orders;
    const id = await orders.harness.createOrder('Accepted');
    await orders.change('give-back', id, ILL);
    const { cancelling } = await holdTransaction(context.db, async (tx) => {
      const choice = { id, action: 'choose-scrub', scrubId: orders.scrub(1).id } as const;
      await takeOrderStep({ ...context, db: tx }, orders.bud, choice);
      const cancel = orders.press('cancel-order', id);
      await waitUntilOneWaits();
      return { cancelling: cancel };
    });
    expect(await cancelling).toMatchObject({ status: 'Cancelled' });
    expect((await orders.stateOf(id)).steps.slice(-2)).toEqual(['2 choose-scrub Bud', '2 cancel-order Bud']);
  });

  test('cancel waits for an unfinished step of the Duber, and reads the delivery afterwards', async () => {
    const { db } = orders.context;
    const orderId = await orders.harness.createOrder('Accepted');
    await orders.carry(orderId, DELIVERY.slice(0, 2));
    const { id } = await db
      .selectFrom('deliveries')
      .select('id')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow();
    const outcome = await holdTransaction(db, async (tx) => {
      await takeDeliveryStep({ ...orders.context, db: tx }, orders.duber(), { id, action: 'collected' });
      const cancelling = cancel(orderId)().then(
        () => 'cancelled',
        (error: Refusal) => error.failure,
      );
      await waitUntilOneWaits();
      return { cancelling };
    });
    expect(await outcome.cancelling).toBe('laundryMoved');
    await orders.carry(orderId, DELIVERY.slice(3));
  });

  test('cancel, start and give back: one of them happens, and a cancelled order is paid back as a whole', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await orders.harness.createOrder('Accepted');
      const start: Racer = () => orders.press('start-order', id);
      const giveBack: Racer = () => orders.change('give-back', id, ILL);
      const counts = await race(cancel(id), start, giveBack, cancel(id));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
      const { status } = await orders.stateOf(id);
      if (status === 'Requested') await orders.press('cancel-order', id);
      if (status === 'In_Progress')
        await orders.asTown('cancel-by-operator', id, { reason: 'asked', wayHome: 'fetch' });
      await orders.runPayments();
      expect(orders.paid(id)).toBe(0);
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Cancelled', unearned: 0 });
      expect(await orders.problemsOf(id)).toEqual([]);
    }
  });

  test('eight operators who give an order back start one round', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await orders.harness.createOrder('Accepted');
      const [taken] = await race(() => orders.asTown('give-back', id, { reason: 'ill' }));
      expect(taken).toBe(1);
      const { steps } = await orders.stateOf(id);
      expect(steps.filter((step) => step.includes('give-back'))).toHaveLength(1);
      await orders.press('cancel-order', id);
    }
  });

  test('two choices, a cancel and the clock: the order has one Scrub or ends once, and no clock of before ends the choice', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await orders.harness.createOrder('Accepted');
      await orders.change('give-back', id, ILL);
      orders.pass(4 * HOUR_MS);
      const choose =
        (index: number): Racer =>
        () =>
          orders.change('choose-scrub', id, { scrubId: orders.scrub(index).id });
      const counts = await race(choose(1), choose(2), () => orders.press('cancel-order', id), orders.runTimers);
      expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBeLessThanOrEqual(1);
      const { status, steps } = await orders.stateOf(id);
      expect(steps.filter((step) => /cancel|expire/.test(step))).toHaveLength(status === 'Cancelled' ? 1 : 0);
      if (steps.includes('2 choose-scrub Bud')) expect(steps).not.toContain('2 expire-given-back System');
      else expect(status).toBe('Cancelled');
      if (status === 'Requested') await orders.press('cancel-order', id);
      await orders.runPayments();
      expect(orders.paid(id)).toBe(0);
      expect(await orders.problemsOf(id)).toEqual([]);
    }
  });

  test('cancel while the card is being charged: everything goes back, in either order', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      orders.network.captures = 'silent';
      const id = await orders.harness.createOrder('Accepted');
      orders.network.captures = 'answers';
      orders.pass(HOUR_MS);
      await race(cancel(id), orders.runPayments);
      await orders.runPayments();
      expect(orders.paid(id)).toBe(0);
      expect(await orders.stateOf(id)).toMatchObject({ status: 'Cancelled', unearned: 0 });
      expect(await orders.problemsOf(id)).toEqual([]);
    }
  });
});
