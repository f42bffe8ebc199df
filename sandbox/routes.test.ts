import fc from 'fast-check';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexSegments } from './city/crossings.ts';
import { distanceBetween, lengthOf, nearestOnSegment, type Point, toPoint } from './city/geometry.ts';
import type { City, Position } from './city/types.ts';
import { generateCity } from './city.ts';
import { createRouter, type Router } from './routes/findRoute.ts';
import { createStreetGraph } from './routes/streetGraph.ts';
import { serveRoutes } from './routes.ts';

const SEEDS = [1, 2];

// How far a point is from the nearest street; infinite from 60 metres on.
function createDistanceToStreets(city: City): (p: Point) => number {
  const segments = indexSegments(city.streets.map(({ kind, line }) => ({ kind, points: line.map(toPoint) })));
  return (p) => {
    let least = Number.POSITIVE_INFINITY;
    segments.someNear(p, 60, ({ a, b }) => {
      least = Math.min(least, nearestOnSegment(p, a, b).metres);
      return false;
    });
    return least;
  };
}

// Corners are moved by up to the width of a lane.
const SLACK_METRES = 3;

describe.each(SEEDS)('the street graph of seed %i', (seed) => {
  const city = generateCity(seed);
  const distanceToStreets = createDistanceToStreets(city);
  const graph = createStreetGraph(city);
  const router = createRouter(graph);
  const housePoint = fc.nat(city.houses.length - 1).map((i) => toPoint(city.houses[i]?.position as Position));
  const routeBetween = (a: Point, b: Point) => {
    const [from, to] = [router.snap(a, 100), router.snap(b, 100)] as [Snap, Snap];
    return { from, to, route: router.findRoute(from, to) as NonNullable<ReturnType<Router['findRoute']>> };
  };
  type Snap = NonNullable<ReturnType<Router['snap']>>;

  test('is in one piece, and has every street', () => {
    const seen = new Set([0]);
    for (const corner of seen)
      for (const i of graph.edgesAt[corner] ?? []) {
        seen.add(graph.edges[i]?.from ?? -1).add(graph.edges[i]?.to ?? -1);
      }
    expect(seen.size).toBe(graph.corners.length);
    expect(new Set(graph.edges.map(({ street }) => street)).size).toBe(city.streets.length);
  });

  test('each piece of a street is as long as its line, from corner to corner', () => {
    for (const { from, to, points, metres } of graph.edges) {
      expect([points[0], points.at(-1)]).toEqual([graph.corners[from], graph.corners[to]]);
      expect(metres).toBeCloseTo(lengthOf(points), 9);
    }
  });

  test('every house is near a street, and the nearest one is found', () => {
    for (let i = 0; i < city.houses.length; i += 997) {
      const p = toPoint(city.houses[i]?.position as Position);
      expect(Math.abs((router.snap(p, 100)?.metres ?? 0) - distanceToStreets(p))).toBeLessThan(SLACK_METRES);
    }
  });

  test('a route is an unbroken line on streets, from one place to the other, never shorter than the straight line', () => {
    fc.assert(
      fc.property(housePoint, housePoint, (a, b) => {
        const { from, to, route } = routeBetween(a, b);
        expect(distanceBetween(route.points[0] as Point, from.point)).toBeLessThan(0.1);
        expect(distanceBetween(route.points.at(-1) as Point, to.point)).toBeLessThan(0.1);
        expect(route.metres).toBeCloseTo(lengthOf(route.points), 3);
        expect(route.metres).toBeGreaterThanOrEqual(distanceBetween(from.point, to.point) - 0.01);
        route.points.forEach((p, i) => {
          const before = route.points[i - 1];
          const middle = before && { x: (p.x + before.x) / 2, y: (p.y + before.y) / 2 };
          for (const one of middle ? [p, middle] : [p]) expect(distanceToStreets(one)).toBeLessThan(SLACK_METRES);
        });
      }),
      { numRuns: 40 },
    );
  });

  test('the way back takes as long as the way there, and no detour is faster', () => {
    fc.assert(
      fc.property(housePoint, housePoint, housePoint, (a, b, via) => {
        const { route } = routeBetween(a, b);
        expect(routeBetween(b, a).route.seconds).toBeCloseTo(route.seconds, 6);
        const detour = routeBetween(a, via).route.seconds + routeBetween(via, b).route.seconds;
        expect(detour).toBeGreaterThanOrEqual(route.seconds - 1e-6);
      }),
      { numRuns: 25 },
    );
  });
});

