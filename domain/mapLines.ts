import type { Point } from './places.ts';

/** A line on the map: at least two points. Short enough that a flat earth is accurate. */
export type Line = readonly Point[];

const METERS_PER_DEGREE = 111_195;
const metersPerLongitude = ({ latitude }: Point) => METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);

/** Metres between two points that are near each other, not rounded. */
function metersBetween(a: Point, b: Point): number {
  const east = (b.longitude - a.longitude) * metersPerLongitude(a);
  return Math.hypot(east, (b.latitude - a.latitude) * METERS_PER_DEGREE);
}

/** The point between a and b at a share from 0 to 1. */
export const interpolate = (a: Point, b: Point, share: number): Point => ({
  latitude: a.latitude + (b.latitude - a.latitude) * share,
  longitude: a.longitude + (b.longitude - a.longitude) * share,
});

/** The part of a-b, from 0 to 1, that is nearest to a point, and how many metres away it is. */
function nearestOnSegment(point: Point, a: Point, b: Point): { share: number; meters: number } {
  const scale = metersPerLongitude(point) / METERS_PER_DEGREE;
  const [dx, dy] = [(b.longitude - a.longitude) * scale, b.latitude - a.latitude];
  const [px, py] = [(point.longitude - a.longitude) * scale, point.latitude - a.latitude];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / square));
  return { share, meters: metersBetween(interpolate(a, b, share), point) };
}

const segmentsOf = (line: Line) => line.slice(1).map((b, i): [Point, Point] => [line[i] as Point, b]);

/** The nearest place on a line: how many metres along it, and how many metres away from the point. */
export function locateOnLine(line: Line, point: Point): { along: number; away: number } {
  let best = { along: 0, away: Number.POSITIVE_INFINITY };
  let before = 0;
  for (const [a, b] of segmentsOf(line)) {
    const length = metersBetween(a, b);
    const { share, meters } = nearestOnSegment(point, a, b);
    if (meters < best.away) best = { along: before + share * length, away: meters };
    before += length;
  }
  return best;
}

/** The rest of a line after so many metres. Beyond its end, the end point twice. */
export function restOfLine(line: Line, along: number): Line {
  let before = 0;
  for (const [i, [a, b]] of segmentsOf(line).entries()) {
    const length = metersBetween(a, b);
    if (along < before + length) return [interpolate(a, b, Math.max(0, along - before) / length), ...line.slice(i + 1)];
    before += length;
  }
  const end = line[line.length - 1] as Point;
  return [end, end];
}

const TOLERANCE_M = 4;

type Stretch = { readonly from: number; readonly to: number; readonly index: number; readonly meters: number };

/**
 * The line with `most` points or fewer. Douglas-Peucker that always adds the point that is farthest from the line so far, until
 * none is more than a few metres away: so it looks at a line of thousands of points `most` times at most.
 */
export function simplifyLine(line: Line, most: number): Line {
  const farthestIn = createSearch(line);
  const last = line.length - 1;
  const kept = new Set([0, last]);
  const open = [farthestIn(0, last)];
  while (kept.size < most) {
    const next = open.reduce((a, b) => (b.meters > a.meters ? b : a));
    if (next.meters <= TOLERANCE_M) break;
    const { from, to, index } = next;
    kept.add(index);
    open.splice(open.indexOf(next), 1, farthestIn(from, index), farthestIn(index, to));
  }
  return line.filter((_, i) => kept.has(i));
}

/** Finds the point between two points of a line that is farthest from their straight line. */
function createSearch(line: Line): (from: number, to: number) => Stretch {
  const east = Float64Array.from(line, (point) => point.longitude * metersPerLongitude(line[0] as Point));
  const north = Float64Array.from(line, (point) => point.latitude * METERS_PER_DEGREE);
  return (from, to) => {
    const fromEast = east[from] as number;
    const fromNorth = north[from] as number;
    const dx = (east[to] as number) - fromEast;
    const dy = (north[to] as number) - fromNorth;
    const square = dx * dx + dy * dy || 1;
    let most = 0;
    let index = from;
    for (let i = from + 1; i < to; i += 1) {
      const px = (east[i] as number) - fromEast;
      const py = (north[i] as number) - fromNorth;
      const share = Math.max(0, Math.min(1, (px * dx + py * dy) / square));
      const awayEast = px - share * dx;
      const awayNorth = py - share * dy;
      const away = awayEast * awayEast + awayNorth * awayNorth;
      if (away <= most) continue;
      most = away;
      index = i;
    }
    return { from, to, index, meters: Math.sqrt(most) };
  };
}
