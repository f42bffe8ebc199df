import { type RawBuilder, sql } from 'kysely';
import { NEARBY_LIMIT } from '../../domain/places.ts';

const EARTH_RADIUS_M = sql.lit(6_371_008.8);
const BANDS_PER_DEGREE = 100;

/**
 * Metres. Where people live densely the first ring is full and the others are not even begun; where they do not, a ring
 * that finds nobody costs a few steps in the index. Each is two to four times as wide as the one before, so that the last
 * one looks at a few hundred at most, however many live around it.
 */
const RINGS_M = [35, 100, 250, 700, 2_000, 5_000, 16_000, 50_000];

/** What is searched: its table under the name `p`, and the columns of its index. */
export type NearbyTable = {
  readonly table: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly band: RawBuilder<unknown>;
  readonly latitude: RawBuilder<unknown>;
  readonly longitude: RawBuilder<unknown>;
  /** The index's own condition. */
  readonly where: RawBuilder<unknown>;
};

type SqlPoint = { readonly latitude: RawBuilder<unknown>; readonly longitude: RawBuilder<unknown> };

/** Great-circle distance in whole metres, as domain/places computes it. */
export function metersBetween(a: SqlPoint, b: SqlPoint): RawBuilder<number> {
  return sql`round(${EARTH_RADIUS_M}::float8 * 2 * asin(least(1, sqrt(
    power(sin(radians(${b.latitude} - ${a.latitude}) / 2), 2)
    + cos(radians(${a.latitude})) * cos(radians(${b.latitude})) * power(sin(radians(${b.longitude} - ${a.longitude}) / 2), 2)
  ))))::int`;
}

/**
 * The rows `box (band, west, east)` that hold every point within `radius` metres of a place: a row a band, two where the
 * circle crosses the 180th meridian; around a pole it holds every longitude.
 */
function boxAround({ latitude, longitude }: SqlPoint, radius: RawBuilder<unknown>): RawBuilder<unknown> {
  // A distance is rounded to whole metres, so a point up to half a metre further still counts as within.
  return sql`(select (${radius} + 1) / ${EARTH_RADIUS_M}::float8 as angle) circle
    cross join lateral (select ${latitude} - degrees(angle) as south, ${latitude} + degrees(angle) as north) reach
    cross join lateral (select case when south <= -90 or north >= 90 then null
      else degrees(asin(least(1, sin(angle) / cos(radians(${latitude}))))) end as half) wide
    cross join lateral (select coalesce(${longitude} - half, -180) + turn as west, coalesce(${longitude} + half, 180) + turn as east
      from (values (-360), (0), (360)) turns (turn)) span
    cross join lateral generate_series(floor(greatest(south, -90) * ${sql.lit(BANDS_PER_DEGREE)})::int,
      floor(least(north, 90) * ${sql.lit(BANDS_PER_DEGREE)})::int) band
    where span.west < 180 and span.east > -180`;
}

/**
 * The steps of a `with` that end in `found (id, distance)`: the nearest spots within `radius` metres of the one row of
 * `origin (latitude, longitude)`. Rings are looked at from the innermost on, each for what lies beyond the one before: the
 * join asks for the next ring only while spots are missing, and none begins beyond the radius.
 */
export function nearestTo({ table, id, band, latitude, longitude, where }: NearbyTable, radius: RawBuilder<unknown>) {
  const origin = { latitude: sql.ref('origin.latitude'), longitude: sql.ref('origin.longitude') };
  const rings = RINGS_M.map((meters, number) => sql`(${sql.lit(RINGS_M[number - 1] ?? -1)}, ${sql.lit(meters)})`);
  const most = sql.lit(NEARBY_LIMIT);
  return sql`found as materialized (
    select spot.id, spot.distance from origin
      cross join lateral (select beyond, least(meters, ${radius}::float8) as reach
        from (values ${sql.join(rings)}) rings (beyond, meters) where beyond < ${radius}::float8 offset 0) ring
      cross join lateral (select place.id, place.distance
        from (select band, west, east from ${boxAround(origin, sql.ref('ring.reach'))}) box
          cross join lateral (select ${id} as id, ${metersBetween(origin, { latitude, longitude })} as distance from ${table}
            where ${where} and ${band} = box.band and ${longitude} between box.west and box.east offset 0) place
        where place.distance > ring.beyond and place.distance <= ring.reach
        order by place.distance, place.id limit ${most}) spot
    limit ${most})`;
}
