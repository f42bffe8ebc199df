import { movePoint, type Point, smooth } from './geometry.ts';
import { type Random, randomBetween } from './random.ts';
import { OLD_TOWN_RADIUS, RING_ROAD_RADIUS, type Terrain } from './terrain.ts';
import type { StreetKind } from './types.ts';
import type { WaterMap } from './water.ts';

/** A street before it has a name or house numbers. `title` is set for streets named after what they are. */
export type StreetLine = { kind: StreetKind; points: Point[]; fixedName?: string };

/** The oldest streets, which the town grew along. */
export function generateAvenues(random: Random, water: WaterMap, ground: Terrain): StreetLine[] {
  const wall = createWave(random, 0.05);
  const lines: StreetLine[] = [
    { kind: 'avenue', points: generateCircle(72, () => 1), fixedName: 'Washtub Circus' },
    { kind: 'avenue', points: generateCircle(OLD_TOWN_RADIUS, wall), fixedName: 'Wall Walk' },
    ...generateRingRoad(random, water),
    ...generateRadialAvenues(random, water, ground, wall),
    ...generateDiagonal(water),
    ...generateWatersideStreets(water),
  ];
  return lines.filter((line) => line.points.length > 2);
}

function createWave(random: Random, height: number): (angle: number) => number {
  const [a, b] = [randomBetween(random, 0, 6), randomBetween(random, 0, 6)] as [number, number];
  return (angle) => 1 + height * Math.sin(2 * angle + a) + height * 0.6 * Math.sin(3 * angle + b);
}

function generateCircle(radius: number, shape: (angle: number) => number): Point[] {
  const steps = Math.max(60, Math.round(radius / 3));
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = ((i % steps) / steps) * 2 * Math.PI;
    return movePoint({ x: 0, y: 0 }, angle, radius * shape(angle));
  });
}

// The ring road stays on land: it ends at the shore of the bay, and crosses the river on bridges.
function generateRingRoad(random: Random, water: WaterMap): StreetLine[] {
  const ring = generateCircle(RING_ROAD_RADIUS, createWave(random, 0.06)).slice(0, -1);
  const isBay = (p: Point) => water.shoreLine.length > 0 && isAtSea(water, p);
  const start = ring.findIndex((p, i) => isBay(p) && !isBay(ring[(i + 1) % ring.length] as Point));
  if (start < 0) return [{ kind: 'avenue', points: [...ring, ring[0] as Point], fixedName: 'Ring Road' }];
  const turned = [...ring.slice(start + 1), ...ring.slice(0, start + 1)];
  const length = turned.findIndex(isBay);
  return [{ kind: 'avenue', points: turned.slice(0, length), fixedName: 'Ring Road' }];
}

// River crossings are short. A point with water a hundred metres around it is at sea.
function isAtSea(water: WaterMap, p: Point): boolean {
  return (
    water.clearance(p) < 25 && [0, 1, 2, 3].some((k) => water.clearance(movePoint(p, (k * Math.PI) / 2, 130)) < -110)
  );
}

// Every other avenue starts at the circus, the rest at the old wall.
function generateRadialAvenues(
  random: Random,
  water: WaterMap,
  ground: Terrain,
  wall: (angle: number) => number,
): StreetLine[] {
  const count = 9;
  const turn = randomBetween(random, 0, 0.5);
  const lines: StreetLine[] = [];
  for (let i = 0; i < count; i += 1) {
    let heading = turn + ((i + randomBetween(random, -0.12, 0.12)) / count) * 2 * Math.PI;
    const bend = randomBetween(random, -0.00012, 0.00012);
    let p = movePoint({ x: 0, y: 0 }, heading, i % 2 === 0 ? 71 : OLD_TOWN_RADIUS * wall(heading) - 1.5);
    const points = [p];
    const far = i % 3 === 0 ? 26000 : ground.townRadius(heading) * 1.02;
    while (Math.hypot(p.x, p.y) < far && points.length < 1000) {
      heading += bend * 30 * Math.cos(points.length / 70) + randomBetween(random, -0.012, 0.012);
      p = movePoint(p, heading, 30);
      if (isAtSea(water, p)) break;
      points.push(p);
    }
    const town = points.findIndex((point) => !ground.isTown(point));
    if (town < 0) lines.push({ kind: 'avenue', points });
    else {
      lines.push({ kind: 'avenue', points: points.slice(0, town + 1) });
      lines.push({ kind: 'road', points: smooth(points.slice(town), 1) });
    }
  }
  return lines.filter((line) => line.points.length > 12);
}

// One straight avenue across the whole town.
function generateDiagonal(water: WaterMap): StreetLine[] {
  const points: Point[] = [];
  for (let along = -2900; along <= 3300; along += 30) {
    const p = movePoint({ x: 150, y: 640 }, -0.22, along);
    if (!isAtSea(water, p)) points.push(p);
  }
  return [{ kind: 'avenue', points, fixedName: 'Long Diagonal' }];
}

function generateWatersideStreets(water: WaterMap): StreetLine[] {
  const dry = (points: Point[]) => points.filter((p) => water.clearance(p) > 24);
  const shore = water.shoreLine(46, -4300, 4300);
  const mouth = shore.findIndex((p) => water.clearance(p) < 24);
  const west = mouth < 0 ? shore : shore.slice(0, mouth);
  const east = mouth < 0 ? [] : dry(shore.slice(mouth));
  return [
    { kind: 'avenue', points: west, fixedName: 'West Esplanade' },
    { kind: 'avenue', points: east, fixedName: 'East Esplanade' },
    { kind: 'street', points: dry(water.bankLine(-1, 34, -1500, 3600)), fixedName: 'Left Bank Quay' },
    { kind: 'street', points: dry(water.bankLine(1, 34, -1500, 3600)), fixedName: 'Right Bank Quay' },
  ];
}
