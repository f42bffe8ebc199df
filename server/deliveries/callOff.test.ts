import { describe, expect, test } from 'vitest';
import { formatDollars } from '../../domain/payments.ts';
import { OPERATOR, useLegs } from '../../testing/legs.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { transact } from '../db/database.ts';
import { type DeliveryTemplateData, readDeliveryTemplateData } from '../notifications/deliveryTemplateData.sql.ts';
import { EXCEPTION_TEMPLATES } from '../notifications/exceptionTemplates.ts';
import { callOffDeliveries } from './steps.ts';

describe.each(RULE_DATABASES)('the deliveries of an order that ends, on %s', (kind) => {
  const legs = useLegs(kind);

  const end = (orderId: string, cause: 'bud' | 'platform' = 'bud') =>
    transact(legs.context.db, (tx) => callOffDeliveries(tx, orderId, { reason: 'order-ended', cause }, legs.now()));
  const statusesOf = async (orderId: string) =>
    (await legs.context.db.selectFrom('deliveries').select('status').where('order_id', '=', orderId).execute()).map(
      ({ status }) => status,
    );
  /** What the Duber reads in the mail that says so. */
  const mailToDuber = async (id: string) => {
    const data = await readDeliveryTemplateData(legs.context.db, id, legs.alan.id);
    return EXCEPTION_TEMPLATES['called-off'](data as DeliveryTemplateData, 'Duber').lines.join();
  };

  test.each([
    [0, false],
    [1, false],
    [2, true],
  ])('one with %i steps is called off by the System, and a Duber on the way is paid: %s', async (steps, isPaid) => {
    const { id, orderId, price } = await legs.openLeg(steps);
    await end(orderId);
    expect(await statusesOf(orderId)).toEqual(['Called_Off']);
    expect(await legs.earned(orderId)).toBe(isPaid ? price : 0);
    const cents = isPaid ? price : 0;
    expect(await legs.read(legs.bud, id)).toMatchObject({ paid: cents / 100 });
    expect(await legs.read(legs.scrub, id)).toMatchObject({ paid: null });
    if (steps > 0) expect(await legs.read(legs.alan, id)).toMatchObject({ paid: cents / 100 });
    expect(await mailToDuber(id)).toContain(
      isPaid ? `You are paid ${formatDollars(price)} for it.` : 'Nothing is paid for it',
    );
    expect(await legs.notified(id)).toEqual(steps > 0 ? [{ kind: 'called-off', id: legs.alan.id }] : []);
    const last = await legs.context.db
      .selectFrom('delivery_steps')
      .select(['action', 'actor_role as by', 'reason'])
      .where('delivery_id', '=', id)
      .orderBy('position', 'desc')
      .executeTakeFirst();
    expect(last).toEqual({ action: 'call-off', by: 'System', reason: 'order-ended' });
    await end(orderId);
    expect(await legs.earned(orderId)).toBe(isPaid ? price : 0);
  });

  test('a Duber who was paid for an earlier trip is not told that they are paid for this one, which they had not begun', async () => {
    const { alan, bud } = legs;
    const { id, orderId, price } = await legs.openLeg(2);
    await legs.wait(id, 'pickup');
    await legs.take(alan, 'pickup-failed', id, { reason: 'nobody-home', ...(await legs.photo()) });
    await legs.take(bud, 're-offer', id);
    await legs.step('accept-delivery', id);
    await end(orderId);
    expect(await mailToDuber(id)).toBe(
      'Please do not go there any more. Nothing is paid for it, because you had not set out yet.',
    );
    // What they have earned with the delivery, and what the order has paid for it.
    expect(await legs.read(alan, id)).toMatchObject({ paid: price / 100 });
    expect(await legs.read(bud, id)).toMatchObject({ paid: price / 100 });
  });

  test('a delivery with laundry on board continues', async () => {
    const { take, alan } = legs;
    const { orderId, id } = await legs.openLeg(3);
    await end(orderId);
    expect(await statusesOf(orderId)).toEqual(['Collected']);
    await legs.step('way-to-drop', id);
    await take(alan, 'drop-failed', id, { reason: 'unsafe' });
    await end(orderId);
    expect(await statusesOf(orderId)).toEqual(['Failed']);
    await take(alan, 'try-again', id);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: { latitude: 24, longitude: 67.01 } });
    await end(orderId);
    expect(await statusesOf(orderId)).toEqual(['Pending']);
  });

  test('one that failed without laundry, or was brought back, ends with it', async () => {
    const { take, alan, bob } = legs;
    const [failed, returned] = [await legs.openLeg(2), await legs.openLeg(4, bob)];
    await take(alan, 'pickup-failed', failed.id, { reason: 'unsafe' });
    await take(bob, 'drop-failed', returned.id, { reason: 'unsafe' });
    for (const action of ['bring-back', 'brought-back'] as const) await take(bob, action, returned.id);
    for (const { orderId } of [failed, returned]) {
      await end(orderId);
      expect(await statusesOf(orderId)).toEqual(['Called_Off']);
    }
  });

  test('one whose laundry is lost ends with it, and its Duber is free', async () => {
    const { take, step, alan } = legs;
    const { orderId, id } = await legs.openLeg(3);
    await take(alan, 'report-lost', id, { words: 'The bag fell into the river.' });
    await end(orderId);
    expect(await statusesOf(orderId)).toEqual(['Called_Off']);
    expect(await legs.earned(orderId)).toBe(0);
    await step('accept-delivery', (await legs.openLeg()).id);
  });
});
