import { drawAvenues, type Line } from './city/avenues.ts';
import { findBlocks } from './city/blocks.ts';
import { cutLines, joinLines } from './city/crossings.ts';
import { apart, type Point, simplify, step, toPoint, toPosition } from './city/geometry.ts';
import { type Lot, placeHouses } from './city/houses.ts';
import { CITY_NAME, COUNTRY, nameGreens, nameQuarters, nameStreets, REGION } from './city/names.ts';
import { drawParks, type Green } from './city/parks.ts';
import { greenSights, placeSights, type Spotted, stationSights } from './city/pointsOfInterest.ts';
import { drawRails } from './city/rails.ts';
import { type Random, shuffle, startRandom } from './city/random.ts';
import { fillStreets } from './city/sideStreets.ts';
import { drawGround, type Ground } from './city/terrain.ts';
import type { City, District, House, Position } from './city/types.ts';
import { drawWater, type WaterMap } from './city/water.ts';

const DEFAULT_SEED = 1;

const drawn = new Map<number, City>();

// The same seed draws the same city on every machine; a second call answers the first one's drawing.
export function drawCity(seed: number = DEFAULT_SEED): City {
  const known = drawn.get(seed);
  if (known) return known;
  const random = startRandom(seed);
  const city = describeCity(seed, random, layOut(random));
  drawn.set(seed, city);
  return city;
}

type Plan = ReturnType<typeof layOut>;

// Shapes only, in metres; the order of the steps is part of what a seed means.
function layOut(random: Random) {
  const water = drawWater(random);
  const ground = drawGround(random, water);
  const avenues = drawAvenues(random, water, ground);
  const whole = joinLines([...avenues, ...fillStreets(random, water, ground, avenues)], water, ground);
  const blocks = findBlocks(whole);
  const greens = drawParks(random, water, ground, blocks);
  const rails = drawRails(random);
  const lines = cutLines(whole);
  const lots = placeHouses(random, { lines, water, ground, greens, rails: [rails.line] });
  return { water, ground, blocks, greens, rails, lines, lots };
}

// The same with names, and in degrees.
function describeCity(seed: number, random: Random, plan: Plan): City {
  const { water, ground, blocks, greens, rails, lines, lots } = plan;
  const quarterAt = (p: Point) => nearestQuarter(ground.quarters, p);
  const quarters = nameQuarters(ground.quarters.map(water.clearance));
  const greenKinds = greens.map((green) => green.kind);
  const greenNames = nameGreens(random, greenKinds);
  const sights = [
    ...placeSights(random, lots, (p) => quarters[quarterAt(p)] as string),
    ...greenSights(greens, greenNames),
    ...stationSights(rails.line, rails.stops),
  ];
  return {
    seed,
    name: CITY_NAME,
    region: REGION,
    country: COUNTRY,
    centre: toPosition({ x: 0, y: 0 }),
    bounds: boundsOf(lots),
    ground: drawOutline(ground),
    districts: describeDistricts(ground, quarters),
    streets: describeStreets(lines, nameStreets(random, lines, doorsOf(lots)), quarterAt),
    blocks: blocks.map(({ ring }) => ring.map(toPosition)),
    parks: describeParks(greens, greenNames),
    water: describeWater(water),
    railways: [{ name: rails.name, line: rails.line.map(toPosition) }],
    houses: lots.map((lot, id) => toHouse(lot, id, quarterAt)),
    sights: sights.map((sight, id) => toSight(sight, id, quarterAt)),
  };
}

// Homes for made-up people: on different doors, denser towards the middle, the same for the same seed.
export function pickHomes(
  city: City,
  count: number,
  seed: number,
): { address: string; latitude: number; longitude: number }[] {
  const random = startRandom(seed);
  const far = (house: House) => apart(toPoint(house.position), { x: 0, y: 0 });
  const homes = shuffle(random, city.houses).filter((house) => random() < Math.exp(-((far(house) / 2600) ** 2)));
  if (homes.length < count) throw new Error(`the city has homes for ${homes.length}, not for ${count}`);
  return homes.slice(0, count).map((house) => ({
    address: `${house.number} ${city.streets[house.street]?.name}, ${city.name}`,
    latitude: house.position[1],
    longitude: house.position[0],
  }));
}

function nearestQuarter(quarters: Point[], p: Point): number {
  let best = 0;
  quarters.forEach((quarter, i) => {
    if (apart(quarter, p) < apart(quarters[best] as Point, p)) best = i;
  });
  return best;
}

function doorsOf(lots: Lot[]): (street: number, number: number) => boolean {
  const doors = new Set(lots.map(({ street, number }) => `${street}:${number}`));
  return (street, number) => doors.has(`${street}:${number}`);
}

function describeDistricts(ground: Ground, names: string[]): District[] {
  return ground.quarters.map((middle, id) => ({
    id,
    name: names[id] as string,
    postcode: String(24101 + id * 3),
    centre: toPosition(middle),
  }));
}

function describeStreets(lines: Line[], names: string[], quarterAt: (p: Point) => number): City['streets'] {
  return lines.map(({ kind, points }, id) => ({
    id,
    name: names[id] as string,
    kind,
    line: points.map(toPosition),
    district: quarterAt(points[points.length >> 1] as Point),
  }));
}

function describeParks(greens: Green[], names: string[]): City['parks'] {
  return greens.map(({ kind, ring, middle }, id) => ({
    id,
    name: names[id] as string,
    kind,
    outline: ring.map(toPosition),
    centre: toPosition(middle),
  }));
}

function describeWater({ bay, river, riverMiddle }: WaterMap): City['water'] {
  return [
    { name: 'Lather Bay', kind: 'bay', outline: bay.map(toPosition), middle: [toPosition({ x: -2600, y: -3100 })] },
    { name: 'River Rinse', kind: 'river', outline: river.map(toPosition), middle: riverMiddle.map(toPosition) },
  ];
}

function drawOutline(ground: Ground): Position[] {
  const ring = Array.from({ length: 180 }, (_, i) => {
    const angle = (i / 180) * 2 * Math.PI;
    return step({ x: 0, y: 0 }, angle, ground.edge(angle) + 90);
  });
  return simplify(ring, 6).map(toPosition);
}

function toHouse({ street, number, point, footprint }: Lot, id: number, quarterAt: (p: Point) => number): House {
  const position = toPosition(point);
  return { id, number, street, district: quarterAt(point), position, footprint: footprint.map(toPosition) };
}

function toSight(
  { name, category, point, lot }: Spotted,
  id: number,
  quarterAt: (p: Point) => number,
): City['sights'][number] {
  const sight = { id, name, category, position: toPosition(point), district: quarterAt(point) };
  return lot === undefined ? sight : { ...sight, house: lot };
}

function boundsOf(lots: Lot[]): City['bounds'] {
  const points = lots.map((lot) => lot.point);
  const low = points.reduce((a, b) => ({ x: Math.min(a.x, b.x), y: Math.min(a.y, b.y) }));
  const high = points.reduce((a, b) => ({ x: Math.max(a.x, b.x), y: Math.max(a.y, b.y) }));
  return [...toPosition(step(low, -Math.PI * 0.75, 60)), ...toPosition(step(high, Math.PI / 4, 60))];
}
