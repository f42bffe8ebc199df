import { type Kysely, sql } from 'kysely';

const AROUND = [
  // What concerns whoever is around is one row with its place, not a row for each of thousands.
  'alter table events alter column user_id drop not null',
  `alter table events add column latitude double precision, add column longitude double precision,
    add column band integer`,
  `alter table events add constraint events_somebodys check ((user_id is null) = (latitude is not null)
    and (latitude is null) = (longitude is null) and (latitude is null) = (band is null))`,
  'create index events_around on events (band, tx, id) where user_id is null',
  // Whether a Duber was carrying something at a time that is over.
  'create index deliveries_of_duber_delivered on deliveries (duber_id, delivered_at) where delivered_at is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of AROUND) await sql.raw(statement).execute(db);
}
