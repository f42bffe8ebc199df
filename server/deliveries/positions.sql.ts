import { sql } from 'kysely';
import type { Caller, DuberId } from '../../domain/accounts.ts';
import { DELIVERY_STATUSES } from '../../domain/deliveries.ts';
import type { Point } from '../../domain/places.ts';
import { isOnTheWay, POSITION_INTERVAL_MS, POSITION_LIFETIME_MS } from '../../domain/positions.ts';
import { isExactPosition, literals } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { POSITIONS_KEPT_MS } from '../jobs/retention.ts';
import { ownedBy } from './deliveries.sql.ts';

/** When a delivery was delivered or stopped. */
const ENDED_AT = sql<Date | null>`coalesce(d.delivered_at, d.stopped_at)`;

/** The status of the caller's delivery and its stored position. Undefined when the delivery is not theirs. */
export function readDeliveryPosition(tx: Tx, caller: Caller, deliveryId: string) {
  return tx
    .selectFrom('deliveries as d')
    .leftJoin('delivery_positions as p', 'p.delivery_id', 'd.id')
    .select(['d.status', 'p.latitude', 'p.longitude', 'p.accuracy', 'p.at', ENDED_AT.as('endedAt')])
    .where('d.id', '=', deliveryId)
    .where(ownedBy(caller))
    .executeTakeFirst();
}

type PhonePosition = Point & { readonly accuracy: number | null };

const ON_THE_WAY = literals(DELIVERY_STATUSES.filter(isOnTheWay));

/**
 * Saves the Duber's position in place of the last one. Returns false when the Duber is not on the way with the delivery,
 * or when the last position is too recent.
 */
export async function savePosition(
  tx: Tx,
  duber: DuberId,
  deliveryId: string,
  { latitude, longitude, accuracy }: PhonePosition,
  now: Date,
): Promise<boolean> {
  // Raw SQL: the status is checked and the position is saved in one statement.
  const saved = await queryRow(
    tx,
    sql`insert into delivery_positions as p (delivery_id, latitude, longitude, accuracy, at)
      select d.id, ${latitude}::float8, ${longitude}::float8, ${accuracy}::float8, ${now}::timestamptz from deliveries d
      where d.id = ${deliveryId} and d.duber_id = ${duber} and d.status in (${ON_THE_WAY})
      on conflict (delivery_id) do update
        set latitude = excluded.latitude, longitude = excluded.longitude, accuracy = excluded.accuracy, at = excluded.at
        where p.at <= ${new Date(now.getTime() - POSITION_INTERVAL_MS)}
      returning p.delivery_id`,
  );
  return saved !== undefined;
}

/** Clears the position of the Duber's delivery. Returns whether there was one. */
export async function clearPosition(tx: Tx, duber: DuberId, deliveryId: string, now: Date): Promise<boolean> {
  // First, as in steps that end the way: otherwise each could wait for the other.
  const delivery = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('id', '=', deliveryId)
    .where('duber_id', '=', duber)
    .forShare()
    .executeTakeFirst();
  if (!delivery) return false;
  const before = await tx
    .selectFrom('delivery_positions')
    .select('latitude')
    .where('delivery_id', '=', deliveryId)
    .forUpdate()
    .executeTakeFirst();
  // The row keeps the time, so that a late update is ignored.
  await tx
    .insertInto('delivery_positions')
    .values({ delivery_id: deliveryId, at: now })
    .onConflict((conflict) =>
      conflict.column('delivery_id').doUpdateSet({ latitude: null, longitude: null, accuracy: null, at: now }),
    )
    .execute();
  return before !== undefined && before.latitude !== null;
}

/** The last exact position that a Duber shared with another delivery, at most a day before a time. */
export function findLastPosition(
  tx: Tx,
  { duberId, not, before }: { duberId: string | null; not: string; before: Date },
): Promise<(Point & { at: Date }) | undefined> {
  return queryRow(
    tx,
    sql`select p.latitude, p.longitude, p.at from delivery_positions p join deliveries d on d.id = p.delivery_id
      where d.duber_id = ${duberId}::uuid and d.id <> ${not} and p.latitude is not null and ${isExactPosition}
        and p.at <= ${before} and p.at > ${new Date(before.getTime() - POSITION_LIFETIME_MS)}
      order by p.at desc limit 1`,
  );
}

/** Where somebody lives. */
export const listAddressesOf = (tx: Tx, userId: string | null): Promise<Point[]> =>
  tx.selectFrom('addresses').select(['latitude', 'longitude']).where('user_id', '=', userId).execute();

/** Deletes some of the positions that nobody may read any more. Returns how many. */
export async function deleteOldPositions(tx: Tx, now: Date, limit: number): Promise<number> {
  const old = tx
    .selectFrom('delivery_positions as p')
    .innerJoin('deliveries as d', 'd.id', 'p.delivery_id')
    .select(sql`p.ctid`.as('row'))
    .where((eb) =>
      eb.or([
        eb(ENDED_AT, '<=', new Date(now.getTime() - POSITIONS_KEPT_MS.afterDelivered)),
        eb('p.at', '<=', new Date(now.getTime() - POSITIONS_KEPT_MS.afterSent)),
      ]),
    )
    .limit(sql.lit(limit));
  const { numDeletedRows } = await tx
    .deleteFrom('delivery_positions')
    .where(sql<boolean>`ctid = any(array(${old}))`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
