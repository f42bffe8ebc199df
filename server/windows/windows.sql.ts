import { sql } from 'kysely';
import type { Point } from '../../domain/places.ts';
import type { TakenPlaces } from '../../domain/windows.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { type PricesWithZones, pricesWithZonesAt } from '../payments/prices/prices.ts';
import { openingSql } from '../town/opening.sql.ts';
import { settingSql } from '../town/settings.sql.ts';
import type { StoredWindows } from '../town/windowPlan.sql.ts';

type Found = StoredWindows &
  PricesWithZones & {
    readonly place: Point;
    readonly taken: readonly TakenPlaces[];
  };

/** What decides which windows a Bud is offered at one of their addresses; undefined when it is not theirs. */
export function readOfferedWindows(
  tx: Tx,
  { bud, addressId }: { readonly bud: string; readonly addressId: string },
  now: Date,
): Promise<Found | undefined> {
  const at = sql`${now}::timestamptz`;
  return queryRow<Found>(
    tx,
    sql`select ${settingSql('windows', at)} as windows, ${openingSql(at)} as opening, ${pricesWithZonesAt(sql`${now}`)},
      json_build_object('latitude', a.latitude, 'longitude', a.longitude) as place,
      coalesce((select json_agg(json_build_object('kind', w.kind, 'startsAt', w.starts_at, 'zoneId', w.zone_id, 'taken', w.taken))
        from window_places w where w.starts_at > ${at}), '[]'::json) as taken
      from addresses a where a.id = ${addressId} and a.user_id = ${bud}`,
  );
}

/** The places that are taken of the windows that begin from a time on. */
export const listTakenPlaces = (tx: Tx, from: Date): Promise<TakenPlaces[]> =>
  tx
    .selectFrom('window_places')
    .select(['kind', 'starts_at as startsAt', 'zone_id as zoneId', 'taken'])
    .where('starts_at', '>=', from)
    .where('taken', '>', 0)
    .execute();
