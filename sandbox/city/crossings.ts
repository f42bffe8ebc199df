import type { StreetLine } from './avenues.ts';
import { distanceBetween, interpolate, lengthOf, movePoint, type Point, simplify, sliceLine } from './geometry.ts';
import { createGridIndex, type GridIndex } from './gridIndex.ts';
import type { Terrain } from './terrain.ts';
import type { WaterMap } from './water.ts';

type Segment = { line: number; a: Point; b: Point; from: number };
/** An intersection, seen from one of its lines: `at` metres along it. */
export type Crossing = { at: number; other: number; point: Point };

/** Traced lines stop anywhere. Built streets end at another street, or are long enough for a dead end. */
export function connectStreets(lines: StreetLine[], water: WaterMap, ground: Terrain): StreetLine[] {
  const plain = lines.map((line) => ({ ...line, points: simplify(line.points, 0.7) }));
  const segments = indexSegments(plain);
  const reached = plain.map((line, i) => {
    if (line.kind !== 'street' || line.fixedName) return line;
    const forth = extendToCrossing(line.points, i, segments, water, ground);
    const back = extendToCrossing([...line.points].reverse(), i, segments, water, ground);
    return { ...line, points: [...(back ? [back] : []), ...line.points, ...(forth ? [forth] : [])] };
  });
  return trimDeadEnds(reached, ground);
}

export function indexSegments(lines: StreetLine[]): GridIndex<Segment> {
  const segments = createGridIndex<Segment>(60);
  lines.forEach(({ points }, line) => {
    let from = 0;
    for (let i = 1; i < points.length; i += 1) {
      const [a, b] = [points[i - 1] as Point, points[i] as Point];
      segments.addBox(a, b, { line, a, b, from });
      from += distanceBetween(a, b);
    }
  });
  return segments;
}

function extendToCrossing(
  points: Point[],
  line: number,
  segments: GridIndex<Segment>,
  water: WaterMap,
  ground: Terrain,
): Point | undefined {
  const end = points[points.length - 1] as Point;
  const before = points[points.length - 2] as Point;
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const reach = ground.streetSpacing(end) * 1.05;
  const goal = movePoint(end, angle, reach);
  let best = Number.POSITIVE_INFINITY;
  segments.someNear(end, reach, (other) => {
    const share = other.line === line ? undefined : intersectSegments(end, goal, other.a, other.b);
    if (share !== undefined) best = Math.min(best, share * reach);
    return false;
  });
  if (best === Number.POSITIVE_INFINITY) return undefined;
  // Half a metre further: a line that only touches could be missed as an intersection.
  for (let gone = 10; gone < best; gone += 10) {
    const p = movePoint(end, angle, gone);
    if (water.clearance(p) < 24 || ground.isGreen(p)) return undefined;
  }
  return movePoint(end, angle, best + 0.5);
}

// Where c-d intersects segment a-b, as a fraction of a-b.
function intersectSegments(a: Point, b: Point, c: Point, d: Point): number | undefined {
  const cross = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x);
  if (Math.abs(cross) < 1e-9) return undefined;
  const s = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / cross;
  const t = ((c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x)) / cross;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? s : undefined;
}

/** The intersections of each line, in order along it. */
export function findCrossings(lines: StreetLine[]): Crossing[][] {
  const segments = indexSegments(lines);
  return lines.map(({ points }, line) => {
    const found = new Map<string, Crossing>();
    let from = 0;
    for (let i = 1; i < points.length; i += 1) {
      const [a, b] = [points[i - 1] as Point, points[i] as Point];
      const span = distanceBetween(a, b);
      segments.someNear(interpolate(a, b, 0.5), span / 2, (other) => {
        const share = other.line === line ? undefined : intersectSegments(a, b, other.a, other.b);
        if (share === undefined) return false;
        // Both lines must find exactly the same point, so the lower line's segment always comes first.
        const back = intersectSegments(other.a, other.b, a, b) ?? 0;
        const point = line < other.line ? interpolate(a, b, share) : interpolate(other.a, other.b, back);
        const at = from + share * span;
        found.set(`${other.line}:${Math.round(at)}`, { at, other: other.line, point });
        return false;
      });
      from += span;
    }
    return [...found.values()].sort((one, two) => one.at - two.at);
  });
}

const MIN_DEAD_END_METRES = 75;

function trimDeadEnds(lines: StreetLine[], ground: Terrain): StreetLine[] {
  const crossings = findCrossings(lines);
  const kept: StreetLine[] = [];
  lines.forEach((line, i) => {
    // Circles have no ends, and country roads lead out of the map.
    if (
      line.kind === 'road' ||
      distanceBetween(line.points[0] as Point, line.points[line.points.length - 1] as Point) < 1
    ) {
      kept.push(line);
      return;
    }
    const stub = line.kind === 'avenue' ? 5 * MIN_DEAD_END_METRES : MIN_DEAD_END_METRES;
    const length = lengthOf(line.points);
    const first = crossings[i]?.[0]?.at;
    const last = crossings[i]?.at(-1)?.at;
    if (first === undefined || last === undefined) return;
    const start = line.points[0] as Point;
    const end = line.points[line.points.length - 1] as Point;
    const from = first < stub || isNearGreenArea(ground, start) ? Math.max(0, first - 0.5) : 0;
    const to = length - last < stub || isNearGreenArea(ground, end) ? Math.min(length, last + 0.5) : length;
    if (to - from > 45) kept.push({ ...line, points: sliceLine(line.points, from, to) });
  });
  return kept;
}

function isNearGreenArea(ground: Terrain, p: Point): boolean {
  return [0, 1, 2, 3].some((k) => ground.isGreen(movePoint(p, (k * Math.PI) / 2, 60)));
}

const MAX_STREET_METRES = 1500;

/** A very long street changes its name at an intersection, as avenues do at the ring road. */
export function splitLongStreets(lines: StreetLine[]): StreetLine[] {
  const crossings = findCrossings(lines);
  const ring = lines.findIndex((line) => line.fixedName === 'Ring Road');
  return lines.flatMap((line, i) => {
    if (line.fixedName || line.kind === 'road') return [line];
    const length = lengthOf(line.points);
    const cuts: number[] = [];
    if (line.kind === 'avenue') {
      cuts.push(...(crossings[i] ?? []).filter((crossing) => crossing.other === ring).map((crossing) => crossing.at));
    } else {
      const pieces = Math.ceil(length / MAX_STREET_METRES);
      for (let piece = 1; piece < pieces; piece += 1) {
        const wanted = (length * piece) / pieces;
        const best = (crossings[i] ?? []).reduce(
          (near, { at }) => (Math.abs(at - wanted) < Math.abs(near - wanted) ? at : near),
          Number.POSITIVE_INFINITY,
        );
        if (best > 200 && best < length - 200) cuts.push(best);
      }
    }
    const ends = [0, ...[...new Set(cuts)].sort((a, b) => a - b), length];
    return ends.slice(1).map((to, k) => ({ ...line, points: sliceLine(line.points, ends[k] as number, to) }));
  });
}
