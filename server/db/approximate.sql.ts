import { type RawBuilder, sql } from 'kysely';
import { APPROXIMATE_CELLS_PER_DEGREE, APPROXIMATE_MIN_COS } from '../../domain/places.ts';

/** What people see of a person and a place before they have accepted the work. */

export type SqlPoint = { readonly latitude: RawBuilder<unknown>; readonly longitude: RawBuilder<unknown> };

const CELLS = sql.lit(APPROXIMATE_CELLS_PER_DEGREE);

/** approximatePoint in SQL. */
export function approximatePointSql({ latitude, longitude }: SqlPoint): SqlPoint {
  const rounded = sql`(round(${latitude} * ${CELLS}) / ${CELLS}::float8)`;
  const cells = sql`(${CELLS}::float8 * greatest(cos(radians(${rounded})), ${sql.lit(APPROXIMATE_MIN_COS)}::float8))`;
  return {
    latitude: rounded,
    longitude: sql`least(180, greatest(-180, round(${longitude} * ${cells}) / ${cells}))`,
  };
}

/** A coordinate with the four digits that an approximate one needs, as a JSON number. */
export const roundToFourDigits = (degrees: RawBuilder<unknown>): RawBuilder<number> =>
  sql`round((${degrees})::numeric, 4)`;

/** Metres in hundreds. */
export const roundToHundreds = (meters: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(round(${meters} / 100.0) * 100)::int`;

/**
 * An address without what identifies a house: words with a digit, and a first part without any, which is the name of a
 * house or of a person.
 */
export function streetOf(address: RawBuilder<unknown>): RawBuilder<string> {
  const withoutName = sql`case when ${address} ~ '^[^,0-9]*,' then substr(${address}, strpos(${address}, ',') + 1)
    else ${address} end`;
  const withoutNumbers = sql`regexp_replace(${withoutName}, '[^\\s,]*\\d[^\\s,]*', ' ', 'g')`;
  const tidy = sql`regexp_replace(regexp_replace(${withoutNumbers}, '\\s+', ' ', 'g'), '[ ]?,[ ,]*', ', ', 'g')`;
  return sql`coalesce(nullif(btrim(${tidy}, ' ,'), ''), 'An approximate place')`;
}

/** 'Ada King Lovelace' as 'Ada L.'. */
export const shortName = (fullname: RawBuilder<unknown>): RawBuilder<string> =>
  sql`regexp_replace(btrim(${fullname}), '^(\\S+)\\s.*?(\\S)\\S*$', '\\1 \\2.')`;
