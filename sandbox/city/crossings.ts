import type { Line } from './avenues.ts';
import { apart, blend, cut, lengthOf, type Point, simplify, step } from './geometry.ts';
import { type Nearby, startNearby } from './gridIndex.ts';
import type { Ground } from './terrain.ts';
import type { WaterMap } from './water.ts';

type Segment = { line: number; a: Point; b: Point; from: number };
// A place where two lines meet, seen from one of them: `at` metres along it.
export type Crossing = { at: number; other: number; point: Point };

// Lines as traced stop anywhere; as built they end at another street, or go on far enough to be worth a dead end.
export function joinLines(lines: Line[], water: WaterMap, ground: Ground): Line[] {
  const plain = lines.map((line) => ({ ...line, points: simplify(line.points, 0.7) }));
  const segments = indexSegments(plain);
  const reached = plain.map((line, i) => {
    if (line.kind !== 'street' || line.title) return line;
    const forth = reachOut(line.points, i, segments, water, ground);
    const back = reachOut([...line.points].reverse(), i, segments, water, ground);
    return { ...line, points: [...(back ? [back] : []), ...line.points, ...(forth ? [forth] : [])] };
  });
  return trimEnds(reached, ground);
}

export function indexSegments(lines: Line[]): Nearby<Segment> {
  const segments = startNearby<Segment>(60);
  lines.forEach(({ points }, line) => {
    let from = 0;
    for (let i = 1; i < points.length; i += 1) {
      const [a, b] = [points[i - 1] as Point, points[i] as Point];
      segments.putBox(a, b, { line, a, b, from });
      from += apart(a, b);
    }
  });
  return segments;
}

function reachOut(
  points: Point[],
  line: number,
  segments: Nearby<Segment>,
  water: WaterMap,
  ground: Ground,
): Point | undefined {
  const end = points[points.length - 1] as Point;
  const before = points[points.length - 2] as Point;
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const reach = ground.spacing(end) * 1.05;
  const goal = step(end, angle, reach);
  let best = Number.POSITIVE_INFINITY;
  segments.some(end, reach, (other) => {
    const share = other.line === line ? undefined : meet(end, goal, other.a, other.b);
    if (share !== undefined) best = Math.min(best, share * reach);
    return false;
  });
  if (best === Number.POSITIVE_INFINITY) return undefined;
  // Half a metre over: a line that only just touches might be counted as missing the other.
  for (let gone = 10; gone < best; gone += 10) {
    const p = step(end, angle, gone);
    if (water.clearance(p) < 24 || ground.inSpot(p)) return undefined;
  }
  return step(end, angle, best + 0.5);
}

// Where segment a-b is crossed by c-d, as a share of a-b.
function meet(a: Point, b: Point, c: Point, d: Point): number | undefined {
  const cross = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x);
  if (Math.abs(cross) < 1e-9) return undefined;
  const s = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / cross;
  const t = ((c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x)) / cross;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? s : undefined;
}

// For every line its crossings, in order along it.
export function findCrossings(lines: Line[]): Crossing[][] {
  const segments = indexSegments(lines);
  return lines.map(({ points }, line) => {
    const found = new Map<string, Crossing>();
    let from = 0;
    for (let i = 1; i < points.length; i += 1) {
      const [a, b] = [points[i - 1] as Point, points[i] as Point];
      const span = apart(a, b);
      segments.some(blend(a, b, 0.5), span / 2, (other) => {
        const share = other.line === line ? undefined : meet(a, b, other.a, other.b);
        if (share === undefined) return false;
        // Both lines must find the very same point, so the lower one's segment always comes first.
        const back = meet(other.a, other.b, a, b) ?? 0;
        const point = line < other.line ? blend(a, b, share) : blend(other.a, other.b, back);
        const at = from + share * span;
        found.set(`${other.line}:${Math.round(at)}`, { at, other: other.line, point });
        return false;
      });
      from += span;
    }
    return [...found.values()].sort((one, two) => one.at - two.at);
  });
}

const STUB = 75;

function trimEnds(lines: Line[], ground: Ground): Line[] {
  const crossings = findCrossings(lines);
  const kept: Line[] = [];
  lines.forEach((line, i) => {
    // Circles have no ends, and country roads are meant to lead out of the picture.
    if (line.kind === 'road' || apart(line.points[0] as Point, line.points[line.points.length - 1] as Point) < 1) {
      kept.push(line);
      return;
    }
    const stub = line.kind === 'avenue' ? 5 * STUB : STUB;
    const length = lengthOf(line.points);
    const first = crossings[i]?.[0]?.at;
    const last = crossings[i]?.at(-1)?.at;
    if (first === undefined || last === undefined) return;
    const start = line.points[0] as Point;
    const end = line.points[line.points.length - 1] as Point;
    const from = first < stub || nearSpot(ground, start) ? Math.max(0, first - 0.5) : 0;
    const to = length - last < stub || nearSpot(ground, end) ? Math.min(length, last + 0.5) : length;
    if (to - from > 45) kept.push({ ...line, points: cut(line.points, from, to) });
  });
  return kept;
}

function nearSpot(ground: Ground, p: Point): boolean {
  return [0, 1, 2, 3].some((k) => ground.inSpot(step(p, (k * Math.PI) / 2, 60)));
}

const LONGEST = 1500;

// A street that goes on for miles changes its name at a crossing, as avenues do at the ring.
export function cutLines(lines: Line[]): Line[] {
  const crossings = findCrossings(lines);
  const ring = lines.findIndex((line) => line.title === 'Ring Road');
  return lines.flatMap((line, i) => {
    if (line.title || line.kind === 'road') return [line];
    const length = lengthOf(line.points);
    const cuts: number[] = [];
    if (line.kind === 'avenue') {
      cuts.push(...(crossings[i] ?? []).filter((crossing) => crossing.other === ring).map((crossing) => crossing.at));
    } else {
      const pieces = Math.ceil(length / LONGEST);
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
    return ends.slice(1).map((to, k) => ({ ...line, points: cut(line.points, ends[k] as number, to) }));
  });
}
