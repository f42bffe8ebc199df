import { type Kysely, sql } from 'kysely';

// An event is one row with the people it is for; it was a row for each of them. A new table, because an index on the old one
// would lock a large table. Both take their ids from one sequence, so that the cursors of clients stay valid.
const LIVE_EVENTS = [
  `create table live_events (
    -- The transaction that wrote it: ids are taken before the commit, so only this says what may still appear.
    tx xid8 not null default pg_current_xact_id(),
    id bigint not null default nextval('events_id_seq'),
    -- Besides them it is for the Dubers near the place, if there is one.
    people uuid[] not null,
    entity text not null check (entity in ('order', 'delivery', 'position')),
    entity_id uuid not null,
    status text check ((status is null) = (entity = 'position')),
    at timestamptz not null,
    latitude double precision,
    longitude double precision,
    band integer,
    primary key (tx, id),
    check ((latitude is null) = (longitude is null) and (latitude is null) = (band is null))
  )`,
  // Without a list of pending entries: emptying a full one would hold up a step.
  'create index live_events_of_people on live_events using gin (people) with (fastupdate = off)',
  'create index live_events_around on live_events (band, tx, id) where band is not null',
  `create index live_events_of_position on live_events (entity_id) where entity = 'position'`,
  // Until then, steps write rows that servers of the previous release can read. Not set in a new database.
  'alter table events_cleared add column per_person_until timestamptz',
  `update events_cleared set per_person_until = now() + interval '1 day' where exists (select from users)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of LIVE_EVENTS) await sql.raw(statement).execute(db);
}
