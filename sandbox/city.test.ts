import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { distanceBetween, isInside, nearestOnSegment, type Point, toPoint, toPosition } from './city/geometry.ts';
import type { City, House } from './city/types.ts';
import { generateCity, pickHomes } from './city.ts';

const SEEDS = [1, 2, 3];

function hash(city: City): string {
  return createHash('sha256').update(JSON.stringify(city)).digest('hex');
}

function distanceToStreet(city: City, house: House): number {
  const p = toPoint(house.position);
  const line = (city.streets[house.street]?.line ?? []).map(toPoint);
  return Math.min(...line.slice(1).map((b, i) => nearestOnSegment(p, line[i] as Point, b).metres));
}

test('the same seed generates exactly the same city', async () => {
  const first = hash(generateCity(1));
  vi.resetModules();
  const again = await import('./city.ts');
  expect(again.generateCity).not.toBe(generateCity);
  expect(hash(again.generateCity(1))).toBe(first);
});

test('another seed generates another city', () => {
  expect(hash(generateCity(2))).not.toBe(hash(generateCity(1)));
});

test('a second call returns the cached city', () => {
  expect(generateCity(1)).toBe(generateCity(1));
});

test('degrees and metres convert into each other', () => {
  const p = toPoint(toPosition({ x: 1234, y: -2345 }));
  expect(distanceBetween(p, { x: 1234, y: -2345 })).toBeLessThan(0.2);
});

describe.each(SEEDS)('the city of seed %i', (seed) => {
  const city = generateCity(seed);

  test('is around the default centre and about ten kilometres across', () => {
    const [west, south, east, north] = city.bounds;
    expect(city.centre).toEqual([67, 24]);
    const low = toPoint([west, south]);
    const high = toPoint([east, north]);
    expect(high.x - low.x).toBeGreaterThan(9000);
    expect(high.x - low.x).toBeLessThan(13000);
    expect(high.y - low.y).toBeGreaterThan(8000);
    expect(high.y - low.y).toBeLessThan(13000);
  });

  test('has streets, blocks, parks, squares, water and districts', () => {
    expect(city.streets.length).toBeGreaterThan(400);
    expect(city.blocks.length).toBeGreaterThan(1000);
    expect(city.houses.length).toBeGreaterThan(15000);
    expect(city.districts.length).toBeGreaterThan(12);
    expect(new Set(city.parks.map((park) => park.kind))).toEqual(new Set(['park', 'square', 'wood']));
    expect(city.water.map((water) => water.kind).sort()).toEqual(['bay', 'river']);
    expect(new Set(city.pointsOfInterest.map((sight) => sight.category)).size).toBeGreaterThan(10);
  });

  test('uses no name twice', () => {
    for (const things of [city.streets, city.districts, city.parks, city.pointsOfInterest]) {
      const names = things.map((thing) => thing.name);
      expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
      expect(names.every((name) => /^[A-Z].{3,}$/.test(name))).toBe(true);
    }
  });

  test('every house is next to its street', () => {
    const off = city.houses.map((house) => distanceToStreet(city, house)).filter((metres) => metres < 8 || metres > 26);
    expect(off).toEqual([]);
  });

  test('no house is in the water, in a park or outside the bounds', () => {
    const [west, south, east, north] = city.bounds;
    const wet = [...city.water, ...city.parks].map(({ outline }) => {
      const ring = outline.map(toPoint);
      const xs = ring.map((p) => p.x);
      const ys = ring.map((p) => p.y);
      return { ring, box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const };
    });
    const drowned = city.houses.filter(({ position }) => {
      const p = toPoint(position);
      return wet.some(
        ({ ring, box }) => p.x > box[0] && p.y > box[1] && p.x < box[2] && p.y < box[3] && isInside(p, ring),
      );
    });
    expect(drowned).toEqual([]);
    const outside = city.houses.filter(({ position: [x, y] }) => x < west || x > east || y < south || y > north);
    expect(outside).toEqual([]);
  });

  test('house numbers grow along a street, odd on one side, even on the other, without duplicates', () => {
    for (const street of city.streets.slice(0, 120)) {
      const houses = city.houses.filter((house) => house.street === street.id);
      const numbers = houses.map((house) => house.number);
      expect(new Set(numbers).size).toBe(numbers.length);
      const line = street.line.map(toPoint);
      const isForward =
        distanceBetween(line[0] as Point, { x: 0, y: 0 }) <= distanceBetween(line.at(-1) as Point, { x: 0, y: 0 });
      const way = isForward ? line : [...line].reverse();
      const placed = houses.map((house) => ({ house, ...locateAlong(way, toPoint(house.position)) }));
      for (const side of [1, 0]) {
        const row = placed
          .filter(({ house }) => house.number % 2 === side)
          .sort((a, b) => a.house.number - b.house.number);
        // At a sharp bend two neighbours may share the same corner, but no more.
        row.slice(1).forEach((next, i) => {
          expect(next.along - (row[i]?.along ?? 0)).toBeGreaterThan(-12);
        });
        expect(row.filter(({ left }) => left === (side === 1)).length).toBeGreaterThanOrEqual(row.length * 0.95);
      }
    }
  });

  test('is denser in the centre than outside', () => {
    const count = (low: number, high: number) =>
      city.houses.filter(({ position }) => {
        const far = distanceBetween(toPoint(position), { x: 0, y: 0 });
        return far >= low && far < high;
      }).length /
      (high * high - low * low);
    expect(count(0, 1200)).toBeGreaterThan(2 * count(3000, 4500));
  });

  test('every point of interest with a house number is at that house', () => {
    for (const { house, position } of city.pointsOfInterest) {
      if (house !== undefined) expect(city.houses[house]?.position).toEqual(position);
    }
  });
});

function locateAlong(line: Point[], p: Point): { along: number; left: boolean } {
  let best = { metres: Number.POSITIVE_INFINITY, along: 0, left: false };
  let at = 0;
  for (let i = 1; i < line.length; i += 1) {
    const [a, b] = [line[i - 1] as Point, line[i] as Point];
    const foot = nearestOnSegment(p, a, b);
    if (foot.metres < best.metres) {
      const left = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0;
      best = { metres: foot.metres, along: at + foot.share * distanceBetween(a, b), left };
    }
    at += distanceBetween(a, b);
  }
  return best;
}

describe('homes for the demo', () => {
  const city = generateCity(1);
  const homes = pickHomes(city, 200, 7);

  test('are real houses, without duplicates, and the same for the same seed', () => {
    expect(pickHomes(city, 200, 7)).toEqual(homes);
    expect(pickHomes(city, 200, 8)).not.toEqual(homes);
    expect(new Set(homes.map((home) => home.address)).size).toBe(200);
    for (const { address, latitude, longitude } of homes) {
      const door = city.houses.find(({ position }) => position[0] === longitude && position[1] === latitude);
      expect(address).toBe(`${door?.number} ${city.streets[door?.street ?? -1]?.name}, Soapwick`);
    }
  });

  test('are closer together in the town centre', () => {
    const far = homes.map(({ longitude, latitude }) => distanceBetween(toPoint([longitude, latitude]), { x: 0, y: 0 }));
    expect(far.filter((metres) => metres < 2000).length).toBeGreaterThan(70);
    expect(far.filter((metres) => metres > 3000).length).toBeGreaterThan(10);
  });

  test('run out with a clear error', () => {
    expect(() => pickHomes(city, 1_000_000, 1)).toThrow(/homes for/);
  });
});
