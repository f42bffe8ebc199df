import { type Point, toPoint } from '../city/geometry.ts';

/** What a request for a route asks for, as OSRM's HTTP API has it. */
export type RouteQuery = {
  points: Point[];
  // How far each point may be from a street, in metres.
  radiuses: number[];
  overview: 'full' | 'simplified' | 'false';
  geometries: 'geojson' | 'polyline' | 'polyline6';
};
type OsrmError = { code: string; message: string };
export type Parsed<T> = { ok: true; value: T } | { ok: false; error: OsrmError };

const MAX_POINTS = 100;
// OSRM searches without a limit. This map ends at the city: from farther away no street of it leads anywhere.
const MAX_SNAP_METRES = 1500;
const OVERVIEWS = ['full', 'simplified', 'false'] as const;
const GEOMETRIES = ['geojson', 'polyline', 'polyline6'] as const;

const fail = (code: string, message: string): Parsed<never> => ({ ok: false, error: { code, message } });

export function parseRouteQuery(coordinates: string, query: Record<string, unknown>): Parsed<RouteQuery> {
  const pairs = coordinates
    .replace(/\.json$/, '')
    .split(';')
    .map(parsePair);
  const wrong = pairs.indexOf(undefined);
  if (wrong !== -1) return fail('InvalidQuery', `Query string malformed close to coordinate ${wrong}`);
  if (pairs.length < 2) return fail('InvalidOptions', 'Number of coordinates needs to be at least two.');
  if (pairs.length > MAX_POINTS)
    return fail('TooBig', `Number of entries ${pairs.length} is higher than ${MAX_POINTS}`);
  const points = (pairs as [number, number][]).map(toPoint);
  const { overview = 'simplified', geometries = 'polyline', radiuses } = query;
  if (!isOneOf(OVERVIEWS, overview)) return fail('InvalidQuery', 'Query string malformed: overview');
  if (!isOneOf(GEOMETRIES, geometries)) return fail('InvalidQuery', 'Query string malformed: geometries');
  const limits =
    radiuses === undefined ? points.map(() => MAX_SNAP_METRES) : String(radiuses).split(';').map(parseRadius);
  if (limits.some(Number.isNaN)) return fail('InvalidQuery', 'Query string malformed: radiuses');
  if (limits.length !== points.length)
    return fail('InvalidOptions', 'Number of elements in radiuses does not match number of coordinates.');
  return { ok: true, value: { points, radiuses: limits, overview, geometries } };
}

function isOneOf<const T>(known: readonly T[], value: unknown): value is T {
  return known.includes(value as T);
}

const DEGREES = /^-?\d{1,3}(?:\.\d{1,20})?$/;

function parsePair(text: string): [number, number] | undefined {
  const parts = text.split(',');
  const [longitude, latitude] = parts.map(Number) as [number, number];
  const isPair = parts.length === 2 && parts.every((part) => DEGREES.test(part));
  return isPair && Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? [longitude, latitude] : undefined;
}

function parseRadius(text: string): number {
  if (text === 'unlimited') return MAX_SNAP_METRES;
  return /^\d{1,7}(?:\.\d{1,10})?$/.test(text) ? Math.min(Number(text), MAX_SNAP_METRES) : Number.NaN;
}
