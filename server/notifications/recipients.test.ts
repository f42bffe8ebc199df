import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/accounts.ts';
import type { Point } from '../../domain/places.ts';
import {
  type NotificationHarness,
  openNotificationHarness,
  type PushDevice,
} from '../../testing/notificationHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { deliveryHandlers } from '../deliveries/deliveries.ts';
import { runTimers } from '../jobs/timers.ts';
import { orderHandlers } from '../orders/orders.ts';
import { ORDER_TIMERS } from '../orders/orderTimers.ts';
import { runPayouts } from '../payments/payouts/payouts.ts';
import { saveDuberPlace } from '../places/places.sql.ts';
import { reviewHandlers } from '../reviews/reviews.ts';

const CENTER = { latitude: 24, longitude: 67 };

describe.each(RULE_DATABASES)('the recipients of notifications on %s', (kind) => {
  let harness: NotificationHarness;
  let bud: Caller;
  let scrub: Caller;
  let duber: Caller;
  /** All people with their phones. Two of each role have no part in any order. */
  let everybody: { name: string; caller: Caller; phone: PushDevice }[];

  beforeAll(async () => {
    harness = await openNotificationHarness(kind);
    const { buds, scrubs, dubers } = harness.users;
    [bud, scrub, duber] = [buds[0], scrubs[0], dubers[0]] as unknown as [Caller, Caller, Caller];
    everybody = [];
    for (const [index, caller] of [...buds, ...scrubs, ...dubers].entries()) {
      const name = index % buds.length === 0 ? caller.role : `another ${caller.role}`;
      await queryRows(
        harness.context.db,
        sql`update users set fullname = ${`The ${caller.role}`} where id = ${caller.id}`,
      );
      everybody.push({ name, caller, phone: await harness.addDevice(caller) });
    }
  });
  afterAll(() => harness?.close());

  /** The titles that each person got by mail and push during `action`. People who got none are left out. */
  async function notificationsDuring(action: () => Promise<unknown>) {
    const before = await Promise.all(everybody.map(counts));
    await action();
    await harness.send();
    const received: Record<string, { mails: string[]; pushes: string[] }> = {};
    for (const [index, one] of everybody.entries()) {
      const [mails, pushes] = [await harness.mailsTo(one.caller.id), await one.phone.receivedMessages()];
      const titles = {
        mails: mails.slice(before[index]?.mails).map(({ subject }) => subject),
        pushes: pushes.slice(before[index]?.pushes).map(({ push }) => push.title),
      };
      if (titles.mails.length + titles.pushes.length > 0) received[one.name] = titles;
    }
    return received;
  }
  const counts = async ({ caller, phone }: (typeof everybody)[number]) => ({
    mails: (await harness.mailsTo(caller.id)).length,
    pushes: (await phone.receivedMessages()).length,
  });
  const both = (title: string) => ({ mails: [title], pushes: [title] });

  const place = async () => {
    const body = { budAddressId: harness.users.buds[0]?.addressId, scrubId: scrub.id, loadSize: 'Medium' };
    const rest = { paymentSourceId: 'cnon:ok', selfDelivery: false, selfPickup: false };
    await orderHandlers(harness.context).placeOrder({
      caller: bud,
      body: { ...body, ...rest },
      from: '127.0.0.1',
    } as never);
    // Ids are UUIDv7, so the newest is the highest.
    const newest = await queryRow<{ id: string }>(
      harness.context.db,
      sql`select id from orders order by id desc limit 1`,
    );
    return newest?.id ?? '';
  };
  const step = (caller: Caller, action: string, id: string) =>
    orderHandlers(harness.context)[action as 'accept-order']({ caller, params: { id } } as never);
  const deliveryOf = async (orderId: string, type: string) =>
    (await queryRow<{ id: string }>(
      harness.context.db,
      sql`select id from deliveries where order_id = ${orderId} and delivery_type = ${type}`,
    )) ?? { id: '' };
  const carry = async (params: { id: string }, steps: readonly string[]) => {
    for (const one of steps)
      await deliveryHandlers(harness.context)[one as 'collected']({
        caller: duber,
        params,
        takenAt: undefined,
      } as never);
  };
  const STEPS_BEFORE_DELIVERED = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop'];

  test('placing an order notifies its Bud with a receipt and its Scrub of a new job, and nobody else', async () => {
    expect(await notificationsDuring(place)).toEqual({
      Bud: both('Your order is placed'),
      Scrub: both('You have a new job'),
    });
  });

  test('accepting or rejecting an order notifies its Bud, and cancelling it notifies nobody', async () => {
    const [first, second, third] = [await place(), await place(), await place()];
    await harness.send();
    expect(await notificationsDuring(() => step(scrub, 'accept-order', first))).toEqual({
      Bud: both('Your order is accepted'),
    });
    expect(await notificationsDuring(() => step(scrub, 'reject-order', second))).toEqual({
      Bud: both('Your order was not accepted'),
    });
    expect(await notificationsDuring(() => step(bud, 'cancel-order', third))).toEqual({});
  });

  test('an expired order notifies its Bud and its Scrub', async () => {
    await runTimers(harness.context, [ORDER_TIMERS]);
    await harness.send();
    harness.setClock('2026-11-18T13:00:00Z');
    await place();
    await harness.send();
    harness.setClock('2026-11-19T12:59:59Z');
    expect(await notificationsDuring(() => runTimers(harness.context, [ORDER_TIMERS]))).toEqual({
      Bud: both('Your order was not answered'),
      Scrub: both('A job expired'),
    });
    harness.setClock('2026-11-19T13:00:00Z');
    expect(await notificationsDuring(() => runTimers(harness.context, [ORDER_TIMERS]))).toEqual({
      Bud: both('Your order was not answered'),
      Scrub: both('A job expired'),
    });
  });

  test('a completed delivery notifies its Bud and Scrub with texts for its direction; other steps and reviews notify nobody', async () => {
    const id = await place();
    await step(scrub, 'accept-order', id);
    await harness.send();
    const out = await deliveryOf(id, 'Bud_To_Scrub');
    expect(await notificationsDuring(() => carry(out, STEPS_BEFORE_DELIVERED))).toEqual({});
    expect(await notificationsDuring(() => carry(out, ['delivered']))).toEqual({
      Bud: both('Your laundry has arrived'),
      Scrub: both('The laundry for a job has arrived'),
    });
    expect(await notificationsDuring(() => step(scrub, 'start-order', id))).toEqual({});
    expect(await notificationsDuring(() => step(scrub, 'complete-order', id))).toEqual({});
    const back = await deliveryOf(id, 'Scrub_To_Bud');
    expect(await notificationsDuring(() => carry(back, [...STEPS_BEFORE_DELIVERED, 'delivered']))).toEqual({
      Bud: both('Your laundry is back'),
      Scrub: both('The laundry is back with its owner'),
    });
    const body = { rating: 5, message: 'Everything came back fresh.', duberId: duber.id };
    // A review must not queue the notification of the delivery again.
    await queryRows(harness.context.db, sql`delete from notifications`);
    const review = () => reviewHandlers(harness.context).reviewToDuber({ caller: bud, params: back, body } as never);
    expect(await notificationsDuring(review)).toEqual({});
  });

  test('a payout notifies each Scrub and Duber who is paid', async () => {
    harness.setClock('2026-11-30T00:00:00Z');
    expect(await notificationsDuring(() => runPayouts(harness.context))).toEqual({
      Scrub: both('Your payout: $12.50'),
      Duber: both('Your payout: $11.98'),
    });
    expect(await notificationsDuring(() => runPayouts(harness.context))).toEqual({});
    harness.setClock('2026-11-23T00:00:00Z');
  });

  test('a new delivery notifies the free Dubers nearby, by push unless they chose mail', async () => {
    const [, near, far] = harness.users.dubers;
    const moveTo = (id: string, point: Point) => saveDuberPlace(harness.context.db, id, point, harness.context.now());
    await moveTo(duber.id, CENTER);
    await moveTo(near?.id ?? '', { ...CENTER, latitude: 24.04 });
    await moveTo(far?.id ?? '', { ...CENTER, latitude: 24.05 });
    const [first, second] = [await place(), await place()];
    await harness.send();
    const title = 'A delivery near you: $5.99';
    expect(await notificationsDuring(() => step(scrub, 'accept-order', first))).toMatchObject({
      Duber: { mails: [], pushes: [title] },
      'another Duber': { mails: [], pushes: [title] },
    });
    const queued = () => queryRows(harness.context.db, sql`select 1 from notifications where kind = 'nearby'`);
    const countBefore = (await queued()).length;
    await moveTo(far?.id ?? '', CENTER);
    await carry(await deliveryOf(first, 'Bud_To_Scrub'), ['accept-delivery']);
    expect(await queued(), 'nobody is notified that it was taken').toHaveLength(countBefore);
    await moveTo(far?.id ?? '', { ...CENTER, latitude: 24.05 });
    const notified = await notificationsDuring(() => step(scrub, 'accept-order', second));
    expect(notified.Duber).toBeUndefined();
    expect(notified['another Duber']).toEqual({ mails: [], pushes: [title] });
    // A delivery that is taken before the push is sent.
    const third = await place();
    await harness.send();
    await step(scrub, 'accept-order', third);
    const { id } = await deliveryOf(third, 'Bud_To_Scrub');
    await queryRows(
      harness.context.db,
      sql`update deliveries set status = 'Accepted', duber_id = ${far?.id} where id = ${id}`,
    );
    expect(Object.keys(await notificationsDuring(async () => {}))).toEqual(['Bud']);
  });

  test('a mail and a push describe the order, link to the app, and contain no e-mail or phone of another person', async () => {
    const id = await place();
    await harness.send();
    const receipt = (await harness.mailsTo(bud.id)).at(-1);
    const job = (await harness.mailsTo(scrub.id)).at(-1);
    expect(receipt?.text).toContain('Hello The Bud,');
    for (const line of ['Laundry, Medium (3-5 lbs): $12.50', 'Pickup: $5.99', 'Delivery: $5.99', 'Total: $26.83'])
      expect(receipt?.text).toContain(line);
    expect(receipt?.text).toContain(`https://rubadub.example/#/bud/orders/${id}`);
    expect(receipt?.html).toContain(`href="https://rubadub.example/#/bud/orders/${id}"`);
    expect(job?.text).toContain(`https://rubadub.example/#/scrub/jobs/${id}`);
    for (const mail of [receipt, job]) {
      const others = JSON.stringify([mail?.text, mail?.html]).replaceAll('help@rubadub.example', '');
      expect(others).not.toMatch(/@|\+1202/);
    }
    const push = (await everybody.find(({ name }) => name === 'Scrub')?.phone.receivedMessages())?.at(-1);
    expect(push?.push).toEqual({
      title: 'You have a new job',
      body: 'Medium (3-5 lbs) from The Bud: you earn $12.50.',
      url: `/#/scrub/jobs/${id}`,
      tag: `placed-${bud.id}`,
    });
    expect(push).toMatchObject({ urgency: 'high', ttl: 86_400, publicKey: harness.vapidKeys.vapid.publicKey });
  });

  test('a Bud who places and cancels sixty orders causes one mail and one push to the Scrub, and one more for the orders that stay', async () => {
    let at = Date.parse('2026-11-25T12:00:00Z');
    const advance = (seconds: number) => {
      at += seconds * 1000;
      harness.setClock(new Date(at).toISOString());
    };
    advance(0);
    await runTimers(harness.context, [ORDER_TIMERS]);
    await harness.send();
    const placeOneMore = async () => {
      await queryRows(harness.context.db, sql`delete from rate_limits`);
      advance(1);
      return place();
    };
    const flood = await notificationsDuring(async () => {
      for (let count = 0; count < 60; count += 1) {
        const id = await placeOneMore();
        await harness.send();
        await step(bud, 'cancel-order', id);
      }
    });
    expect(flood.Scrub).toEqual(both('You have a new job'));
    const rest = await notificationsDuring(async () => {
      // One that is placed and cancelled before its mail was sent, and two that stay.
      await step(bud, 'cancel-order', await placeOneMore());
      await placeOneMore();
      await placeOneMore();
      await harness.send();
      advance(119);
      await harness.send();
      advance(20);
    });
    expect(rest.Scrub).toEqual(both('2 jobs are waiting for your answer'));
    expect(rest.Bud?.mails).toHaveLength(2);
    const pushes = await everybody.find(({ name }) => name === 'Scrub')?.phone.receivedMessages();
    expect(new Set(pushes?.slice(-2).map(({ push }) => push.tag))).toEqual(new Set([`placed-${bud.id}`]));
    advance(24 * 3_600);
    expect(await notificationsDuring(async () => {})).toEqual({});
  });
});
