import { type Kysely, sql } from 'kysely';

const EVENTS = `
-- The outbox of live updates, one row a person told, written in the transaction of what it tells.
create table events (
  -- The transaction that wrote it: ids are drawn before a commit, so only this says what may still appear.
  tx xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  user_id uuid not null,
  entity text not null check (entity in ('order', 'delivery')),
  entity_id uuid not null,
  status text not null,
  at timestamptz not null,
  primary key (tx, id)
);
create index events_of_user on events (user_id, tx, id);

-- How far the outbox was cleared: nobody can resume from before it.
create table events_cleared (
  only_one boolean primary key default true check (only_one),
  tx xid8 not null
);
insert into events_cleared (tx) values ('0');

-- Where a Duber looks for deliveries: its first address, in the order of the nearby search.
create table duber_places (
  duber_id uuid primary key references users,
  latitude double precision not null,
  longitude double precision not null,
  band integer not null
);
create index duber_places_nearby on duber_places (band, longitude) include (latitude, duber_id);
insert into duber_places (duber_id, latitude, longitude, band)
  select distinct on (u.id) u.id, a.latitude, a.longitude, floor(a.latitude * 100)::integer
  from users u join addresses a on a.user_id = u.id
  where u.role = 'Duber' order by u.id, a.created_at, a.id;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of EVENTS.split(/;\s*\n/)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
