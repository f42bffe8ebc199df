import { describe, expect, test } from 'vitest';
import { LET_OTHERS_FIRST_MS } from '../../domain/deliveries.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import { AT_THE_DOOR, FAR_AWAY, failureOf, OPERATOR, useDeliveries } from '../../testing/deliveries.ts';
import { DELIVERY_STEPS } from '../../testing/orderSteps.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';

describe.each(RULE_DATABASES)('who pays for a delivery that does not go as planned, on %s', (kind) => {
  const deliveries = useDeliveries(kind);

  test('the whole way is paid again when relayed laundry was brought back', async () => {
    const { take, alan, bob } = deliveries;
    const { id, orderId, price } = await deliveries.openDelivery(4);
    const { distance_m } = await deliveries.rowOf(id);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: FAR_AWAY });
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop'] as const)
      await deliveries.step(action, id, bob);
    await deliveries.wait(id, 'drop', bob);
    await take(bob, 'drop-failed', id, { reason: 'nobody-home', ...(await deliveries.photo(bob)) });
    await take(bob, 'bring-back', id);
    await take(bob, 'brought-back', id);
    await take(deliveries.bud, 're-offer', id);
    expect(await deliveries.rowOf(id)).toMatchObject({ status: 'Pending', price, distance_m });
    // Others come first for a while.
    deliveries.pass(30 * MINUTE_MS);
    const before = await deliveries.earned(orderId, alan);
    for (const action of DELIVERY_STEPS) await deliveries.step(action, id, alan);
    expect((await deliveries.earned(orderId, alan)) - before).toBe(price);
    const problems = await findAuditProblems(deliveries.context.db);
    expect(problems.filter(({ what }) => what.includes(id) || what.includes(orderId))).toEqual([]);
  });

  test('a Duber who goes on with laundry that they have had all the time is not paid for a trip to it', async () => {
    const { take, alan } = deliveries;
    const { id, orderId } = await deliveries.openDelivery(4);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: AT_THE_DOOR });
    const before = await deliveries.earned(orderId);
    deliveries.pass(LET_OTHERS_FIRST_MS);
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await deliveries.step(action, id);
    await deliveries.wait(id, 'pickup');
    const fail = async () => take(alan, 'pickup-failed', id, { reason: 'nobody-home', ...(await deliveries.photo()) });
    expect(await failureOf(fail())).toBe('youHaveIt');
    await take(OPERATOR, 'call-off', id, { reason: 'asked', words: 'The Bud gets it from the Duber.' });
    expect(await deliveries.earned(orderId)).toBe(before);
  });

  test.each([
    ['at the start', 0],
    ['near the drop', 0.99],
  ])('laundry that is handed on %s pays both Dubers at least a third of the way', async (_where, part) => {
    const { take, bob, alan } = deliveries;
    const { id, orderId, price } = await deliveries.openDelivery(4);
    const { budAddress, scrubAddress } = await deliveries.context.db
      .selectFrom('orders')
      .select(['bud_address as budAddress', 'scrub_address as scrubAddress'])
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow();
    const between = (one: number, other: number) => one + (other - one) * part;
    const place = {
      latitude: between(budAddress.latitude, scrubAddress.latitude),
      longitude: between(budAddress.longitude, scrubAddress.longitude),
    };
    const least = Math.ceil(price / 3);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place });
    expect(await deliveries.earned(orderId, alan)).toBeGreaterThanOrEqual(least);
    expect((await deliveries.rowOf(id)).price).toBeGreaterThanOrEqual(least);
    for (const action of DELIVERY_STEPS) await deliveries.step(action, id, bob);
    expect(await deliveries.earned(orderId, bob)).toBeGreaterThanOrEqual(least);
    const problems = await findAuditProblems(deliveries.context.db);
    expect(problems.filter(({ what }) => what.includes(id) || what.includes(orderId))).toEqual([]);
  });

  test('a Duber who goes on after all with laundry that they handed on earns no more than the whole way', async () => {
    const { take, alan } = deliveries;
    const { id, orderId, price } = await deliveries.openDelivery(4);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: AT_THE_DOOR });
    deliveries.pass(LET_OTHERS_FIRST_MS);
    for (const action of DELIVERY_STEPS) await deliveries.step(action, id, alan);
    expect(await deliveries.earned(orderId, alan)).toBe(price);
  });

  test('the platform pays a second Duber who finds nobody where the first one could not go on', async () => {
    const { take, bob } = deliveries;
    const { id, orderId } = await deliveries.openDelivery(4);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: FAR_AWAY });
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await deliveries.step(action, id, bob);
    await take(bob, 'arrived-at-pickup', id, { place: FAR_AWAY });
    deliveries.pass(5 * MINUTE_MS);
    await take(bob, 'pickup-failed', id, { reason: 'nobody-home', ...(await deliveries.photo(bob)) });
    const earnings = deliveries.context.db.selectFrom('earnings').select(['duber_id', 'from_order']);
    expect(await earnings.where('order_id', '=', orderId).where('kind', '=', 'trip').execute()).toEqual([
      { duber_id: bob.id, from_order: 0 },
    ]);
    expect(await deliveries.earned(orderId, bob)).toBeGreaterThan(0);
  });

  test('the Scrub whose re-clean it is pays the way back, and the part of a way', async () => {
    const { take, alan, context } = deliveries;
    const [{ id, orderId }, relayed] = [
      await deliveries.openDelivery(4),
      await deliveries.openDelivery(4, deliveries.bob),
    ];
    const ids = [id, relayed.id];
    await context.db.updateTable('deliveries').set({ paid_by: 'scrub' }).where('id', 'in', ids).execute();
    await deliveries.wait(id, 'drop');
    await take(alan, 'drop-failed', id, { reason: 'nobody-home', ...(await deliveries.photo()) });
    await take(alan, 'bring-back', id);
    await take(alan, 'brought-back', id);
    await take(OPERATOR, 'relay', relayed.id, { reason: 'breakdown', place: FAR_AWAY });
    const earnings = context.db.selectFrom('earnings').select(['kind', 'bearer_id', 'from_order']);
    expect(await earnings.where('order_id', 'in', [orderId, relayed.orderId]).orderBy('kind').execute()).toEqual([
      { kind: 'relay', bearer_id: deliveries.scrub.id, from_order: 0 },
      { kind: 'return', bearer_id: deliveries.scrub.id, from_order: 0 },
    ]);
  });

  test('the Scrub whose re-clean it is pays a trip for nothing, no matter who caused it', async () => {
    const { take, alan, context } = deliveries;
    const [{ id, orderId }, calledOff] = [
      await deliveries.openDelivery(2),
      await deliveries.openDelivery(2, deliveries.bob),
    ];
    const ids = [id, calledOff.id];
    await context.db.updateTable('deliveries').set({ paid_by: 'scrub' }).where('id', 'in', ids).execute();
    await deliveries.wait(id, 'pickup');
    await take(alan, 'pickup-failed', id, { reason: 'nobody-home', ...(await deliveries.photo()) });
    await take(OPERATOR, 'call-off', calledOff.id, { reason: 'asked' });
    const earnings = context.db.selectFrom('earnings').select(['kind', 'bearer_id', 'from_order']);
    const trip = { kind: 'trip', bearer_id: deliveries.scrub.id, from_order: 0 };
    expect(await earnings.where('order_id', 'in', [orderId, calledOff.orderId]).execute()).toEqual([trip, trip]);
  });
});
