import { generateAvenues, type StreetLine } from './city/avenues.ts';
import { findBlocks } from './city/blocks.ts';
import { connectStreets, splitLongStreets } from './city/crossings.ts';
import { distanceBetween, movePoint, type Point, simplify, toPoint, toPosition } from './city/geometry.ts';
import { type Lot, placeHouses } from './city/houses.ts';
import { CITY_NAME, COUNTRY, nameDistricts, nameParks, nameStreets, REGION } from './city/names.ts';
import { generateParks, type ParkShape } from './city/parks.ts';
import {
  type PlacedPointOfInterest,
  placePointsOfInterest,
  placeStations,
  toParkPointsOfInterest,
} from './city/pointsOfInterest.ts';
import { generateRailway } from './city/railway.ts';
import { createRandom, type Random, shuffle } from './city/random.ts';
import { generateSideStreets } from './city/sideStreets.ts';
import { generateTerrain, type Terrain } from './city/terrain.ts';
import type { City, District, House, Position } from './city/types.ts';
import { generateWater, type WaterMap } from './city/water.ts';

const DEFAULT_SEED = 1;

const cityCache = new Map<number, City>();

/** The same seed generates the same city on every machine. The result is cached. */
export function generateCity(seed: number = DEFAULT_SEED): City {
  const known = cityCache.get(seed);
  if (known) return known;
  const random = createRandom(seed);
  const city = toCity(seed, random, generateLayout(random));
  cityCache.set(seed, city);
  return city;
}

type CityLayout = ReturnType<typeof generateLayout>;

// Shapes only, in metres. The order of the steps is part of what a seed means: do not change it.
function generateLayout(random: Random) {
  const water = generateWater(random);
  const ground = generateTerrain(random, water);
  const avenues = generateAvenues(random, water, ground);
  const whole = connectStreets([...avenues, ...generateSideStreets(random, water, ground, avenues)], water, ground);
  const blocks = findBlocks(whole);
  const greens = generateParks(random, water, ground, blocks);
  const rails = generateRailway(random);
  const lines = splitLongStreets(whole);
  const lots = placeHouses(random, { lines, water, ground, greens, rails: [rails.line] });
  return { water, ground, blocks, greens, rails, lines, lots };
}

// The same with names, and in degrees.
function toCity(seed: number, random: Random, plan: CityLayout): City {
  const { water, ground, blocks, greens, rails, lines, lots } = plan;
  const quarterAt = (p: Point) => nearestDistrict(ground.districtCentres, p);
  const quarters = nameDistricts(ground.districtCentres.map(water.clearance));
  const greenKinds = greens.map((green) => green.kind);
  const greenNames = nameParks(random, greenKinds);
  const sights = [
    ...placePointsOfInterest(random, lots, (p) => quarters[quarterAt(p)] as string),
    ...toParkPointsOfInterest(greens, greenNames),
    ...placeStations(rails.line, rails.stops),
  ];
  return {
    seed,
    name: CITY_NAME,
    region: REGION,
    country: COUNTRY,
    centre: toPosition({ x: 0, y: 0 }),
    bounds: boundsOf(lots),
    ground: toTerrainOutline(ground),
    districts: toDistricts(ground, quarters),
    streets: toStreets(lines, nameStreets(random, lines, createHouseLookup(lots)), quarterAt),
    blocks: blocks.map(({ ring }) => ring.map(toPosition)),
    parks: toParks(greens, greenNames),
    water: toWater(water),
    railways: [{ name: rails.name, line: rails.line.map(toPosition) }],
    houses: lots.map((lot, id) => toHouse(lot, id, quarterAt)),
    footprints: Float64Array.from(lots.flatMap(({ footprint }) => footprint.flatMap(toPosition))),
    pointsOfInterest: sights.map((sight, id) => toPointOfInterest(sight, id, quarterAt)),
  };
}

