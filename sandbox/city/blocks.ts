import type { StreetLine } from './avenues.ts';
import { type Crossing, findCrossings } from './crossings.ts';
import { distanceBetween, lengthOf, type Point, signedAreaOf, sliceLine } from './geometry.ts';

export type Block = { ring: Point[]; area: number };

type HalfEdge = { from: string; to: string; angle: number; points: Point[]; next?: HalfEdge; isVisited?: boolean };

/** The faces of the street network: the areas between streets, without the surrounding countryside. */
export function findBlocks(lines: StreetLine[]): Block[] {
  const leaving = new Map<string, HalfEdge[]>();
  const halves: HalfEdge[] = [];
  const add = (from: string, to: string, points: Point[]) => {
    const [a, b] = [points[0] as Point, points[1] as Point];
    const half: HalfEdge = { from, to, angle: Math.atan2(b.y - a.y, b.x - a.x), points };
    halves.push(half);
    leaving.set(from, [...(leaving.get(from) ?? []), half]);
    return half;
  };
  findCrossings(lines).forEach((crossings, i) => {
    const points = (lines[i] as StreetLine).points;
    const join = (a: Crossing, b: Crossing, way: Point[]) => {
      const [from, to] = [cornerKeyOf(a.point), cornerKeyOf(b.point)];
      if (from !== to) linkOpposites(add(from, to, way), add(to, from, [...way].reverse()));
    };
    for (let k = 1; k < crossings.length; k += 1) {
      const [a, b] = [crossings[k - 1] as Crossing, crossings[k] as Crossing];
      join(a, b, sliceLine(points, a.at, b.at));
    }
    const [first, last] = [crossings[0], crossings[crossings.length - 1]];
    if (first && last && distanceBetween(points[0] as Point, points[points.length - 1] as Point) < 0.01) {
      join(last, first, [...sliceLine(points, last.at, lengthOf(points)), ...sliceLine(points, 0, first.at).slice(1)]);
    }
  });
  linkNextEdges(halves, leaving);
  return halves.flatMap((half) => (half.isVisited ? [] : traceBlock(half)));
}

const oppositeEdges = new WeakMap<HalfEdge, HalfEdge>();

function linkOpposites(a: HalfEdge, b: HalfEdge): void {
  oppositeEdges.set(a, b);
  oppositeEdges.set(b, a);
}

function cornerKeyOf(p: Point): string {
  return `${Math.round(p.x * 2)}:${Math.round(p.y * 2)}`;
}

// At each corner take the sharpest left turn: this walks around every face with the face on the left.
function linkNextEdges(halves: HalfEdge[], leaving: Map<string, HalfEdge[]>): void {
  for (const list of leaving.values()) list.sort((a, b) => a.angle - b.angle);
  for (const half of halves) {
    const list = leaving.get(half.to) ?? [];
    const back = list.indexOf(oppositeEdges.get(half) as HalfEdge);
    const next = list[(back - 1 + list.length) % list.length];
    if (next) half.next = next;
  }
}

function traceBlock(start: HalfEdge): Block[] {
  const ring: Point[] = [];
  let half: HalfEdge | undefined = start;
  for (let steps = 0; half && !half.isVisited && steps < 5000; steps += 1) {
    half.isVisited = true;
    ring.push(...half.points.slice(0, -1));
    half = half.next;
  }
  const area = signedAreaOf(ring);
  return half === start && area > 500 && ring.length > 3 ? [{ ring, area }] : [];
}
