import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { AT_THE_DOOR, FAR_AWAY, failureOf, useDeliveries } from '../../testing/deliveries.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { caseHandlers } from '../cases/cases.ts';
import { caseTimers } from '../cases/caseTimers.ts';
import { closeCase } from '../cases/decideCase.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { runTimers } from '../jobs/timers.ts';
import { CLEANING_AGAIN } from '../orders/reopenOrder.ts';
import { takeOrderStep } from '../orders/steps.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';
import { earningsHandlers } from '../payments/payouts/earnings.ts';
import { positionHandlers } from './positions.ts';

const UNSAFE = { reason: 'unsafe', words: 'A dog.' };
const WORDS = { words: 'I was at home, and nobody rang.' };

describe.each(RULE_DATABASES)('what is paid for a trip without laundry, on %s', (kind) => {
  const deliveries = useDeliveries(kind);
  beforeAll(() => deliveries.earnTrust());
  // What was paid in the week before counts no more.
  beforeEach(() => deliveries.pass(8 * DAY_MS));
  afterEach(() => deliveries.context.db.deleteFrom('addresses').where('user_id', '=', deliveries.alan.id).execute());

  const giveBack = (orderId: string) =>
    takeOrderStep(deliveries.context, deliveries.scrub, { id: orderId, action: 'give-back', reason: 'ill' });
  const cancel = (orderId: string) =>
    takeOrderStep(deliveries.context, deliveries.bud, {
      id: orderId,
      action: 'cancel-accepted',
      reason: 'changed-mind',
    });
  /** A Duber stood at the door, and leaves it at once. */
  const leaveAtOnce = async (more: object = {}) => {
    const delivery = await deliveries.openDelivery(2);
    await deliveries.take(deliveries.alan, 'arrived-at-pickup', delivery.id, { place: AT_THE_DOOR });
    await deliveries.take(deliveries.alan, 'pickup-failed', delivery.id, { ...UNSAFE, ...more });
    return delivery;
  };
  const failAtDoor = async () => {
    const delivery = await deliveries.openDelivery(2);
    await deliveries.wait(delivery.id, 'pickup');
    await deliveries.take(deliveries.alan, 'pickup-failed', delivery.id, {
      reason: 'nobody-home',
      ...(await deliveries.photo()),
    });
    return delivery;
  };
  const moveHome = async (latitude: number) => {
    const home = {
      id: newId(),
      user_id: deliveries.alan.id,
      label: 'Home',
      address: 'Elm Street 1',
      latitude,
      longitude: 67,
    };
    await deliveries.context.db
      .insertInto('addresses')
      .values({ ...home, created_at: deliveries.now() })
      .execute();
  };
  /** Why the credit of an order waits, and null once it is payable. */
  const waitOf = async (orderId: string, caller = deliveries.alan) => {
    const request = { caller, query: {} } as never;
    const lines = await earningsHandlers(deliveries.context).earningLines(request);
    return lines.filter((line) => line.orderId === orderId).map(({ waitsFor }) => waitsFor);
  };
  const caseOf = (orderId: string) =>
    queryRow<{ id: string; kind: string }>(
      deliveries.context.db,
      sql`select id, kind from cases where order_id = ${orderId} order by created_at desc, no desc limit 1`,
    );
  const close = async (orderId: string, takesBackTrip = false) => {
    const caseId = (await caseOf(orderId))?.id ?? '';
    const decision = { caseId, reason: 'We have asked.', name: 'olga', takesBackTrip };
    expect(await closeCase(deliveries.context, decision)).toMatchObject({ ok: true });
  };
  const deny = async (orderId: string) => {
    const id = (await caseOf(orderId))?.id ?? '';
    return caseHandlers(deliveries.context, CLEANING_AGAIN).deny({
      caller: deliveries.bud,
      params: { id },
      body: WORDS,
    } as never);
  };
  const tripOf = (orderId: string) =>
    queryRow(
      deliveries.context.db,
      sql`select bearer_id, from_order, undone_at is not null as undone from earnings where order_id = ${orderId} and kind = 'trip'`,
    );
  /** The earning of an order waits until the town closes its case. */
  const expectToWaitForTown = async (orderId: string) => {
    deliveries.pass(30 * DAY_MS);
    expect(await waitOf(orderId)).toEqual(['trip']);
    await close(orderId);
    expect(await waitOf(orderId)).toEqual([null]);
  };
  const expectExactLedger = async (orderId: string) =>
    expect((await findAuditProblems(deliveries.context.db)).filter(({ what }) => what.includes(orderId))).toEqual([]);

  test('a Scrub who gives an order back bears the trip, and twenty friends without money get nothing from the platform', async () => {
    for (let times = 0; times < 20; times += 1) {
      const { orderId } = await deliveries.openDelivery(2);
      await giveBack(orderId);
      await takeOrderStep(deliveries.context, deliveries.bud, {
        id: orderId,
        action: 'cancel-accepted',
        reason: 'changed-mind',
      }).catch(() => undefined);
      expect(await tripOf(orderId)).toEqual({ bearer_id: deliveries.scrub.id, from_order: 0, undone: false });
      deliveries.pass(HOUR_MS);
      if (times > 1) continue;
      expect(await waitOf(orderId)).toEqual(['platform-pay']);
      expect(await caseOf(orderId)).toMatchObject({ kind: 'platform-pay' });
    }
    deliveries.pass(30 * DAY_MS);
    const { balance, held } = await earningsHandlers(deliveries.context).earnings({ caller: deliveries.alan } as never);
    expect(balance).toBe(held);
  });

  test('a trip that a Scrub has the money for, or that the order of a Bud who cancels bears, does not wait', async () => {
    for (let orders = 0; orders < 12; orders += 1) await deliveries.harness.createOrder('Delivered');
    const [given] = [await deliveries.openDelivery(2)];
    await giveBack(given.orderId);
    const cancelled = await deliveries.openDelivery(2);
    await cancel(cancelled.orderId);
    expect(await waitOf(given.orderId)).toEqual([null]);
    expect(await waitOf(cancelled.orderId)).toEqual([null]);
    expect(await tripOf(cancelled.orderId)).toMatchObject({ bearer_id: null, from_order: cancelled.price });
  });

  test('a trip that only its Duber says was not safe waits until the town has closed its case', async () => {
    const { orderId } = await leaveAtOnce();
    deliveries.pass(30 * DAY_MS);
    expect(await waitOf(orderId)).toEqual(['platform-pay']);
    expect(await caseOf(orderId)).toMatchObject({ kind: 'failed-pickup' });
    await close(orderId);
    expect(await waitOf(orderId)).toEqual([null]);
    await expectExactLedger(orderId);
  });

  test('a trip with a photo is payable after three days, and the third in a week waits for the town', async () => {
    const orders: string[] = [];
    for (let trips = 0; trips < 3; trips += 1) orders.push((await leaveAtOnce(await deliveries.photo())).orderId);
    const waits = () => Promise.all(orders.map((id) => waitOf(id)));
    deliveries.pass(71 * HOUR_MS);
    expect(await waits()).toEqual([['platform-pay'], ['platform-pay'], ['platform-pay']]);
    deliveries.pass(HOUR_MS);
    expect(await waits()).toEqual([[null], [null], ['platform-pay']]);
    await close(orders[2] ?? '');
    expect(await waits()).toEqual([[null], [null], [null]]);
  });

  test('a Duber cannot be at a door before they can have come there, whatever the times of their phone say', async () => {
    const { alan, take } = deliveries;
    await moveHome(24.1);
    const accepted = await deliveries.openDelivery(1);
    const since = deliveries.now().getTime();
    const after = (seconds: number) => new Date(since + seconds * 1000);
    deliveries.pass(10 * MINUTE_MS);
    await deliveries.step('way-to-pickup', accepted.id, alan, after(2));
    await take(alan, 'arrived-at-pickup', accepted.id, { takenAt: after(4), place: AT_THE_DOOR });
    const { exceptions = [] } = (await deliveries.read(alan, accepted.id)) ?? {};
    // 11.1 km at 25 m/s.
    expect(Date.parse(exceptions[0]?.countsFrom ?? '') - since).toBeGreaterThan(7 * MINUTE_MS);
    const fail = async (seconds: number) =>
      take(alan, 'pickup-failed', accepted.id, {
        reason: 'nobody-home',
        takenAt: after(seconds),
        ...(await deliveries.photo()),
      });
    expect(await failureOf(fail(310))).toBe('stillWaiting');
    deliveries.pass(10 * MINUTE_MS);
    await fail(1_000);
    expect(await tripOf(accepted.orderId)).toMatchObject({ from_order: accepted.price });
    deliveries.pass(30 * DAY_MS);
    expect(await waitOf(accepted.orderId)).toEqual(['trip']);
  });

  test('a position that the server has heard near the door counts more than where a Duber lives', async () => {
    const { alan, context, take } = deliveries;
    await moveHome(24.1);
    const { id, orderId } = await deliveries.openDelivery(2);
    const share = { caller: alan, params: { id }, body: AT_THE_DOOR } as never;
    await positionHandlers(context).sharePosition(share);
    await deliveries.wait(id, 'pickup');
    await take(alan, 'pickup-failed', id, { reason: 'nobody-home', ...(await deliveries.photo()) });
    expect(await waitOf(orderId)).toEqual(['trip']);
    deliveries.pass(72 * HOUR_MS);
    expect(await waitOf(orderId)).toEqual([null]);
  });

  test('a vague position near the door proves no arrival', async () => {
    const { alan, context, take } = deliveries;
    await moveHome(24.1);
    const { id } = await deliveries.openDelivery(2);
    const share = { caller: alan, params: { id }, body: { ...AT_THE_DOOR, accuracy: 3_000 } } as never;
    await positionHandlers(context).sharePosition(share);
    await deliveries.wait(id, 'pickup');
    const fail = async () => take(alan, 'pickup-failed', id, { reason: 'nobody-home', ...(await deliveries.photo()) });
    expect(await failureOf(fail())).toBe('stillWaiting');
  });

  test('a Bud who was there denies once that a pickup failed, and its earning waits for the town', async () => {
    const { orderId } = await failAtDoor();
    expect((await deny(orderId)).events.at(-1)).toMatchObject({ action: 'deny', by: 'Bud', ...WORDS });
    expect(await failureOf(deny(orderId))).toBe('wrongStatus');
    await expectToWaitForTown(orderId);
    await expectExactLedger(orderId);
  });

  test('a Bud who denies that a drop-off failed, before the way back, lets its earning wait for the town', async () => {
    const { id, orderId } = await deliveries.openDelivery(4);
    await deliveries.wait(id, 'drop');
    await deliveries.take(deliveries.alan, 'drop-failed', id, { reason: 'nobody-home', ...(await deliveries.photo()) });
    await deny(orderId);
    await deliveries.take(deliveries.alan, 'bring-back', id);
    await deliveries.take(deliveries.alan, 'brought-back', id);
    await expectToWaitForTown(orderId);
    await expectExactLedger(orderId);
  });

  test('a case about a failed pickup closes by itself once the laundry is delivered and its earning no longer waits', async () => {
    const { id, orderId } = await failAtDoor();
    await deliveries.take(deliveries.bud, 're-offer', id);
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const)
      await deliveries.step(action, id);
    const failed = await caseOf(orderId);
    const statusOf = async () =>
      (
        await queryRow<{ status: string }>(
          deliveries.context.db,
          sql`select status from cases where id = ${failed?.id}`,
        )
      )?.status;
    expect(await waitOf(orderId)).toContain('trip');
    deliveries.pass(96 * HOUR_MS);
    expect(await waitOf(orderId)).not.toContain('trip');
    while ((await runTimers(deliveries.context, [caseTimers(CLEANING_AGAIN)])) > 0) {}
    expect(await statusOf()).toBe('closed');
  });

  test('the town takes a trip back, and its order pays the next one', async () => {
    const { id, orderId, price } = await failAtDoor();
    await deny(orderId);
    await close(orderId, true);
    expect(await tripOf(orderId)).toMatchObject({ undone: true });
    expect(await deliveries.earned(orderId)).toBe(0);
    await deliveries.take(deliveries.bud, 're-offer', id);
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const)
      await deliveries.step(action, id);
    expect(await deliveries.earned(orderId)).toBe(price);
    expect(await waitOf(orderId)).not.toContain('platform-pay');
    await expectExactLedger(orderId);
  });

  test('the way back after a drop-off that only its Duber says was not safe waits for the town', async () => {
    const { id, orderId } = await deliveries.openDelivery(4);
    await deliveries.take(deliveries.alan, 'drop-failed', id, UNSAFE);
    await deliveries.take(deliveries.alan, 'bring-back', id);
    await deliveries.take(deliveries.alan, 'brought-back', id);
    await expectToWaitForTown(orderId);
  });

  test('a Duber who is nearer to the door than before, by a shared position, was on their way', async () => {
    const { alan, context } = deliveries;
    await moveHome(24.1);
    const { id, orderId } = await deliveries.openDelivery(2);
    await positionHandlers(context).sharePosition({ caller: alan, params: { id }, body: FAR_AWAY } as never);
    await deliveries.take({ role: 'Operator', id: null }, 'call-off', id, { reason: 'asked' });
    expect(await waitOf(orderId)).toEqual(['platform-pay']);
    deliveries.pass(72 * HOUR_MS);
    expect(await waitOf(orderId)).toEqual([null]);
  });

  test('money kept for a claim, or on its way back to a card, cannot pay for the trip of a friend', async () => {
    const balanceOf = async () =>
      (await earningsHandlers(deliveries.context).earnings({ caller: deliveries.scrub } as never)).balance;
    const earn = async () => {
      let orderId = await deliveries.harness.createOrder('Delivered');
      while ((await balanceOf()) < 20) orderId = await deliveries.harness.createOrder('Delivered');
      return orderId;
    };
    /** A refund that the Scrub bears, and that the card network has not made yet. It leaves so much. */
    const bearRefund = async (orderId: string, left: number) => {
      const amount = Math.round(((await balanceOf()) - left) * 100);
      await sql`insert into refunds (id, order_id, amount, taxes, liable, liable_user, reason, state, created_at, updated_at)
        values (${newId()}, ${orderId}, ${amount}, 0, 'scrub', ${deliveries.scrub.id}, 'late', 'stuck', ${deliveries.now()}, ${deliveries.now()})`.execute(
        deliveries.context.db,
      );
      return () => sql`delete from refunds where order_id = ${orderId}`.execute(deliveries.context.db);
    };
    const giveBackNew = async () => {
      const { orderId } = await deliveries.openDelivery(2);
      await giveBack(orderId);
      return waitOf(orderId);
    };
    const claimed = await earn();
    const takeBack = await bearRefund(claimed, 1);
    expect(await giveBackNew()).toEqual(['platform-pay']);
    await takeBack();
    const item = { what: 'Blue shirt', kind: 'missing', worth: 80, ageMonths: 1, asked: 12.5 };
    const body = { kind: 'claim', orderId: claimed, items: [item], words: 'It is not here.' };
    await caseHandlers(deliveries.context, CLEANING_AGAIN).createCase({ caller: deliveries.bud, body } as never);
    const takeBackOther = await bearRefund(await deliveries.harness.createOrder('Delivered'), 13.5);
    expect(await giveBackNew()).toEqual(['platform-pay']);
    await takeBackOther();
    expect(await giveBackNew()).not.toContain('platform-pay');
  });

  test('a second failure waits for the case of the first, which the town closes once, and whose words the second Duber does not read', async () => {
    const { bud, alan, bob, step, take, context } = deliveries;
    const { id, orderId } = await leaveAtOnce();
    await take(bud, 're-offer', id);
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
    await take(bob, 'arrived-at-pickup', id, { place: AT_THE_DOOR });
    await take(bob, 'pickup-failed', id, UNSAFE);
    const failed = sql`select array_agg(p.user_id order by p.user_id) as readers from cases c join case_people p on p.case_id = c.id
      where c.order_id = ${orderId} and c.kind = 'failed-pickup' group by c.id`;
    const readers = [bud.id, deliveries.scrub.id, alan.id].toSorted();
    expect(await queryRows(context.db, failed)).toEqual([{ readers }]);
    deliveries.pass(30 * DAY_MS);
    const waits = async () => [...(await waitOf(orderId)), ...(await waitOf(orderId, bob))];
    expect(await waits()).toEqual(['platform-pay', 'platform-pay']);
    const caseId = await queryRow<{ id: string }>(
      context.db,
      sql`select id from cases where order_id = ${orderId} and kind = 'failed-pickup'`,
    );
    expect(
      await closeCase(context, { caseId: caseId?.id ?? '', reason: 'We have asked.', name: 'olga' }),
    ).toMatchObject({
      ok: true,
    });
    expect(await waits()).not.toContain('platform-pay');
    await expectExactLedger(orderId);
  });
});