describe('the stand-in for OSRM', () => {
  const city = generateCity(1);
  const app = Fastify();
  const [home, away] = [city.houses[100], city.houses[9_000]].map((house) => house?.position.join(',')) as [
    string,
    string,
  ];
  beforeAll(async () => {
    await app.register(serveRoutes({ city }));
  });
  afterAll(() => app.close());
  const ask = async (path: string) => {
    const reply = await app.inject({ url: `/sandbox/routing${path}` });
    return { status: reply.statusCode, body: reply.json() };
  };
  const drive = (coordinates: string, query = '') => ask(`/route/v1/driving/${coordinates}${query}`);

  test('answers with a line, its length and its time, and with where it begins and ends', async () => {
    const { status, body } = await drive(`${home};${away}`, '?overview=full&geometries=geojson');
    expect(status).toBe(200);
    expect(body.code).toBe('Ok');
    const [route] = body.routes;
    expect(route.geometry.type).toBe('LineString');
    expect(lengthOf(route.geometry.coordinates.map(toPoint))).toBeCloseTo(route.distance, -1);
    expect(route.distance / route.duration).toBeGreaterThan(5);
    expect(route.distance / route.duration).toBeLessThan(16);
    expect(route.legs).toEqual([expect.objectContaining({ distance: route.distance, duration: route.duration })]);
    expect(body.waypoints.map(({ distance }: { distance: number }) => distance < 30)).toEqual([true, true]);
    expect(body.waypoints[0]).toMatchObject({
      name: expect.stringMatching(/^[A-Z]/),
      location: route.geometry.coordinates[0],
    });
  });

  test('writes the line as a polyline, simplified or not at all', async () => {
    const [full, simple, none] = await Promise.all(
      ['full', 'simplified', 'false'].map(
        async (overview) => (await drive(`${home};${away}`, `?overview=${overview}`)).body.routes[0],
      ),
    );
    expect(simple.geometry.length).toBeLessThan(full.geometry.length);
    expect(none).not.toHaveProperty('geometry');
    const same = (await drive('67.000005,24.00001;67.000005,24.00001', '?radiuses=1000;1000&overview=full')).body
      .routes[0];
    expect(same).toMatchObject({ distance: 0, duration: 0 });
  });

  test('goes by way of places in between', async () => {
    const via = city.houses[4_000]?.position.join(',');
    const { body } = await drive(`${home};${via};${away}`);
    const legs = await Promise.all([drive(`${home};${via}`), drive(`${via};${away}`)]);
    const sum = legs.reduce((metres, leg) => metres + leg.body.routes[0].distance, 0);
    expect(body.routes[0].legs).toHaveLength(2);
    expect(body.routes[0].distance).toBeCloseTo(sum, 0);
  });

  test.each([
    ['one point', home, 'InvalidOptions'],
    ['words', 'here;there', 'InvalidQuery'],
    ['half a pair', '67;24', 'InvalidQuery'],
    ['degrees that do not exist', '67,24;67,91', 'InvalidQuery'],
    ['an unknown geometry', '67,24;67,24.01?geometries=wkt', 'InvalidQuery'],
    ['an unknown overview', '67,24;67,24.01?overview=much', 'InvalidQuery'],
    ['one radius for two points', '67,24;67,24.01?radiuses=5', 'InvalidOptions'],
    ['a radius that is no number', '67,24;67,24.01?radiuses=5;x', 'InvalidQuery'],
    ['a point far from the city', '67,24;68,25', 'NoSegment'],
    ['a point farther from a street than its radius', `${home};${home}?radiuses=1;1`, 'NoSegment'],
    ['too many points', Array.from({ length: 101 }, () => '67,24').join(';'), 'TooBig'],
  ])('refuses %s', async (_what, request, code) => {
    expect(await drive(request)).toEqual({ status: 400, body: { code, message: expect.any(String) } });
  });

  test('has no other service', async () => {
    expect(await ask('/table/v1/driving/67,24;67,24.01')).toMatchObject({
      status: 400,
      body: { code: 'InvalidService' },
    });
  });

  test('finds no route between streets that nothing connects', async () => {
    const lines: Position[][] = [
      [
        [67, 24],
        [67.001, 24],
      ],
      [
        [67, 24.002],
        [67.001, 24.002],
      ],
    ];
    const streets = lines.map((line, id) => ({ id, name: `Street ${id}`, kind: 'street' as const, line, district: 0 }));
    const islands = Fastify();
    await islands.register(serveRoutes({ city: { streets } }));
    const reply = await islands.inject({ url: '/sandbox/routing/route/v1/driving/67.0005,24;67.0005,24.002' });
    await islands.close();
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'NoRoute']);
  });
});
