import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/accounts.ts';
import {
  type NotificationHarness,
  openNotificationHarness,
  type PushDevice,
} from '../../testing/notificationHarness.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { deliveryHandlers } from '../deliveries/deliveries.ts';
import { expireRequests, orderHandlers } from '../orders/orders.ts';
import { runPayouts } from '../payments/payouts.ts';
import { saveDuberPlace } from '../places/places.sql.ts';
import { reviewHandlers } from '../reviews/reviews.ts';

const CENTER = { latitude: 24, longitude: 67 };

describe.each(DATABASE_KINDS)('who is told what, on %s', (kind) => {
  let desk: NotificationHarness;
  let bud: Caller;
  let scrub: Caller;
  let duber: Caller;
  /** Everybody, with their phones: two of each role take part in nothing. */
  let everybody: { name: string; caller: Caller; phone: PushDevice }[];

  beforeAll(async () => {
    desk = await openNotificationHarness(kind);
    const { buds, scrubs, dubers } = desk.users;
    [bud, scrub, duber] = [buds[0], scrubs[0], dubers[0]] as unknown as [Caller, Caller, Caller];
    everybody = [];
    for (const [index, caller] of [...buds, ...scrubs, ...dubers].entries()) {
      const name = index % buds.length === 0 ? caller.role : `a strange ${caller.role}`;
      await queryRows(
        desk.context.db,
        sql`update users set fullname = ${`The ${caller.role}`} where id = ${caller.id}`,
      );
      everybody.push({ name, caller, phone: await desk.addDevice(caller) });
    }
  });
  afterAll(() => desk?.close());

  /** The titles that everybody got by both ways while something happened; who got none is left out. */
  async function during(happening: () => Promise<unknown>) {
    const before = await Promise.all(everybody.map(counts));
    await happening();
    await desk.send();
    const got: Record<string, { mails: string[]; pushes: string[] }> = {};
    for (const [index, one] of everybody.entries()) {
      const [mails, pushes] = [await desk.mailsTo(one.caller.id), await one.phone.receivedMessages()];
      const news = {
        mails: mails.slice(before[index]?.mails).map(({ subject }) => subject),
        pushes: pushes.slice(before[index]?.pushes).map(({ push }) => push.title),
      };
      if (news.mails.length + news.pushes.length > 0) got[one.name] = news;
    }
    return got;
  }
  const counts = async ({ caller, phone }: (typeof everybody)[number]) => ({
    mails: (await desk.mailsTo(caller.id)).length,
    pushes: (await phone.receivedMessages()).length,
  });
  const both = (title: string) => ({ mails: [title], pushes: [title] });

  const place = async () => {
    const body = { budAddressId: desk.users.buds[0]?.addressId, scrubId: scrub.id, loadSize: 'Medium' };
    const rest = { paymentSourceId: 'cnon:ok', selfDelivery: false, selfPickup: false };
    await orderHandlers(desk.context).placeOrder({ caller: bud, body: { ...body, ...rest } } as never);
    // UUIDv7 grow with time.
    const newest = await queryRow<{ id: string }>(desk.context.db, sql`select id from orders order by id desc limit 1`);
    return newest?.id ?? '';
  };
  const step = (caller: Caller, action: string, id: string) =>
    orderHandlers(desk.context)[action as 'accept-order']({ caller, params: { id } } as never);
  const legOf = async (orderId: string, type: string) =>
    (await queryRow<{ id: string }>(
      desk.context.db,
      sql`select id from deliveries where order_id = ${orderId} and delivery_type = ${type}`,
    )) ?? { id: '' };
  const carry = async (params: { id: string }, steps: readonly string[]) => {
    for (const one of steps)
      await deliveryHandlers(desk.context)[one as 'collected']({ caller: duber, params, takenAt: undefined } as never);
  };
  const WAY = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop'];

  test('placed: the bud gets a receipt and the scrub a job; nobody else anything', async () => {
    expect(await during(place)).toEqual({
      Bud: both('Your order with The Scrub is placed'),
      Scrub: both('New job from The Bud'),
    });
  });

  test('accepted and rejected: the bud; cancelled by the bud: nobody', async () => {
    const [first, second, third] = [await place(), await place(), await place()];
    await desk.send();
    expect(await during(() => step(scrub, 'accept-order', first))).toEqual({
      Bud: both('The Scrub accepted your order'),
    });
    expect(await during(() => step(scrub, 'reject-order', second))).toEqual({
      Bud: both('The Scrub cannot take your order'),
    });
    expect(await during(() => step(bud, 'cancel-order', third))).toEqual({});
  });

  test('expired: the bud and the scrub', async () => {
    await expireRequests(desk.context);
    await desk.send();
    desk.setClock('2026-11-18T13:00:00Z');
    await place();
    await desk.send();
    desk.setClock('2026-11-19T12:59:59Z');
    expect(await during(() => expireRequests(desk.context))).toEqual({
      Bud: both('The Scrub did not answer your order'),
      Scrub: both('The job from The Bud ran out'),
    });
    desk.setClock('2026-11-19T13:00:00Z');
    expect(await during(() => expireRequests(desk.context))).toEqual({
      Bud: both('The Scrub did not answer your order'),
      Scrub: both('The job from The Bud ran out'),
    });
  });

  test('delivered: the bud and the scrub, each way in its own words; the steps before it and reviews: nobody', async () => {
    const id = await place();
    await step(scrub, 'accept-order', id);
    await desk.send();
    const out = await legOf(id, 'Bud_To_Scrub');
    expect(await during(() => carry(out, WAY))).toEqual({});
    expect(await during(() => carry(out, ['delivered']))).toEqual({
      Bud: both('Your laundry is at The Scrub’s'),
      Scrub: both('The Bud’s laundry has arrived'),
    });
    expect(await during(() => step(scrub, 'start-order', id))).toEqual({});
    expect(await during(() => step(scrub, 'complete-order', id))).toEqual({});
    const back = await legOf(id, 'Scrub_To_Bud');
    expect(await during(() => carry(back, [...WAY, 'delivered']))).toEqual({
      Bud: both('Your laundry is back'),
      Scrub: both('The Bud’s laundry is home again'),
    });
    const body = { rating: 5, message: 'Everything came back fresh.', duberId: duber.id };
    // Whoever has switched mails on since must not get one now for what happened then.
    await queryRows(desk.context.db, sql`delete from notifications`);
    const review = () => reviewHandlers(desk.context).reviewToDuber({ caller: bud, params: back, body } as never);
    expect(await during(review)).toEqual({});
  });

  test('payout: whoever is paid, scrubs and dubers alike', async () => {
    desk.setClock('2026-11-23T00:00:00Z');
    expect(await during(() => runPayouts(desk.context))).toEqual({
      Scrub: both('Your payout: $12.50'),
      Duber: both('Your payout: $11.98'),
    });
    expect(await during(() => runPayouts(desk.context))).toEqual({});
  });

  test('nearby: dubers around who are free, by push as long as they ask for no mail', async () => {
    const [, near, far] = desk.users.dubers;
    await saveDuberPlace(desk.context.db, duber.id, CENTER);
    await saveDuberPlace(desk.context.db, near?.id ?? '', { ...CENTER, latitude: 24.04 });
    await saveDuberPlace(desk.context.db, far?.id ?? '', { ...CENTER, latitude: 24.05 });
    const [first, second] = [await place(), await place()];
    await desk.send();
    const title = 'A delivery near you: $5.99';
    expect(await during(() => step(scrub, 'accept-order', first))).toMatchObject({
      Duber: { mails: [], pushes: [title] },
      'a strange Duber': { mails: [], pushes: [title] },
    });
    const written = () => queryRows(desk.context.db, sql`select 1 from notifications where kind = 'nearby'`);
    const many = (await written()).length;
    await saveDuberPlace(desk.context.db, far?.id ?? '', CENTER);
    await carry(await legOf(first, 'Bud_To_Scrub'), ['accept-delivery']);
    expect(await written(), 'that it is taken is not said').toHaveLength(many);
    await saveDuberPlace(desk.context.db, far?.id ?? '', { ...CENTER, latitude: 24.05 });
    const told = await during(() => step(scrub, 'accept-order', second));
    expect(told.Duber).toBeUndefined();
    expect(told['a strange Duber']).toEqual({ mails: [], pushes: [title] });
    // Taken before it could be said.
    const third = await place();
    await desk.send();
    await step(scrub, 'accept-order', third);
    const { id } = await legOf(third, 'Bud_To_Scrub');
    await queryRows(
      desk.context.db,
      sql`update deliveries set status = 'Accepted', duber_id = ${far?.id} where id = ${id}`,
    );
    expect(Object.keys(await during(async () => {}))).toEqual(['Bud']);
  });

  test('what a mail and a push say is about the order, leads into the app, and names nobody’s e-mail or phone', async () => {
    const id = await place();
    await desk.send();
    const receipt = (await desk.mailsTo(bud.id)).at(-1);
    const job = (await desk.mailsTo(scrub.id)).at(-1);
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
    const told = (await everybody.find(({ name }) => name === 'Scrub')?.phone.receivedMessages())?.at(-1);
    expect(told?.push).toEqual({
      title: 'New job from The Bud',
      body: 'Medium (3-5 lbs): you earn $12.50.',
      url: `/#/scrub/jobs/${id}`,
      tag: `placed-${id}`,
    });
    expect(told).toMatchObject({ urgency: 'high', ttl: 86_400, publicKey: desk.vapidKeys.vapid.publicKey });
  });
});
