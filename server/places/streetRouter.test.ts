import Fastify from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MAX_LINE_POINTS } from '../../contract/deliveryRoute.ts';
import { locateOnLine } from '../../domain/mapLines.ts';
import { distanceInMeters, type Point } from '../../domain/places.ts';
import { generateCity } from '../../sandbox/city.ts';
import { serveRoutes } from '../../sandbox/routes.ts';
import { createStreetRouter, type RouterTimes, type StreetRouter } from './streetRouter.ts';

const HERE = { latitude: 24, longitude: 67 };
const THERE = { latitude: 24.012, longitude: 67.01 };
const now = () => new Date('2026-11-22T12:00:00Z');

const routers: StreetRouter[] = [];
// A busy machine is no outage.
const PATIENT: RouterTimes = {
  timeoutMs: 60_000,
  circuitTimes: { slowMs: 60_000, probeMs: 60_000, quickProbeMs: 60_000 },
};
const openRouter = (url: string | undefined, times: RouterTimes = {}) => {
  const router = createStreetRouter({ url, now, ...PATIENT, ...times });
  routers.push(router);
  return router;
};
afterEach(() => {
  for (const router of routers.splice(0)) router.circuit.stop();
});

type Ends = { readonly from: Point; readonly to: Point };

/** What every OSRM server does, the stand-in and the real one. */
function itAnswersLikeOsrm(urlOf: () => string, { from, to }: Ends) {
  test('a route leads along streets from place to place, and says how long it takes', async () => {
    const route = await openRouter(urlOf()).findRoute(from, to);
    if (!route) throw new Error('no route');
    const [first, last] = [route.line[0] as Point, route.line.at(-1) as Point];
    expect(distanceInMeters(first, from)).toBeLessThan(1_000);
    expect(distanceInMeters(last, to)).toBeLessThan(1_000);
    expect(route.line.length).toBeLessThanOrEqual(MAX_LINE_POINTS);
    expect(route.meters).toBeGreaterThan(0.95 * distanceInMeters(first, last));
    const { along } = locateOnLine(route.line, last);
    expect(along / route.meters).toBeGreaterThan(0.9);
    expect(along / route.meters).toBeLessThan(1.1);
    expect(route.meters / route.seconds).toBeGreaterThan(1);
    expect(route.meters / route.seconds).toBeLessThan(50);
  });

  test('there is no route in the middle of the ocean', async () => {
    const router = openRouter(urlOf());
    expect(await router.findRoute({ latitude: 0, longitude: -30 }, { latitude: 0.01, longitude: -30 })).toBeUndefined();
    expect(router.circuit.isOpen(), 'that is an answer').toBe(false);
  });
}

