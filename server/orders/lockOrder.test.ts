import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChangedOrders, openChangedOrders } from '../../testing/changedOrders.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { openCase } from '../cases/openCase.ts';
import { queryRow } from '../db/database.ts';
import { takeDeliveryStep } from '../deliveries/steps.ts';
import { handoverHandlers } from '../handovers/handovers.ts';
import { Refusal } from '../http/refusals.ts';

const ROUNDS = 6;
const DELIVERY = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;

type Racer = (id: string) => Promise<unknown>;

// One session cannot race with itself.
describe('steps of an order and of its delivery at once', () => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders('postgres');
  });
  afterAll(() => orders?.close());

  const deliveryOf = async (orderId: string) => {
    const newest = sql`select id from deliveries where order_id = ${orderId} order by created_at desc, id desc limit 1`;
    return (await queryRow<{ id: string }>(orders.context.db, newest))?.id ?? '';
  };
  const collect: Racer = (id) => orders.carry(id, ['collected']);
  const deliver: Racer = (id) => orders.carry(id, ['delivered']);
  const correct: Racer = async (id) =>
    takeDeliveryStep(orders.context, orders.duber(), { id: await deliveryOf(id), action: 'correct' });
  const cancel: Racer = (id) => orders.change('cancel-accepted', id, { reason: 'changed-mind' });
  const giveBack: Racer = (id) => orders.change('give-back', id, { reason: 'ill' });
  const stop: Racer = (id) => orders.asTown('cancel-by-operator', id, { reason: 'asked', wayHome: 'fetch' });
  const start: Racer = (id) => orders.press('start-order', id);
  const complete: Racer = (id) => orders.press('complete-order', id);
  const receive =
    (caller: () => object): Racer =>
    (id) =>
      handoverHandlers(orders.context).confirmReceived({
        caller: caller(),
        params: { id },
        body: { bags: 2 },
      } as never);
  const scrubReceives = receive(() => orders.scrub());
  const budReceives = receive(() => orders.bud);
  const report: Racer = (id) =>
    holdTransaction(orders.context.db, async (tx) => {
      await openCase(tx, { kind: 'handover', orderId: id, deliveryId: await deliveryOf(id) }, orders.context.now());
    });

  const race = async (racers: readonly Racer[], id: string) => {
    const all = Array.from({ length: 8 }, (_, index) => racers[index % racers.length] as Racer);
    const outcomes = await Promise.allSettled(all.map((racer) => racer(id)));
    const wrong = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(wrong.filter((reason) => !(reason instanceof Refusal))).toEqual([]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
  };

  test.each<[name: string, before: number, racers: readonly Racer[]]>([
    ['collected, cancel, give back and the town', 2, [collect, cancel, giveBack, stop]],
    ['delivered, start, the town and a case', 4, [deliver, start, stop, report]],
    ['delivered, correct, complete and received', 4, [deliver, correct, scrubReceives, start]],
    ['correct, the town, start and a case', 5, [correct, stop, start, report]],
  ])('%s: each is done or refused', async (_name, steps, racers) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await orders.harness.createOrder('Accepted');
      await orders.carry(id, DELIVERY.slice(0, steps));
      await race(racers, id);
      // Frees the Duber.
      await sql`update deliveries set status = 'Called_Off', has_laundry = false where status <> 'Delivered'`.execute(
        orders.context.db,
      );
    }
  });

  test('the Scrub receives and starts, the Bud receives and the Scrub completes: each is done or refused', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await orders.harness.createOrder('Accepted', { selfDelivery: true, selfPickup: true });
      await race([scrubReceives, start], id);
      await race([budReceives, complete, stop], id);
    }
  });
});
