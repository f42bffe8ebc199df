import { type Kysely, sql } from 'kysely';
import { lockTablesSql } from '../lockTables.sql.ts';

const STATEMENTS = [
  lockTablesSql(['orders']),
  // How the laundry gets home of an order that was cancelled while somebody else than its Bud had it.
  `alter table orders
    add column way_home text,
    add constraint orders_way_home check (way_home in ('bring', 'fetch', 'lost')) not valid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
