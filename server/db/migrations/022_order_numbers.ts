import { type Kysely, sql } from 'kysely';
import type { Tx } from '../database.ts';
import type { LargeIndex } from '../largeIndexes.sql.ts';
import { lockTablesSql } from '../lockTables.sql.ts';

// What this and the next migrations of its release change.
const TABLES = [
  'orders',
  'deliveries',
  'order_steps',
  'delivery_steps',
  'ledger_entries',
  'timers',
  'payments',
  'refunds',
  'prices',
  'events',
  'live_events',
  'notifications',
  'notification_choices',
  'users',
];

// Below the start of the sequence there is a number for each order that is there now, so that numbers grow with time. The
// tallies count each order for its Bud and for its Scrub, and are far smaller than the table. From the default on, orders of
// servers of the previous release have a number, too. No row is written.
const NUMBERS = [
  `do $$ begin
    execute format('create sequence order_numbers start with %s',
      (select 1001 + coalesce(sum(orders), 0)::bigint / 2 from order_tallies));
  end $$`,
  lockTablesSql(TABLES),
  'alter table orders add column number bigint',
  `alter table orders alter column number set default nextval('order_numbers')`,
  'alter sequence order_numbers owned by orders.number',
];

const BATCH_SIZE = 1000;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

type Batch = { readonly last: string; readonly count: number };

/** Gives the orders of before a number, oldest first: ids grow with time. One short statement for each batch. */
async function numberEarlierOrders(session: Tx): Promise<void> {
  const from = await sql<{ next: string }>`select coalesce(max(number) + 1, 1001) as next from orders
    where number < (select seqstart from pg_sequence where seqrelid = 'order_numbers'::regclass)`.execute(session);
  let next = Number(from.rows[0]?.next);
  let last = NIL_UUID;
  for (;;) {
    // Those that were placed after they were counted have the next numbers of the sequence.
    const { rows } = await sql<Batch>`with batch as (
        select id, ${next}::bigint + row_number() over (order by id) - 1 as reserved
          from (select id from orders where id > ${last}::uuid and number is null order by id limit ${BATCH_SIZE}) found),
      numbered as (
        update orders o set number = case when b.reserved < (select seqstart from pg_sequence
            where seqrelid = 'order_numbers'::regclass) then b.reserved else nextval('order_numbers') end
          from batch b where o.id = b.id)
      select id as last, count(*) over ()::int as count from batch order by id desc limit 1`.execute(session);
    const [batch] = rows;
    if (!batch) return;
    last = batch.last;
    next += batch.count;
  }
}

/** Made after the migrations: see largeIndexes.sql.ts. */
export const ORDER_NUMBER_KEY: LargeIndex = {
  name: 'orders_number',
  fill: numberEarlierOrders,
  create: 'create unique index concurrently orders_number on orders (number)',
};

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of NUMBERS) await sql.raw(statement).execute(db);
}
