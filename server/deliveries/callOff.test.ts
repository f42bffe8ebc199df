import { describe, expect, test } from 'vitest';
import { formatDollars } from '../../domain/payments.ts';
import { OPERATOR, useDeliveries } from '../../testing/deliveries.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { transact } from '../db/database.ts';
import { type DeliveryTemplateData, readDeliveryTemplateData } from '../notifications/deliveryTemplateData.sql.ts';
import { EXCEPTION_TEMPLATES } from '../notifications/exceptionTemplates.ts';
import { callOffDeliveries } from './steps.ts';

describe.each(RULE_DATABASES)('the deliveries of an order that ends, on %s', (kind) => {
  const deliveries = useDeliveries(kind);

  const end = (orderId: string, cause: 'bud' | 'platform' = 'bud') =>
    transact(deliveries.context.db, (tx) =>
      callOffDeliveries(tx, orderId, { reason: 'order-ended', cause }, deliveries.now()),
    );
  const statusesOf = async (orderId: string) =>
    (
      await deliveries.context.db.selectFrom('deliveries').select('status').where('order_id', '=', orderId).execute()
    ).map(({ status }) => status);
  /** What the Duber reads in the mail that says so. */
  const mailToDuber = async (id: string) => {
    const data = await readDeliveryTemplateData(deliveries.context.db, id, deliveries.alan.id);
    return EXCEPTION_TEMPLATES['called-off'](data as DeliveryTemplateData, 'Duber').lines.join();
  };

  test.each([
    [0, false],
    [1, false],
    [2, true],
  ])('one with %i steps is called off by the System, and a Duber on the way is paid: %s', async (steps, isPaid) => {
    const { id, orderId, price } = await deliveries.openDelivery(steps);
    await end(orderId);
    expect(await statusesOf(orderId)).toEqual(['Called_Off']);
    expect(await deliveries.earned(orderId)).toBe(isPaid ? price : 0);
    const cents = isPaid ? price : 0;
    expect(await deliveries.read(deliveries.bud, id)).toMatchObject({ paid: cents / 100 });
    expect(await deliveries.read(deliveries.scrub, id)).toMatchObject({ paid: null });
    if (steps > 0) expect(await deliveries.read(deliveries.alan, id)).toMatchObject({ paid: cents / 100 });
    expect(await mailToDuber(id)).toContain(
      isPaid ? `You are paid ${formatDollars(price)} for it.` : 'Nothing is paid for it',
    );
    expect(await deliveries.notified(id)).toEqual(steps > 0 ? [{ kind: 'called-off', id: deliveries.alan.id }] : []);
    const last = await deliveries.context.db
      .selectFrom('steps')
      .select(['action', 'actor_role as by', 'reason'])
      .where('subject_id', '=', id)
      .orderBy('position', 'desc')
      .executeTakeFirst();
    expect(last).toEqual({ action: 'call-off', by: 'System', reason: 'order-ended' });
    await end(orderId);
    expect(await deliveries.earned(orderId)).toBe(isPaid ? price : 0);
  });

  test('a Duber who was paid for an earlier trip is not told that they are paid for this one, which they had not begun', async () => {
    const { alan, bud } = deliveries;
    const { id, orderId, price } = await deliveries.openDelivery(2);
    await deliveries.wait(id, 'pickup');
    await deliveries.take(alan, 'pickup-failed', id, { reason: 'nobody-home', ...(await deliveries.photo()) });
    await deliveries.take(bud, 're-offer', id);
    await deliveries.step('accept-delivery', id);
    await end(orderId);
    expect(await mailToDuber(id)).toBe(
      'Please do not go there any more. Nothing is paid for it, because you had not set out yet.',
    );
    // What they have earned with the delivery, and what the order has paid for it.
    expect(await deliveries.read(alan, id)).toMatchObject({ paid: price / 100 });
    expect(await deliveries.read(bud, id)).toMatchObject({ paid: price / 100 });
  });

  test('a delivery with laundry on board continues', async () => {
    const { take, alan } = deliveries;
    const { orderId, id } = await deliveries.openDelivery(3);
    await end(orderId);
    expect(await statusesOf(orderId)).toEqual(['Collected']);
    await deliveries.step('way-to-drop', id);
    await take(alan, 'drop-failed', id, { reason: 'unsafe' });
    await end(orderId);
    expect(await statusesOf(orderId)).toEqual(['Failed']);
    await take(alan, 'try-again', id);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: { latitude: 24, longitude: 67.01 } });
    await end(orderId);
    expect(await statusesOf(orderId)).toEqual(['Pending']);
  });

  test('a delivery that failed without laundry, or was brought back, ends with its order', async () => {
    const { take, alan, bob } = deliveries;
    const [failed, returned] = [await deliveries.openDelivery(2), await deliveries.openDelivery(4, bob)];
    await take(alan, 'pickup-failed', failed.id, { reason: 'unsafe' });
    await take(bob, 'drop-failed', returned.id, { reason: 'unsafe' });
    for (const action of ['bring-back', 'brought-back'] as const) await take(bob, action, returned.id);
    for (const { orderId } of [failed, returned]) {
      await end(orderId);
      expect(await statusesOf(orderId)).toEqual(['Called_Off']);
    }
  });

  test('a delivery whose laundry is lost ends with its order, and its Duber is free', async () => {
    const { take, step, alan } = deliveries;
    const { orderId, id } = await deliveries.openDelivery(3);
    await take(alan, 'report-lost', id, { words: 'The bag fell into the river.' });
    await end(orderId);
    expect(await statusesOf(orderId)).toEqual(['Called_Off']);
    expect(await deliveries.earned(orderId)).toBe(0);
    await step('accept-delivery', (await deliveries.openDelivery()).id);
  });
});