describe('the stand-in', () => {
  const app = Fastify({ forceCloseConnections: true });
  let url = '';
  beforeAll(async () => {
    await app.register(serveRoutes({ city: generateCity() }));
    url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/sandbox/routing`;
  });
  afterAll(() => app.close());
  itAnswersLikeOsrm(() => url, { from: HERE, to: THERE });
});

// ROUTING_URL=https://… ROUTING_FROM=52.517,13.389 ROUTING_TO=52.529,13.398 vitest run server/places/streetRouter.test.ts
describe.skipIf(!process.env.ROUTING_URL)('the router at ROUTING_URL', () => {
  const point = (text = ''): Point => {
    const [latitude = 0, longitude = 0] = text.split(',').map(Number);
    return { latitude, longitude };
  };
  const { ROUTING_URL = '', ROUTING_FROM = '52.517,13.389', ROUTING_TO = '52.529,13.398' } = process.env;
  itAnswersLikeOsrm(() => ROUTING_URL, { from: point(ROUTING_FROM), to: point(ROUTING_TO) });
});

test('without a router no route is known', async () => {
  expect(await openRouter(undefined).findRoute(HERE, THERE)).toBeUndefined();
});

describe('a router that is wrong', () => {
  const app = Fastify({ forceCloseConnections: true });
  let url = '';
  let reply: unknown = {};
  let status = 200;
  let isHanging = false;
  let asked = 0;
  beforeAll(async () => {
    app.get('/*', async (request, answer) => {
      if (request.url.startsWith('/route/')) asked += 1;
      if (isHanging) await new Promise(() => undefined);
      return answer
        .code(status)
        .type('application/json')
        .send(typeof reply === 'string' ? reply : JSON.stringify(reply));
    });
    url = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => app.close());
  afterEach(() => {
    status = 200;
    isHanging = false;
  });

  const geometry = {
    type: 'LineString',
    coordinates: [
      [67, 24],
      [67.01, 24.012],
    ],
  };
  test.each([
    ['a page of a proxy', '<html>'],
    ['no routes', { code: 'Ok', routes: [] }],
    ['an error', { code: 'NoRoute', message: 'Impossible route between points' }],
    [
      'a line of one point',
      { code: 'Ok', routes: [{ distance: 1, duration: 1, geometry: { coordinates: [[1, 1]] } }] },
    ],
    ['a line that is encoded', { code: 'Ok', routes: [{ distance: 1, duration: 1, geometry: '_p~iF' }] }],
    ['a distance below zero', { code: 'Ok', routes: [{ distance: -1, duration: 1, geometry }] }],
    [
      'more points than any way has',
      {
        code: 'Ok',
        routes: [
          { distance: 1, duration: 1, geometry: { coordinates: Array.from({ length: 20_001 }, () => [67, 24]) } },
        ],
      },
    ],
    ['too much', { code: 'Ok', routes: [{ distance: 1, duration: 1, geometry }], rest: 'y'.repeat(3_000_000) }],
  ])('knows no route when it answers with %s', async (_what, answer) => {
    reply = answer;
    const router = openRouter(url);
    expect(await router.findRoute(HERE, THERE)).toBeUndefined();
    expect(router.circuit.isOpen()).toBe(false);
  });

  test('is not asked again for what it has answered, by many at once or later', async () => {
    reply = { code: 'Ok', routes: [{ distance: 1900, duration: 200, geometry }] };
    const router = openRouter(url);
    asked = 0;
    const routes = await Promise.all(Array.from({ length: 30 }, () => router.findRoute(HERE, THERE)));
    routes.push(await router.findRoute({ latitude: 24.00002, longitude: 67 }, THERE));
    expect(new Set(routes).size).toBe(1);
    expect(routes[0]).toMatchObject({ meters: 1900, seconds: 200 });
    expect(asked).toBe(1);
  });

  test.each([429, 500, 502, 503])('is asked again after it has answered %s', async (failed) => {
    [status, reply] = [failed, '<html>'];
    const router = openRouter(url);
    expect(await router.findRoute(HERE, THERE)).toBeUndefined();
    [status, reply] = [200, { code: 'Ok', routes: [{ distance: 1900, duration: 200, geometry }] }];
    expect(await router.findRoute(HERE, THERE)).toMatchObject({ meters: 1900 });
  });

  test('is not asked again after it has refused', async () => {
    [status, reply] = [400, { code: 'NoRoute', message: 'Impossible route between points' }];
    const router = openRouter(url);
    asked = 0;
    for (let i = 0; i < 3; i += 1) expect(await router.findRoute(HERE, THERE)).toBeUndefined();
    expect(asked).toBe(1);
  });

  const many = (router: StreetRouter) =>
    Promise.allSettled(Array.from({ length: 5 }, () => router.findRoute(HERE, THERE)));
  const NO_ROUTES = Array.from({ length: 5 }, () => ({ status: 'fulfilled', value: undefined }));

  test('many at once know no route while it hangs, and none of them fails', async () => {
    isHanging = true;
    const router = openRouter(url, { timeoutMs: 100 });
    expect(await many(router)).toEqual(NO_ROUTES);
  });

  test('many at once know no route while it is away, and none of them fails', async () => {
    const router = openRouter('http://127.0.0.1:1');
    expect(await many(router)).toEqual(NO_ROUTES);
  });
});
