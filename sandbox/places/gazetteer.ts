import { distanceBetween, nearestOnSegment, type Point, toPoint, toPosition } from '../city/geometry.ts';
import { createGridIndex } from '../city/gridIndex.ts';
import type { City, House, Position } from '../city/types.ts';
import { normalizeWords } from './wordMatching.ts';

export type FeatureType = 'country' | 'region' | 'postcode' | 'place' | 'neighborhood' | 'street' | 'address' | 'poi';

/** One entry that can be found. Its id is made from `key`. */
export type Entry = {
  key: string;
  type: FeatureType;
  name: string;
  position: Position;
  nameWords: string[];
  // The words of its location: street, district, postcode, city and so on.
  contextWords: string[];
  district?: number;
  street?: number;
  house?: House;
  category?: string;
  // The point on the street where a car stops.
  routablePoint?: Position;
};

export type Gazetteer = {
  city: City;
  // Everything except addresses, which are found through their streets.
  entries: Entry[];
  byKey: (key: string) => Entry | undefined;
  // The house with that number, or the one with the nearest number.
  houseAt: (street: number, number: number) => Entry | undefined;
  nearestHouse: (p: Position, metres: number) => Entry | undefined;
  nearestStreet: (p: Position, metres: number) => Entry | undefined;
};

export function createGazetteer(city: City): Gazetteer {
  const entries = listEntries(city);
  const known = new Map(entries.map((entry) => [entry.key, entry]));
  const byStreet = new Map<number, House[]>();
  for (const { id } of city.streets) byStreet.set(id, []);
  for (const house of city.houses) byStreet.get(house.street)?.push(house);
  const toAddress = (house: House | undefined) => (house ? toAddressEntry(city, house) : undefined);
  const houseAt = (street: number, number: number) =>
    toAddress(
      byStreet
        .get(street)
        ?.reduce<House | undefined>((best, house) => (best && isCloser(best, house, number) ? best : house), undefined),
    );
  const byKey = (key: string) => {
    const [, street, number] = /^address\.(\d+)\.(\d+)$/.exec(key) ?? [];
    if (street === undefined) return known.get(key);
    const found = houseAt(Number(street), Number(number));
    return found?.key === key ? found : undefined;
  };
  return { city, entries, byKey, houseAt, ...createNearestLookups(city, toAddress, known) };
}

// Between two equally near numbers, prefer the one on the same side of the street.
function isCloser(a: House, b: House, number: number): boolean {
  const miss = (house: House) => Math.abs(house.number - number) + (((house.number - number) & 1) === 0 ? 0 : 0.5);
  return miss(a) <= miss(b);
}

function createNearestLookups(
  city: City,
  toAddress: (house: House | undefined) => Entry | undefined,
  known: Map<string, Entry>,
): Pick<Gazetteer, 'nearestHouse' | 'nearestStreet'> {
  const { houses, segments } = indexCity(city);
  return {
    nearestHouse: (position, metres) => {
      const p = toPoint(position);
      let best: House | undefined;
      let near = metres;
      if (isFarFromCity(p)) return undefined;
      houses.someNear(p, metres, (other) => {
        const away = distanceBetween(other.p, p);
        if (away < near) [near, best] = [away, other.house];
        return false;
      });
      return toAddress(best);
    },
    nearestStreet: (position, metres) => {
      const p = toPoint(position);
      let found: { street: number; point: Point } | undefined;
      let near = metres;
      if (isFarFromCity(p)) return undefined;
      segments.someNear(p, metres, ({ a, b, street }) => {
        const foot = nearestOnSegment(p, a, b);
        if (foot.metres < near) [near, found] = [foot.metres, { street, point: foot.point }];
        return false;
      });
      const entry = found && known.get(`street.${found.street}`);
      return entry && found ? { ...entry, position: toPosition(found.point) } : undefined;
    },
  };
}

function indexCity(city: City) {
  const houses = createGridIndex<{ p: Point; house: House }>(120);
  const segments = createGridIndex<{ a: Point; b: Point; street: number }>(200);
  for (const house of city.houses) {
    const p = toPoint(house.position);
    houses.add(p, { p, house });
  }
  for (const { id, line } of city.streets) {
    for (let i = 1; i < line.length; i += 1) {
      const [a, b] = [toPoint(line[i - 1] as Position), toPoint(line[i] as Position)];
      segments.addBox(a, b, { a, b, street: id });
    }
  }
  return { houses, segments };
}

// Far from the city the flat projection and its grid cells are meaningless.
function isFarFromCity(p: Point): boolean {
  return Math.hypot(p.x, p.y) > 40000;
}

function listEntries(city: City): Entry[] {
  const entry = (
    type: FeatureType,
    id: string | number,
    name: string,
    position: Position,
    more: Partial<Entry>,
  ): Entry => ({
    key: `${type}.${id}`,
    type,
    name,
    position,
    nameWords: normalizeWords(name),
    contextWords: contextWordsOf(city, more.district, type === 'poi' ? more.street : undefined),
    ...more,
  });
  return [
    entry('country', city.country.code, city.country.name, city.centre, {}),
    entry('region', city.region.code, city.region.name, city.centre, {}),
    entry('place', 1, city.name, city.centre, {}),
    ...city.districts.flatMap(({ id, name, postcode, centre }) => [
      entry('neighborhood', id, name, centre, { district: id }),
      entry('postcode', postcode, postcode, centre, { district: id }),
    ]),
    ...city.streets.map(({ id, name, line, district }) =>
      entry('street', id, name, line[line.length >> 1] as Position, { district, street: id }),
    ),
    ...city.pointsOfInterest.map(({ id, name, position, district, category, house }) => {
      const door = house === undefined ? undefined : city.houses[house];
      return entry('poi', id, name, position, {
        district,
        category,
        ...(door ? { house: door, street: door.street } : {}),
      });
    }),
  ];
}

function contextWordsOf(city: City, district: number | undefined, street?: number): string[] {
  const { name = '', postcode = '' } = (district === undefined ? undefined : city.districts[district]) ?? {};
  const road = street === undefined ? '' : (city.streets[street]?.name ?? '');
  return normalizeWords([road, name, postcode, city.name, city.region.name, city.country.name].join(' '));
}

function toAddressEntry(city: City, house: House): Entry {
  const name = `${house.number} ${city.streets[house.street]?.name}`;
  return {
    key: `address.${house.street}.${house.number}`,
    type: 'address',
    name,
    position: house.position,
    nameWords: normalizeWords(name),
    contextWords: contextWordsOf(city, house.district),
    district: house.district,
    street: house.street,
    house,
    routablePoint: routablePointOf(city, house),
  };
}

function routablePointOf(city: City, house: House): Position {
  const p = toPoint(house.position);
  const line = (city.streets[house.street]?.line ?? []).map(toPoint);
  let best = { point: p, metres: Number.POSITIVE_INFINITY };
  for (let i = 1; i < line.length; i += 1) {
    const foot = nearestOnSegment(p, line[i - 1] as Point, line[i] as Point);
    if (foot.metres < best.metres) best = foot;
  }
  return toPosition(best.point);
}
