import { type Kysely, sql } from 'kysely';
import { lockTablesSql } from '../lockTables.sql.ts';

// Beside the whole hundredths of a percent, so that servers of the earlier release go on reading what they know.
const TENTHS = 'add column tenths integer not null default 0 check (tenths between 0 and 9)';

const STATEMENTS = [
  lockTablesSql(['orders']),
  `alter table prices ${TENTHS}`,
  `alter table zone_prices ${TENTHS}`,
  `alter table prices
    drop constraint prices_item_check,
    add constraint prices_item_check check (item in ('wash-and-fold', 'dry-cleaning', 'delicate', 'pickup', 'delivery',
      'platform-fee', 'taxes', 'tax-rounding', 'claim-garment', 'claim-order', 'size-XL', 'size-XXL', 'size-Family'))`,
  // Once for the order, as it has always been.
  "insert into prices (item, valid_from, value) values ('tax-rounding', '2000-01-01T00:00:00Z', 0)",
  // The rate of the taxes in its price, in hundredths of a percent. Null for orders of earlier releases.
  'alter table orders add column tax_rate double precision',
  // The first start after a restore compares what the card network has since the backup.
  `create table restores (
    restored_at timestamptz primary key,
    -- When the comparison was begun.
    compared_at timestamptz
  )`,
  // Compared after a restore, before its fees can be known or before it is over. It is compared again then.
  'alter table reconciled_days add column is_early boolean not null default false',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
