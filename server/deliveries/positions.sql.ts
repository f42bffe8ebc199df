import { sql } from 'kysely';
import type { Caller, DuberId } from '../../domain/accounts.ts';
import type { DeliveryStatus } from '../../domain/deliveries.ts';
import type { Point } from '../../domain/places.ts';
import { POSITION_INTERVAL_MS } from '../../domain/positions.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { POSITIONS_KEPT_MS } from '../jobs/retention.ts';
import { ownedBy } from './deliveries.sql.ts';

export type DeliveryPosition = {
  readonly status: DeliveryStatus;
  readonly deliveredAt: Date | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly at: Date | null;
};

/** How a delivery of the caller stands, with its last place as it is stored; undefined when it is not theirs. */
export function readDeliveryPosition(
  tx: Tx,
  caller: Caller,
  deliveryId: string,
): Promise<DeliveryPosition | undefined> {
  return queryRow(
    tx,
    sql`select d.status, d.delivered_at as "deliveredAt", p.latitude, p.longitude, p.at
      from deliveries d left join delivery_positions p on p.delivery_id = d.id
      where d.id = ${deliveryId} and ${ownedBy(caller)}`,
  );
}

/** Keeps a place in the stead of the last one; false when the Duber is not on the way with it, or it comes too fast. */
export async function savePosition(
  tx: Tx,
  duber: DuberId,
  deliveryId: string,
  { latitude, longitude }: Point,
  now: Date,
): Promise<boolean> {
  const kept = await queryRow(
    tx,
    sql`insert into delivery_positions as p (delivery_id, latitude, longitude, at)
      select d.id, ${latitude}::float8, ${longitude}::float8, ${now}::timestamptz from deliveries d
      where d.id = ${deliveryId} and d.duber_id = ${duber} and d.status in ('Way_To_Pick', 'Way_To_Drop')
      on conflict (delivery_id) do update
        set latitude = excluded.latitude, longitude = excluded.longitude, at = excluded.at
        where p.at <= ${new Date(now.getTime() - POSITION_INTERVAL_MS)}
      returning 1 as kept`,
  );
  return kept !== undefined;
}

/** Takes the last place of a delivery of the Duber away. Gives whether there was one. */
export async function clearPosition(tx: Tx, duber: DuberId, deliveryId: string, now: Date): Promise<boolean> {
  const before = await queryRow<{ latitude: number | null }>(
    tx,
    sql`select latitude from delivery_positions where delivery_id = ${deliveryId} for update`,
  );
  await queryRows(
    tx,
    sql`insert into delivery_positions (delivery_id, at) select d.id, ${now}::timestamptz from deliveries d
      where d.id = ${deliveryId} and d.duber_id = ${duber}
      on conflict (delivery_id) do update set latitude = null, longitude = null, at = excluded.at`,
  );
  return before !== undefined && before.latitude !== null;
}

/** Deletes the places that nobody may read any more. */
export async function deleteOldPositions(tx: Tx, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`delete from delivery_positions p using deliveries d where d.id = p.delivery_id
      and (d.delivered_at <= ${new Date(now.getTime() - POSITIONS_KEPT_MS.afterDelivered)}
        or p.at <= ${new Date(now.getTime() - POSITIONS_KEPT_MS.afterSent)})`,
  );
}
