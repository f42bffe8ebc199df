import { type Kysely, sql } from 'kysely';
import { lockTablesSql } from '../lockTables.sql.ts';

const ZONES = [
  `create table zones (
    id uuid primary key,
    name text not null,
    created_at timestamptz not null
  )`,
  // Where a zone is from a day of the town on. The newest row that is valid counts.
  `create table zone_areas (
    zone_id uuid not null references zones,
    valid_from timestamptz not null,
    -- A list of latitudes and longitudes. Null: from then on the zone does not hold.
    corners jsonb,
    set_by text not null,
    primary key (zone_id, valid_from)
  )`,
  `create table zone_prices (
    zone_id uuid not null references zones,
    item text not null,
    valid_from timestamptz not null,
    -- As in prices. Null: from then on the price of the town.
    value integer check (value >= 0),
    primary key (zone_id, item, valid_from)
  )`,
  // The zone whose prices the order has. Without a foreign key, which would look at every order now.
  'alter table orders add column zone_id uuid',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(lockTablesSql(['orders'])).execute(db);
  for (const statement of ZONES) await sql.raw(statement).execute(db);
}
