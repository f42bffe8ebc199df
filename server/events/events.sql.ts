import { type RawBuilder, sql } from 'kysely';
import { bandOf, type Point } from '../../domain/places.ts';
import { isActiveDelivery, isoTime } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { isNearby, nearbyBands } from '../db/nearby.sql.ts';

type StatusChange = { readonly id: string; readonly status: string; readonly at: string };

/** Tells the Bud and the Scrub of an order, in the transaction of what it tells. */
export async function emitOrderEvent(tx: Tx, { id, status, at }: StatusChange): Promise<void> {
  await queryRows(
    tx,
    sql`insert into events (user_id, entity, entity_id, status, at)
      select person, 'order', o.id, ${status}, ${at}::timestamptz
      from orders o cross join lateral unnest(array[o.bud_id, o.scrub_id]) person where o.id = ${id}`,
  );
}

/** Tells the Bud, the Scrub and, once there is one, the Duber of a delivery. */
export async function emitDeliveryEvent(tx: Tx, { id, status, at }: StatusChange): Promise<void> {
  await queryRows(
    tx,
    sql`insert into events (user_id, entity, entity_id, status, at)
      select person, 'delivery', d.id, ${status}, ${at}::timestamptz
      from deliveries d cross join lateral unnest(array[d.bud_id, d.scrub_id, d.duber_id]) person
      where d.id = ${id} and person is not null`,
  );
}

/**
 * Tells the Bud and the Scrub of a delivery that its Duber was seen at a new place. The row says only that: the place is
 * read with it, and one row a delivery and person is kept, so that neither a trail nor a heap grows here.
 */
export async function emitPositionEvent(tx: Tx, id: string, at: Date): Promise<void> {
  await queryRows(tx, sql`delete from events where entity = 'position' and entity_id = ${id}`);
  await queryRows(
    tx,
    sql`insert into events (user_id, entity, entity_id, at)
      select person, 'position', d.id, ${at}::timestamptz
      from deliveries d cross join lateral unnest(array[d.bud_id, d.scrub_id]) person where d.id = ${id}`,
  );
}

/**
 * Tells the Dubers around `pickup`: one row, however many there are. Who they are is settled by whoever reads it, who
 * knows which of them listen. Its own Duber is told by tellDelivery, and is not free.
 */
export async function emitNearbyDeliveryEvent(tx: Tx, { id, status, at }: StatusChange, pickup: Point): Promise<void> {
  const { latitude, longitude } = pickup;
  await queryRows(
    tx,
    sql`insert into events (entity, entity_id, status, at, latitude, longitude, band)
      values ('delivery', ${id}, ${status}, ${at}, ${latitude}, ${longitude}, ${bandOf(latitude)})`,
  );
}

/**
 * The steps of a `with` in which a delivery is `moved`: its people are told, and those around when it no longer waits.
 */
export const emitMovedDeliverySql = (
  step: Record<'from' | 'to' | 'now', RawBuilder<unknown>>,
): RawBuilder<unknown> => sql`told as (
    insert into events (user_id, entity, entity_id, status, at)
      select person, 'delivery', m.id, ${step.to}, ${step.now}::timestamptz
      from moved m cross join lateral unnest(array[m.bud_id, m.scrub_id, m.duber_id]) person),
  told_around as (
    insert into events (entity, entity_id, status, at, latitude, longitude, band)
      select 'delivery', m.id, ${step.to}, ${step.now}::timestamptz, m.pickup_latitude, m.pickup_longitude, m.pickup_band
      from moved m where ${step.from}::text = 'Pending')`;

/** Whether the event `e` is for the Duber of `duber_places p`: near enough, and without a delivery at the time of the event. */
const isForNearbyDuber = (() => {
  const pickup = { band: sql`e.band`, latitude: sql`e.latitude`, longitude: sql`e.longitude` };
  const place = { band: sql`p.band`, latitude: sql`p.latitude`, longitude: sql`p.longitude` };
  const accepted = sql`(select t.created_at from delivery_steps t where t.delivery_id = d.id and t.status = 'Accepted')`;
  return sql`${isNearby(pickup, place)}
    and not exists (select 1 from deliveries d where d.duber_id = p.duber_id and ${isActiveDelivery(sql.ref('d.status'))}
      and ${accepted} <= e.at)
    and not exists (select 1 from deliveries d where d.duber_id = p.duber_id and d.delivered_at > e.at
      and ${accepted} <= e.at)`;
})();

/** A place in the outbox: after the row of this transaction and id. */
export type Cursor = { readonly tx: bigint; readonly id: bigint };

export type EventRow = {
  readonly cursor: Cursor;
  /** Null where it concerns the Dubers around a place. */
  readonly userId: string | null;
  /** What to send; nothing for a place that was taken back or is no news any more. */
  readonly data: string | undefined;
};

/** A place that is older is no live news; whoever wants the last one asks for it. */
const POSITION_FRESH_MS = 60_000;

type StoredPosition = { readonly latitude: number; readonly longitude: number; readonly at: string };
type StoredEvent = {
  tx: string;
  id: string;
  user_id: string | null;
  entity: string;
  entity_id: string;
  status: string;
  at: string;
  place: StoredPosition | null;
};

