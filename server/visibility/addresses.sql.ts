import { type RawBuilder, sql } from 'kysely';
import { approximatePointSql, roundToFourDigits, streetOf } from '../db/approximate.sql.ts';
import type { AddressSnapshot } from '../db/columns.sql.ts';
import { ALWAYS, ifElse, type Json, object, quoted, raw, text, wholeOrParts } from '../db/json.sql.ts';

const APPROXIMATE_LABEL = sql<string>`'Approximate'`;
const pointOf = (address: RawBuilder<unknown>) => ({
  latitude: sql`(${address} ->> 'latitude')::float8`,
  longitude: sql`(${address} ->> 'longitude')::float8`,
});
/** The point of an address, rounded to the grid of approximate places. */
export const approximatePointOf = (address: RawBuilder<unknown>) => approximatePointSql(pointOf(address));

/** An order's copy of an address, exact or rounded to the grid of approximate places. */
export function addressJson(address: RawBuilder<AddressSnapshot>, isExact: RawBuilder<unknown>): Json<AddressSnapshot> {
  const point = approximatePointOf(address);
  // A jsonb column is text here only beside text.
  const stored = raw(isExact === ALWAYS ? address : sql<AddressSnapshot>`${address}::text`);
  const exact: Json<AddressSnapshot> = wholeOrParts(stored, {
    id: quoted(sql<string>`${address} ->> 'id'`),
    label: text(sql<string>`${address} ->> 'label'`),
    address: text(sql<string>`${address} ->> 'address'`),
    latitude: raw(sql<number>`${address} ->> 'latitude'`),
    longitude: raw(sql<number>`${address} ->> 'longitude'`),
  });
  const approximate: Json<AddressSnapshot> = object({
    id: quoted(sql<string>`${address} ->> 'id'`),
    label: quoted(APPROXIMATE_LABEL),
    address: text(streetOf(sql`${address} ->> 'address'`)),
    latitude: raw(roundToFourDigits(point.latitude)),
    longitude: raw(roundToFourDigits(point.longitude)),
  });
  return ifElse(isExact, exact, approximate);
}
