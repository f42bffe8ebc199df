import type { StreetLine } from './avenues.ts';
import { indexSegments } from './crossings.ts';
import {
  distanceBetween,
  isInside,
  lengthOf,
  movePoint,
  nearestOnSegment,
  type Point,
  pointAlong,
} from './geometry.ts';
import { createGridIndex } from './gridIndex.ts';
import type { ParkShape } from './parks.ts';
import { type Random, randomBetween } from './random.ts';
import type { Terrain } from './terrain.ts';
import type { StreetKind } from './types.ts';
import type { WaterMap } from './water.ts';

export type Lot = { street: number; number: number; point: Point; footprint: Point[] };

const STREET_HALF_WIDTH: Record<StreetKind, number> = { avenue: 11, street: 6.5, road: 6 };

type Surroundings = { lines: StreetLine[]; water: WaterMap; ground: Terrain; greens: ParkShape[]; rails: Point[][] };

/** House numbers along both sides of every street, odd on the left, growing away from the town's centre. */
export function placeHouses(random: Random, site: Surroundings): Lot[] {
  const isFree = createFreeSpaceCheck(site);
  const lots: Lot[] = [];
  site.lines.forEach((line, street) => {
    const first = line.points[0] as Point;
    const last = line.points[line.points.length - 1] as Point;
    const way = Math.hypot(first.x, first.y) <= Math.hypot(last.x, last.y) ? line.points : [...line.points].reverse();
    const long = lengthOf(way);
    const width = lotWidthOf(line.kind, pointAlong(way, long / 2).point);
    for (let slot = 0; (slot + 1) * width < long; slot += 1) {
      const at = pointAlong(way, (slot + 0.5) * width);
      for (const side of [0, 1] as const) {
        // Drawn before the lot can be skipped, so that one house more or less does not move the others.
        const size = generateHouseSize(random, width, at.point);
        if (size.luck > houseDensityAt(site.ground, line.kind, at.point)) continue;
        const outwards = at.angle + (side === 0 ? Math.PI / 2 : -Math.PI / 2);
        const point = movePoint(at.point, outwards, STREET_HALF_WIDTH[line.kind] + 2.5 + size.deep / 2);
        if (!isFree(point, street, size.deep / 2)) continue;
        lots.push({
          street,
          number: slot * 2 + side + 1,
          point,
          footprint: createFootprint(point, at.angle, size.front, size.deep),
        });
      }
    }
  });
  return lots;
}

function lotWidthOf(kind: StreetKind, middle: Point): number {
  const far = Math.min(1, Math.hypot(middle.x, middle.y) / 4500);
  return (kind === 'avenue' ? 22 : 16) + (kind === 'road' ? 24 : 14) * far;
}

// In the centre houses are wall to wall; farther out they have gardens.
function generateHouseSize(random: Random, width: number, p: Point): { front: number; deep: number; luck: number } {
  const town = Math.exp(-((Math.hypot(p.x, p.y) / 2200) ** 2));
  const front = width * (randomBetween(random, 0.56, 0.82) + town * randomBetween(random, 0.18, 0.3));
  return { front, deep: randomBetween(random, 9.5, 14) + town * randomBetween(random, 1, 4), luck: random() };
}

// The share of lots with a house on it.
function houseDensityAt(ground: Terrain, kind: StreetKind, p: Point): number {
  if (kind === 'road') return Math.hypot(p.x, p.y) < 6200 ? 0.12 : 0;
  const far = Math.hypot(p.x, p.y) / ground.townRadius(Math.atan2(p.y, p.x));
  return far > 1 ? 0.15 : 0.97 - 0.42 * far * far;
}

function createFootprint(middle: Point, angle: number, front: number, deep: number): Point[] {
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([u, v]) =>
    movePoint(movePoint(middle, angle, ((u as number) * front) / 2), angle + Math.PI / 2, ((v as number) * deep) / 2),
  );
}

function createFreeSpaceCheck({
  lines,
  water,
  greens,
  rails,
}: Surroundings): (p: Point, street: number, half: number) => boolean {
  const segments = indexSegments(lines);
  const rail = indexSegments(rails.map((points) => ({ kind: 'road', points })));
  const standing = createGridIndex<{ p: Point; street: number }>(40);
  const parks = createGridIndex<ParkShape>(250);
  for (const green of greens) {
    const [xs, ys] = [green.ring.map((p) => p.x), green.ring.map((p) => p.y)];
    parks.addBox({ x: Math.min(...xs), y: Math.min(...ys) }, { x: Math.max(...xs), y: Math.max(...ys) }, green);
  }
  return (p, street, half) => {
    const isBlocked =
      standing.someNear(p, 17, (other) => distanceBetween(other.p, p) < (other.street === street ? 10 : 17)) ||
      segments.someNear(p, 30, ({ line, a, b }) => {
        const room = STREET_HALF_WIDTH[(lines[line] as StreetLine).kind] + half + (line === street ? 1 : 2.5);
        return nearestOnSegment(p, a, b).metres < room;
      }) ||
      rail.someNear(p, 22, ({ a, b }) => nearestOnSegment(p, a, b).metres < 20) ||
      parks.someNear(p, 1, (green) => isInside(p, green.ring)) ||
      water.clearance(p) < 14;
    if (!isBlocked) standing.add(p, { p, street });
    return !isBlocked;
  };
}
