import type { Block } from './blocks.ts';
import { apart, isInside, middleOf, type Point, smooth } from './geometry.ts';
import { between, type Random, shuffle } from './random.ts';
import { type Ground, isInSpot, type Spot } from './terrain.ts';
import type { ParkKind } from './types.ts';
import type { WaterMap } from './water.ts';

export type Green = { kind: ParkKind; ring: Point[]; middle: Point };

// Parks are blocks that were never built on; only woods, outside the streets, have a shape of their own.
export function drawParks(random: Random, water: WaterMap, ground: Ground, blocks: Block[]): Green[] {
  const middles = blocks.map((block) => middleOf(block.ring));
  const taken = new Set<number>();
  const greens: Green[] = [];
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
  for (const spot of ground.spots) {
    if (spot.kind === 'wood') greens.push(growWood(random, spot));
    else for (const index of blocksInSpot(blocks, middles, spot)) if (isDry(index)) take(index, 'park');
  }
  for (const quarter of ground.quarters.slice(1)) {
    const index = nearestOf(middles, quarter, (i) => isBetween(blocks[i]?.area ?? 0, 5000, 17000) && !taken.has(i));
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
  return ring.length > 0 && ring.every((p) => water.clearance(p) > 15) && water.clearance(middleOf(ring)) > 15;
}

// The largest first.
function blocksInSpot(blocks: Block[], middles: Point[], spot: Spot): number[] {
  const area = (index: number) => blocks[index]?.area ?? 0;
  return [...blocks.keys()]
    .filter((index) => area(index) > 9000 && area(index) < 900000 && isInSpot(middles[index] as Point, spot))
    .sort((a, b) => area(b) - area(a));
}

function nearestOf(points: Point[], p: Point, suits: (index: number) => boolean): number {
  let best = -1;
  points.forEach((point, index) => {
    if (suits(index) && (best < 0 || apart(point, p) < apart(points[best] as Point, p))) best = index;
  });
  return best;
}

function growWood(random: Random, { middle, long, wide, turn }: Spot): Green {
  const ring: Point[] = [];
  for (let i = 0; i < 26; i += 1) {
    const angle = (i / 26) * 2 * Math.PI;
    const share = between(random, 0.8, 0.98);
    const [u, v] = [Math.cos(angle) * long * share, Math.sin(angle) * wide * share];
    ring.push({
      x: middle.x + u * Math.cos(turn) - v * Math.sin(turn),
      y: middle.y + u * Math.sin(turn) + v * Math.cos(turn),
    });
  }
  return { kind: 'wood', ring: smooth([...ring, ring[0] as Point], 2).slice(0, -1), middle };
}
