import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeliveryRoute, MAX_LINE_POINTS } from '../../contract/deliveryRoute.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import { approximatePoint, distanceInMeters, type Point } from '../../domain/places.ts';
import { roundPosition } from '../../domain/positions.ts';
import { generateCity } from '../../sandbox/city.ts';
import { serveRoutes } from '../../sandbox/routes.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { openTestServer, pointAt, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { setPolicy } from '../town/policies.sql.ts';

const AT_PICKUP = 2;
const TO_DROP = 4;

const from = pointAt(1500, -900);

/** The stand-in's router, on a port of its own. While it is held it does not answer. */
async function openRouter() {
  const app = Fastify({ forceCloseConnections: true });
  const requests: string[] = [];
  let hold: PromiseWithResolvers<void> | undefined;
  app.addHook('onRequest', async ({ url }) => {
    requests.push(url);
    await hold?.promise;
  });
  await app.register(serveRoutes({ city: generateCity() }));
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/sandbox/routing`;
  return {
    app,
    url,
    requests,
    hold: () => {
      hold = Promise.withResolvers();
    },
    release: () => {
      hold?.resolve();
      hold = undefined;
    },
  };
}

const ROUTER_TIMES = {
  // Longer than a test may take: a call ends by the circuit, not by its own time-out.
  timeoutMs: 3_600_000,
  circuitTimes: { slowMs: 500, probeMs: 1_500, quickProbeMs: 1_500, probeEveryMs: 3_600_000 },
};

describe.each(RULE_DATABASES)('the route of a delivery on %s', (kind) => {
  let router: Awaited<ReturnType<typeof openRouter>>;
  let server: TestServer;
  let participants: Participants;

  beforeAll(async () => {
    router = await openRouter();
    server = await openTestServer(kind, { env: { ROUTING_URL: router.url }, router: ROUTER_TIMES });
    participants = await createParticipants(server);
  });
  afterAll(async () => {
    router?.release();
    await server?.close();
    await router?.app.close();
  });

  const start = async (steps: number) => {
    const duber = await server.createUser('Duber', { east: 400 });
    const params = { id: findDeliveryId(await createOrderInStatus(participants, 'Accepted'), 'Bud_To_Scrub') };
    await advanceDelivery(duber, params.id, steps);
    return { duber, params };
  };
  const share = (duber: TestUser, params: { id: string }, body: Point) => duber.api.sharePosition({ params, body });
  const ends = ({ line }: DeliveryRoute['leg']): [Point, Point] => [line[0] as Point, line.at(-1) as Point];
  const budAt = () => participants.bud.user.addresses[0] as Point;
  const scrubAt = () => participants.scrub.user.addresses[0] as Point;

  test('follows streets from the pickup to the drop, for the Bud, the Scrub and the Duber', async () => {
    const { duber, params } = await start(1);
    const routes = await Promise.all(
      [participants.bud, participants.scrub, duber].map((user) => user.api.readRoute({ params })),
    );
    for (const { leg, ahead } of routes) {
      expect(leg.followsStreets).toBe(true);
      expect(leg.line.length).toBeLessThanOrEqual(MAX_LINE_POINTS);
      expect(leg.line.length).toBeGreaterThan(2);
      expect(leg.distanceInMeters).toBeGreaterThan(distanceInMeters(budAt(), scrubAt()));
      const [first, last] = ends(leg);
      expect(distanceInMeters(first, budAt())).toBe(0);
      expect(distanceInMeters(last, scrubAt())).toBe(0);
      expect(ahead, 'nobody is on the way yet').toBeNull();
    }
  });

  test('leads from the shared position to the next stop, with an honest span of minutes', async () => {
    const { duber, params } = await start(AT_PICKUP);
    expect((await participants.bud.api.readRoute({ params })).ahead, 'not shared').toBeNull();
    const { position } = await share(duber, params, from);
    const { ahead } = await participants.bud.api.readRoute({ params });
    if (!ahead) throw new Error('no way ahead');
    const [first, last] = ends(ahead);
    expect(distanceInMeters(first, from), 'rounded to 11 metres').toBeLessThan(9);
    expect(distanceInMeters(last, budAt()), 'the pickup is at the Bud').toBe(0);
    expect(ahead).toMatchObject({ followsStreets: true, at: position?.at });
    expect(ahead.toMin).toBeGreaterThan(ahead.fromMin ?? Number.POSITIVE_INFINITY);
    // Between 20 and 60 km/h.
    expect(ahead.toMin).toBeGreaterThan(ahead.distanceInMeters / 1000);
    expect(ahead.fromMin).toBeLessThan(ahead.distanceInMeters / 333);

    const later = await start(TO_DROP);
    await share(later.duber, later.params, from);
    const way = (await participants.bud.api.readRoute({ params: later.params })).ahead;
    expect(distanceInMeters((way as NonNullable<typeof way>).line.at(-1) as Point, scrubAt())).toBe(0);
  });

  test('says nothing of a position that is three minutes old, was withdrawn, or belongs to somebody else', async () => {
    const { duber, params } = await start(AT_PICKUP);
    const other = await server.createUser('Duber', { east: 420 });
    await share(duber, params, from);
    expect((await participants.scrub.api.readRoute({ params })).ahead).not.toBeNull();
    await expect(other.api.readRoute({ params })).rejects.toMatchObject({ statusCode: 404 });
    server.advanceClock(3 * MINUTE_MS);
    expect((await participants.scrub.api.readRoute({ params })).ahead).toBeNull();
    await share(duber, params, from);
    expect((await participants.scrub.api.readRoute({ params })).ahead).not.toBeNull();
    await duber.api.forgetPosition({ params });
    expect((await participants.scrub.api.readRoute({ params })).ahead).toBeNull();
  });

  test('asks the router once for the same two places, and tells it places of about 11 metres only', async () => {
    const { duber, params } = await start(AT_PICKUP);
    await share(duber, params, pointAt(-812, 733));
    const before = router.requests.length;
    for (let i = 0; i < 3; i += 1) await participants.bud.api.readRoute({ params });
    const asked = router.requests.slice(before);
    expect(asked.filter((url, i) => asked.indexOf(url) !== i)).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
    for (const url of asked)
      expect(url).toMatch(
        /\/route\/v1\/driving\/-?\d+(\.\d{1,4})?,-?\d+(\.\d{1,4})?;-?\d+(\.\d{1,4})?,-?\d+(\.\d{1,4})?\?/,
      );
  });

  test('under the policy careful, a Duber who has not accepted sees only where its ends are approximately', async () => {
    const decide = (value: 'open' | 'careful') =>
      setPolicy(server.server.db, { name: 'privacy', value, setBy: 'a test' }, server.now());
    const { duber, params } = await start(0);
    await decide('careful');
    try {
      const { leg, ahead } = await duber.api.readRoute({ params });
      const approximate = [budAt(), scrubAt()].map((point) => roundPosition(approximatePoint(point)));
      expect(ends(leg)).toEqual(approximate);
      expect(ahead).toBeNull();
      await advanceDelivery(duber, params.id, 1);
      const accepted = ends((await duber.api.readRoute({ params })).leg);
      expect(accepted.map((end, i) => distanceInMeters(end, [budAt(), scrubAt()][i] as Point))).toEqual([0, 0]);
    } finally {
      await decide('open');
    }
  });

  test('is straight and has no minutes where no streets are', async () => {
    const { duber, params } = await start(AT_PICKUP);
    const away = { latitude: 25, longitude: 68 };
    await share(duber, params, away);
    expect((await participants.bud.api.readRoute({ params })).ahead).toMatchObject({
      line: [away, { latitude: budAt().latitude, longitude: budAt().longitude }],
      distanceInMeters: distanceInMeters(away, budAt()),
      followsStreets: false,
      fromMin: null,
      toMin: null,
    });
  });

  test('is straight while the router hangs, and nobody waits for it; afterwards it follows streets again', async () => {
    const { duber, params } = await start(AT_PICKUP);
    const readiness = async () =>
      ((await (await fetch(`${server.apiUrl}/health/ready`)).json()) as { thirdParties: object }).thirdParties;
    router.hold();
    const places = [pointAt(2000, 300), pointAt(2000, 400), pointAt(2000, 500)];
    for (const place of places) {
      await share(duber, params, place);
      const { ahead } = await participants.bud.api.readRoute({ params });
      expect(ahead).toMatchObject({ followsStreets: false, fromMin: null });
      server.advanceClock(5_000);
    }
    await waitFor(async () => expect(await readiness()).toMatchObject({ router: 'does not answer' }));
    router.release();
    await waitFor(async () =>
      expect((await participants.bud.api.readRoute({ params })).ahead?.followsStreets).toBe(true),
    );
    await waitFor(async () => expect(await readiness()).toMatchObject({ router: 'answers' }));
  });
});
