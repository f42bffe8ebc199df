import { type RawBuilder, sql } from 'kysely';
import { isActiveDelivery, isoTime } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { isNearby, nearbyBands } from '../db/nearby.sql.ts';

// Reads the table `live_events`, which publish.ts writes. Raw SQL throughout: transaction ids and snapshots decide which rows
// may be read, and the builder cannot express comparisons with them.

const EVENT_COLUMNS = sql`e.tx, e.id, e.entity, e.entity_id, e.status, e.at, e.latitude, e.longitude, e.band`;

/** The first `limit` events that meet a condition, each with its people. */
const eventsWhere = (condition: RawBuilder<unknown>, limit: number) =>
  sql`(select ${EVENT_COLUMNS}, e.people from live_events e where ${condition} order by e.tx, e.id limit ${limit})`;

/** Whether the event `e` is for the Duber of `duber_places p`: in range, and without a delivery when it happened. */
const isForNearbyDuber = (() => {
  const pickup = { band: sql`e.band`, latitude: sql`e.latitude`, longitude: sql`e.longitude` };
  const place = { band: sql`p.band`, latitude: sql`p.latitude`, longitude: sql`p.longitude` };
  const acceptedAt = sql`(select max(t.at) from steps t
    where t.subject_id = d.id and t.status = 'Accepted')`;
  return sql`${isNearby(pickup, place)}
    and not exists (select 1 from deliveries d where d.duber_id = p.duber_id and ${isActiveDelivery('d')}
      and ${acceptedAt} <= e.at)
    and not exists (select 1 from deliveries d where d.duber_id = p.duber_id and d.delivered_at > e.at
      and ${acceptedAt} <= e.at)`;
})();

/** A point in the order of all events. Usually `tx` is the transaction that wrote the event before it (decision 120). */
export type Cursor = { readonly tx: bigint; readonly id: bigint };

export type EventRow = {
  readonly cursor: Cursor;
  readonly people: readonly string[];
  /** Whether it also concerns the Dubers near a place. */
  readonly isForNearby: boolean;
  /** The JSON to send. Undefined for a position that was deleted or is too old. */
  readonly data: string | undefined;
};

/** An older position is not sent as an event. Clients can still read it with a request. */
const POSITION_FRESH_MS = 60_000;

type StoredPosition = { readonly latitude: number; readonly longitude: number; readonly at: string };
type StoredEvent = {
  tx: string;
  id: string;
  people: string[];
  is_for_nearby: boolean;
  entity: string;
  entity_id: string;
  status: string;
  at: string;
  place: StoredPosition | null;
};

function toEventRow({ tx, id, people, is_for_nearby, entity, entity_id, status, at, place }: StoredEvent): EventRow {
  const event =
    entity === 'position' ? place && { entity, id: entity_id, ...place } : { entity, id: entity_id, status, at };
  return {
    cursor: { tx: BigInt(tx), id: BigInt(id) },
    people,
    isForNearby: is_for_nearby,
    data: event ? JSON.stringify(event) : undefined,
  };
}

const eventColumnsAt = (
  now: Date,
) => sql`e.tx::text, e.id::text, e.people, e.band is not null as is_for_nearby, e.entity, e.entity_id, e.status,
  ${isoTime('e.at')} as at, case when e.entity = 'position' then (select json_build_object('latitude', p.latitude,
      'longitude', p.longitude, 'accuracy', p.accuracy, 'at', ${isoTime('p.at')}) from delivery_positions p
    where p.delivery_id = e.entity_id and p.latitude is not null
      and p.at > ${new Date(now.getTime() - POSITION_FRESH_MS)}) end as place`;

const isAfterCursor = ({ tx, id }: Cursor) => sql`(e.tx, e.id) > (${String(tx)}::xid8, ${String(id)}::bigint)`;
const isUpToCursor = ({ tx, id }: Cursor) => sql`(e.tx, e.id) <= (${String(tx)}::xid8, ${String(id)}::bigint)`;

/** The cursor after every finished transaction. Later transactions may still commit in any order. */
export async function readLatestCursor(tx: Tx): Promise<Cursor> {
  const row = await queryRow<{ tx: string }>(tx, sql`select pg_snapshot_xmin(pg_current_snapshot())::text as tx`);
  return { tx: BigInt(row?.tx ?? 0), id: 0n };
}

export type EventBatch = {
  readonly events: readonly EventRow[];
  /** Whether there are committed events that cannot be read yet, because an older transaction is still open. */
  readonly hasPending: boolean;
  /**
   * Whether the cursor is ahead of the database: a failover has lost transactions, and new ones get ids from before it.
   */
  readonly isRewound: boolean;
};

