import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { CallFailed } from '../../contract/client.ts';
import { sendRequest } from '../../testing/checkedClient.ts';
import { type EventStreamListener, listenToEvents, waitUntil } from '../../testing/eventListener.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  DELIVERY_STEPS,
  findLegId,
  type Participants,
  placeOrder,
} from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';

const HOUR_MS = 60 * 60 * 1000;
const SHARE_EVERY_MS = 5_000;

const outcomeOf = (calling: Promise<unknown>) =>
  calling.then(
    () => 'nothing failed',
    (error: unknown) => (error instanceof CallFailed ? [error.statusCode, error.message] : error),
  );

describe.each(DATABASE_KINDS)("a Duber's place on %s", (kind) => {
  let world: TestServer;
  let cast: Participants;
  const open: EventStreamListener[] = [];

  beforeAll(async () => {
    world = await openTestServer(kind);
    cast = await createParticipants(world);
  });
  afterEach(() => {
    for (const listener of open.splice(0)) listener.disconnect();
  });
  afterAll(() => world?.close());

  /** A delivery on the way to the pickup, with a Duber of its own. */
  const onTheWay = async (steps = 2) => {
    const duber = await world.createUser('Duber', { east: 400 });
    const params = { id: findLegId(await createOrderInStatus(cast, 'Accepted'), 'Bud_To_Scrub') };
    await advanceDelivery(duber, params.id, steps);
    return { duber, params };
  };
  const hear = async (who: TestUser, lastId?: string) => {
    const listener = await listenToEvents(world.apiUrl, who.token, lastId === undefined ? {} : { lastId });
    open.push(listener);
    return listener;
  };
  const places = ({ events: heard }: EventStreamListener) => heard.filter((event) => event.entity === 'position');
  const seenBy = async (who: TestUser, params: { id: string }) => (await who.api.readPosition({ params })).position;

  test('the Bud, the Scrub and the Duber read it, rounded to about 11 metres, with its time', async () => {
    const { duber, params } = await onTheWay();
    for (const who of [cast.bud, cast.scrub, duber]) expect(await seenBy(who, params)).toBeNull();
    const before = world.now().getTime();
    const body = { latitude: 24.001234567, longitude: -67.998765 };
    const { position } = await duber.api.sharePosition({ params, body });
    expect(position).toMatchObject({ latitude: 24.0012, longitude: -67.9988 });
    expect(Date.parse(position?.at ?? '')).toBeGreaterThanOrEqual(before);
    for (const who of [cast.bud, cast.scrub, duber]) expect(await seenBy(who, params)).toEqual(position);
  });

  test('only the Duber of a delivery tells a place, and only on the way', async () => {
    const other = await world.createUser('Duber', { east: 450 });
    const body = { latitude: 24, longitude: 67 };
    const waiting = { id: findLegId(await createOrderInStatus(cast, 'Accepted'), 'Bud_To_Scrub') };
    expect(await outcomeOf(other.api.sharePosition({ params: waiting, body }))).toEqual([404, 'Not found']);
    expect(await outcomeOf(other.api.readPosition({ params: waiting }))).toEqual([404, 'Not found']);
    const { duber, params } = await onTheWay(1);
    const outcomes: unknown[] = [];
    for (const action of [undefined, ...DELIVERY_STEPS.slice(1)]) {
      if (action) await duber.api[action]({ params });
      world.advanceClock(SHARE_EVERY_MS);
      const before = await seenBy(duber, params);
      expect(await outcomeOf(other.api.sharePosition({ params, body: { latitude: 1, longitude: 1 } }))).toEqual([
        404,
        'Not found',
      ]);
      expect(await seenBy(duber, params), 'a stranger changes nothing').toEqual(before);
      outcomes.push(await outcomeOf(duber.api.sharePosition({ params, body })));
      for (const call of ['readPosition', 'forgetPosition'] as const)
        expect(await outcomeOf(other.api[call]({ params }))).toEqual([404, 'Not found']);
    }
    const refused = (status: string) => [409, `This delivery is ${status}`];
    const done = 'nothing failed';
    expect(outcomes).toEqual([refused('Accepted'), done, refused('Collected'), done, refused('Delivered')]);
  });

  test('a place off the globe, half of one, or words are a 400', async () => {
    const { duber, params } = await onTheWay();
    const bodies = [
      { latitude: 91, longitude: 0 },
      { latitude: 1 },
      { latitude: 'x', longitude: 0 },
      { longitude: 181 },
    ];
    for (const body of bodies) {
      const reply = await sendRequest(world.apiUrl, 'POST', `/deliveries/${params.id}/position`, {
        token: duber.token,
        body,
      });
      expect(reply.status, JSON.stringify(body)).toBe(400);
    }
    expect(await seenBy(cast.bud, params)).toBeNull();
  });

  test('within five seconds of the last one a place changes nothing, and the answer says what is kept', async () => {
    const { duber, params } = await onTheWay();
    const tell = async (latitude: number) =>
      (await duber.api.sharePosition({ params, body: { latitude, longitude: 67 } })).position?.latitude;
    expect([await tell(24.1), await tell(24.2)]).toEqual([24.1, 24.1]);
    world.advanceClock(SHARE_EVERY_MS);
    expect(await tell(24.3)).toBe(24.3);
    expect(await Promise.all([tell(24.4), tell(24.5), tell(24.6)])).toEqual([24.3, 24.3, 24.3]);
  });

  test('it is gone one hour after Delivered, before anything is swept', async () => {
    const { duber, params } = await onTheWay(4);
    await duber.api.sharePosition({ params, body: { latitude: 24, longitude: 67 } });
    await duber.api.delivered({ params });
    world.advanceClock(HOUR_MS - 10_000);
    expect(await seenBy(cast.bud, params)).not.toBeNull();
    world.advanceClock(10_000);
    for (const who of [cast.bud, cast.scrub, duber]) expect(await seenBy(who, params)).toBeNull();
  });

  test('it is gone after a day even when the delivery never ends', async () => {
    const { duber, params } = await onTheWay();
    await duber.api.sharePosition({ params, body: { latitude: 24, longitude: 67 } });
    world.advanceClock(24 * HOUR_MS);
    expect(await seenBy(cast.bud, params)).toBeNull();
  });

  test('taken back it is gone at once, those who look are told, and one still on its way does not bring it back', async () => {
    const { duber, params } = await onTheWay();
    await duber.api.sharePosition({ params, body: { latitude: 24, longitude: 67 } });
    const [forBud, forScrub] = [await hear(cast.bud), await hear(cast.scrub)];
    world.advanceClock(SHARE_EVERY_MS);
    await duber.api.forgetPosition({ params });
    for (const who of [cast.bud, cast.scrub, duber]) expect(await seenBy(who, params)).toBeNull();
    const late = await duber.api.sharePosition({ params, body: { latitude: 24.5, longitude: 67 } });
    expect(late.position).toBeNull();
    await waitUntil(() => forBud.events.length === 1 && forScrub.events.length === 1);
    expect(forBud.events[0]).toMatchObject({ entity: 'delivery', id: params.id, status: 'Way_To_Pick' });
    // A second time there is nothing to take back, and nothing to tell.
    await duber.api.forgetPosition({ params });
    world.advanceClock(SHARE_EVERY_MS);
    const again = await duber.api.sharePosition({ params, body: { latitude: 24.5, longitude: 67 } });
    expect(again.position?.latitude).toBe(24.5);
    await waitUntil(() => places(forBud).length === 1);
    expect(forBud.events.length).toBe(2);
  });

  test('the Bud and the Scrub hear every place, and nobody else hears any', async () => {
    const { duber, params } = await onTheWay();
    const strangers = await createParticipants(world);
    const [forBud, forScrub, ...others] = (await Promise.all(
      [cast.bud, cast.scrub, duber, cast.duber, strangers.bud, strangers.scrub, strangers.duber].map((who) =>
        hear(who),
      ),
    )) as [EventStreamListener, EventStreamListener, ...EventStreamListener[]];
    for (const latitude of [24.1, 24.2, 24.3]) {
      world.advanceClock(SHARE_EVERY_MS);
      const { position } = await duber.api.sharePosition({ params, body: { latitude, longitude: 67 } });
      await waitUntil(() => [forBud, forScrub].every((one) => places(one).some((event) => event.at === position?.at)));
    }
    const [told] = places(forBud).slice(-1);
    expect(told).toMatchObject({ entity: 'position', id: params.id, latitude: 24.3, longitude: 67 });
    expect(places(forBud).length).toBe(3);
    // Something that comes later on the same streams: what was for them has come by then.
    const { id } = await placeOrder(strangers);
    await waitUntil(() => others.slice(-3, -1).every((one) => one.events.some((event) => event.id === id)));
    expect(others.flatMap(places)).toEqual([]);
  });

  test('a stream that resumes gets the last place only, none that is old, and none that was taken back', async () => {
    const { duber, params } = await onTheWay();
    const first = await hear(cast.bud);
    const start = String(first.headers['x-events-cursor']);
    for (const latitude of [24.1, 24.2, 24.3]) {
      world.advanceClock(SHARE_EVERY_MS);
      await duber.api.sharePosition({ params, body: { latitude, longitude: 67 } });
    }
    await waitUntil(() => places(first).length > 0);
    const second = await hear(cast.bud, start);
    await waitUntil(() => places(second).length > 0);
    expect(places(second).map((event) => event.entity === 'position' && event.latitude)).toEqual([24.3]);
    world.advanceClock(61_000);
    const third = await hear(cast.bud, start);
    const { id } = await placeOrder(cast);
    await waitUntil(() => third.events.some((event) => event.id === id));
    expect([third.headers['x-events-resumed'], places(third)]).toEqual(['yes', []]);
    await duber.api.sharePosition({ params, body: { latitude: 24.4, longitude: 67 } });
    await duber.api.forgetPosition({ params });
    const fourth = await hear(cast.bud, start);
    await waitUntil(() => fourth.events.some((event) => event.id === id));
    expect(places(fourth)).toEqual([]);
  });

  test.runIf(kind === 'postgres')('neither the places nor the outbox grow, and the sweep leaves nothing', async () => {
    const { duber, params } = await onTheWay(4);
    for (let index = 0; index < 20; index += 1) {
      world.advanceClock(SHARE_EVERY_MS);
      await duber.api.sharePosition({ params, body: { latitude: 24 + index / 100, longitude: 67 } });
    }
    const client = new pg.Client(world.databaseUrl);
    await client.connect();
    const count = async (text: string) => (await client.query(text, [params.id])).rows[0].count as number;
    const kept = 'select count(*)::int as count from delivery_positions where delivery_id = $1';
    const events = "select count(*)::int as count from events where entity = 'position' and entity_id = $1";
    expect([await count(kept), await count(events)]).toEqual([1, 2]);
    await duber.api.delivered({ params });
    world.advanceClock(HOUR_MS);
    // A server looks for what is to be swept when it starts.
    const beside = await openTestServer(kind, { beside: world });
    await vi.waitFor(async () => expect(await count(kept)).toBe(0), { timeout: 10_000, interval: 20 });
    await client.end();
    await beside.close();
  });
});
