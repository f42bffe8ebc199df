import { distanceBetween, type Point } from './geometry.ts';
import { type Random, randomBetween } from './random.ts';
import type { WaterMap } from './water.ts';

export const OLD_TOWN_RADIUS = 430;
export const RING_ROAD_RADIUS = 2350;

export type GreenArea = {
  middle: Point;
  halfLength: number;
  halfWidth: number;
  rotation: number;
  kind: 'park' | 'wood';
};

/** What the street network is generated on: the town's edge, the direction of its blocks, its density, its green areas. */
export type Terrain = {
  townRadius: (angle: number) => number;
  isTown: (p: Point) => boolean;
  streetDirection: (p: Point) => number;
  streetSpacing: (p: Point) => number;
  greenAreas: GreenArea[];
  isGreen: (p: Point) => boolean;
  districtCentres: Point[];
};

export function generateTerrain(random: Random, water: WaterMap): Terrain {
  const [a, b, c] = [randomBetween(random, 0, 6), randomBetween(random, 0, 6), randomBetween(random, 0, 6)] as [
    number,
    number,
    number,
  ];
  const edge = (angle: number) =>
    4750 * (1 + 0.09 * Math.sin(2 * angle + a) + 0.06 * Math.sin(3 * angle + b) + 0.035 * Math.sin(7 * angle + c));
  const isTown = (p: Point) => Math.hypot(p.x, p.y) < edge(Math.atan2(p.y, p.x));
  const quarters = placeDistricts(random, water, isTown);
  const spots = placeGreenAreas(random, water);
  return {
    townRadius: edge,
    isTown,
    districtCentres: quarters,
    greenAreas: spots,
    streetDirection: createStreetDirection(random, water, quarters),
    streetSpacing: (p) => {
      const far = Math.hypot(p.x, p.y);
      return 92 + 46 * Math.min(1, far / 1800) + 110 * Math.max(0, Math.min(1, (far - 1800) / 3000)) ** 1.3;
    },
    isGreen: (p) => spots.some((spot) => isInGreenArea(p, spot)),
  };
}

// The centres of the districts, spread apart from each other.
function placeDistricts(random: Random, water: WaterMap, isTown: (p: Point) => boolean): Point[] {
  const quarters: Point[] = [{ x: 0, y: 0 }];
  for (let attempt = 0; attempt < 4000 && quarters.length < 22; attempt += 1) {
    const p = { x: randomBetween(random, -5000, 5000), y: randomBetween(random, -5000, 5000) };
    const gap = 950 + 0.16 * Math.hypot(p.x, p.y);
    const free = isTown(p) && water.clearance(p) > 260 && quarters.every((other) => distanceBetween(p, other) > gap);
    if (free) quarters.push(p);
  }
  return quarters;
}

// Each district has its own grid. Between them the angles blend, so that streets bend from one into the next.
function createStreetDirection(random: Random, water: WaterMap, quarters: Point[]): (p: Point) => number {
  const grids = quarters.slice(1).map((middle) => ({ middle, angle: randomBetween(random, 0, Math.PI), size: 1150 }));
  const [a, b] = [randomBetween(random, 0, 6), randomBetween(random, 0, 6)] as [number, number];
  return (p) => {
    let x = 0;
    let y = 0;
    const add = (angle: number, weight: number) => {
      x += weight * Math.cos(2 * angle);
      y += weight * Math.sin(2 * angle);
    };
    for (const { middle, angle, size } of grids) {
      // A right-angled grid looks the same after 90 degrees, so one angle describes both of its directions.
      const far = distanceBetween(p, middle) / size;
      if (far < 3) add(angle, Math.exp(-far * far));
    }
    const far = Math.hypot(p.x, p.y);
    add(Math.atan2(p.y, p.x), 2.6 * Math.exp(-((far / 900) ** 2)) + 0.12);
    const clearance = water.clearance(p);
    add(water.bankAngle(p), 2.4 * Math.exp(-((Math.max(0, clearance) / 330) ** 2)));
    const wobble = 0.16 * Math.sin(p.x / 610 + a) + 0.16 * Math.sin(p.y / 540 + b);
    return Math.atan2(y, x) / 2 + wobble;
  };
}

function placeGreenAreas(random: Random, water: WaterMap): GreenArea[] {
  const wanted = [
    { angle: 2.25, far: 1150, long: 430, wide: 250, kind: 'park' },
    { angle: 0.15, far: 2750, long: 380, wide: 260, kind: 'park' },
    { angle: 4.95, far: 2500, long: 300, wide: 210, kind: 'park' },
    { angle: 3.1, far: 2450, long: 340, wide: 200, kind: 'park' },
    { angle: 1.45, far: 2900, long: 330, wide: 240, kind: 'park' },
    { angle: 1.85, far: 4500, long: 900, wide: 620, kind: 'wood' },
    { angle: 5.75, far: 4550, long: 800, wide: 520, kind: 'wood' },
    { angle: 2.75, far: 4300, long: 520, wide: 400, kind: 'wood' },
  ] as const;
  const spots: GreenArea[] = [];
  for (const { angle, far, long, wide, kind } of wanted) {
    const turned = angle + randomBetween(random, -0.14, 0.14);
    const middle = { x: far * Math.cos(turned), y: far * Math.sin(turned) };
    if (water.clearance(middle) > wide * 0.4)
      spots.push({ middle, halfLength: long, halfWidth: wide, kind, rotation: randomBetween(random, 0, Math.PI) });
  }
  return spots;
}

export function isInGreenArea(
  p: Point,
  { middle, halfLength: long, halfWidth: wide, rotation: turn }: GreenArea,
): boolean {
  const dx = p.x - middle.x;
  const dy = p.y - middle.y;
  const u = (dx * Math.cos(turn) + dy * Math.sin(turn)) / long;
  const v = (dy * Math.cos(turn) - dx * Math.sin(turn)) / wide;
  return u * u + v * v < 1;
}
