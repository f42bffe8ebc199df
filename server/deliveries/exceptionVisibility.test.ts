import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.ts';
import { approximatePoint, distanceInMeters } from '../../domain/places.ts';
import { roundPosition } from '../../domain/positions.ts';
import { AT_THE_DOOR, FAR_AWAY, OPERATOR, useDeliveries } from '../../testing/deliveries.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRows } from '../db/database.ts';
import { findVisibleFile } from '../files/files.sql.ts';
import { expandNearbyNotice } from '../notifications/queueNotifications.sql.ts';
import { setPolicy } from '../town/policies.sql.ts';
import { routeHandlers } from './deliveryRoute.ts';

const SECRET = 'The Bud was rude to me.';

describe.each(RULE_DATABASES)('who sees and hears of a delivery that did not go as planned, on %s', (kind) => {
  const deliveries = useDeliveries(kind);
  beforeAll(async () => {
    await sql`insert into duber_places (duber_id, latitude, longitude, band)
      select id, 24, 67, (select band from scrub_places limit 1) from users where role = 'Duber'
      on conflict do nothing`.execute(deliveries.context.db);
  });

  const rude = { reason: 'other', words: SECRET };

  test.each(['open', 'careful'] as const)(
    'the next Duber reads nothing of the one before, under %s',
    async (policy) => {
      const { take, step, read, alan, bob, bud, scrub } = deliveries;
      deliveries.pass(1);
      await setPolicy(deliveries.context.db, { name: 'privacy', value: policy, setBy: 'Ada' }, deliveries.now());
      const { id } = await deliveries.openDelivery(2);
      const fresh = await read(bob, (await deliveries.openDelivery(0)).id);
      await take(alan, 'drop-delivery', id, rude);
      const offered = await read(bob, id);
      expect(JSON.stringify(offered)).not.toContain(SECRET);
      expect(offered?.exceptions).toEqual([]);
      expect(offered?.statusHistory.map(({ status }) => status)).toEqual(['Pending']);
      // Apart from the number of its attempt it is like one that nobody had before.
      expect(Object.keys(offered ?? {})).toEqual(Object.keys(fresh ?? {}));
      expect(offered?.bud).toEqual(fresh?.bud);
      for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
      await take(bob, 'arrived-at-pickup', id, { place: AT_THE_DOOR });
      const taken = await read(bob, id);
      expect(taken?.statusHistory.map(({ status }) => status)).toEqual(['Pending', 'Accepted', 'Way_To_Pick']);
      expect(taken?.exceptions.map(({ action }) => action)).toEqual(['arrived-at-pickup']);
      // Its Bud and its Scrub read why.
      for (const person of [bud, scrub]) expect((await read(person, id))?.exceptions[0]).toMatchObject(rude);
      expect(await read(alan, id)).toBeUndefined();
    },
  );

  test('the people of the order see which photos a failed attempt was sent with, and the next Duber none', async () => {
    const { take, step, read, alan, bob, bud, scrub, context } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    const [atDoor, ofNobody] = [await deliveries.photo(), await deliveries.photo()];
    await take(alan, 'arrived-at-pickup', id, { place: AT_THE_DOOR, ...atDoor });
    deliveries.pass(5 * MINUTE_MS);
    await take(alan, 'pickup-failed', id, { reason: 'nobody-home', ...ofNobody });
    const photosOf = async (person: Parameters<typeof read>[0]) =>
      (await read(person, id))?.exceptions.map(({ action, fileIds }) => [action, fileIds]);
    const both = [
      ['arrived-at-pickup', atDoor.fileIds],
      ['pickup-failed', ofNobody.fileIds],
    ];
    for (const person of [bud, scrub, alan]) expect(await photosOf(person)).toEqual(both);
    for (const { id: viewer } of [bud, scrub, alan])
      for (const photo of [...atDoor.fileIds, ...ofNobody.fileIds])
        expect(await findVisibleFile(context.db, viewer, photo, deliveries.now())).toBeDefined();
    await take(bud, 're-offer', id);
    await step('accept-delivery', id, bob);
    expect(await photosOf(bob)).toEqual([]);
    await context.db
      .updateTable('files')
      .set({ gone_at: deliveries.now() })
      .where('id', 'in', atDoor.fileIds)
      .execute();
    expect(await photosOf(scrub)).toEqual([['arrived-at-pickup', []], both[1], ['re-offer', []]]);
  });

  test('a Duber who no longer has it sees no contacts, and its last position is gone', async () => {
    const { take, read, alan, bud } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    expect((await read(alan, id))?.bud.email).toEqual(expect.any(String));
    await sql`insert into delivery_positions (delivery_id, latitude, longitude, at) values (${id}, 24, 67, ${deliveries.now()})`.execute(
      deliveries.context.db,
    );
    await take(OPERATOR, 'take-off', id, { reason: 'asked' });
    expect(await read(alan, id)).toMatchObject({ bud: { email: null, phone: null }, exceptions: [] });
    expect(await read(bud, id)).toMatchObject({ duber: null, duberId: null });
    const positions = await sql`select from delivery_positions where delivery_id = ${id}`.execute(
      deliveries.context.db,
    );
    expect(positions.rows).toEqual([]);
  });

  test('a Duber whose laundry another one fetches sees no contacts of theirs, and the short name', async () => {
    const { take, step, read, alan, bob, bud } = deliveries;
    const { id } = await deliveries.openDelivery(4);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: FAR_AWAY });
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
    const own = (await read(bob, id))?.duber;
    expect(own).toMatchObject({ email: expect.any(String) });
    expect((await read(bud, id))?.duber).toEqual(own);
    const seen = (await read(alan, id))?.duber;
    expect(seen).toMatchObject({ id: bob.id, email: null, phone: null });
    expect(seen?.fullname).toMatch(/^Duber \S\.$/);
  });

  test.each(['open', 'careful'] as const)(
    'the next Duber is sent to where the one before waits with the laundry, under %s',
    async (policy) => {
      const { take, step, read, alan, bob, bud, scrub } = deliveries;
      deliveries.pass(1);
      await setPolicy(deliveries.context.db, { name: 'privacy', value: policy, setBy: 'Ada' }, deliveries.now());
      const place = { latitude: 24.00512, longitude: 67.00012 };
      const { id } = await deliveries.openDelivery(4);
      expect((await read(alan, id))?.pickup).toBeNull();
      await take(OPERATOR, 'relay', id, { reason: 'breakdown', place });
      const isExact = policy === 'open';
      const offered = (await read(bob, id))?.pickup;
      expect(offered).toEqual(isExact ? place : roundPosition(approximatePoint(place)));
      const { distanceInMeters: trip, scrub: taker } = (await read(bob, id)) ?? expect.fail('no offer');
      for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
      expect((await read(bob, id))?.pickup).toEqual(place);
      // The trip that is offered is the one that is left.
      const exactTrip = (await read(bob, id))?.distanceInMeters ?? 0;
      const approximateTrip = distanceInMeters(approximatePoint(place), taker.addresses[0] ?? place);
      expect(trip).toBe(isExact ? exactTrip : Math.round(approximateTrip / 100) * 100);
      expect(Math.abs(trip - exactTrip)).toBeLessThan(700);
      const router = { findRoute: async () => undefined } as never;
      const route = await routeHandlers(deliveries.context, router).readRoute({ caller: bob, params: { id } } as never);
      expect(route.leg.line[0]).toEqual(place);
      await take(bob, 'arrived-at-pickup', id, { place });
      for (const person of [bud, scrub]) expect((await read(person, id))?.pickup).toBeNull();
    },
  );

  test.each(['call-off', 'brought-back'] as const)('contacts end seven days after %s', async (end) => {
    const { take, read, alan } = deliveries;
    const { id } = await deliveries.openDelivery(end === 'call-off' ? 2 : 4);
    if (end === 'call-off') await take(OPERATOR, 'call-off', id, { reason: 'asked' });
    else {
      await take(alan, 'drop-failed', id, { reason: 'unsafe' });
      for (const action of ['bring-back', 'brought-back'] as const) await take(alan, action, id);
    }
    deliveries.pass(7 * DAY_MS - 1);
    expect((await read(alan, id))?.bud.email).toEqual(expect.any(String));
    deliveries.pass(1);
    expect((await read(alan, id))?.bud.email).toBeNull();
  });

  const eventsOf = (id: string) =>
    queryRows<{ status: string; people: string[]; isNearby: boolean }>(
      deliveries.context.db,
      sql`select status, people, band is not null as "isNearby" from live_events
        where entity_id = ${id} order by tx, id`,
    );

  test('Dubers nearby hear of it again, except the one who let it go', async () => {
    const { take, alan, bob } = deliveries;
    const { id } = await deliveries.openDelivery(0);
    const { db } = deliveries.context;
    const expand = async () => {
      while (await expandNearbyNotice(db)) {}
      const rows = await queryRows<{ id: string }>(
        db,
        sql`select user_id as id from notifications where about = ${id} and kind = 'nearby'`,
      );
      return rows.map((row) => row.id);
    };
    for (const { id: duber } of deliveries.dubers) {
      await sql`insert into notification_choices (user_id, kind, mail, push) values (${duber}, 'nearby', true, true)
        on conflict do nothing`.execute(db);
    }
    expect((await expand()).toSorted()).toEqual(deliveries.dubers.map((duber) => duber.id).toSorted());
    await deliveries.step('accept-delivery', id, alan);
    await take(alan, 'drop-delivery', id, { reason: 'ill' });
    expect(await expand()).toEqual(expect.arrayContaining([bob.id]));
    expect(await expand()).not.toContain(alan.id);
    const last = (await eventsOf(id)).at(-1);
    expect(last).toMatchObject({ status: 'Pending', isNearby: true });
    // The open page of the one who let it go shows it at once, too.
    expect(last?.people).toEqual(expect.arrayContaining([alan.id, deliveries.bud.id, deliveries.scrub.id]));
    await take(OPERATOR, 'call-off', id, { reason: 'asked' });
    expect((await eventsOf(id)).at(-1)).toMatchObject({ status: 'Called_Off', isNearby: true });
  });

  test('each is notified of what concerns them, and again in the next attempt', async () => {
    const { take, step, alan, bob, bud, scrub } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    const kinds = async () => (await deliveries.notified(id)).map(({ kind, id: person }) => `${kind} ${person}`);
    // Nobody chose to get mails about arrivals; a device would get a push.
    await sql`insert into notification_choices (user_id, kind, mail, push) values (${bud.id}, 'arrived', true, true),
      (${scrub.id}, 'arrived', true, true)`.execute(deliveries.context.db);
    await take(alan, 'arrived-at-pickup', id, { place: AT_THE_DOOR });
    expect(await kinds()).toEqual([`arrived ${bud.id}`]);
    await take(alan, 'drop-delivery', id, { reason: 'ill' });
    expect(await kinds()).toEqual([`arrived ${bud.id}`, `dropped ${bud.id}`]);
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
    await sql`update notifications set state = 'sent', due_at = null, done_at = now() where about = ${id}`.execute(
      deliveries.context.db,
    );
    await take(bob, 'arrived-at-pickup', id, await deliveries.photo(bob));
    await take(bob, 'pickup-failed', id, { reason: 'unsafe' });
    const due = await queryRows<{ kind: string; person: string }>(
      deliveries.context.db,
      sql`select kind, user_id as person from notifications where about = ${id} and state = 'due' order by 1, 2`,
    );
    expect(due.map(({ kind: name, person }) => `${name} ${person}`)).toEqual([
      `arrived ${bud.id}`,
      ...[bud.id, scrub.id].toSorted().map((person) => `failed-pickup ${person}`),
    ]);
    await take(bob, 'correct', id);
    expect((await kinds()).filter((one) => one.startsWith('failed'))).toEqual([]);
  });
});
