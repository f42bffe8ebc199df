import { v7 as newId } from 'uuid';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { AT_THE_DOOR, FAR_AWAY, failureOf, OPERATOR, useDeliveries } from '../../testing/deliveries.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('a delivery that does not go as planned, on %s', (kind) => {
  const deliveries = useDeliveries(kind);

  const stepsOf = async (id: string) => {
    const steps = await deliveries.context.db
      .selectFrom('steps')
      .select(['attempt', 'action', 'status'])
      .where('subject_id', '=', id)
      .orderBy('position')
      .execute();
    return steps.map(({ attempt, action, status }) => `${attempt} ${action} ${status}`);
  };

  test('a pickup fails after an arrival, five minutes and a photo, each of which is asked for, and pays the way', async () => {
    const { take, alan, pass, photo } = deliveries;
    const { id, orderId, price } = await deliveries.openDelivery(2);
    const fail = (more = {}) => take(alan, 'pickup-failed', id, { reason: 'nobody-home', ...more });
    expect(await failureOf(fail())).toBe('notArrived');
    expect(await failureOf(take(alan, 'arrived-at-pickup', id))).toBe('notAtThePlace');
    expect(await failureOf(take(alan, 'arrived-at-pickup', id, { place: FAR_AWAY }))).toBe('notAtThePlace');
    const vague = { ...AT_THE_DOOR, accuracy: 3_000 };
    expect(await failureOf(take(alan, 'arrived-at-pickup', id, { place: vague }))).toBe('notAtThePlace');
    const exact = { ...AT_THE_DOOR, accuracy: 100 };
    expect(await take(alan, 'arrived-at-pickup', id, { place: exact })).toMatchObject({
      status: 'Way_To_Pick',
      attempt: 1,
    });
    pass(5 * MINUTE_MS - 1);
    expect(await failureOf(fail(await photo()))).toBe('stillWaiting');
    pass(1);
    expect(await failureOf(fail())).toBe('photoNeeded');
    expect(await fail(await photo())).toEqual({
      status: 'Failed',
      attempt: 1,
      deliveryId: id,
      createdAt: deliveries.now().toISOString(),
      takenAt: null,
    });
    expect(await deliveries.earned(orderId)).toBe(price);
    // The Duber is free.
    await deliveries.openDelivery(1);
  });

  test('a Duber who leaves because it is not safe does not have to wait, and is paid only after an arrival', async () => {
    const { take, alan } = deliveries;
    const [left, arrived] = [await deliveries.openDelivery(2), await deliveries.openDelivery(2, deliveries.bob)];
    expect(await take(alan, 'pickup-failed', left.id, { reason: 'unsafe' })).toMatchObject({ status: 'Failed' });
    expect(await deliveries.earned(left.orderId)).toBe(0);
    expect(await deliveries.read(alan, left.id)).toMatchObject({ paid: 0 });
    await take(deliveries.bob, 'arrived-at-pickup', arrived.id, { place: AT_THE_DOOR });
    await take(deliveries.bob, 'pickup-failed', arrived.id, { reason: 'unsafe' });
    expect(await deliveries.earned(arrived.orderId, deliveries.bob)).toBe(arrived.price);
    expect(await deliveries.read(deliveries.bob, arrived.id)).toMatchObject({ paid: arrived.price / 100 });
    // Its Bud reads it once it is called off.
    expect(await deliveries.read(deliveries.bud, arrived.id)).toMatchObject({ paid: null });
  });

  test('the Bud offers it again once, and the town as often as it takes', async () => {
    const { take, alan, bud } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    for (const [attempt, actor] of [
      [1, bud],
      [2, OPERATOR],
    ] as const) {
      await take(alan, 'pickup-failed', id, { reason: 'unsafe' });
      if (attempt === 2) expect(await failureOf(take(bud, 're-offer', id))).toBe('alreadyReOffered');
      expect(await take(actor, 're-offer', id, { reason: 'asked' })).toMatchObject({
        status: 'Pending',
        attempt: attempt + 1,
      });
      expect(await deliveries.rowOf(id)).toMatchObject({ duber_id: null, stopped_at: null });
      for (const action of ['accept-delivery', 'way-to-pickup'] as const) await deliveries.step(action, id);
    }
    expect((await stepsOf(id)).slice(0, 5)).toEqual([
      '1 open-delivery Pending',
      '1 accept-delivery Accepted',
      '1 way-to-pickup Way_To_Pick',
      '1 pickup-failed Failed',
      '1 re-offer Pending',
    ]);
  });

  test('a Duber who drops it lets others come first for half an hour, or until another Duber had it', async () => {
    const { take, step, alan, bob, pass } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    expect(await failureOf(take(alan, 'drop-delivery', id))).toBe('reason');
    expect(await failureOf(take(alan, 'drop-delivery', id, { reason: 'rain' }))).toBe('reason');
    expect(await failureOf(take(alan, 'drop-delivery', id, { reason: 'other' }))).toBe('words');
    expect(await failureOf(take(bob, 'drop-delivery', id, { reason: 'ill' }))).toBe('notFound');
    expect(await take(alan, 'drop-delivery', id, { reason: 'ill' })).toMatchObject({ status: 'Pending', attempt: 2 });
    expect(await failureOf(take(alan, 'drop-delivery', id, { reason: 'ill' }))).toBe('notFound');
    expect(await failureOf(step('accept-delivery', id, alan))).toBe('letOthersFirst');
    await step('accept-delivery', id, bob);
    await take(bob, 'drop-delivery', id, { reason: 'too-far' });
    expect(await failureOf(step('accept-delivery', id, bob))).toBe('letOthersFirst');
    await step('accept-delivery', id, alan);
    await take(OPERATOR, 'take-off', id, { reason: 'asked' });
    pass(30 * MINUTE_MS - 1);
    expect(await failureOf(step('accept-delivery', id, alan))).toBe('letOthersFirst');
    pass(1);
    await step('accept-delivery', id, alan);
    expect(await deliveries.rowOf(id)).toMatchObject({ status: 'Accepted', attempt: 4 });
  });

  test('a Duber who dropped it can accept it again once another Duber was at the door in vain', async () => {
    const { take, step, alan, bob } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    await take(alan, 'drop-delivery', id, { reason: 'ill' });
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
    await take(bob, 'pickup-failed', id, { reason: 'unsafe' });
    await take(deliveries.bud, 're-offer', id);
    await step('accept-delivery', id, alan);
    expect(await deliveries.rowOf(id)).toMatchObject({ status: 'Accepted', duber_id: alan.id });
  });

  test('a drop-off that fails leaves the laundry with its Duber, who tries again that day or brings it back', async () => {
    const { take, alan, bud, pass } = deliveries;
    const { id, orderId, price } = await deliveries.openDelivery(4);
    await deliveries.wait(id, 'drop');
    expect(await failureOf(take(alan, 'brought-back', id))).toBe('wrongStatus');
    const fail = async () => take(alan, 'drop-failed', id, { reason: 'nobody-home', ...(await deliveries.photo()) });
    expect(await fail()).toMatchObject({ status: 'Failed', attempt: 1 });
    expect(await deliveries.rowOf(id)).toMatchObject({ has_laundry: true, duber_id: alan.id, stopped_at: null });
    const other = await deliveries.openDelivery();
    expect(await failureOf(deliveries.step('accept-delivery', other.id))).toBe('alreadyBusy');
    expect(await failureOf(take(bud, 're-offer', id))).toBe('laundryOnBoard');
    expect(await failureOf(take(OPERATOR, 'call-off', id, { reason: 'asked' }))).toBe('laundryOnBoard');
    expect(await take(alan, 'try-again', id)).toMatchObject({ status: 'Way_To_Drop', attempt: 2 });
    await deliveries.wait(id, 'drop');
    await fail();
    pass(24 * HOUR_MS);
    expect(await failureOf(take(alan, 'try-again', id))).toBe('notSameDay');
    await take(alan, 'bring-back', id);
    expect(await deliveries.earned(orderId)).toBe(0);
    expect(await take(alan, 'brought-back', id)).toMatchObject({ status: 'Returned' });
    expect(await deliveries.earned(orderId)).toBe(price);
    expect(await deliveries.rowOf(id)).toMatchObject({ has_laundry: false, stopped_at: deliveries.now() });
    expect(await take(bud, 're-offer', id)).toMatchObject({ status: 'Pending', attempt: 3 });
  });

  test('a Duber who cannot continue keeps the laundry until the next one collects it, and both share the earning', async () => {
    const { take, alan, bob } = deliveries;
    const { id, orderId, price } = await deliveries.openDelivery(4);
    expect(await failureOf(take(OPERATOR, 'relay', id, { reason: 'breakdown' }))).toBe('place');
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: FAR_AWAY });
    const [pending] = [await deliveries.rowOf(id)];
    expect(pending).toMatchObject({ status: 'Pending', carrier_id: alan.id, pickup_latitude: FAR_AWAY.latitude });
    expect(await failureOf(take(OPERATOR, 'call-off', id, { reason: 'asked' }))).toBe('words');
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await deliveries.step(action, id, bob);
    expect(await deliveries.read(alan, id)).toMatchObject({ status: 'Way_To_Pick', duberId: bob.id });
    await deliveries.step('collected', id, bob);
    expect(await deliveries.read(alan, id)).toBeUndefined();
    for (const action of ['way-to-drop', 'delivered'] as const) await deliveries.step(action, id, bob);
    // The way was there and back: half of it each.
    expect([await deliveries.earned(orderId, alan), await deliveries.earned(orderId, bob)]).toEqual([
      Math.round(price / 2),
      price - Math.round(price / 2),
    ]);
  });

  test('a Duber on the way is paid when it is called off, and one who has not set off is not', async () => {
    const { take, alan, bob } = deliveries;
    const [accepted, onTheWay] = [await deliveries.openDelivery(1), await deliveries.openDelivery(2, bob)];
    expect(await failureOf(take(OPERATOR, 'call-off', accepted.id))).toBe('reason');
    for (const { id } of [accepted, onTheWay])
      expect(await take(OPERATOR, 'call-off', id, { reason: 'asked' })).toMatchObject({ status: 'Called_Off' });
    expect(await deliveries.earned(accepted.orderId, alan)).toBe(0);
    expect(await deliveries.earned(onTheWay.orderId, bob)).toBe(onTheWay.price);
    expect(await failureOf(take(OPERATOR, 'call-off', accepted.id, { reason: 'asked' }))).toBe('wrongStatus');
  });

  test('lost laundry keeps its Duber busy until the town ends the delivery', async () => {
    const { take, alan } = deliveries;
    const { id } = await deliveries.openDelivery(4);
    expect(await failureOf(take(alan, 'report-lost', id))).toBe('words');
    expect(await take(alan, 'report-lost', id, { words: 'Stolen from the car.' })).toMatchObject({ status: 'Failed' });
    expect(await failureOf(take(alan, 'correct', id))).toBe('laundryLost');
    const other = await deliveries.openDelivery();
    expect(await failureOf(deliveries.step('accept-delivery', other.id))).toBe('alreadyBusy');
    await take(OPERATOR, 'call-off', id, { reason: 'lost' });
    await deliveries.step('accept-delivery', other.id);
  });

  test('laundry that nobody took is lost when its Duber vanishes with it, and what was not collected is not', async () => {
    const { take, alan } = deliveries;
    const [failed, notCollected] = [await deliveries.openDelivery(4), await deliveries.openDelivery(2, deliveries.bob)];
    const lose = (id: string) => take(OPERATOR, 'report-lost', id, { reason: 'silent' });
    await take(alan, 'drop-failed', failed.id, { reason: 'unsafe' });
    expect(await failureOf(take(alan, 'report-lost', failed.id, { words: 'It is gone.' }))).toBe('wrongStatus');
    expect(await lose(failed.id)).toMatchObject({ status: 'Failed', attempt: 2 });
    expect(await failureOf(lose(failed.id))).toBe('laundryLost');
    // It may still be found.
    expect(await take(alan, 'bring-back', failed.id)).toMatchObject({ status: 'Way_Back' });
    await take(deliveries.bob, 'pickup-failed', notCollected.id, { reason: 'unsafe' });
    expect(await failureOf(lose(notCollected.id))).toBe('laundryNotOnBoard');
  });

  test('lost laundry that was found may be lost again, on its way back too', async () => {
    const { take, alan } = deliveries;
    const { id } = await deliveries.openDelivery(3);
    for (let found = 0; found < 2; found += 1) {
      await take(alan, 'report-lost', id, { words: 'I cannot find it.' });
      expect(await take(alan, 'bring-back', id)).toMatchObject({ status: 'Way_Back' });
    }
    expect(await take(alan, 'report-lost', id, { words: 'Stolen.' })).toMatchObject({ status: 'Failed', attempt: 4 });
    await take(alan, 'bring-back', id);
    expect(await take(alan, 'brought-back', id)).toMatchObject({ status: 'Returned' });
  });

  test('a step that is sent again with the same key gets the first answer, also from a Duber who no longer has it', async () => {
    const { take, alan } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    const arrive = (requestKey: Buffer) => take(alan, 'arrived-at-pickup', id, { place: AT_THE_DOOR, requestKey });
    const first = await arrive(Buffer.from('one'));
    expect(await arrive(Buffer.from('one'))).toEqual(first);
    expect(await failureOf(arrive(Buffer.from('two')))).toBe('wrongStatus');
    const drop = () => take(alan, 'drop-delivery', id, { reason: 'ill', requestKey: Buffer.from('three') });
    const dropped = await drop();
    deliveries.pass(1);
    expect(await drop()).toEqual(dropped);
    expect((await deliveries.rowOf(id)).attempt).toBe(2);
  });

  test('a wait without a network counts as the device says, but never from before what the server had heard', async () => {
    const { take, read, alan, pass } = deliveries;
    const ago = (minutes: number) => new Date(deliveries.now().getTime() - minutes * MINUTE_MS);
    const { id } = await deliveries.openDelivery(2);
    pass(20 * MINUTE_MS);
    await take(alan, 'arrived-at-pickup', id, { place: AT_THE_DOOR, takenAt: ago(7) });
    expect((await read(alan, id))?.exceptions).toMatchObject([{ takenAt: ago(7).toISOString() }]);
    const fail = async (more: object) =>
      take(alan, 'pickup-failed', id, { reason: 'nobody-home', ...(await deliveries.photo()), ...more });
    expect(await failureOf(fail({ takenAt: ago(3) }))).toBe('stillWaiting');
    await fail({ takenAt: ago(1) });
    const forged = await deliveries.openDelivery(1);
    pass(2 * MINUTE_MS);
    await deliveries.step('way-to-pickup', forged.id, alan, ago(70));
    await take(alan, 'arrived-at-pickup', forged.id, { place: AT_THE_DOOR, takenAt: ago(60) });
    const failForged = take(alan, 'pickup-failed', forged.id, { reason: 'nobody-home', ...(await deliveries.photo()) });
    expect(await failureOf(failForged)).toBe('stillWaiting');
  });

  test('no wait begins before the server heard of the acceptance, even if the device says so', async () => {
    const { take, step, alan, pass } = deliveries;
    const { id, orderId } = await deliveries.openDelivery();
    pass(10 * MINUTE_MS);
    const takenAt = new Date(deliveries.now().getTime() - 9 * MINUTE_MS);
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, alan, takenAt);
    await take(alan, 'arrived-at-pickup', id, { place: AT_THE_DOOR, takenAt });
    const fail = take(alan, 'pickup-failed', id, { reason: 'nobody-home', ...(await deliveries.photo()) });
    expect(await failureOf(fail)).toBe('stillWaiting');
    expect(await deliveries.earned(orderId)).toBe(0);
  });

  test('a Duber takes two mistakes back, and the town all others', async () => {
    const { take, step, alan } = deliveries;
    const { id } = await deliveries.openDelivery(5);
    for (let times = 1; times <= 2; times += 1) {
      await take(alan, 'correct', id);
      await step('delivered', id);
    }
    expect(await failureOf(take(alan, 'correct', id))).toBe('undoOver');
    expect(await take(OPERATOR, 'correct', id, { reason: 'asked' })).toMatchObject({ status: 'Way_To_Drop' });
  });

  test('nobody else takes its steps, and an unknown delivery is not found', async () => {
    const { take, alan, bob, bud } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    for (const other of [bob, deliveries.dubers[2] ?? bob])
      expect(await failureOf(take(other, 'pickup-failed', id, { reason: 'unsafe' }))).toBe('notFound');
    expect(await failureOf(take(alan, 'pickup-failed', newId(), { reason: 'unsafe' }))).toBe('notFound');
    expect(await failureOf(take(alan, 're-offer', id))).toBe('wrongStatus');
    expect(await failureOf(take(bud, 're-offer', id))).toBe('wrongStatus');
  });
});
