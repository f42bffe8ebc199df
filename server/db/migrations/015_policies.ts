import { type Kysely, sql } from 'kysely';

// Every statement changes the catalog only, or creates an empty table.
const POLICIES = [
  // What an operator has decided for the whole installation. The newest row of a name that is valid by now applies.
  `create table policies (
    -- The later of two rows of the same instant applies.
    id bigint generated always as identity,
    name text not null,
    value text not null,
    valid_from timestamptz not null,
    set_by text not null,
    primary key (name, valid_from, id)
  )`,
  `create function policies_keep() returns trigger language plpgsql as $$
  begin
    raise exception 'a policy is never changed: add a newer row' using errcode = '23514';
  end $$`,
  `create trigger policies_keep before update or delete or truncate on policies
    for each statement execute function policies_keep()`,
  `alter table duber_places
    -- Where the Duber was at sign-up or after the last long move. Null in rows of earlier releases that were not changed.
    add column home_latitude double precision,
    add column home_longitude double precision,
    -- How many long moves there were since moves_since.
    add column moves integer not null default 0,
    add column moves_since timestamptz`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of POLICIES) await sql.raw(statement).execute(db);
}
