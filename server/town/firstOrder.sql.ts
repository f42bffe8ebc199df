import { sql } from 'kysely';
import { queryRow, type Tx } from '../db/database.ts';

/** Whether an order was ever placed in the town. Until then nobody relies on its prices and rules, and changes hold at once. */
export async function hasOrders(tx: Tx): Promise<boolean> {
  const row = await queryRow<{ has: boolean }>(tx, sql`select exists (select from orders) as has`);
  return row?.has === true;
}
