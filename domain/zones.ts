// Parts of a town with prices of their own.

import type { PriceItem } from './payments.ts';
import { EARTH_RADIUS_M, type Point } from './places.ts';

/** The items with a price per zone. All others are the same in the whole town. */
export const ZONE_ITEMS = [
  'wash-and-fold',
  'pickup',
  'delivery',
  'platform-fee',
  'taxes',
] as const satisfies PriceItem[];
export type ZoneItem = (typeof ZONE_ITEMS)[number];

/** The corners of a zone, in their order along its edge. The last one is next to the first. */
export type Corners = readonly Point[];

export const MIN_CORNERS = 3;
export const MAX_CORNERS = 60;
/** How many zones a town may have at once. */
export const MAX_ZONES = 30;
export const MAX_ZONE_NAME = 60;

/** A zone is a part of a town: no side of the box around it is longer. */
const MAX_DEGREES = 2;

type Edge = readonly [from: Point, to: Point];

const edgesOf = (corners: Corners): Edge[] =>
  corners.map((corner, n) => [corner, corners[(n + 1) % corners.length] as Point]);

/** Above zero when `point` is on the left of the way from `a` to `b`, and zero on it. */
const sideOf = ([a, b]: Edge, point: Point): number =>
  (b.longitude - a.longitude) * (point.latitude - a.latitude) -
  (b.latitude - a.latitude) * (point.longitude - a.longitude);

const isBetween = (value: number, a: number, b: number) => Math.min(a, b) <= value && value <= Math.max(a, b);

const isOnEdge = (edge: Edge, point: Point): boolean =>
  sideOf(edge, point) === 0 &&
  isBetween(point.latitude, edge[0].latitude, edge[1].latitude) &&
  isBetween(point.longitude, edge[0].longitude, edge[1].longitude);

function doMeet(one: Edge, other: Edge): boolean {
  const isSplit = (edge: Edge, [a, b]: Edge) => Math.sign(sideOf(edge, a)) * Math.sign(sideOf(edge, b)) < 0;
  if (isSplit(one, other) && isSplit(other, one)) return true;
  return other.some((end) => isOnEdge(one, end)) || one.some((end) => isOnEdge(other, end));
}

/** Whether the edge of a zone crosses or touches itself somewhere else than at its corners. */
function crossesItself(corners: Corners): boolean {
  const edges = edgesOf(corners);
  const last = edges.length - 1;
  return edges.some((edge, n) =>
    edges.slice(n + 1).some((other, m) => {
      const isNext = m === 0;
      const isFirstAndLast = n === 0 && n + 1 + m === last;
      if (isNext) return isOnEdge(edge, other[1]) || isOnEdge(other, edge[0]);
      if (isFirstAndLast) return isOnEdge(edge, other[0]) || isOnEdge(other, edge[1]);
      return doMeet(edge, other);
    }),
  );
}

/** The problem with the corners of a zone; undefined when they are valid. */
export function findAreaProblem(corners: Corners): string | undefined {
  if (corners.length < MIN_CORNERS) return `A zone has at least ${MIN_CORNERS} corners`;
  if (corners.length > MAX_CORNERS) return `A zone has at most ${MAX_CORNERS} corners`;
  const [lats, lngs] = [corners.map(({ latitude }) => latitude), corners.map(({ longitude }) => longitude)];
  // Its corners are on both sides, or a circle has gone beyond.
  if (Math.max(...lngs) - Math.min(...lngs) > 180 || lngs.some((one) => Math.abs(one) > 180))
    return 'A zone must not cross the 180th meridian. Draw one on each side';
  if ([lats, lngs].some((all) => Math.max(...all) - Math.min(...all) > MAX_DEGREES))
    return 'This is more than a part of a town';
  if (crossesItself(corners)) return 'The edge of a zone must not cross or touch itself';
  return undefined;
}

/** Whether a place is in a zone, or on its edge. */
export function isInside(point: Point, corners: Corners): boolean {
  const edges = edgesOf(corners);
  if (edges.some((edge) => isOnEdge(edge, point))) return true;
  // A line to the east crosses the edge of what is around it an odd number of times.
  const crossings = edges.filter((edge) => {
    const [a, b] = edge;
    if (a.latitude > point.latitude === b.latitude > point.latitude) return false;
    return sideOf(edge, point) > 0 === b.latitude > a.latitude;
  });
  return crossings.length % 2 === 1;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** In square kilometres, on a globe: a degree of longitude is the shorter the further it is from the equator. */
export function areaOf(corners: Corners): number {
  const [{ latitude: middle = 0 } = {}] = corners;
  const sineOf = ({ latitude }: Point) => Math.sin(radians(latitude)) - Math.sin(radians(middle));
  const sum = edgesOf(corners).reduce(
    (total, [a, b]) => total + radians(b.longitude - a.longitude) * (sineOf(a) + sineOf(b)),
    0,
  );
  return (Math.abs(sum) / 2) * (EARTH_RADIUS_M / 1000) ** 2;
}

/** The zone that a place is in: the smallest of those around it. Of two that are as large, the one with the lower id. */
export function findZone<Z extends { readonly id: string; readonly corners: Corners }>(
  point: Point,
  zones: readonly Z[],
): Z | undefined {
  const around = zones.filter(({ corners }) => isInside(point, corners));
  const bySize = around.toSorted((a, b) => areaOf(a.corners) - areaOf(b.corners) || (a.id < b.id ? -1 : 1));
  return bySize[0];
}

const CIRCLE_CORNERS = 24;
const DECIMALS = 6;

/** The corners of a circle around a place. */
export function circleAround({ latitude, longitude }: Point, km: number): Point[] {
  const degrees = km / ((EARTH_RADIUS_M / 1000) * radians(1));
  const round = (value: number) => Number(value.toFixed(DECIMALS));
  return Array.from({ length: CIRCLE_CORNERS }, (_, n) => {
    const angle = (2 * Math.PI * n) / CIRCLE_CORNERS;
    return {
      latitude: round(latitude + degrees * Math.sin(angle)),
      longitude: round(longitude + (degrees * Math.cos(angle)) / Math.cos(radians(latitude))),
    };
  });
}

/** A zone with its own prices at some time. */
export type PricedZone = {
  readonly id: string;
  readonly corners: Corners;
  readonly prices: readonly { readonly item: PriceItem; readonly value: number }[];
};

/** The prices that hold in a zone: its own, and those of the town for the rest. */
export function pricesIn<P extends { readonly item: PriceItem; readonly value: number }>(
  town: readonly P[],
  own: PricedZone['prices'] | undefined,
): P[] {
  return town.map((price) => ({ ...price, value: own?.find(({ item }) => item === price.item)?.value ?? price.value }));
}
