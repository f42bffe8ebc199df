import { type Kysely, sql } from 'kysely';

const POSITIONS = `
-- The last place of a delivery's Duber, and no trail. Without a place it was taken back at that time, so that one
-- that was sent before and arrives after finds that it comes too fast.
create table delivery_positions (
  delivery_id uuid primary key references deliveries,
  latitude double precision,
  longitude double precision,
  at timestamptz not null,
  check ((latitude is null) = (longitude is null))
);

-- An event about a place only says that there is one: where it is stands above, and nowhere else.
alter table events drop constraint events_entity_check;
alter table events add constraint events_entity_check check (entity in ('order', 'delivery', 'position'));
alter table events alter column status drop not null;
alter table events add constraint events_have_a_status check ((status is null) = (entity = 'position'));
create index events_of_position on events (entity_id) where entity = 'position';

-- When the Duber's device took a step that could only be sent later.
alter table delivery_steps add column taken_at timestamptz;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of POSITIONS.split(/;\s*\n/)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
