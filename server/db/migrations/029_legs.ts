import { type Kysely, sql } from 'kysely';

// What a delivery remembers of the Dubers before its present one. All new columns are null, so no row is written.
const LEGS = [
  `alter table deliveries
    -- The Duber who had it before, and when that ended. They let others come first for a while.
    add column left_by uuid references users,
    add column left_at timestamptz,
    -- The Duber who could not go on, and has the laundry until the next one collects it.
    add column carrier_id uuid references users,
    -- Since when it neither goes on nor was delivered: failed without laundry, brought back, or called off.
    add column stopped_at timestamptz`,
  'create index deliveries_of_carrier on deliveries (carrier_id) where carrier_id is not null',
  // domain/notifications.ts has the kinds. A new one needs no migration any more.
  'alter table notifications drop constraint if exists notifications_kind',
  'alter table notification_choices drop constraint if exists notification_choices_kind_check',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of LEGS) await sql.raw(statement).execute(db);
}
