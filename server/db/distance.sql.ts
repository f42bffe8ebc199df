import { type RawBuilder, sql } from 'kysely';
import { boxAround, type Point } from '../../domain/places.ts';

const EARTH_RADIUS_M = 6_371_008.8;

/** Great-circle distance in whole metres from a point to two columns, as domain/places computes it. */
export function metersFrom(point: Point, latitude: string, longitude: string): RawBuilder<number> {
  const lat = sql.ref(latitude);
  const lng = sql.ref(longitude);
  const { latitude: pointLat, longitude: pointLng } = point;
  return sql`round(${EARTH_RADIUS_M}::float8 * 2 * asin(least(1, sqrt(
    power(sin(radians(${lat} - ${pointLat}::float8) / 2), 2)
    + cos(radians(${pointLat}::float8)) * cos(radians(${lat})) * power(sin(radians(${lng} - ${pointLng}::float8) / 2), 2)
  ))))::int`;
}

/** Whether two columns lie in the box around a point: what the nearby indexes can answer. */
export function isInBox(point: Point, radius: number, band: string, longitude: string): RawBuilder<boolean> {
  const box = boxAround(point, radius);
  const [first = [-180, 180], second = [1, 0]] = box.longitudes;
  const lng = sql.ref(longitude);
  return sql`${sql.ref(band)} between ${box.bandFrom}::int and ${box.bandTo}::int
    and (${lng} between ${first[0]}::float8 and ${first[1]}::float8
      or ${lng} between ${second[0]}::float8 and ${second[1]}::float8)`;
}
