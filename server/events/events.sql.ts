import { type RawBuilder, sql } from 'kysely';
import { isoTime, isUnderWay } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { isNearby, nearbyBands } from '../db/nearby.sql.ts';
import { prepare } from '../db/prepared.ts';

// Reads the table `live_events`, which publish.ts writes. Raw SQL throughout: transaction ids and snapshots decide which rows
// may be read, and the builder cannot express comparisons with them.

const EVENT_COLUMNS = sql`e.tx, e.id, e.entity, e.entity_id, e.status, e.at, e.latitude, e.longitude, e.band`;

/** The first `limit` events that meet a condition, each with its people. */
const eventsWhere = (condition: RawBuilder<unknown>, limit: RawBuilder<unknown>) =>
  sql`(select ${EVENT_COLUMNS}, e.people from live_events e where ${condition} order by e.tx, e.id limit ${limit})`;

/** Whether the event `e` is for the Duber of `duber_places p`: in range, and without a delivery when it happened. */
const isForNearbyDuber = (() => {
  const pickup = { band: sql`e.band`, latitude: sql`e.latitude`, longitude: sql`e.longitude` };
  const place = { band: sql`p.band`, latitude: sql`p.latitude`, longitude: sql`p.longitude` };
  // A delivery that was accepted ahead keeps its Duber busy from when they set off.
  const busySince = sql`(select max(t.at) from steps t where t.subject_id = d.id
    and t.action = case when d.due_from is null then 'accept-delivery' else 'way-to-pickup' end)`;
  return sql`${isNearby(pickup, place)}
    and not exists (select 1 from deliveries d where d.duber_id = p.duber_id and ${isUnderWay('d')}
      and ${busySince} <= e.at)
    and not exists (select 1 from deliveries d where d.duber_id = p.duber_id and d.delivered_at > e.at
      and ${busySince} <= e.at)`;
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
  people: string;
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
    people: people === '' ? [] : people.split(' '),
    isForNearby: is_for_nearby,
    data: event ? JSON.stringify(event) : undefined,
  };
}

/** When a position must have been sent to be an event. */
const freshFrom = (now: Date) => new Date(now.getTime() - POSITION_FRESH_MS);

// The people are one text: pg's parser of arrays takes 37 µs for 50 of them, and splitting a text takes 1 (decision 013).
const eventColumns = (
  positionsFrom: RawBuilder<unknown>,
) => sql`e.tx::text, e.id::text, array_to_string(e.people, ' ') as people, e.band is not null as is_for_nearby, e.entity, e.entity_id, e.status,
  ${isoTime('e.at')} as at, case when e.entity = 'position' then (select json_build_object('latitude', p.latitude,
      'longitude', p.longitude, 'accuracy', p.accuracy, 'at', ${isoTime('p.at')}) from delivery_positions p
    where p.delivery_id = e.entity_id and p.latitude is not null
      and p.at > ${positionsFrom}::timestamptz) end as place`;

type Placeholder = RawBuilder<unknown>;
const isAfterCursor = (tx: Placeholder, id: Placeholder) => sql`(e.tx, e.id) > (${tx}::xid8, ${id}::bigint)`;
const isUpToCursor = (tx: Placeholder, id: Placeholder) => sql`(e.tx, e.id) <= (${tx}::xid8, ${id}::bigint)`;

type CursorParameters = readonly [tx: string, id: string];
const toParameters = ({ tx, id }: Cursor): CursorParameters => [String(tx), String(id)];

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

// The left join gives one row without an event when there is none.
const eventsAfter = prepare<
  [...CursorParameters, limit: number, positionsFrom: Date],
  StoredEvent & { isSafe: boolean | null; isRewound: boolean }
>(
  (tx, id, limit, positionsFrom) => sql`select e.*, ${tx}::xid8 > pg_snapshot_xmax(s.snapshot) as "isRewound"
    from (select pg_current_snapshot() as snapshot) s left join lateral (
      select ${eventColumns(positionsFrom)}, e.tx < pg_snapshot_xmin(s.snapshot) as "isSafe"
      from ${eventsWhere(isAfterCursor(tx, id), limit)} e order by e.tx, e.id) e on true`,
);

/**
 * The events after `cursor`, in the same order for all readers. Reads only those whose `tx` is below every open transaction, so
 * that no event can appear later before the cursor that this leads to.
 */
export async function readEvents(tx: Tx, cursor: Cursor, limit: number, now: Date): Promise<EventBatch> {
  const rows = await eventsAfter.all(tx, ...toParameters(cursor), limit, freshFrom(now));
  const events = rows.filter((row) => row.isSafe).map(toEventRow);
  const hasPending = rows.some((row) => row.isSafe === false);
  return { events, hasPending, isRewound: rows[0]?.isRewound === true };
}

export type CursorRange = { readonly from: Cursor; readonly to: Cursor };
type RangeParameters = readonly [fromTx: string, fromId: string, toTx: string, toId: string];
const toRangeParameters = ({ from, to }: CursorRange): RangeParameters => [...toParameters(from), ...toParameters(to)];

const nearbyRecipients = prepare<
  [people: readonly string[], ...RangeParameters],
  { tx: string; id: string; duber_id: string }
>(
  (people, fromTx, fromId, toTx, toId) => sql`select e.tx::text, e.id::text, p.duber_id from duber_places p, (
      select ${EVENT_COLUMNS} from live_events e
        where e.band is not null and ${isAfterCursor(fromTx, fromId)} and ${isUpToCursor(toTx, toId)}) e
    where p.duber_id = any(${people}::uuid[]) and ${isForNearbyDuber}`,
);

/** Which of these people the nearby events of a range concern, as pairs of an event's cursor and a person. */
export async function readNearbyRecipients(tx: Tx, people: readonly string[], range: CursorRange) {
  const rows = await nearbyRecipients.all(tx, people, ...toRangeParameters(range));
  return rows.map(({ tx: eventTx, id, duber_id: userId }) => ({
    cursor: { tx: BigInt(eventTx), id: BigInt(id) },
    userId,
  }));
}

const missedEvents = prepare<[userId: string, ...RangeParameters, limit: number, positionsFrom: Date], StoredEvent>(
  (userId, fromTx, fromId, toTx, toId, limit, positionsFrom) => {
    const isInRange = sql`${isAfterCursor(fromTx, fromId)} and ${isUpToCursor(toTx, toId)}`;
    const isTheirs = sql`e.people @> array[${userId}::uuid]`;
    return sql`select ${eventColumns(positionsFrom)} from (
      -- "offset 0" makes this use the index over the people alone: the range may be everybody's events of a day.
      select ${EVENT_COLUMNS}, e.people from (select * from live_events e where ${isTheirs} offset 0) e where ${isInRange}
      union all
      select ${EVENT_COLUMNS}, e.people from duber_places p
        cross join lateral ${nearbyBands(sql`p.band`)} near (band)
        cross join lateral (
          select ${EVENT_COLUMNS}, e.people from live_events e
            where e.band = near.band and not ${isTheirs} and ${isInRange} offset 0) e
        where p.duber_id = ${userId}::uuid and ${isForNearbyDuber}
    ) e order by e.tx, e.id limit ${limit}`;
  },
);

/** The first `limit` events of a range that concern one person. */
export async function readMissedEvents(
  tx: Tx,
  userId: string,
  range: CursorRange,
  limit: number,
  now: Date,
): Promise<EventRow[]> {
  const rows = await missedEvents.all(tx, userId, ...toRangeParameters(range), limit, freshFrom(now));
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
