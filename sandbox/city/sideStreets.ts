import type { StreetLine } from './avenues.ts';
import { distanceBetween, movePoint, type Point } from './geometry.ts';
import { createGridIndex } from './gridIndex.ts';
import { type Random, randomBetween } from './random.ts';
import type { Terrain } from './terrain.ts';
import type { WaterMap } from './water.ts';

const STEP_METRES = 22;

type GridAxis = 0 | 1;
type IsFree = (p: Point, angle: number, metres: number) => boolean;
type StreetSample = { p: Point; angle: number };

/**
 * Fills the town with streets along the terrain's direction, and with streets at right angles to them. A street
 * stops where it would run too close to a parallel one, at water, in a park, and at the edge of the town.
 */
export function generateSideStreets(
  random: Random,
  water: WaterMap,
  ground: Terrain,
  avenues: StreetLine[],
): StreetLine[] {
  const trails = createGridIndex<StreetSample>(120);
  const lines: StreetLine[] = [];
  const queue: [Point, GridAxis][] = [];
  const isFree: IsFree = (p, angle, metres) =>
    !trails.someNear(
      p,
      metres,
      (other) => distanceBetween(other.p, p) < metres && Math.abs(Math.sin(other.angle - angle)) < 0.62,
    );
  const fits = (p: Point) => ground.isTown(p) && water.clearance(p) > 30 && !ground.isGreen(p);
  const settle = (points: Point[]) => {
    for (const trail of toStreetSamples(points)) trails.add(trail.p, trail);
    queue.push(...findParallelSeeds(ground, points));
  };

  for (const { points } of avenues) settle(points);
  for (const p of scatterSeeds(random)) queue.push([p, 0], [p, 1]);
  for (let at = 0; at < queue.length; at += 1) {
    const [seed, family] = queue[at] as [Point, GridAxis];
    const angle = gridAngleAt(ground, seed, family);
    if (!fits(seed) || !isFree(seed, angle, ground.streetSpacing(seed) * 0.92)) continue;
    const reach = randomBetween(random, 350, 1250);
    const points = [
      ...traceStreet(ground, seed, family, Math.PI, reach, fits, isFree).reverse(),
      seed,
      ...traceStreet(ground, seed, family, 0, reach, fits, isFree),
    ];
    if (points.length * STEP_METRES < ground.streetSpacing(seed) * 0.9) continue;
    settle(points);
    lines.push({ kind: 'street', points });
  }
  return lines;
}

function toStreetSamples(points: Point[]): StreetSample[] {
  return points.map((p, i) => {
    const a = points[Math.max(0, i - 1)] as Point;
    const b = points[Math.min(points.length - 1, i + 1)] as Point;
    return { p, angle: Math.atan2(b.y - a.y, b.x - a.x) };
  });
}

// Where parallel streets may start.
function findParallelSeeds(ground: Terrain, points: Point[]): [Point, GridAxis][] {
  const seeds: [Point, GridAxis][] = [];
  for (let i = 2; i < points.length; i += 5) {
    const a = points[i - 1] as Point;
    const b = points[i] as Point;
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    for (const side of [1, -1]) {
      const seed = movePoint(b, angle + (side * Math.PI) / 2, ground.streetSpacing(b) * 1.02);
      const turned = Math.abs(Math.sin(ground.streetDirection(seed) - angle)) > Math.SQRT1_2;
      seeds.push([seed, turned ? 1 : 0]);
    }
  }
  return seeds;
}

function gridAngleAt(ground: Terrain, p: Point, family: GridAxis): number {
  return ground.streetDirection(p) + (family === 1 ? Math.PI / 2 : 0);
}

function traceStreet(
  ground: Terrain,
  seed: Point,
  family: GridAxis,
  back: number,
  reach: number,
  fits: (p: Point) => boolean,
  isFree: IsFree,
): Point[] {
  const points: Point[] = [];
  let p = seed;
  let heading = gridAngleAt(ground, seed, family) + back;
  for (let gone = 0; gone < reach; gone += STEP_METRES) {
    // The field has no orientation: take the direction that continues the street, half a step ahead.
    const ahead = movePoint(p, heading, STEP_METRES / 2);
    const angle = gridAngleAt(ground, ahead, family);
    const turned = Math.cos(angle - heading) < 0 ? angle + Math.PI : angle;
    if (Math.cos(turned - heading) < 0.82) break;
    p = movePoint(p, turned, STEP_METRES);
    heading = turned;
    if (!fits(p) || !isFree(p, turned, ground.streetSpacing(p) * 0.6)) break;
    points.push(p);
  }
  return points;
}

// From the centre outwards, the way towns grow.
function scatterSeeds(random: Random): Point[] {
  const points: Point[] = [];
  for (let x = -5600; x <= 5600; x += 120) {
    for (let y = -5600; y <= 5600; y += 120) {
      points.push({ x: x + randomBetween(random, -50, 50), y: y + randomBetween(random, -50, 50) });
    }
  }
  return points.sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
}
