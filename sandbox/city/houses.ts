import type { Line } from './avenues.ts';
import { indexSegments } from './crossings.ts';
import { apart, isInside, lengthOf, nearestOnSegment, type Point, step, walk } from './geometry.ts';
import { startNearby } from './gridIndex.ts';
import type { Green } from './parks.ts';
import { between, type Random } from './random.ts';
import type { Ground } from './terrain.ts';
import type { StreetKind } from './types.ts';
import type { WaterMap } from './water.ts';

export type Lot = { street: number; number: number; point: Point; footprint: Point[] };

const HALF_WIDTH: Record<StreetKind, number> = { avenue: 11, street: 6.5, road: 6 };

type Site = { lines: Line[]; water: WaterMap; ground: Ground; greens: Green[]; rails: Point[][] };

// Doors along both sides of every street, odd numbers on the left, growing away from the middle of the town.
export function placeHouses(random: Random, site: Site): Lot[] {
  const isFree = startFreeSpace(site);
  const lots: Lot[] = [];
  site.lines.forEach((line, street) => {
    const first = line.points[0] as Point;
    const last = line.points[line.points.length - 1] as Point;
    const way = Math.hypot(first.x, first.y) <= Math.hypot(last.x, last.y) ? line.points : [...line.points].reverse();
    const long = lengthOf(way);
    const width = lotWidth(line.kind, walk(way, long / 2).point);
    for (let slot = 0; (slot + 1) * width < long; slot += 1) {
      const at = walk(way, (slot + 0.5) * width);
      for (const side of [0, 1] as const) {
        // Drawn before anything can skip the lot, so that one house more or less moves no other.
        const size = drawSize(random, width, at.point);
        if (size.luck > density(site.ground, line.kind, at.point)) continue;
        const outwards = at.angle + (side === 0 ? Math.PI / 2 : -Math.PI / 2);
        const point = step(at.point, outwards, HALF_WIDTH[line.kind] + 2.5 + size.deep / 2);
        if (!isFree(point, street, size.deep / 2)) continue;
        lots.push({
          street,
          number: slot * 2 + side + 1,
          point,
          footprint: box(point, at.angle, size.front, size.deep),
        });
      }
    }
  });
  return lots;
}

function lotWidth(kind: StreetKind, middle: Point): number {
  const far = Math.min(1, Math.hypot(middle.x, middle.y) / 4500);
  return (kind === 'avenue' ? 22 : 16) + (kind === 'road' ? 24 : 14) * far;
}

// In the middle of the town houses stand wall to wall, farther out in gardens.
function drawSize(random: Random, width: number, p: Point): { front: number; deep: number; luck: number } {
  const town = Math.exp(-((Math.hypot(p.x, p.y) / 2200) ** 2));
  const front = width * (between(random, 0.56, 0.82) + town * between(random, 0.18, 0.3));
  return { front, deep: between(random, 9.5, 14) + town * between(random, 1, 4), luck: random() };
}

// The share of lots with a house on it.
function density(ground: Ground, kind: StreetKind, p: Point): number {
  if (kind === 'road') return Math.hypot(p.x, p.y) < 6200 ? 0.12 : 0;
  const far = Math.hypot(p.x, p.y) / ground.edge(Math.atan2(p.y, p.x));
  return far > 1 ? 0.15 : 0.97 - 0.42 * far * far;
}

function box(middle: Point, angle: number, front: number, deep: number): Point[] {
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([u, v]) =>
    step(step(middle, angle, ((u as number) * front) / 2), angle + Math.PI / 2, ((v as number) * deep) / 2),
  );
}

function startFreeSpace({ lines, water, greens, rails }: Site): (p: Point, street: number, half: number) => boolean {
  const segments = indexSegments(lines);
  const rail = indexSegments(rails.map((points) => ({ kind: 'road', points })));
  const standing = startNearby<{ p: Point; street: number }>(40);
  const parks = startNearby<Green>(250);
  for (const green of greens) {
    const [xs, ys] = [green.ring.map((p) => p.x), green.ring.map((p) => p.y)];
    parks.putBox({ x: Math.min(...xs), y: Math.min(...ys) }, { x: Math.max(...xs), y: Math.max(...ys) }, green);
  }
  return (p, street, half) => {
    const isBlocked =
      standing.some(p, 17, (other) => apart(other.p, p) < (other.street === street ? 10 : 17)) ||
      segments.some(p, 30, ({ line, a, b }) => {
        const room = HALF_WIDTH[(lines[line] as Line).kind] + half + (line === street ? 1 : 2.5);
        return nearestOnSegment(p, a, b).metres < room;
      }) ||
      rail.some(p, 22, ({ a, b }) => nearestOnSegment(p, a, b).metres < 20) ||
      parks.some(p, 1, (green) => isInside(p, green.ring)) ||
      water.clearance(p) < 14;
    if (!isBlocked) standing.put(p, { p, street });
    return !isBlocked;
  };
}
