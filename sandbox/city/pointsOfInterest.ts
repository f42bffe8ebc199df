import { distanceBetween, type Point } from './geometry.ts';
import type { Lot } from './houses.ts';
import type { ParkShape } from './parks.ts';
import { type Random, shuffle } from './random.ts';

export type PlacedPointOfInterest = { name: string; category: string; point: Point; lot?: number };

type PointOfInterestKind = {
  category: string;
  count: number;
  maxDistance: number;
  firstWords: string[];
  lastWords: string[];
};

const FIRST_WORDS =
  `Bubble Sparkle Fresh Little Blue Golden Corner Happy Sunny Village Harbour River Old Bright Silver Garden Market
Lucky Copper Daily Morning Pebble Lantern Magnolia Clover Starling Tidal Linden Marigold Olive`.split(/\s+/);

// How many of each, how far from the centre they may be, and their names.
const POINT_OF_INTEREST_KINDS: PointOfInterestKind[] = [
  {
    category: 'laundry',
    count: 34,
    maxDistance: 4600,
    firstWords: FIRST_WORDS,
    lastWords: ['Laundromat', 'Launderette', 'Wash & Fold', 'Washhouse'],
  },
  {
    category: 'dry_cleaners',
    count: 12,
    maxDistance: 3600,
    firstWords: FIRST_WORDS,
    lastWords: ['Dry Cleaners', 'Pressing'],
  },
  {
    category: 'cafe',
    count: 60,
    maxDistance: 4200,
    firstWords: FIRST_WORDS,
    lastWords: ['Cafe', 'Coffee', 'Tea Room', 'Espresso Bar'],
  },
  { category: 'bakery', count: 26, maxDistance: 4400, firstWords: FIRST_WORDS, lastWords: ['Bakery', 'Bread & Buns'] },
  {
    category: 'restaurant',
    count: 40,
    maxDistance: 3600,
    firstWords: FIRST_WORDS,
    lastWords: ['Kitchen', 'Bistro', 'Table', 'Canteen'],
  },
  {
    category: 'grocery',
    count: 34,
    maxDistance: 4700,
    firstWords: FIRST_WORDS,
    lastWords: ['Grocer', 'Market', 'Corner Shop'],
  },
  { category: 'pharmacy', count: 18, maxDistance: 4500, firstWords: FIRST_WORDS, lastWords: ['Pharmacy'] },
  {
    category: 'school',
    count: 22,
    maxDistance: 4700,
    firstWords: [],
    lastWords: ['Primary School', 'School', 'Grammar School'],
  },
  { category: 'hospital', count: 4, maxDistance: 3800, firstWords: [], lastWords: ['Hospital'] },
  { category: 'hotel', count: 14, maxDistance: 2600, firstWords: FIRST_WORDS, lastWords: ['Hotel', 'Guest House'] },
  { category: 'library', count: 8, maxDistance: 4200, firstWords: [], lastWords: ['Library'] },
  {
    category: 'museum',
    count: 4,
    maxDistance: 1800,
    firstWords: ['Steam & Suds', 'Lather Coast', 'Maritime', 'Button'],
    lastWords: ['Museum'],
  },
  { category: 'post_office', count: 10, maxDistance: 4600, firstWords: [], lastWords: ['Post Office'] },
];

/** A category without names of its own uses its district's: Copper Hill Hospital. */
export function placePointsOfInterest(
  random: Random,
  lots: Lot[],
  quarterOf: (p: Point) => string,
): PlacedPointOfInterest[] {
  const sights: PlacedPointOfInterest[] = [];
  const used = new Set<string>();
  const order = shuffle(random, [...lots.keys()]);
  let next = 0;
  for (const { category, count, maxDistance: reach, firstWords: first, lastWords: last } of POINT_OF_INTEREST_KINDS) {
    const same: Point[] = [];
    const gap = Math.min(900, (1.1 * reach) / Math.sqrt(count));
    for (let tries = 0; same.length < count && tries < 1500; tries += 1) {
      const index = order[next % order.length] as number;
      next += 1;
      const { point } = lots[index] as Lot;
      if (Math.hypot(point.x, point.y) > reach || same.some((other) => distanceBetween(other, point) < gap * 0.55))
        continue;
      const ending = last[Math.floor(random() * last.length)];
      const front = first.length > 0 ? first[Math.floor(random() * first.length)] : quarterOf(point);
      const name = `${front} ${ending}`;
      if (used.has(name)) continue;
      used.add(name);
      same.push(point);
      sights.push({ name, category, point, lot: index });
    }
  }
  return sights;
}

export function toParkPointsOfInterest(greens: ParkShape[], names: string[]): PlacedPointOfInterest[] {
  return greens.map(({ middle }, i) => ({ name: names[i] as string, category: 'park', point: middle }));
}

/** The station is where the line passes closest to the place it is named after. */
export function placeStations(line: Point[], stops: { name: string; near: Point }[]): PlacedPointOfInterest[] {
  return stops.map(({ name, near }) => ({
    name,
    category: 'railway_station',
    point: line.reduce(
      (best, p) => (distanceBetween(p, near) < distanceBetween(best, near) ? p : best),
      line[0] as Point,
    ),
  }));
}
