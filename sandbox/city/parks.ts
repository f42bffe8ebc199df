import type { Block } from './blocks.ts';
import { centroidOf, distanceBetween, isInside, type Point, smooth } from './geometry.ts';
import { type Random, randomBetween, shuffle } from './random.ts';
import { type GreenArea, isInGreenArea, type Terrain } from './terrain.ts';
import type { ParkKind } from './types.ts';
import type { WaterMap } from './water.ts';

export type ParkShape = { kind: ParkKind; ring: Point[]; middle: Point };

/** Parks are blocks without buildings. Only woods, outside the street network, have their own shape. */
export function generateParks(random: Random, water: WaterMap, ground: Terrain, blocks: Block[]): ParkShape[] {
  const middles = blocks.map((block) => centroidOf(block.ring));
  const taken = new Set<number>();
  const greens: ParkShape[] = [];
  const take = (index: number, kind: ParkKind) => {
    const block = blocks[index];
    const middle = middles[index];
    if (!block || !middle || taken.has(index)) return;
    taken.add(index);
    greens.push({ kind, ring: block.ring, middle });
  };
  const isDry = (index: number) => isDryRing(water, blocks[index]?.ring ?? []);

  const heart = blocks.findIndex((block) => isInside({ x: 0, y: 0 }, block.ring));
  take(heart, 'square');
  for (const spot of ground.greenAreas) {
    if (spot.kind === 'wood') greens.push(generateWood(random, spot));
    else for (const index of findBlocksInGreenArea(blocks, middles, spot)) if (isDry(index)) take(index, 'park');
  }
  for (const quarter of ground.districtCentres.slice(1)) {
    const index = nearestIndexOf(
      middles,
      quarter,
      (i) => isBetween(blocks[i]?.area ?? 0, 5000, 17000) && !taken.has(i),
    );
    if (index >= 0 && isDry(index)) take(index, 'square');
  }
  const order = shuffle(random, [...blocks.keys()]);
  for (const index of order.slice(0, Math.round(blocks.length * 0.022))) {
    const area = blocks[index]?.area ?? 0;
    if (isBetween(area, 7000, 60000) && isDry(index)) take(index, 'park');
  }
  return greens;
}

function isBetween(value: number, low: number, high: number): boolean {
  return value > low && value < high;
}

function isDryRing(water: WaterMap, ring: Point[]): boolean {
  return ring.length > 0 && ring.every((p) => water.clearance(p) > 15) && water.clearance(centroidOf(ring)) > 15;
}

// The largest first.
function findBlocksInGreenArea(blocks: Block[], middles: Point[], spot: GreenArea): number[] {
  const area = (index: number) => blocks[index]?.area ?? 0;
  return [...blocks.keys()]
    .filter((index) => area(index) > 9000 && area(index) < 900000 && isInGreenArea(middles[index] as Point, spot))
    .sort((a, b) => area(b) - area(a));
}

function nearestIndexOf(points: Point[], p: Point, suits: (index: number) => boolean): number {
  let best = -1;
  points.forEach((point, index) => {
    if (suits(index) && (best < 0 || distanceBetween(point, p) < distanceBetween(points[best] as Point, p)))
      best = index;
  });
  return best;
}

function generateWood(
  random: Random,
  { middle, halfLength: long, halfWidth: wide, rotation: turn }: GreenArea,
): ParkShape {
  const ring: Point[] = [];
  for (let i = 0; i < 26; i += 1) {
    const angle = (i / 26) * 2 * Math.PI;
    const share = randomBetween(random, 0.8, 0.98);
    const [u, v] = [Math.cos(angle) * long * share, Math.sin(angle) * wide * share];
    ring.push({
      x: middle.x + u * Math.cos(turn) - v * Math.sin(turn),
      y: middle.y + u * Math.sin(turn) + v * Math.cos(turn),
    });
  }
  return { kind: 'wood', ring: smooth([...ring, ring[0] as Point], 2).slice(0, -1), middle };
}