/** Homes for demo people: all different houses, denser towards the centre, the same for the same seed. */
export function pickHomes(
  city: City,
  count: number,
  seed: number,
): { address: string; latitude: number; longitude: number }[] {
  const random = createRandom(seed);
  const far = (house: House) => distanceBetween(toPoint(house.position), { x: 0, y: 0 });
  const homes = shuffle(random, city.houses).filter((house) => random() < Math.exp(-((far(house) / 2600) ** 2)));
  if (homes.length < count) throw new Error(`the city has homes for ${homes.length}, not for ${count}`);
  return homes.slice(0, count).map((house) => ({
    address: `${house.number} ${city.streets[house.street]?.name}, ${city.name}`,
    latitude: house.position[1],
    longitude: house.position[0],
  }));
}

function nearestDistrict(quarters: Point[], p: Point): number {
  let best = 0;
  quarters.forEach((quarter, i) => {
    if (distanceBetween(quarter, p) < distanceBetween(quarters[best] as Point, p)) best = i;
  });
  return best;
}

function createHouseLookup(lots: Lot[]): (street: number, number: number) => boolean {
  const doors = new Set(lots.map(({ street, number }) => `${street}:${number}`));
  return (street, number) => doors.has(`${street}:${number}`);
}

function toDistricts(ground: Terrain, names: string[]): District[] {
  return ground.districtCentres.map((middle, id) => ({
    id,
    name: names[id] as string,
    postcode: String(24101 + id * 3),
    centre: toPosition(middle),
  }));
}

function toStreets(lines: StreetLine[], names: string[], quarterAt: (p: Point) => number): City['streets'] {
  return lines.map(({ kind, points }, id) => ({
    id,
    name: names[id] as string,
    kind,
    line: points.map(toPosition),
    district: quarterAt(points[points.length >> 1] as Point),
  }));
}

function toParks(greens: ParkShape[], names: string[]): City['parks'] {
  return greens.map(({ kind, ring, middle }, id) => ({
    id,
    name: names[id] as string,
    kind,
    outline: ring.map(toPosition),
    centre: toPosition(middle),
  }));
}

function toWater({ bay, river, riverMiddle }: WaterMap): City['water'] {
  return [
    { name: 'Lather Bay', kind: 'bay', outline: bay.map(toPosition), middle: [toPosition({ x: -2600, y: -3100 })] },
    { name: 'River Rinse', kind: 'river', outline: river.map(toPosition), middle: riverMiddle.map(toPosition) },
  ];
}

function toTerrainOutline(ground: Terrain): Position[] {
  const ring = Array.from({ length: 180 }, (_, i) => {
    const angle = (i / 180) * 2 * Math.PI;
    return movePoint({ x: 0, y: 0 }, angle, ground.townRadius(angle) + 90);
  });
  return simplify(ring, 6).map(toPosition);
}

function toHouse({ street, number, point }: Lot, id: number, quarterAt: (p: Point) => number): House {
  return { id, number, street, district: quarterAt(point), position: toPosition(point) };
}

function toPointOfInterest(
  { name, category, point, lot }: PlacedPointOfInterest,
  id: number,
  quarterAt: (p: Point) => number,
): City['pointsOfInterest'][number] {
  const sight = { id, name, category, position: toPosition(point), district: quarterAt(point) };
  return lot === undefined ? sight : { ...sight, house: lot };
}

function boundsOf(lots: Lot[]): City['bounds'] {
  const points = lots.map((lot) => lot.point);
  const low = points.reduce((a, b) => ({ x: Math.min(a.x, b.x), y: Math.min(a.y, b.y) }));
  const high = points.reduce((a, b) => ({ x: Math.max(a.x, b.x), y: Math.max(a.y, b.y) }));
  return [...toPosition(movePoint(low, -Math.PI * 0.75, 60)), ...toPosition(movePoint(high, Math.PI / 4, 60))];
}
