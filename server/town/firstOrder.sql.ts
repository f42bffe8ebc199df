import type { Tx } from '../db/database.ts';

/** Whether an order was ever placed in the town. Until then nobody relies on its prices and rules, and changes hold at once. */
export const hasOrders = async (tx: Tx): Promise<boolean> =>
  (await tx.selectFrom('orders').select('id').limit(1).executeTakeFirst()) !== undefined;
