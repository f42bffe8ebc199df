import { apart, type Point } from './geometry.ts';
import type { Lot } from './houses.ts';
import type { Green } from './parks.ts';
import { type Random, shuffle } from './random.ts';

export type Spotted = { name: string; category: string; point: Point; lot?: number };

type Trade = { category: string; count: number; reach: number; first: string[]; last: string[] };

const FIRST =
  `Bubble Sparkle Fresh Little Blue Golden Corner Happy Sunny Village Harbour River Old Bright Silver Garden Market
Lucky Copper Daily Morning Pebble Lantern Magnolia Clover Starling Tidal Linden Marigold Olive`.split(/\s+/);

// How many of each, how far from the middle they may stand, and what they are called.
const TRADES: Trade[] = [
  {
    category: 'laundry',
    count: 34,
    reach: 4600,
    first: FIRST,
    last: ['Laundromat', 'Launderette', 'Wash & Fold', 'Washhouse'],
  },
  { category: 'dry_cleaners', count: 12, reach: 3600, first: FIRST, last: ['Dry Cleaners', 'Pressing'] },
  { category: 'cafe', count: 60, reach: 4200, first: FIRST, last: ['Cafe', 'Coffee', 'Tea Room', 'Espresso Bar'] },
  { category: 'bakery', count: 26, reach: 4400, first: FIRST, last: ['Bakery', 'Bread & Buns'] },
  { category: 'restaurant', count: 40, reach: 3600, first: FIRST, last: ['Kitchen', 'Bistro', 'Table', 'Canteen'] },
  { category: 'grocery', count: 34, reach: 4700, first: FIRST, last: ['Grocer', 'Market', 'Corner Shop'] },
  { category: 'pharmacy', count: 18, reach: 4500, first: FIRST, last: ['Pharmacy'] },
  { category: 'school', count: 22, reach: 4700, first: [], last: ['Primary School', 'School', 'Grammar School'] },
  { category: 'hospital', count: 4, reach: 3800, first: [], last: ['Hospital'] },
  { category: 'hotel', count: 14, reach: 2600, first: FIRST, last: ['Hotel', 'Guest House'] },
  { category: 'library', count: 8, reach: 4200, first: [], last: ['Library'] },
  {
    category: 'museum',
    count: 4,
    reach: 1800,
    first: ['Steam & Suds', 'Lather Coast', 'Maritime', 'Button'],
    last: ['Museum'],
  },
  { category: 'post_office', count: 10, reach: 4600, first: [], last: ['Post Office'] },
];

// A trade without first names is called after its quarter: the hospital of Copper Hill is Copper Hill Hospital.
export function placeSights(random: Random, lots: Lot[], quarterOf: (p: Point) => string): Spotted[] {
  const sights: Spotted[] = [];
  const used = new Set<string>();
  const order = shuffle(random, [...lots.keys()]);
  let next = 0;
  for (const { category, count, reach, first, last } of TRADES) {
    const same: Point[] = [];
    const gap = Math.min(900, (1.1 * reach) / Math.sqrt(count));
    for (let tries = 0; same.length < count && tries < 1500; tries += 1) {
      const index = order[next % order.length] as number;
      next += 1;
      const { point } = lots[index] as Lot;
      if (Math.hypot(point.x, point.y) > reach || same.some((other) => apart(other, point) < gap * 0.55)) continue;
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

export function greenSights(greens: Green[], names: string[]): Spotted[] {
  return greens.map(({ middle }, i) => ({ name: names[i] as string, category: 'park', point: middle }));
}

// The station stands where the line passes closest to what it is named after.
export function stationSights(line: Point[], stops: { name: string; near: Point }[]): Spotted[] {
  return stops.map(({ name, near }) => ({
    name,
    category: 'railway_station',
    point: line.reduce((best, p) => (apart(p, near) < apart(best, near) ? p : best), line[0] as Point),
  }));
}
