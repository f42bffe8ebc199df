import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChangedOrders, openChangedOrders } from '../../testing/changedOrders.ts';
import { planWindows, TEST_PLAN, windowAt } from '../../testing/orderTimes.ts';
import { findTallyErrors } from '../dashboards/tallies.sql.ts';
import { Refusal } from '../http/refusals.ts';

const ROUNDS = 6;
const ILL = { reason: 'ill' };

// One session cannot race with itself.
describe('eight at once at an order that moves', () => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders('postgres');
    await planWindows(orders.context.db, orders.context.now(), { ...TEST_PLAN, places: 1_000 });
  });
  afterAll(() => orders?.close());

  const startOf = (days: number) => windowAt(orders.context.now(), days, 17).from.toISOString();
  const place = () => orders.place({ pickupFrom: startOf(2), returnFrom: startOf(3) });
  type Racer = () => Promise<unknown>;
  /** Starts the racers over and over, eight at once. Returns which were not refused; anything but a refusal fails the test. */
  const race = async (racers: Readonly<Record<string, Racer>>): Promise<string[]> => {
    const names = Object.keys(racers);
    const started = Array.from({ length: 8 }, (_, index) => names[index % names.length] ?? '');
    const outcomes = await Promise.allSettled(started.map((name) => racers[name]?.()));
    const wrong = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(wrong.filter((reason) => !(reason instanceof Refusal))).toEqual([]);
    return started.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  };
  const move =
    (id: string, days: number): Racer =>
    () =>
      orders.change('move-window', id, { pickupFrom: startOf(days), returnFrom: startOf(days + 1) });
  const read = (id: string) =>
    orders.context.db
      .selectFrom('orders as o')
      .innerJoin('bookings as b', 'b.order_id', 'o.id')
      .leftJoin('deliveries as d', 'd.order_id', 'o.id')
      .select(['o.status', 'o.pickup_from', 'o.return_from', 'b.pickup_starts', 'b.return_starts', 'd.due_from'])
      .select(['d.status as delivery', 'd.id as deliveryId'])
      .where('o.id', '=', id)
      .executeTakeFirst();
  /** Only two orders of a Bud may wait for their Scrub. */
  const finish = async (id: string) => {
    if ((await orders.stateOf(id)).status === 'Requested') await orders.press('cancel-order', id);
  };
  /** The order, its booking and its delivery say the same. */
  const expectAgreed = async (id: string) => {
    const order = await read(id);
    expect(order?.pickup_starts).toEqual(order?.pickup_from);
    expect(order?.return_starts).toEqual(order?.return_from);
    if (order?.deliveryId) expect(order.due_from).toEqual(order.pickup_from);
    return order;
  };

  test('two moves: one after the other, and the places are those of the last', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await place();
      const moved = await race({ four: move(id, 4), six: move(id, 6) });
      expect(moved.length).toBeGreaterThan(0);
      expect([startOf(4), startOf(6)]).toContain((await expectAgreed(id))?.pickup_from?.toISOString());
      await finish(id);
    }
    expect(await findTallyErrors(orders.context.db)).toEqual([]);
  });

  test('a move, an acceptance and a cancellation: a cancelled order keeps no place, and an open one has those that it says', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await place();
      await race({
        move: move(id, 4),
        accept: () => orders.press('accept-order', id),
        cancel: () => orders.press('cancel-order', id),
      });
      const order = await expectAgreed(id);
      if (!order) expect((await orders.stateOf(id)).status).toBe('Cancelled');
      await finish(id);
    }
    expect(await findTallyErrors(orders.context.db)).toEqual([]);
  });

  test('a move and a Duber who sets off: the Duber is on the way to the window that they accepted, or loses the delivery', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await place();
      await orders.press('accept-order', id);
      await orders.carry(id, ['accept-delivery']);
      const taken = await race({ move: move(id, 4), drive: () => orders.carry(id, ['way-to-pickup']) });
      const order = await expectAgreed(id);
      if (order?.delivery === 'Way_To_Pick') {
        expect(taken).toEqual(['drive']);
        expect(order.pickup_from?.toISOString()).toBe(startOf(2));
        await orders.carry(id, ['collected', 'way-to-drop', 'delivered']);
      } else {
        expect(order?.delivery).toBe('Pending');
        expect(order?.pickup_from?.toISOString()).toBe(startOf(4));
      }
    }
    expect(await findTallyErrors(orders.context.db)).toEqual([]);
  });

  test('a proposal that is answered in the app and by mail at once has one answer', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await place();
      await orders.change('propose-window', id, { pickupFrom: startOf(4), returnFrom: startOf(5), ...ILL });
      const proposalId = (await orders.readAsScrub(id))?.proposal?.id ?? '';
      await race({
        accept: () => orders.change('accept-window', id, { proposalId }),
        refuse: () => orders.change('refuse-window', id, { proposalId }),
        'yes by mail': () => orders.answerByMail(proposalId, 'yes'),
        'no by mail': () => orders.answerByMail(proposalId, 'no'),
      });
      const { steps } = await orders.stateOf(id);
      const answers = steps.filter((step) => step.includes('accept-window') || step.includes('refuse-window'));
      expect(answers).toHaveLength(1);
      const isAccepted = answers[0]?.includes('accept-window');
      expect((await expectAgreed(id))?.pickup_from?.toISOString()).toBe(startOf(isAccepted ? 4 : 2));
      await finish(id);
    }
    expect(await findTallyErrors(orders.context.db)).toEqual([]);
  });
});
