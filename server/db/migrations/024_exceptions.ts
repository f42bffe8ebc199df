import { type Kysely, sql } from 'kysely';
import type { LargeIndex } from '../largeIndexes.sql.ts';

// Deliveries may fail, come back and be called off, and be carried by several Dubers one after the other. Every statement
// changes the catalog only, or creates an empty table: `not valid` skips the scan, and rows of earlier releases satisfy the
// wider checks anyway.
const EXCEPTIONS = [
  `alter table deliveries
    -- Whether its Duber has the laundry.
    add column has_laundry boolean not null default false,
    -- The round of its order.
    add column round integer not null default 1,
    drop constraint deliveries_status_check,
    add constraint deliveries_status_check check (status in ('Pending', 'Accepted', 'Way_To_Pick', 'Collected',
      'Way_To_Drop', 'Delivered', 'Failed', 'Way_Back', 'Returned', 'Called_Off')) not valid,
    drop constraint deliveries_have_a_duber,
    add constraint deliveries_have_a_duber check (case status
      when 'Pending' then duber_id is null
      when 'Called_Off' then true
      else duber_id is not null end) not valid`,
  // What Dubers are paid for a delivery: each kind once an attempt. The lines of the money are in the ledger.
  `create table pays (
    delivery_id uuid not null references deliveries,
    attempt integer not null,
    duber_id uuid not null references users,
    kind text not null check (kind in ('leg', 'trip', 'return', 'relay')),
    cents integer not null check (cents >= 0),
    order_id uuid not null references orders,
    -- Null when there was nothing to write.
    entry_id bigint references ledger_entries,
    -- The contrary entry, once it was taken back.
    undone_by bigint references ledger_entries,
    undone_at timestamptz,
    at timestamptz not null,
    primary key (delivery_id, attempt, kind, duber_id)
  )`,
  'create index pays_of_order on pays (order_id)',
  `alter table timers
    drop constraint timers_subject_kind_check,
    add constraint timers_subject_kind_check check (subject_kind in ('order', 'delivery', 'case'))`,
];

/** Made after the migrations: see largeIndexes.sql.ts. */
export const EXCEPTION_KEYS: readonly LargeIndex[] = [
  {
    name: 'deliveries_once_active',
    create: `create unique index concurrently deliveries_once_active on deliveries (duber_id)
      where status in ('Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Way_Back')
        or (status = 'Failed' and has_laundry)`,
    replaces: { index: 'deliveries_one_active' },
  },
  {
    name: 'deliveries_leg_once_a_round',
    create: `create unique index concurrently deliveries_leg_once_a_round on deliveries (order_id, round, delivery_type)`,
    replaces: { table: 'deliveries', constraint: 'deliveries_leg_once' },
  },
  {
    // A delivery has several entries now: its pays, and what takes them back.
    name: 'ledger_entries_of_delivery',
    create: `create index concurrently ledger_entries_of_delivery on ledger_entries (delivery_id)
      where delivery_id is not null`,
    replaces: { index: 'ledger_entries_once_a_delivery' },
  },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of EXCEPTIONS) await sql.raw(statement).execute(db);
}
