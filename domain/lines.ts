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

const between = (a: Point, b: Point, share: number): Point => ({
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
  return { share, meters: metersBetween(between(a, b, share), point) };
}

const segmentsOf = (line: Line) => line.slice(1).map((b, i): [Point, Point] => [line[i] as Point, b]);

export const lineLength = (line: Line) => segmentsOf(line).reduce((sum, [a, b]) => sum + metersBetween(a, b), 0);

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

/** What is left of a line from so many metres along it. Beyond its end, the end twice. */
export function lineFrom(line: Line, along: number): Line {
  let before = 0;
  for (const [i, [a, b]] of segmentsOf(line).entries()) {
    const length = metersBetween(a, b);
    if (along < before + length) return [between(a, b, Math.max(0, along - before) / length), ...line.slice(i + 1)];
    before += length;
  }
  const end = line[line.length - 1] as Point;
  return [end, end];
}

const TOLERANCE_M = 4;

/** The line with `most` points or fewer. Leaves out the points that change it least, a few metres at first. */
export function simplifyLine(line: Line, most: number): Line {
  for (let tolerance = TOLERANCE_M; ; tolerance *= 2) {
    const simple = dropPoints(line, tolerance);
    if (simple.length <= most) return simple;
  }
}

/** Douglas-Peucker, with a list of open stretches in place of recursion: a line may have thousands of points. */
function dropPoints(line: Line, tolerance: number): Line {
  const kept = new Set([0, line.length - 1]);
  const open: [number, number][] = [[0, line.length - 1]];
  for (let stretch = open.pop(); stretch; stretch = open.pop()) {
    const [from, to] = stretch;
    let [farthest, index] = [tolerance, -1];
    for (let i = from + 1; i < to; i += 1) {
      const { meters } = nearestOnSegment(line[i] as Point, line[from] as Point, line[to] as Point);
      if (meters > farthest) [farthest, index] = [meters, i];
    }
    if (index === -1) continue;
    kept.add(index);
    open.push([from, index], [index, to]);
  }
  return line.filter((_, i) => kept.has(i));
}
