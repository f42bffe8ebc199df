import { type RawBuilder, sql } from 'kysely';
import {
  APPROXIMATE_ERROR_M,
  BANDS_PER_DEGREE,
  bandOf,
  EARTH_RADIUS_M,
  NEARBY_LIMIT,
  NEARBY_RADIUS_M,
  type Point,
} from '../../domain/places.ts';
import { approximatePointSql, type SqlPoint } from './approximate.sql.ts';

/** All searches by distance. A test compares them with domain/places. */

const RADIUS = sql.lit(EARTH_RADIUS_M);
const BANDS = sql.lit(BANDS_PER_DEGREE);

/** Great-circle distance in whole metres: distanceInMeters in SQL. */
export function metersBetween(a: SqlPoint, b: SqlPoint): RawBuilder<number> {
  return sql`round(${RADIUS}::float8 * 2 * asin(least(1, sqrt(
    power(sin(radians(${b.latitude} - ${a.latitude}) / 2), 2)
    + cos(radians(${a.latitude})) * cos(radians(${b.latitude})) * power(sin(radians(${b.longitude} - ${a.longitude}) / 2), 2)
  ))))::int`;
}

/**
 * The rows `box (band, west, east)` that hold every point within `radius` metres of `center`: one row a band, or two
 * where the circle crosses the 180th meridian. Around a pole they hold every longitude.
 */
function boxAround({ latitude, longitude }: SqlPoint, radius: RawBuilder<unknown>): RawBuilder<unknown> {
  // Distances are rounded to whole metres, so a point up to half a metre further away still counts as within.
  return sql`(select (${radius} + 1) / ${RADIUS}::float8 as angle) circle
    cross join lateral (select ${latitude} - degrees(angle) as south, ${latitude} + degrees(angle) as north) reach
    cross join lateral (select case when south <= -90 or north >= 90 then null
      else degrees(asin(least(1, sin(angle) / cos(radians(${latitude}))))) end as half) wide
    cross join lateral (select coalesce(${longitude} - half, -180) + turn as west, coalesce(${longitude} + half, 180) + turn as east
      from (values (-360), (0), (360)) turns (turn)) span
    cross join lateral generate_series(floor(greatest(south, -90) * ${BANDS})::int, floor(least(north, 90) * ${BANDS})::int) band
    where span.west < 180 and span.east > -180`;
}

/** A table with positions, under the alias `p`. It has an index on band and longitude. */
export type NearbyTable = SqlPoint & {
  readonly table: RawBuilder<unknown>;
  /** What is read of a place; one column is its `id`. */
  readonly columns: RawBuilder<unknown>;
  readonly band: RawBuilder<unknown>;
  /** Which rows are searched, with the condition of the index if it is a partial one. */
  readonly where: RawBuilder<unknown>;
  /** Whether distances are to approximate places; never when absent. Then the exact ones cannot be found out by searching. */
  readonly isApproximate?: boolean;
};

const distanceTo = (places: NearbyTable, center: SqlPoint): RawBuilder<unknown> =>
  metersBetween(center, places.isApproximate ? approximatePointSql(places) : places);

/** How far away the exact place can be of what is within `radius`. */
const reachOf = ({ isApproximate }: NearbyTable, radius: RawBuilder<unknown>): RawBuilder<unknown> =>
  isApproximate ? sql`(${radius} + ${sql.lit(APPROXIMATE_ERROR_M)})` : radius;

/** A from clause with `place`, the columns and the distance of each row in the box around `center`, which reaches a little beyond `radius`. */
export const placesInBox = (places: NearbyTable, center: SqlPoint, radius: RawBuilder<unknown>) =>
  sql`(select band, west, east from ${boxAround(center, reachOf(places, radius))}) box
    cross join lateral (select ${places.columns}, ${distanceTo(places, center)} as distance from ${places.table}
      where ${places.where} and ${places.band} = box.band and ${places.longitude} between box.west and box.east
      offset 0) place`;

/**
 * In metres. In a dense area the first ring has enough places and the others are not searched. Elsewhere an empty ring
 * costs a few index reads. Each ring is two to four times as wide as the one before, so that the last one to be searched
 * has a few hundred places at most.
 */
const RINGS_M = [35, 100, 250, 700, 2_000, 5_000, 16_000, 50_000];

/**
 * The last part of a `with`: `found`, the columns and the distance of the nearest places within `radius` metres of the one row of
 * `origin (latitude, longitude)`. It searches the rings from the inside out, each without the area of the one before, and
 * stops when it has `limit` places or reaches the radius.
 */
export function nearestTo(
  places: NearbyTable,
  radius: RawBuilder<unknown>,
  limit: RawBuilder<unknown> = sql.lit(NEARBY_LIMIT),
): RawBuilder<unknown> {
  const origin = { latitude: sql.ref('origin.latitude'), longitude: sql.ref('origin.longitude') };
  const rings = RINGS_M.map((meters, index) => sql`(${sql.lit(RINGS_M[index - 1] ?? -1)}, ${sql.lit(meters)})`);
  return sql`found as materialized (
    select spot.* from origin
      cross join lateral (select beyond, least(meters, ${radius}::float8) as reach
        from (values ${sql.join(rings)}) rings (beyond, meters) where beyond < ${radius}::float8 offset 0) ring
      cross join lateral (select place.* from ${placesInBox(places, origin, sql.ref('ring.reach'))}
        where place.distance > ring.beyond and place.distance <= ring.reach
        order by place.distance, place.id limit ${limit}) spot
    limit ${limit})`;
}

const DUBER_PLACES: NearbyTable = {
  table: sql`duber_places p`,
  columns: sql`p.duber_id as id`,
  band: sql`p.band`,
  latitude: sql`p.latitude`,
  longitude: sql`p.longitude`,
  where: sql`true`,
};

/** A from clause and its condition: `place.id` is each Duber within NEARBY_RADIUS_M of a point. */
export function dubersAround({ latitude, longitude }: Point): RawBuilder<unknown> {
  const center = { latitude: sql`${latitude}::float8`, longitude: sql`${longitude}::float8` };
  const radius = sql.lit(NEARBY_RADIUS_M);
  return sql`${placesInBox(DUBER_PLACES, center, radius)} where place.distance <= ${radius}`;
}

type BandedPoint = SqlPoint & { readonly band: RawBuilder<unknown> };

/** How many bands a circle of NEARBY_RADIUS_M reaches into, on either side of its centre's band. */
const NEARBY_BANDS = sql.lit(bandOf((NEARBY_RADIUS_M / EARTH_RADIUS_M) * (180 / Math.PI)) + 1);

/** The bands with everything within NEARBY_RADIUS_M of a point, as rows. */
export const nearbyBands = (band: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`generate_series(${band} - ${NEARBY_BANDS}, ${band} + ${NEARBY_BANDS})`;

/** Whether two points of a join are within NEARBY_RADIUS_M of each other. Comparing the bands first is faster. */
export const isNearby = (a: BandedPoint, b: BandedPoint): RawBuilder<boolean> =>
  sql`${b.band} between ${a.band} - ${NEARBY_BANDS} and ${a.band} + ${NEARBY_BANDS}
    and ${metersBetween(a, b)} <= ${sql.lit(NEARBY_RADIUS_M)}`;
