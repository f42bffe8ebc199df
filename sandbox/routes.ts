import type { FastifyPluginAsync } from 'fastify';
import { type Point, simplify, toPosition } from './city/geometry.ts';
import type { City } from './city/types.ts';
import { createRouter, type Route, type Router, type Snap } from './routes/findRoute.ts';
import { encodePolyline } from './routes/polyline.ts';
import { type Parsed, parseRouteQuery, type RouteQuery } from './routes/routeQuery.ts';
import { createStreetGraph } from './routes/streetGraph.ts';

const ROUTING_PATH = '/sandbox/routing';
const SIMPLIFIED_METRES = 10;

type OsrmAnswer = Parsed<Record<string, unknown>>;

/**
 * The route service of OSRM's HTTP API, over the streets of the made-up city. Its base address ends in ROUTING_PATH.
 * Requests wait until the city is generated. The street graph is built on first use.
 */
export function serveRoutes({ city }: { city: Pick<City, 'streets'> | Promise<City> }): FastifyPluginAsync {
  let router: { streets: City['streets'] } & Router;
  const open = async () => {
    const { streets } = await city;
    router ??= { streets, ...createRouter(createStreetGraph({ streets })) };
  };
  return async (app) => {
    app.get<{ Params: { profile: string; '*': string }; Querystring: Record<string, unknown> }>(
      `${ROUTING_PATH}/route/v1/:profile/*`,
      { onRequest: open },
      (request, reply) => {
        const parsed = parseRouteQuery(request.params['*'], request.query);
        const answer = parsed.ok ? route(router, parsed.value) : parsed;
        return answer.ok ? reply.send({ code: 'Ok', ...answer.value }) : reply.code(400).send(answer.error);
      },
    );
    app.get(`${ROUTING_PATH}/*`, (_request, reply) =>
      reply
        .code(400)
        .send({ code: 'InvalidService', message: 'This stand-in has the service route, version v1, only' }),
    );
  };
}

function route({ streets, snap, findRoute }: { streets: City['streets'] } & Router, query: RouteQuery): OsrmAnswer {
  const snaps = query.points.map((point, i) => snap(point, query.radiuses[i] as number));
  const lost = snaps.indexOf(undefined);
  if (lost !== -1) return fail('NoSegment', `Could not find a matching segment for coordinate ${lost}`);
  const places = snaps as Snap[];
  const legs = places.slice(1).map((to, i) => findRoute(places[i] as Snap, to));
  if (legs.includes(undefined)) return fail('NoRoute', 'Impossible route between points');
  const found = toRoute(legs as Route[], query);
  const nameOf = ({ street }: Snap) => streets[street]?.name ?? '';
  const waypoints = places.map((place) => ({
    name: nameOf(place),
    location: toPosition(place.point),
    distance: round1(place.metres),
  }));
  return { ok: true, value: { routes: [found], waypoints } };
}

const fail = (code: string, message: string): OsrmAnswer => ({ ok: false, error: { code, message } });

const round1 = (value: number) => Math.round(value * 10) / 10;
const sumOf = (values: number[]) => round1(values.reduce((sum, value) => sum + value, 0));

// OSRM's weight is the time here, as in its profile for cars.
function toRoute(legs: Route[], query: RouteQuery) {
  const duration = sumOf(legs.map(({ seconds }) => seconds));
  return {
    ...drawGeometry(legs, query),
    legs: legs.map(({ metres, seconds }) => ({
      steps: [],
      summary: '',
      weight: round1(seconds),
      duration: round1(seconds),
      distance: round1(metres),
    })),
    weight_name: 'routability',
    weight: duration,
    duration,
    distance: sumOf(legs.map(({ metres }) => metres)),
  };
}

function drawGeometry(legs: Route[], { overview, geometries }: RouteQuery) {
  if (overview === 'false') return {};
  const line = legs.flatMap(({ points }, i): Point[] => (i === 0 ? points : points.slice(1)));
  const coordinates = (overview === 'simplified' ? simplify(line, SIMPLIFIED_METRES) : line).map(toPosition);
  if (geometries === 'geojson') return { geometry: { type: 'LineString', coordinates } };
  return { geometry: encodePolyline(coordinates, geometries === 'polyline6' ? 6 : 5) };
}
