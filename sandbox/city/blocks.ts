import type { Line } from './avenues.ts';
import { type Crossing, findCrossings } from './crossings.ts';
import { apart, areaOf, cut, lengthOf, type Point } from './geometry.ts';

export type Block = { ring: Point[]; area: number };

type Half = { from: string; to: string; angle: number; points: Point[]; next?: Half; seen?: boolean };

// The faces of the street network: what lies between the streets, without the countryside around them.
export function findBlocks(lines: Line[]): Block[] {
  const leaving = new Map<string, Half[]>();
  const halves: Half[] = [];
  const add = (from: string, to: string, points: Point[]) => {
    const [a, b] = [points[0] as Point, points[1] as Point];
    const half: Half = { from, to, angle: Math.atan2(b.y - a.y, b.x - a.x), points };
    halves.push(half);
    leaving.set(from, [...(leaving.get(from) ?? []), half]);
    return half;
  };
  findCrossings(lines).forEach((crossings, i) => {
    const points = (lines[i] as Line).points;
    const join = (a: Crossing, b: Crossing, way: Point[]) => {
      const [from, to] = [keyOf(a.point), keyOf(b.point)];
      if (from !== to) pair(add(from, to, way), add(to, from, [...way].reverse()));
    };
    for (let k = 1; k < crossings.length; k += 1) {
      const [a, b] = [crossings[k - 1] as Crossing, crossings[k] as Crossing];
      join(a, b, cut(points, a.at, b.at));
    }
    const [first, last] = [crossings[0], crossings[crossings.length - 1]];
    if (first && last && apart(points[0] as Point, points[points.length - 1] as Point) < 0.01) {
      join(last, first, [...cut(points, last.at, lengthOf(points)), ...cut(points, 0, first.at).slice(1)]);
    }
  });
  link(halves, leaving);
  return halves.flatMap((half) => (half.seen ? [] : trace(half)));
}

const twins = new WeakMap<Half, Half>();

function pair(a: Half, b: Half): void {
  twins.set(a, b);
  twins.set(b, a);
}

function keyOf(p: Point): string {
  return `${Math.round(p.x * 2)}:${Math.round(p.y * 2)}`;
}

// Whoever arrives at a corner leaves by the sharpest left: so every face is walked around with itself on the left.
function link(halves: Half[], leaving: Map<string, Half[]>): void {
  for (const list of leaving.values()) list.sort((a, b) => a.angle - b.angle);
  for (const half of halves) {
    const list = leaving.get(half.to) ?? [];
    const back = list.indexOf(twins.get(half) as Half);
    const next = list[(back - 1 + list.length) % list.length];
    if (next) half.next = next;
  }
}

function trace(start: Half): Block[] {
  const ring: Point[] = [];
  let half: Half | undefined = start;
  for (let steps = 0; half && !half.seen && steps < 5000; steps += 1) {
    half.seen = true;
    ring.push(...half.points.slice(0, -1));
    half = half.next;
  }
  const area = areaOf(ring);
  return half === start && area > 500 && ring.length > 3 ? [{ ring, area }] : [];
}
