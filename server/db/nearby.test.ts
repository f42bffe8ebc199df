import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  APPROXIMATE_ERROR_M,
  approximatePoint,
  bandOf,
  distanceInMeters,
  EARTH_RADIUS_M,
  NEARBY_LIMIT,
  NEARBY_RADIUS_M,
  type Point,
} from '../../domain/places.ts';
import { approximatePointSql, shortName, streetOf } from './approximate.sql.ts';
import { type Database, openEmbeddedDatabase, queryRow, queryRows } from './database.ts';
import { dubersAround, isNearby, metersBetween, nearbyBands, nearestTo, placesInBox } from './nearby.sql.ts';

const CENTERS: Point[] = [-90, -89.99, 0, 24, 66.5, 89.6, 90].flatMap((latitude) =>
  [-180, -179.99, 67, 180].map((longitude) => ({ latitude, longitude })),
);
const ORDINARY = { latitude: 24, longitude: 67 };
const RADII = [1, 35, 900, NEARBY_RADIUS_M, 50_000];

/** The point some metres from another one in a direction. */
function pointTowards(from: Point, meters: number, bearing: number): Point {
  const rad = Math.PI / 180;
  const arc = meters / EARTH_RADIUS_M;
  const lat = Math.asin(
    Math.sin(from.latitude * rad) * Math.cos(arc) +
      Math.cos(from.latitude * rad) * Math.sin(arc) * Math.cos(bearing * rad),
  );
  const lng =
    from.longitude * rad +
    Math.atan2(
      Math.sin(bearing * rad) * Math.sin(arc) * Math.cos(from.latitude * rad),
      Math.cos(arc) - Math.sin(from.latitude * rad) * Math.sin(lat),
    );
  const degrees = lng / rad;
  return { latitude: lat / rad, longitude: degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees };
}

/** Points around each centre: on it, inside the radius, on its edge, rounded into it, and outside it. */
const POINTS = CENTERS.flatMap((center) => [
  center,
  ...[0, 90, 217].flatMap((bearing) =>
    [34, 899.7, 4_999, 5_000.4, 5_000.6, 49_999].map((meters) => pointTowards(center, meters, bearing)),
  ),
]);

const sqlPoint = ({ latitude, longitude }: Point) => ({
  latitude: sql`${latitude}::float8`,
  longitude: sql`${longitude}::float8`,
});
const places = {
  table: sql`duber_places p`,
  columns: sql`p.duber_id as id`,
  band: sql`p.band`,
  latitude: sql`p.latitude`,
  longitude: sql`p.longitude`,
  where: sql`true`,
};
const approximate = approximatePointSql({ latitude: sql`p.latitude`, longitude: sql`p.longitude` });

