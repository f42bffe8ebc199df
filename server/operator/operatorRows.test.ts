import { describe, expect, test } from 'vitest';
import { CLOSE_AFTER_MS } from '../../domain/orders.ts';
import { DELIVERY_EXCEPTIONS } from '../../domain/process/delivery.ts';
import { ORDER_TOWN_ROWS } from '../../domain/process/order.ts';
import { FAR_AWAY, OPERATOR, useDeliveries } from '../../testing/deliveries.ts';
import { type OperatorStep, takeOperatorStep } from '../../testing/operatorStep.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { Refusal } from '../http/refusals.ts';
import { runTimers } from '../jobs/timers.ts';
import { orderHandlers } from '../orders/orders.ts';
import { ORDER_TIMERS } from '../orders/orderTimers.ts';

const byOperator = <R extends { readonly by: string }>(rows: readonly R[]) =>
  rows.filter(({ by }) => by === 'Operator') as Extract<R, { by: 'Operator' }>[];
const DELIVERY_ROWS = byOperator(DELIVERY_EXCEPTIONS);
const ORDER_ROWS = ORDER_TOWN_ROWS;
const TO_THE_SCRUB = ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
const UNSAFE = { reason: 'unsafe' };
const CALL_OFF = { action: 'call-off', reason: 'asked' };

describe.each(DATABASE_KINDS)("an operator's steps, on %s", (kind) => {
  const deliveries = useDeliveries(kind);

  const take = (step: OperatorStep) =>
    takeOperatorStep(deliveries.context, step).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      const problems = (error.validationErrors ?? []).flatMap(({ constraints }) => Object.values(constraints));
      return problems.join('; ') || error.message;
    });
  const press = (action: 'accept-order' | 'start-order' | 'complete-order', id: string) =>
    orderHandlers(deliveries.context)[action]({ caller: deliveries.scrub, params: { id } } as never);
  const isClosed = async (id: string) => {
    const orders = deliveries.context.db.selectFrom('orders').select('closed_at');
    return (await orders.where('id', '=', id).executeTakeFirstOrThrow()).closed_at !== null;
  };
  const passUntilClosed = async () => {
    deliveries.pass(CLOSE_AFTER_MS);
    while ((await runTimers(deliveries.context, [ORDER_TIMERS])) > 0);
  };

  const STEPS = { Pending: 0, Accepted: 1, Way_To_Pick: 2, Collected: 3, Way_To_Drop: 4, Delivered: 5 } as const;
  const openFailed = async (needs: readonly string[]) => {
    if (needs.includes('lost')) {
      const { id } = await deliveries.openDelivery(3);
      await deliveries.take(deliveries.alan, 'report-lost', id, { words: 'The bag is gone.' });
      return id;
    }
    const isLoaded = needs.includes('laundry-on-board');
    const { id } = await deliveries.openDelivery(isLoaded ? 4 : 2);
    await deliveries.take(deliveries.alan, isLoaded ? 'drop-failed' : 'pickup-failed', id, UNSAFE);
    return id;
  };
  /** A delivery from which a row leads on. */
  const openDelivery = async ({ from, needs }: (typeof DELIVERY_ROWS)[number]) => {
    if (from in STEPS) return (await deliveries.openDelivery(STEPS[from as keyof typeof STEPS])).id;
    const id = await openFailed(from === 'Failed' ? needs : ['laundry-on-board']);
    if (from !== 'Failed') await deliveries.take(deliveries.alan, 'bring-back', id);
    if (from === 'Returned') await deliveries.take(deliveries.alan, 'brought-back', id);
    return id;
  };

  test.each(DELIVERY_ROWS)('$action of a delivery that is $from ($needs)', async (row) => {
    const id = await openDelivery(row);
    const why = { reason: 'other', words: 'They have telephoned.', place: FAR_AWAY };
    // Laundry that is reported as lost begins an attempt of its own.
    const attempt = ('startsOver' in row ? 2 : 1) + (row.needs.some((need) => need === 'lost') ? 1 : 0);
    expect(await take({ id, action: row.action })).toMatch(/^reason must/);
    expect(await take({ id, action: row.action, ...why })).toEqual([row.to, attempt]);
  });

  const openOrder = async (from: (typeof ORDER_ROWS)[number]['from']) => {
    if (from === 'Requested') return deliveries.harness.createOrder('Requested');
    const { id, orderId } = await deliveries.openDelivery(from === 'Completed' ? 1 : 0);
    if (from === 'Accepted') return orderId;
    await press('start-order', orderId);
    if (from === 'In_Progress') return orderId;
    for (const action of TO_THE_SCRUB) await deliveries.step(action, id);
    await press('complete-order', orderId);
    const back = deliveries.context.db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
    const delivery = await back.where('delivery_type', '=', 'Scrub_To_Bud').executeTakeFirstOrThrow();
    for (const action of ['accept-delivery', ...TO_THE_SCRUB] as const) await deliveries.step(action, delivery.id);
    return orderId;
  };

  test.each(ORDER_ROWS)('$action of an order that is $from', async (row) => {
    const id = await openOrder(row.from);
    const why = { reason: 'other', words: 'They have telephoned.' };
    expect(await take({ id, action: row.action })).toMatch(/^reason must be one of/);
    expect(await take({ id, action: row.action, reason: 'other' })).toMatch(/^Say in words/);
    const round = 'startsOver' in row ? 2 : 1;
    expect(await take({ id, action: row.action, ...why, waysPaidBy: 'scrub' })).toEqual([row.to, round]);
    if (row.action !== 'reopen') return;
    const order = deliveries.context.db.selectFrom('orders').select('ways_paid_by').where('id', '=', id);
    expect(await order.executeTakeFirst()).toEqual({ ways_paid_by: 'scrub' });
  });

  test('a step that an order is not ready for is refused with the missing need', async () => {
    const { orderId } = await deliveries.openDelivery(3);
    const cancel = { id: orderId, action: 'cancel-by-operator', reason: 'asked', words: 'Ada takes it home.' };
    expect(await take(cancel)).toBe('The Duber still has the laundry');
    expect(await take({ ...cancel, action: 'reopen' })).toBe('This order is Accepted');
  });

  test('a relay that nobody accepts is ended, and the operator writes what happens with the laundry', async () => {
    const { id, orderId } = await deliveries.openDelivery(3);
    await deliveries.take(OPERATOR, 'relay', id, { reason: 'breakdown', place: FAR_AWAY });
    expect(await take({ id, ...CALL_OFF })).toMatch(/words must say how the laundry/);
    expect(await take({ id, ...CALL_OFF, words: 'Olga drives it home.' })).toEqual(['Called_Off', expect.any(Number)]);
    const cancel = { id: orderId, action: 'cancel-by-operator', reason: 'asked', wayHome: 'fetch' } as const;
    expect(await take(cancel)).toEqual(['Cancelled', 1]);
  });

  test('a completed order whose last delivery was called off is closed later', async () => {
    const { id, orderId } = await deliveries.openDelivery(1);
    for (const action of ['start-order', 'complete-order'] as const) await press(action, orderId);
    const back = deliveries.context.db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
    for (const delivery of await back.where('id', '<>', id).execute()) await take({ id: delivery.id, ...CALL_OFF });
    await passUntilClosed();
    expect(await isClosed(orderId)).toBe(false);
    expect(await take({ id, ...CALL_OFF })).toEqual(['Called_Off', expect.any(Number)]);
    await passUntilClosed();
    expect(await isClosed(orderId)).toBe(true);
  });
});
