import type { Line } from './avenues.ts';
import { apart, type Point, step } from './geometry.ts';
import { startNearby } from './gridIndex.ts';
import { between, type Random } from './random.ts';
import type { Ground } from './terrain.ts';
import type { WaterMap } from './water.ts';

const STRIDE = 22;

type Family = 0 | 1;
type IsFree = (p: Point, angle: number, metres: number) => boolean;
type Trail = { p: Point; angle: number };

// Fills the town with streets that follow the ground's direction and, crossing those, the one square to it. A street
// stops where it would crowd another that runs alongside, at water, in a park, and at the edge of the town.
export function fillStreets(random: Random, water: WaterMap, ground: Ground, avenues: Line[]): Line[] {
  const trails = startNearby<Trail>(120);
  const lines: Line[] = [];
  const queue: [Point, Family][] = [];
  const isFree: IsFree = (p, angle, metres) =>
    !trails.some(p, metres, (other) => apart(other.p, p) < metres && Math.abs(Math.sin(other.angle - angle)) < 0.62);
  const fits = (p: Point) => ground.isTown(p) && water.clearance(p) > 30 && !ground.inSpot(p);
  const settle = (points: Point[]) => {
    for (const trail of toTrails(points)) trails.put(trail.p, trail);
    queue.push(...neighboursOf(ground, points));
  };

  for (const { points } of avenues) settle(points);
  for (const p of scatter(random)) queue.push([p, 0], [p, 1]);
  for (let at = 0; at < queue.length; at += 1) {
    const [seed, family] = queue[at] as [Point, Family];
    const angle = turnOf(ground, seed, family);
    if (!fits(seed) || !isFree(seed, angle, ground.spacing(seed) * 0.92)) continue;
    const reach = between(random, 350, 1250);
    const points = [
      ...trace(ground, seed, family, Math.PI, reach, fits, isFree).reverse(),
      seed,
      ...trace(ground, seed, family, 0, reach, fits, isFree),
    ];
    if (points.length * STRIDE < ground.spacing(seed) * 0.9) continue;
    settle(points);
    lines.push({ kind: 'street', points });
  }
  return lines;
}

function toTrails(points: Point[]): Trail[] {
  return points.map((p, i) => {
    const a = points[Math.max(0, i - 1)] as Point;
    const b = points[Math.min(points.length - 1, i + 1)] as Point;
    return { p, angle: Math.atan2(b.y - a.y, b.x - a.x) };
  });
}

// Where the streets alongside this one may start.
function neighboursOf(ground: Ground, points: Point[]): [Point, Family][] {
  const seeds: [Point, Family][] = [];
  for (let i = 2; i < points.length; i += 5) {
    const a = points[i - 1] as Point;
    const b = points[i] as Point;
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    for (const side of [1, -1]) {
      const seed = step(b, angle + (side * Math.PI) / 2, ground.spacing(b) * 1.02);
      const turned = Math.abs(Math.sin(ground.direction(seed) - angle)) > Math.SQRT1_2;
      seeds.push([seed, turned ? 1 : 0]);
    }
  }
  return seeds;
}

function turnOf(ground: Ground, p: Point, family: Family): number {
  return ground.direction(p) + (family === 1 ? Math.PI / 2 : 0);
}

function trace(
  ground: Ground,
  seed: Point,
  family: Family,
  back: number,
  reach: number,
  fits: (p: Point) => boolean,
  isFree: IsFree,
): Point[] {
  const points: Point[] = [];
  let p = seed;
  let heading = turnOf(ground, seed, family) + back;
  for (let gone = 0; gone < reach; gone += STRIDE) {
    // The field has no arrows: of its two ways the one that goes on is taken, half a stride ahead.
    const ahead = step(p, heading, STRIDE / 2);
    const angle = turnOf(ground, ahead, family);
    const turned = Math.cos(angle - heading) < 0 ? angle + Math.PI : angle;
    if (Math.cos(turned - heading) < 0.82) break;
    p = step(p, turned, STRIDE);
    heading = turned;
    if (!fits(p) || !isFree(p, turned, ground.spacing(p) * 0.6)) break;
    points.push(p);
  }
  return points;
}

// From the middle outwards, so that the town grows as towns do.
function scatter(random: Random): Point[] {
  const points: Point[] = [];
  for (let x = -5600; x <= 5600; x += 120) {
    for (let y = -5600; y <= 5600; y += 120) {
      points.push({ x: x + between(random, -50, 50), y: y + between(random, -50, 50) });
    }
  }
  return points.sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
}
