import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CallFailed } from '../../contract/callClient.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import { sendRequest } from '../../testing/checkedClient.ts';
import { queryAt } from '../../testing/databaseConnection.ts';
import { type EventStreamListener, listenToEvents } from '../../testing/eventListener.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  DELIVERY_STEPS,
  findDeliveryId,
  type Participants,
  placeOrder,
} from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor, waitUntil } from '../../testing/waits.ts';

const SHARE_EVERY_MS = 5_000;

const outcomeOf = (calling: Promise<unknown>) =>
  calling.then(
    () => 'success',
    (error: unknown) => (error instanceof CallFailed ? [error.statusCode, error.message] : error),
  );

describe.each(RULE_DATABASES)('a Duber’s position on %s', (kind) => {
  let server: TestServer;
  let participants: Participants;
  const open: EventStreamListener[] = [];

  beforeAll(async () => {
    server = await openTestServer(kind);
    participants = await createParticipants(server);
  });
  afterEach(() => {
    for (const listener of open.splice(0)) listener.disconnect();
  });
  afterAll(() => server?.close());

  /** A delivery on the way to the pickup, with a new Duber. */
  const onTheWay = async (steps = 2) => {
    const duber = await server.createUser('Duber', { east: 400 });
    const params = { id: findDeliveryId(await createOrderInStatus(participants, 'Accepted'), 'Bud_To_Scrub') };
    await advanceDelivery(duber, params.id, steps);
    return { duber, params };
  };
  const listen = async (user: TestUser, lastId?: string) => {
    const listener = await listenToEvents(server.apiUrl, user.token, lastId === undefined ? {} : { lastId });
    open.push(listener);
    return listener;
  };
  const positionEvents = ({ events }: EventStreamListener) => events.filter((event) => event.entity === 'position');
  const readPosition = async (user: TestUser, params: { id: string }) =>
    (await user.api.readPosition({ params })).position;

  test('is visible to the Bud, the Scrub and the Duber, rounded to about 11 metres, with its time', async () => {
    const { duber, params } = await onTheWay();
    for (const user of [participants.bud, participants.scrub, duber])
      expect(await readPosition(user, params)).toBeNull();
    const before = server.now().getTime();
    const body = { latitude: 24.001234567, longitude: -67.998765 };
    const { position } = await duber.api.sharePosition({ params, body });
    expect(position).toMatchObject({ latitude: 24.0012, longitude: -67.9988 });
    expect(Date.parse(position?.at ?? '')).toBeGreaterThanOrEqual(before);
    for (const user of [participants.bud, participants.scrub, duber])
      expect(await readPosition(user, params)).toEqual(position);
  });

  test('can be shared only by the Duber of the delivery, and only on the way', async () => {
    const other = await server.createUser('Duber', { east: 450 });
    const body = { latitude: 24, longitude: 67 };
    const waiting = { id: findDeliveryId(await createOrderInStatus(participants, 'Accepted'), 'Bud_To_Scrub') };
    expect(await outcomeOf(other.api.sharePosition({ params: waiting, body }))).toEqual([404, 'Not found']);
    expect(await outcomeOf(other.api.readPosition({ params: waiting }))).toEqual([404, 'Not found']);
    const { duber, params } = await onTheWay(1);
    const outcomes: unknown[] = [];
    for (const action of [undefined, ...DELIVERY_STEPS.slice(1)]) {
      if (action) await duber.api[action]({ params });
      server.advanceClock(SHARE_EVERY_MS);
      const before = await readPosition(duber, params);
      expect(await outcomeOf(other.api.sharePosition({ params, body: { latitude: 1, longitude: 1 } }))).toEqual([
        404,
        'Not found',
      ]);
      expect(await readPosition(duber, params), 'another Duber changes nothing').toEqual(before);
      outcomes.push(await outcomeOf(duber.api.sharePosition({ params, body })));
      for (const call of ['readPosition', 'forgetPosition'] as const)
        expect(await outcomeOf(other.api[call]({ params }))).toEqual([404, 'Not found']);
    }
    const refused = (status: string) => [409, `This delivery is ${status}`];
    const done = 'success';
    expect(outcomes).toEqual([refused('Accepted'), done, refused('Collected'), done, refused('Delivered')]);
  });

  test('is refused with 400 when it is out of range, incomplete or not a number', async () => {
    const { duber, params } = await onTheWay();
    const bodies = [
      { latitude: 91, longitude: 0 },
      { latitude: 1 },
      { latitude: 'x', longitude: 0 },
      { longitude: 181 },
      { latitude: 1, longitude: 1, accuracy: -1 },
      { latitude: 1, longitude: 1, accuracy: 'near' },
    ];
    for (const body of bodies) {
      const reply = await sendRequest(server.apiUrl, 'POST', `/deliveries/${params.id}/position`, {
        token: duber.token,
        body,
      });
      expect(reply.status, JSON.stringify(body)).toBe(400);
    }
    expect(await readPosition(participants.bud, params)).toBeNull();
  });

  test('has the accuracy that the phone told, and a vague one leads no way to the next stop', async () => {
    const { duber, params } = await onTheWay();
    const listener = await listen(participants.bud);
    const place = { latitude: 24.003, longitude: 67.001 };
    const shareWith = async (told: { accuracy?: number }) => {
      server.advanceClock(SHARE_EVERY_MS);
      const { position } = await duber.api.sharePosition({ params, body: { ...place, ...told } });
      expect(await readPosition(participants.bud, params)).toEqual(position);
      const { ahead } = await participants.bud.api.readRoute({ params });
      return [position?.accuracy, ahead !== null];
    };
    expect([await shareWith({}), await shareWith({ accuracy: 100 }), await shareWith({ accuracy: 3_000 })]).toEqual([
      [null, true],
      [100, true],
      [3_000, false],
    ]);
    await waitUntil(() => positionEvents(listener).some((event) => event.id === params.id && event.accuracy === 3_000));
    await duber.api.forgetPosition({ params });
    expect(await readPosition(participants.bud, params)).toBeNull();
  });

  test('is ignored within five seconds of the last one, and the answer has the stored one', async () => {
    const { duber, params } = await onTheWay();
    const share = async (latitude: number) =>
      (await duber.api.sharePosition({ params, body: { latitude, longitude: 67 } })).position?.latitude;
    expect([await share(24.1), await share(24.2)]).toEqual([24.1, 24.1]);
    server.advanceClock(SHARE_EVERY_MS);
    expect(await share(24.3)).toBe(24.3);
    expect(await Promise.all([share(24.4), share(24.5), share(24.6)])).toEqual([24.3, 24.3, 24.3]);
  });

  test('is hidden one hour after the delivery, even before it is deleted', async () => {
    const { duber, params } = await onTheWay(4);
    await duber.api.sharePosition({ params, body: { latitude: 24, longitude: 67 } });
    await duber.api.delivered({ params });
    server.advanceClock(HOUR_MS - 10_000);
    expect(await readPosition(participants.bud, params)).not.toBeNull();
    server.advanceClock(10_000);
    for (const user of [participants.bud, participants.scrub, duber])
      expect(await readPosition(user, params)).toBeNull();
  });

  test('is hidden after a day, even when the delivery is not finished', async () => {
    const { duber, params } = await onTheWay();
    await duber.api.sharePosition({ params, body: { latitude: 24, longitude: 67 } });
    server.advanceClock(24 * HOUR_MS);
    expect(await readPosition(participants.bud, params)).toBeNull();
  });

  test('disappears at once when the Duber stops sharing, and a late update does not bring it back', async () => {
    const { duber, params } = await onTheWay();
    const [forBud, forScrub] = [await listen(participants.bud), await listen(participants.scrub)];
    await duber.api.sharePosition({ params, body: { latitude: 24, longitude: 67 } });
    const shared = (one: EventStreamListener) => positionEvents(one).filter(({ id }) => id === params.id).length;
    await waitUntil(() => shared(forBud) === 1 && shared(forScrub) === 1);
    // Earlier events may have arrived as well.
    const before = { bud: forBud.events.length, scrub: forScrub.events.length };
    server.advanceClock(SHARE_EVERY_MS);
    await duber.api.forgetPosition({ params });
    for (const user of [participants.bud, participants.scrub, duber])
      expect(await readPosition(user, params)).toBeNull();
    const late = await duber.api.sharePosition({ params, body: { latitude: 24.5, longitude: 67 } });
    expect(late.position).toBeNull();
    await waitUntil(() => forBud.events.length === before.bud + 1 && forScrub.events.length === before.scrub + 1);
    expect(forBud.events.at(-1)).toMatchObject({ entity: 'delivery', id: params.id, status: 'Way_To_Pick' });
    // The second time there is nothing to clear, so no event is sent.
    await duber.api.forgetPosition({ params });
    server.advanceClock(SHARE_EVERY_MS);
    const again = await duber.api.sharePosition({ params, body: { latitude: 24.5, longitude: 67 } });
    expect(again.position?.latitude).toBe(24.5);
    await waitUntil(() => shared(forBud) === 2);
    expect(forBud.events.length).toBe(before.bud + 2);
  });

  test('is sent to the Bud and the Scrub as an event, and to nobody else', async () => {
    const { duber, params } = await onTheWay();
    const strangers = await createParticipants(server);
    const [forBud, forScrub, ...others] = (await Promise.all(
      [
        participants.bud,
        participants.scrub,
        duber,
        participants.duber,
        strangers.bud,
        strangers.scrub,
        strangers.duber,
      ].map((user) => listen(user)),
    )) as [EventStreamListener, EventStreamListener, ...EventStreamListener[]];
    for (const latitude of [24.1, 24.2, 24.3]) {
      server.advanceClock(SHARE_EVERY_MS);
      const { position } = await duber.api.sharePosition({ params, body: { latitude, longitude: 67 } });
      await waitUntil(() =>
        [forBud, forScrub].every((one) => positionEvents(one).some((event) => event.at === position?.at)),
      );
    }
    const [latest] = positionEvents(forBud).slice(-1);
    expect(latest).toMatchObject({ entity: 'position', id: params.id, latitude: 24.3, longitude: 67 });
    expect(positionEvents(forBud).filter(({ id }) => id === params.id).length).toBe(3);
    // A later event on the same streams: earlier ones have arrived by then.
    const { id } = await placeOrder(strangers);
    await waitUntil(() => others.slice(-3, -1).every((one) => one.events.some((event) => event.id === id)));
    expect(others.flatMap(positionEvents)).toEqual([]);
  });

  test('is sent once to a stream that resumes, unless it is old or cleared', async () => {
    const { duber, params } = await onTheWay();
    const first = await listen(participants.bud);
    const start = String(first.headers['x-events-cursor']);
    for (const latitude of [24.1, 24.2, 24.3]) {
      server.advanceClock(SHARE_EVERY_MS);
      await duber.api.sharePosition({ params, body: { latitude, longitude: 67 } });
    }
    await waitUntil(() => positionEvents(first).length > 0);
    const second = await listen(participants.bud, start);
    await waitUntil(() => positionEvents(second).length > 0);
    expect(positionEvents(second).map((event) => event.entity === 'position' && event.latitude)).toEqual([24.3]);
    server.advanceClock(61_000);
    const third = await listen(participants.bud, start);
    const { id } = await placeOrder(participants);
    await waitUntil(() => third.events.some((event) => event.id === id));
    expect([third.headers['x-events-resumed'], positionEvents(third)]).toEqual(['yes', []]);
    await duber.api.sharePosition({ params, body: { latitude: 24.4, longitude: 67 } });
    await duber.api.forgetPosition({ params });
    const fourth = await listen(participants.bud, start);
    await waitUntil(() => fourth.events.some((event) => event.id === id));
    expect(positionEvents(fourth)).toEqual([]);
  });

  test.runIf(kind === 'postgres')('is stored once per delivery, and deleted after it expires', async () => {
    const { duber, params } = await onTheWay(4);
    for (let index = 0; index < 20; index += 1) {
      server.advanceClock(SHARE_EVERY_MS);
      await duber.api.sharePosition({ params, body: { latitude: 24 + index / 100, longitude: 67 } });
    }
    const count = async (text: string) =>
      (await queryAt<{ count: number }>(server.databaseUrl, text, [params.id]))[0]?.count;
    const positions = 'select count(*)::int as count from delivery_positions where delivery_id = $1';
    const events = "select count(*)::int as count from live_events where entity = 'position' and entity_id = $1";
    expect([await count(positions), await count(events)]).toEqual([1, 1]);
    await duber.api.delivered({ params });
    server.advanceClock(HOUR_MS);
    // A server deletes expired rows when it starts.
    const secondServer = await openTestServer(kind, { beside: server });
    await waitFor(async () => expect(await count(positions)).toBe(0));
    await secondServer.close();
  });
});