/**
 * The events after `cursor`, in the same order for all readers. Reads only those whose `tx` is below every open transaction, so
 * that no event can appear later before the cursor that this leads to.
 */
export async function readEvents(tx: Tx, cursor: Cursor, limit: number, now: Date): Promise<EventBatch> {
  // The left join gives one row without an event when there is none.
  const rows = await queryRows<StoredEvent & { isSafe: boolean | null; isRewound: boolean }>(
    tx,
    sql`select e.*, ${String(cursor.tx)}::xid8 > pg_snapshot_xmax(s.snapshot) as "isRewound"
      from (select pg_current_snapshot() as snapshot) s left join lateral (
        select ${eventColumnsAt(now)}, e.tx < pg_snapshot_xmin(s.snapshot) as "isSafe"
        from ${eventsWhere(isAfterCursor(cursor), limit)} e order by e.tx, e.id) e on true`,
  );
  const events = rows.filter((row) => row.isSafe).map(toEventRow);
  const hasPending = rows.some((row) => row.isSafe === false);
  return { events, hasPending, isRewound: rows[0]?.isRewound === true };
}

export type CursorRange = { readonly from: Cursor; readonly to: Cursor };

/** Which of these people the nearby events of a range concern, as pairs of an event's cursor and a person. */
export async function readNearbyRecipients(tx: Tx, people: readonly string[], { from, to }: CursorRange) {
  const isInRange = sql`e.band is not null and ${isAfterCursor(from)} and ${isUpToCursor(to)}`;
  const rows = await queryRows<{ tx: string; id: string; duber_id: string }>(
    tx,
    sql`select e.tx::text, e.id::text, p.duber_id from duber_places p, (
        select ${EVENT_COLUMNS} from live_events e where ${isInRange}) e
      where p.duber_id = any(${people}::uuid[]) and ${isForNearbyDuber}`,
  );
  return rows.map(({ tx, id, duber_id: userId }) => ({ cursor: { tx: BigInt(tx), id: BigInt(id) }, userId }));
}

/** The first `limit` events of a range that concern one person. */
export async function readMissedEvents(
  tx: Tx,
  userId: string,
  { from, to }: CursorRange,
  limit: number,
  now: Date,
): Promise<EventRow[]> {
  const isInRange = sql`${isAfterCursor(from)} and ${isUpToCursor(to)}`;
  const isTheirs = sql`e.people @> array[${userId}::uuid]`;
  const rows = await queryRows<StoredEvent>(
    tx,
    sql`select ${eventColumnsAt(now)} from (
        -- "offset 0" makes this use the index over the people alone: the range may be everybody's events of a day.
        select ${EVENT_COLUMNS}, e.people from (select * from live_events e where ${isTheirs} offset 0) e where ${isInRange}
        union all
        select ${EVENT_COLUMNS}, e.people from duber_places p
          cross join lateral ${nearbyBands(sql`p.band`)} near (band)
          cross join lateral (
            select ${EVENT_COLUMNS}, e.people from live_events e
              where e.band = near.band and not ${isTheirs} and ${isInRange} offset 0) e
          where p.duber_id = ${userId}::uuid and ${isForNearbyDuber}
      ) e order by e.tx, e.id limit ${limit}`,
  );
  return rows.map(toEventRow);
}

/** Whether no event after `cursor` was deleted, and the cursor was issued by this database. */
export async function canResume(tx: Tx, cursor: Cursor): Promise<boolean> {
  const row = await queryRow<{ canResume: boolean }>(
    tx,
    sql`select ${String(cursor.tx)}::xid8 > c.tx and ${String(cursor.tx)}::xid8 <= pg_snapshot_xmax(pg_current_snapshot())
        as "canResume"
      from events_cleared c`,
  );
  return row?.canResume ?? false;
}

/** Deletes those of the `limit` oldest events that are older than `before`. Returns how many it deleted. */
export async function deleteOldestEvents(tx: Tx, before: Date, limit: number): Promise<number> {
  const row = await queryRow<{ count: number }>(
    tx,
    sql`with oldest as (select e.tx, e.id, e.at from live_events e order by e.tx, e.id limit ${sql.lit(limit)}),
        deleted as (delete from live_events e using oldest o where e.tx = o.tx and e.id = o.id and o.at < ${before}
          returning e.tx),
        -- PostgreSQL 15 has no max(xid8).
        cleared as (update events_cleared c set tx = greatest(c.tx, d.tx)
          from (select tx from deleted order by tx desc limit 1) d)
      select count(*)::int as count from deleted`,
  );
  return row?.count ?? 0;
}
