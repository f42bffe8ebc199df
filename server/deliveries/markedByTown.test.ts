import { describe, expect, test } from 'vitest';
import { failureOf, OPERATOR, useDeliveries } from '../../testing/deliveries.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('a delivery that the town marks, on %s', (kind) => {
  const deliveries = useDeliveries(kind);

  test('laundry that arrived while a phone did not work is marked as delivered by the town, and its Duber paid once', async () => {
    const { take, alan } = deliveries;
    const { id, orderId, price } = await deliveries.openDelivery(2);
    const mark = (more: object = { reason: 'no-phone' }) => take(OPERATOR, 'mark-delivered', id, more);
    expect(await failureOf(mark())).toBe('wrongStatus');
    for (const action of ['collected', 'way-to-drop'] as const) await deliveries.step(action, id);
    expect(await failureOf(mark({}))).toBe('reason');
    expect(await failureOf(mark({ reason: 'other' }))).toBe('words');
    expect(await mark()).toMatchObject({ status: 'Delivered', attempt: 1 });
    expect(await deliveries.rowOf(id)).toMatchObject({
      has_laundry: false,
      duber_id: alan.id,
      delivered_at: deliveries.now(),
    });
    expect(await deliveries.earned(orderId)).toBe(price);
    expect((await deliveries.notified(id)).filter(({ kind: notice }) => notice === 'delivered')).toEqual(
      [deliveries.bud.id, deliveries.scrub.id].toSorted().map((person) => ({ kind: 'delivered', id: person })),
    );
    expect(await failureOf(mark())).toBe('wrongStatus');
    expect(await failureOf(deliveries.step('delivered', id))).toBe('wrongStatus');
    const handovers = await deliveries.context.db
      .selectFrom('handovers')
      .select(['taker_id as taker', 'delivery_id as delivery'])
      .where('order_id', '=', orderId)
      .orderBy('position')
      .execute();
    expect(handovers.map(({ taker, delivery }) => [taker, delivery])).toEqual([
      [alan.id, id],
      [deliveries.scrub.id, id],
    ]);
    await take(OPERATOR, 'correct', id, { reason: 'mistake' });
    expect(await deliveries.earned(orderId)).toBe(0);
    await deliveries.step('delivered', id);
    expect(await deliveries.earned(orderId)).toBe(price);
    const other = await deliveries.openDelivery();
    await deliveries.step('accept-delivery', other.id);
  });

  test('laundry of a Duber who did not say any more that they set off is marked as delivered, too', async () => {
    const { id, orderId, price } = await deliveries.openDelivery(3);
    expect(await deliveries.take(OPERATOR, 'mark-delivered', id, { reason: 'no-phone' })).toMatchObject({
      status: 'Delivered',
    });
    expect(await deliveries.earned(orderId)).toBe(price);
  });

  test('laundry that came back is marked as brought back by the town, and the way back is paid once', async () => {
    const { take, alan, bud } = deliveries;
    const { id, orderId, price } = await deliveries.openDelivery(4);
    const mark = () => take(OPERATOR, 'brought-back', id, { reason: 'no-phone' });
    await take(alan, 'drop-failed', id, { reason: 'unsafe' });
    expect(await failureOf(mark())).toBe('wrongStatus');
    await take(alan, 'bring-back', id);
    expect(await failureOf(take(OPERATOR, 'brought-back', id))).toBe('reason');
    expect(await mark()).toMatchObject({ status: 'Returned' });
    expect(await deliveries.earned(orderId)).toBe(price);
    expect(await failureOf(take(alan, 'brought-back', id))).toBe('wrongStatus');
    expect(await take(bud, 're-offer', id)).toMatchObject({ status: 'Pending' });
  });
});