describe('searches by distance in SQL', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openEmbeddedDatabase(undefined);
    await queryRows(
      database.db,
      sql`create table duber_places (duber_id int primary key, latitude float8, longitude float8, band int)`,
    );
    const rows = POINTS.map(({ latitude, longitude }, id) => ({ id, latitude, longitude, band: bandOf(latitude) }));
    await queryRows(
      database.db,
      sql`insert into duber_places select id, latitude, longitude, band
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as row (id int, latitude float8, longitude float8, band int)`,
    );
    await queryRows(database.db, sql`create index on duber_places (band, longitude)`);
  });
  afterAll(() => database?.close());

  test('an approximate place in SQL is the domain’s, and never further than 300 m from the exact one', async () => {
    const rows = await queryRows<Point & { id: number }>(
      database.db,
      sql`select p.duber_id as id, ${approximate.latitude} as latitude, ${approximate.longitude} as longitude
        from duber_places p`,
    );
    expect(rows).toHaveLength(POINTS.length);
    for (const { id, ...inSql } of rows) {
      const point = POINTS[id] ?? expect.fail();
      const expected = approximatePoint(point);
      expect(inSql.latitude).toBeCloseTo(expected.latitude, 9);
      expect(inSql.longitude).toBeCloseTo(expected.longitude, 9);
      expect(distanceInMeters(point, expected)).toBeLessThanOrEqual(APPROXIMATE_ERROR_M);
      expect(approximatePoint(expected)).toEqual(expected);
    }
  });

  test.each([
    ['12 Heron Street, Soapwick', 'Heron Street, Soapwick'],
    ['Heron Street 12b, 10115 Soapwick, Germany', 'Heron Street, Soapwick, Germany'],
    ['Flat 4,12/3 Heron Street', 'Flat, Heron Street'],
    ['The Old Vicarage, Heron Street, Soapwick', 'Heron Street, Soapwick'],
    ['B-17', 'An approximate place'],
    ['Soapwick', 'Soapwick'],
  ])('of the address %s only the street is shown', async (address, street) => {
    expect(await queryRow(database.db, sql`select ${streetOf(sql`${address}::text`)} as street`)).toEqual({ street });
  });

  test.each([
    ['Ada King Lovelace', 'Ada L.'],
    ['Grace  Hopper', 'Grace H.'],
    ['李 小龍', '李 小.'],
    ['Madonna', 'Madonna'],
  ])('the name %s is shortened', async (fullname, short) => {
    expect(await queryRow(database.db, sql`select ${shortName(sql`${fullname}::text`)} as short`)).toEqual({ short });
  });

  test.each(RADII)('a search by approximate places within %i m finds what the domain finds', async (radius) => {
    for (const center of CENTERS) {
      const expected = POINTS.map((point, id) => ({ id, distance: distanceInMeters(center, approximatePoint(point)) }))
        .filter(({ distance }) => distance <= radius)
        .toSorted((a, b) => a.distance - b.distance || a.id - b.id)
        .slice(0, NEARBY_LIMIT);
      const { latitude, longitude } = sqlPoint(center);
      const found = await queryRows(
        database.db,
        sql`with origin as (select ${latitude} as latitude, ${longitude} as longitude),
          ${nearestTo({ ...places, isApproximate: true }, sql.lit(radius))}
          select id, distance from found order by distance, id`,
      );
      expect(found).toEqual(expected);
    }
  });

  const idsOf = async (statement: RawBuilder<unknown>) =>
    (await queryRows<{ id: number }>(database.db, statement)).map(({ id }) => id);
  const distancesFrom = (center: Point) =>
    POINTS.map((point, id) => ({ id, distance: distanceInMeters(center, point) }));
  const idsWithin = (center: Point, radius: number) =>
    distancesFrom(center)
      .filter(({ distance }) => distance <= radius)
      .map(({ id }) => id);

  test('compute the same distance as the domain', async () => {
    for (const center of CENTERS) {
      const rows = await queryRows<{ id: number; distance: number }>(
        database.db,
        sql`select duber_id as id, ${metersBetween(sqlPoint(center), places)} as distance from duber_places p order by id`,
      );
      const expected = distancesFrom(center);
      for (const [index, { id, distance }] of rows.entries()) {
        const meters = expected[index]?.distance ?? Number.NaN;
        // On the other side of the globe the formula loses digits, so the last one may differ.
        expect([id, Math.abs(distance - meters)]).toEqual([index, meters < 1_000_000 ? 0 : expect.toBeOneOf([0, 1])]);
      }
    }
  });

  test.each(RADII)(
    'find all points within %d metres, each once, at the poles and the 180th meridian too',
    async (radius) => {
      for (const center of [...CENTERS, ORDINARY]) {
        const found = sql`select place.id from ${placesInBox(places, sqlPoint(center), sql`${radius}::float8`)}
        where place.distance <= ${radius} order by place.id`;
        expect(await idsOf(found), JSON.stringify(center)).toEqual(idsWithin(center, radius));
      }
    },
  );

  test('read few points outside the radius', async () => {
    const box = await idsOf(sql`select place.id from ${placesInBox(places, sqlPoint(ORDINARY), sql`5000`)}`);
    expect(box.length).toBeGreaterThan(1);
    for (const id of box) expect(distanceInMeters(ORDINARY, POINTS[id] as Point)).toBeLessThan(8_000);
  });

  test.each(RADII)('find the nearest points within %d metres, nearest first', async (radius) => {
    for (const center of CENTERS) {
      const { latitude, longitude } = sqlPoint(center);
      const found = await idsOf(
        sql`with origin as materialized (select ${latitude} as latitude, ${longitude} as longitude),
          ${nearestTo(places, sql`${radius}::float8`)} select id from found order by distance, id`,
      );
      const expected = distancesFrom(center)
        .filter(({ distance }) => distance <= radius)
        .toSorted((a, b) => a.distance - b.distance || a.id - b.id);
      expect(found, JSON.stringify(center)).toEqual(expected.slice(0, NEARBY_LIMIT).map(({ id }) => id));
    }
  });

  test('agree on the Dubers around a point, whether it comes from a request or from another table', async () => {
    for (const center of CENTERS) {
      const expected = idsWithin(center, NEARBY_RADIUS_M);
      expect(await idsOf(sql`select place.id from ${dubersAround(center)} order by place.id`)).toEqual(expected);
      const event = { band: sql`e.band`, latitude: sql`e.latitude`, longitude: sql`e.longitude` };
      const { latitude, longitude } = sqlPoint(center);
      const joined = sql`select p.duber_id as id
        from (select ${latitude} as latitude, ${longitude} as longitude, ${bandOf(center.latitude)}::int as band) e
          join duber_places p on ${isNearby(event, places)} order by id`;
      expect(await idsOf(joined), JSON.stringify(center)).toEqual(expected);
    }
  });

  test('enter an index at the bands that the radius reaches', async () => {
    const bands = await queryRow<{ from: number; to: number }>(
      database.db,
      sql`select min(band) as "from", max(band) as "to" from ${nearbyBands(sql`2400`)} near (band)`,
    );
    const reach = distanceInMeters(ORDINARY, { ...ORDINARY, latitude: 24 + (2400 - (bands?.from ?? 0)) / 100 });
    expect(reach).toBeGreaterThan(NEARBY_RADIUS_M);
    expect(bands?.to).toBe(2400 + (2400 - (bands?.from ?? 0)));
  });
});
