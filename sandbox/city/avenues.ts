import { type Point, smooth, step } from './geometry.ts';
import { between, type Random } from './random.ts';
import { type Ground, OLD_TOWN, RING } from './terrain.ts';
import type { StreetKind } from './types.ts';
import type { WaterMap } from './water.ts';

// A street before it has a name or doors. `title` is for those that are named by what they are.
export type Line = { kind: StreetKind; points: Point[]; title?: string };

// The streets that were there first: what the town grew along.
export function drawAvenues(random: Random, water: WaterMap, ground: Ground): Line[] {
  const wall = wave(random, 0.05);
  const lines: Line[] = [
    { kind: 'avenue', points: circle(72, () => 1), title: 'Washtub Circus' },
    { kind: 'avenue', points: circle(OLD_TOWN, wall), title: 'Wall Walk' },
    ...drawRing(random, water),
    ...drawSpokes(random, water, ground, wall),
    ...drawDiagonal(water),
    ...drawWaterside(water),
  ];
  return lines.filter((line) => line.points.length > 2);
}

function wave(random: Random, height: number): (angle: number) => number {
  const [a, b] = [between(random, 0, 6), between(random, 0, 6)] as [number, number];
  return (angle) => 1 + height * Math.sin(2 * angle + a) + height * 0.6 * Math.sin(3 * angle + b);
}

function circle(radius: number, shape: (angle: number) => number): Point[] {
  const steps = Math.max(60, Math.round(radius / 3));
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = ((i % steps) / steps) * 2 * Math.PI;
    return step({ x: 0, y: 0 }, angle, radius * shape(angle));
  });
}

// The ring keeps to the land: where the bay cuts it, it ends at the shore, and it crosses the river on bridges.
function drawRing(random: Random, water: WaterMap): Line[] {
  const ring = circle(RING, wave(random, 0.06)).slice(0, -1);
  const isBay = (p: Point) => water.shoreLine.length > 0 && isAtSea(water, p);
  const start = ring.findIndex((p, i) => isBay(p) && !isBay(ring[(i + 1) % ring.length] as Point));
  if (start < 0) return [{ kind: 'avenue', points: [...ring, ring[0] as Point], title: 'Ring Road' }];
  const turned = [...ring.slice(start + 1), ...ring.slice(0, start + 1)];
  const length = turned.findIndex(isBay);
  return [{ kind: 'avenue', points: turned.slice(0, length), title: 'Ring Road' }];
}

// River crossings are short; whoever is still wet a hundred metres to all sides is at sea.
function isAtSea(water: WaterMap, p: Point): boolean {
  return water.clearance(p) < 25 && [0, 1, 2, 3].some((k) => water.clearance(step(p, (k * Math.PI) / 2, 130)) < -110);
}

// Every other avenue starts at the circus, the rest at the old wall.
function drawSpokes(random: Random, water: WaterMap, ground: Ground, wall: (angle: number) => number): Line[] {
  const count = 9;
  const turn = between(random, 0, 0.5);
  const lines: Line[] = [];
  for (let i = 0; i < count; i += 1) {
    let heading = turn + ((i + between(random, -0.12, 0.12)) / count) * 2 * Math.PI;
    const bend = between(random, -0.00012, 0.00012);
    let p = step({ x: 0, y: 0 }, heading, i % 2 === 0 ? 71 : OLD_TOWN * wall(heading) - 1.5);
    const points = [p];
    const far = i % 3 === 0 ? 26000 : ground.edge(heading) * 1.02;
    while (Math.hypot(p.x, p.y) < far && points.length < 1000) {
      heading += bend * 30 * Math.cos(points.length / 70) + between(random, -0.012, 0.012);
      p = step(p, heading, 30);
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

// One straight cut across everything, as an engineer of another century would have liked it.
function drawDiagonal(water: WaterMap): Line[] {
  const points: Point[] = [];
  for (let along = -2900; along <= 3300; along += 30) {
    const p = step({ x: 150, y: 640 }, -0.22, along);
    if (!isAtSea(water, p)) points.push(p);
  }
  return [{ kind: 'avenue', points, title: 'Long Diagonal' }];
}

function drawWaterside(water: WaterMap): Line[] {
  const dry = (points: Point[]) => points.filter((p) => water.clearance(p) > 24);
  const shore = water.shoreLine(46, -4300, 4300);
  const mouth = shore.findIndex((p) => water.clearance(p) < 24);
  const west = mouth < 0 ? shore : shore.slice(0, mouth);
  const east = mouth < 0 ? [] : dry(shore.slice(mouth));
  return [
    { kind: 'avenue', points: west, title: 'West Esplanade' },
    { kind: 'avenue', points: east, title: 'East Esplanade' },
    { kind: 'street', points: dry(water.bankLine(-1, 34, -1500, 3600)), title: 'Left Bank Quay' },
    { kind: 'street', points: dry(water.bankLine(1, 34, -1500, 3600)), title: 'Right Bank Quay' },
  ];
}