function toEventRow({ tx, id, user_id, entity, entity_id, status, at, place }: StoredEvent): EventRow {
  const event =
    entity === 'position' ? place && { entity, id: entity_id, ...place } : { entity, id: entity_id, status, at };
  return {
    cursor: { tx: BigInt(tx), id: BigInt(id) },
    userId: user_id,
    data: event ? JSON.stringify(event) : undefined,
  };
}

const eventColumnsAt = (now: Date) => sql`e.tx::text, e.id::text, e.user_id, e.entity, e.entity_id, e.status,
  ${isoTime('e.at')} as at, case when e.entity = 'position' then (select json_build_object('latitude', p.latitude,
      'longitude', p.longitude, 'at', ${isoTime('p.at')}) from delivery_positions p
    where p.delivery_id = e.entity_id and p.latitude is not null
      and p.at > ${new Date(now.getTime() - POSITION_FRESH_MS)}) end as place`;

const isAfterCursor = ({ tx, id }: Cursor) => sql`(e.tx, e.id) > (${String(tx)}::xid8, ${String(id)}::bigint)`;

/** The place after everything that is settled: transactions from here on may still commit, in any order. */
export async function readOutboxEdge(tx: Tx): Promise<Cursor> {
  const edge = await queryRow<{ edge: string }>(tx, sql`select pg_snapshot_xmin(pg_current_snapshot())::text as edge`);
  return { tx: BigInt(edge?.edge ?? 0), id: 0n };
}

type OutboxBatch = {
  readonly events: readonly EventRow[];
  /** Whether something is committed that may not be read yet, because an older transaction is still open. */
  readonly hasPending: boolean;
};

/**
 * What follows `cursor`, in one order for all readers. Only transactions older than every open one are read: nothing
 * can appear before the place that this leads to.
 */
export async function readOutbox(tx: Tx, cursor: Cursor, limit: number, now: Date): Promise<OutboxBatch> {
  const found = await queryRows<StoredEvent & { safe: boolean }>(
    tx,
    sql`select ${eventColumnsAt(now)}, e.tx < pg_snapshot_xmin(pg_current_snapshot()) as safe
      from events e where ${isAfterCursor(cursor)} order by e.tx, e.id limit ${limit}`,
  );
  const events = found.filter((one) => one.safe).map(toEventRow);
  return { events, hasPending: events.length < found.length };
}

const isUpToCursor = ({ tx, id }: Cursor) => sql`(e.tx, e.id) <= (${String(tx)}::xid8, ${String(id)}::bigint)`;

export type CursorRange = { readonly from: Cursor; readonly to: Cursor };

/** Which of these people the events that concern those around a place tell, as pairs of a place in the outbox and a person. */
export async function readNearbyRecipients(tx: Tx, people: readonly string[], { from, to }: CursorRange) {
  const found = await queryRows<{ tx: string; id: string; duber_id: string }>(
    tx,
    sql`select e.tx::text, e.id::text, p.duber_id from duber_places p, events e
      where p.duber_id = any(${people}::uuid[]) and e.user_id is null and ${isAfterCursor(from)} and ${isUpToCursor(to)} and ${isForNearbyDuber}`,
  );
  return found.map(({ tx, id, duber_id: userId }) => ({ cursor: { tx: BigInt(tx), id: BigInt(id) }, userId }));
}

/** What one person was told in a range, at most `limit`. */
export async function readMissedEvents(
  tx: Tx,
  userId: string,
  { from, to }: CursorRange,
  limit: number,
  now: Date,
): Promise<EventRow[]> {
  const found = await queryRows<StoredEvent>(
    tx,
    sql`select ${eventColumnsAt(now)} from (
        select * from events e where e.user_id = ${userId}::uuid and ${isAfterCursor(from)} and ${isUpToCursor(to)}
        union all
        select e.* from duber_places p
          cross join lateral ${nearbyBands(sql`p.band`)} near (band)
          cross join lateral (select * from events e where e.user_id is null and e.band = near.band and ${isAfterCursor(from)}
            and ${isUpToCursor(to)} offset 0) e
          where p.duber_id = ${userId}::uuid and ${isForNearbyDuber}
      ) e order by e.tx, e.id limit ${limit}`,
  );
  return found.map(toEventRow);
}

/** Whether nothing after `cursor` was cleared, and it is no place of another database's future. */
export async function canResume(tx: Tx, cursor: Cursor): Promise<boolean> {
  const found = await queryRow<{ good: boolean }>(
    tx,
    sql`select ${String(cursor.tx)}::xid8 > c.tx and ${String(cursor.tx)}::xid8 <= pg_snapshot_xmax(pg_current_snapshot())
        as good
      from events_cleared c`,
  );
  return found?.good ?? false;
}

/** Clears what was told before `before`, looking at the `limit` oldest rows; gives how many there were. */
export async function deleteOldestEvents(tx: Tx, before: Date, limit: number): Promise<number> {
  const found = await queryRow<{ cleared: number }>(
    tx,
    sql`with oldest as (select e.tx, e.id, e.at from events e order by e.tx, e.id limit ${limit}),
        gone as (delete from events e using oldest o where e.tx = o.tx and e.id = o.id and o.at < ${before}
          returning e.tx),
        -- PostgreSQL 15 has no max(xid8).
        kept as (update events_cleared c set tx = greatest(c.tx, g.tx)
          from (select tx from gone order by tx desc limit 1) g)
      select count(*)::int as cleared from gone`,
  );
  return found?.cleared ?? 0;
}
