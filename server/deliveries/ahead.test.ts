import { describe, expect, test } from 'vitest';
import { MAX_AHEAD, MAX_AHEAD_AT_ONCE } from '../../domain/deliveries.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { AT_THE_DOOR, failureOf, OPERATOR, useDeliveries } from '../../testing/deliveries.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { runTimers } from '../jobs/timers.ts';
import { listOpenWork } from '../operator/openWork.sql.ts';
import { setPolicy } from '../town/policies.sql.ts';
import { DELIVERY_TIMERS } from './silence.ts';

describe.each(RULE_DATABASES)('deliveries that are accepted ahead, on %s', (kind) => {
  const deliveries = useDeliveries(kind);

  /** A pending delivery for a window that begins in `inMs`. */
  async function offerFor(inMs: number, lengthMs = 2 * HOUR_MS): Promise<string> {
    const { id } = await deliveries.openDelivery();
    const from = new Date(deliveries.now().getTime() + inMs);
    await deliveries.context.db
      .updateTable('deliveries')
      .set({ due_from: from, due_until: new Date(from.getTime() + lengthMs) })
      .where('id', '=', id)
      .execute();
    return id;
  }
  const accept = (id: string) => deliveries.step('accept-delivery', id);
  const statusOf = async (id: string) => (await deliveries.rowOf(id)).status;

  test('a Duber with a delivery under way accepts others for later, and sets off only once they are free', async () => {
    const now = await deliveries.openDelivery(3);
    const later = await offerFor(DAY_MS);
    await accept(later);
    expect(await failureOf(deliveries.step('way-to-pickup', later))).toBe('alreadyBusy');
    expect(await failureOf(accept((await deliveries.openDelivery()).id))).toBe('alreadyBusy');
    for (const action of ['way-to-drop', 'delivered'] as const) await deliveries.step(action, now.id);
    await deliveries.step('way-to-pickup', later);
    expect(await statusOf(later)).toBe('Way_To_Pick');
  });

  test('a delivery that is accepted ahead keeps nobody from a delivery for now', async () => {
    const later = await offerFor(DAY_MS);
    await accept(later);
    const now = await deliveries.openDelivery(2);
    expect([await statusOf(later), await statusOf(now.id)]).toEqual(['Accepted', 'Way_To_Pick']);
  });

  test('a delivery whose window has ended is accepted for now', async () => {
    const late = await offerFor(-3 * HOUR_MS);
    await accept(late);
    expect(await deliveries.rowOf(late)).toMatchObject({ status: 'Accepted', due_from: null, due_until: null });
    expect(await failureOf(accept((await deliveries.openDelivery()).id))).toBe('alreadyBusy');
  });

  test('nobody accepts more windows than they can drive, at one time and altogether', async () => {
    for (let n = 0; n < MAX_AHEAD_AT_ONCE; n += 1) await accept(await offerFor(DAY_MS));
    expect(await failureOf(accept(await offerFor(DAY_MS + HOUR_MS)))).toBe('tooManyAhead');
    for (let n = MAX_AHEAD_AT_ONCE; n < MAX_AHEAD; n += 1) await accept(await offerFor((n + 1) * DAY_MS));
    expect(await failureOf(accept(await offerFor(20 * DAY_MS)))).toBe('tooManyAhead');
  });

  test.runIf(kind === 'postgres')('a Duber who accepts eight windows at once gets as many as fit', async () => {
    const offers: string[] = [];
    for (let n = 0; n < 8; n += 1) offers.push(await offerFor(DAY_MS));
    const outcomes = await Promise.all(
      offers.map((id) =>
        accept(id).then(
          () => 'accepted',
          () => 'refused',
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(MAX_AHEAD_AT_ONCE);
  });

  test.runIf(kind === 'postgres')('a Duber who sets off for two windows at once drives one of them', async () => {
    const ids = [await offerFor(HOUR_MS), await offerFor(HOUR_MS)];
    for (const id of ids) await accept(id);
    const outcomes = await Promise.all(
      ids.map((id) =>
        deliveries.step('way-to-pickup', id).then(
          ({ status }) => status,
          ({ failure }) => failure,
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual(['Way_To_Pick', 'alreadyBusy']);
  });

  test('the time of a silent Duber begins with the window, and another delivery under way is a sign', async () => {
    const { db } = deliveries.context;
    const decide = (value: 'open' | 'careful') => {
      deliveries.pass(1);
      return setPolicy(db, { name: 'silence', value, setBy: 'Ada' }, deliveries.now());
    };
    const run = () => runTimers(deliveries.context, [DELIVERY_TIMERS]);
    await decide('careful');
    const id = await offerFor(DAY_MS);
    await accept(id);
    deliveries.pass(DAY_MS + 19 * MINUTE_MS);
    expect(await run()).toBe(0);
    const now = await deliveries.openDelivery(2);
    deliveries.pass(MINUTE_MS);
    await run();
    expect(await statusOf(id)).toBe('Accepted');
    await deliveries.step('collected', now.id);
    deliveries.pass(21 * MINUTE_MS);
    await run();
    expect(await statusOf(id)).toBe('Pending');
    await decide('open');
  });

  test('a delivery that is dropped before its window keeps it, and afterwards goes on as soon as possible', async () => {
    const id = await offerFor(HOUR_MS);
    const drop = () => deliveries.take(deliveries.alan, 'drop-delivery', id, { reason: 'ill' });
    await accept(id);
    await drop();
    expect(await deliveries.rowOf(id)).toMatchObject({ status: 'Pending', due_until: expect.any(Date) });
    deliveries.pass(2 * HOUR_MS);
    await accept(id);
    deliveries.pass(HOUR_MS);
    await drop();
    expect(await deliveries.rowOf(id)).toMatchObject({ status: 'Pending', due_from: null, due_until: null });
  });

  test('laundry that another Duber goes on with has no window any more', async () => {
    const id = await offerFor(HOUR_MS);
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected'] as const) await deliveries.step(action, id);
    await deliveries.take(OPERATOR, 'relay', id, { reason: 'breakdown', place: AT_THE_DOOR });
    expect(await deliveries.rowOf(id)).toMatchObject({ status: 'Pending', due_from: null, due_until: null });
  });

  test('what a Duber has accepted ahead is their open work when they are suspended', async () => {
    const id = await offerFor(DAY_MS);
    await accept(id);
    const { id: now } = await deliveries.openDelivery(1);
    const work = await listOpenWork(deliveries.context.db, deliveries.alan);
    expect(work.map((one) => one.id).toSorted()).toEqual([id, now].toSorted());
  });
});
