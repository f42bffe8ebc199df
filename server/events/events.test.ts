import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CURSOR_HEADER } from '../../contract/call.ts';
import { RESUMED_HEADER } from '../../contract/events.ts';
import {
  type EventStreamListener,
  listenToEvents,
  type ReceivedEvent,
  waitUntil,
} from '../../testing/eventListener.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';

const summarize = ({ events: heard }: EventStreamListener) => heard.map(({ entity, status }) => `${entity} ${status}`);

describe.each(DATABASE_KINDS)('live events on %s', (kind) => {
  let world: TestServer;
  let bud: TestUser;
  let scrub: TestUser;
  let duber: TestUser;
  const open: EventStreamListener[] = [];

  beforeAll(async () => {
    world = await openTestServer(kind);
    bud = await world.createUser('Bud', { north: 300 });
    scrub = await world.createUser('Scrub', { north: 1200 });
    duber = await world.createUser('Duber', { east: 500 });
  });
  afterEach(() => {
    for (const listener of open.splice(0)) listener.disconnect();
  });
  afterAll(() => world?.close());

  const hear = async (who: TestUser, lastId?: string) => {
    const listener = await listenToEvents(world.apiUrl, who.token, lastId === undefined ? {} : { lastId });
    open.push(listener);
    return listener;
  };
  const place = () =>
    bud.api.placeOrder({
      body: {
        budAddressId: bud.user.addresses[0]?.id ?? '',
        scrubId: scrub.user.id,
        loadSize: 'Small',
        paymentSourceId: 'cnon:card-nonce-ok',
      },
    });
  const takeAll = async (who: TestUser, deliveryId: string) => {
    const params = { id: deliveryId };
    await who.api['accept-delivery']({ params });
    await who.api['way-to-pickup']({ params });
    await who.api.collected({ params });
    await who.api['way-to-drop']({ params });
    await who.api.delivered({ params });
  };

  test('every answer says from where a stream goes on, so that nothing between the two is missed', async () => {
    const placeOf = async (path: string, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await fetch(world.apiUrl + path, { headers })).headers.get(CURSOR_HEADER) ?? undefined;
    };
    const places = [await placeOf('/dashboards/scrub', scrub.token), await placeOf('/auth/session', scrub.token)];
    const { id } = await place();
    const later = await placeOf(`/scrub-orders/${id}`, scrub.token);
    for (const lastId of places) {
      expect(lastId).toBeDefined();
      const listener = await hear(scrub, lastId);
      expect(listener.headers[RESUMED_HEADER]).toBe('yes');
      await waitUntil(() => listener.events.some((event) => event.id === id));
    }
    expect(later).toMatch(/^\d+-\d+$/);
    await bud.api['cancel-order']({ params: { id } });
  });

  test('each side hears every step of the other, with the time of its history, and nobody else hears any', async () => {
    const far = await world.createUser('Duber', { north: 9000 });
    const nextDoor = await world.createUser('Bud', { north: 310 });
    const [forBud, forScrub, forDuber, forFar, forStranger] = (await Promise.all(
      [bud, scrub, duber, far, nextDoor].map((who) => hear(who)),
    )) as [EventStreamListener, EventStreamListener, EventStreamListener, EventStreamListener, EventStreamListener];
    const { id } = await place();
    await scrub.api['accept-order']({ params: { id } });
    const { deliveries } = await scrub.api.readOrder({ params: { id } });
    const leg = deliveries[0]?.id ?? '';
    await takeAll(duber, leg);
    await scrub.api['start-order']({ params: { id } });
    const review = { rating: 5, message: 'Fast and friendly, thank you.', duberId: duber.user.id };
    await bud.api.reviewToDuber({ params: { id: leg }, body: review });
    const both = [
      'order Requested',
      'order Accepted',
      'delivery Pending',
      'delivery Accepted',
      'delivery Way_To_Pick',
      'delivery Collected',
      'delivery Way_To_Drop',
      'delivery Delivered',
      'order In_Progress',
      'delivery Delivered',
    ];
    await waitUntil(() => forBud.events.length >= both.length && forScrub.events.length >= both.length);
    await waitUntil(() => forDuber.events.length >= 7);
    expect(summarize(forBud)).toEqual(both);
    expect(summarize(forScrub)).toEqual(both);
    expect(summarize(forDuber)).toEqual(both.filter((one) => one.startsWith('delivery')));
    const { statusHistory } = await bud.api.readOrder({ params: { id } });
    const times = (events: ReceivedEvent[]) => events.filter((one) => one.entity === 'order').map((one) => one.at);
    expect(times(forBud.events)).toEqual(statusHistory.map((step) => step.createdAt));
    expect([forFar.events, forStranger.events]).toEqual([[], []]);
  });

  test('dubers around hear of a pending delivery and that it is gone, unless they carry one', async () => {
    const [free, busy] = [
      await world.createUser('Duber', { east: 700 }),
      await world.createUser('Duber', { east: 900 }),
    ];
    const accept = async () => {
      const { id } = await place();
      await scrub.api['accept-order']({ params: { id } });
      return (await scrub.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '';
    };
    await busy.api['accept-delivery']({ params: { id: await accept() } });
    const [forFree, forBusy] = [await hear(free), await hear(busy)];
    const leg = await accept();
    await duber.api['accept-delivery']({ params: { id: leg } });
    await waitUntil(() => forFree.events.length >= 2);
    expect(forFree.events.map(({ id, status }) => [id, status])).toEqual([
      [leg, 'Pending'],
      [leg, 'Accepted'],
    ]);
    await duber.api['way-to-pickup']({ params: { id: leg } });
    await waitUntil(() => summarize(forFree).length >= 2);
    expect(summarize(forBusy)).toEqual([]);
    for (const step of ['collected', 'way-to-drop', 'delivered'] as const)
      await duber.api[step]({ params: { id: leg } });
    // Somebody who moves hears of what is around the new place.
    const [address] = free.user.addresses;
    if (!address) throw new Error('a duber without an address');
    await free.api.updateAddress({ body: { ...address, latitude: 25 } });
    await accept();
    const heard = await hear(free, forFree.events.at(-1)?.cursor);
    expect(heard.events).toEqual([]);
  });

  test('a stream resumes after the last event id, and begins anew after an id that is none of ours', async () => {
    const first = await hear(bud);
    expect(first.headers['x-events-resumed']).toBe('no');
    const one = await place();
    await waitUntil(() => first.events.length === 1);
    first.disconnect();
    await bud.api['cancel-order']({ params: { id: one.id } });
    const two = await place();
    const second = await hear(bud, first.events[0]?.cursor);
    await waitUntil(() => second.events.length === 2);
    expect(second.headers['x-events-resumed']).toBe('yes');
    expect(second.events.map(({ id, status }) => [id, status])).toEqual([
      [one.id, 'Cancelled'],
      [two.id, 'Requested'],
    ]);
    const fromStart = await hear(bud, String(first.headers['x-events-cursor']));
    await waitUntil(() => fromStart.events.length === 3);
    for (const id of ['999999999999-1', 'nonsense', '0-0']) {
      const anew = await hear(bud, id);
      expect([anew.status, anew.headers['x-events-resumed'], anew.events]).toEqual([200, 'no', []]);
    }
  });

  test('the stream needs a live token in its header, answers GET only, and is nobody’s to cache', async () => {
    for (const token of [undefined, 'nobody']) expect((await listenToEvents(world.apiUrl, token)).status).toBe(401);
    const byQuery = await fetch(`${world.apiUrl}/events?token=${bud.token}`);
    expect(byQuery.status).toBe(401);
    const { apiUrl: host } = world;
    const headers = { authorization: `Bearer ${bud.token}` };
    for (const method of ['HEAD', 'POST', 'PUT'])
      expect((await fetch(`${host}/events`, { method, headers })).status).toBe(405);
    const listener = await hear(bud);
    expect(listener.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(listener.headers['cache-control']).toContain('no-store');
    expect(listener.headers['x-request-id']).toBeTruthy();
  });

  test.runIf(kind === 'postgres')('a request that nobody answers expires, and both sides hear it', async () => {
    const order = await place();
    const [forBud, forScrub] = [await hear(bud), await hear(scrub)];
    world.advanceClock(24 * 60 * 60 * 1000 + 1000);
    // A server looks for them when it starts.
    const beside = await openTestServer(kind, { beside: world });
    await waitUntil(() => [forBud, forScrub].every((one) => one.events.some((event) => event.id === order.id)));
    expect(forBud.events.find((event) => event.id === order.id)?.status).toBe('Cancelled');
    await beside.close();
  });

  test('heartbeats come as comments, and a token that was revoked ends its stream within 15 seconds', async () => {
    const leaver = await world.createUser('Bud');
    const [leaving, staying] = [await hear(leaver), await hear(bud)];
    let ending = '';
    void leaving.ended.then((how) => {
      ending = how;
    });
    await leaver.api.logout();
    await waitUntil(() => ending === 'ended', 15_000);
    await waitUntil(() => staying.comments.includes(': beat'), 12_000);
    expect((await listenToEvents(world.apiUrl, leaver.token)).status).toBe(401);
  });

  test.runIf(kind === 'postgres')('a reader that does not read is cut off, and nobody else notices', async () => {
    const victim = await world.createUser('Bud');
    const [stalled, forBud] = [await hear(victim), await hear(bud)];
    const readOn = stalled.pauseReading();
    // More than the network takes in between.
    const client = new pg.Client(world.databaseUrl);
    await client.connect();
    await client.query(
      `insert into events (user_id, entity, entity_id, status, at)
       select $1, 'delivery', gen_random_uuid(), 'Pending', now() from generate_series(1, 120000)`,
      [victim.user.id],
    );
    await client.end();
    await place();
    await waitUntil(() => forBud.events.length === 1, 20_000);
    readOn();
    await expect(stalled.ended).resolves.toBe('broken');
  });

  test('a server that stops ends its streams properly and does not hang on them', async () => {
    const other = await openTestServer(kind);
    const someone = await other.createUser('Bud');
    const listeners = await Promise.all(Array.from({ length: 20 }, () => listenToEvents(other.apiUrl, someone.token)));
    await other.close();
    expect(new Set(await Promise.all(listeners.map((one) => one.ended)))).toEqual(new Set(['ended']));
  });
});
