import { sql } from 'kysely';
import type { Caller } from '../../domain/accounts.ts';
import { BEFORE_PICKUP, FINISHED_STATUSES } from '../../domain/deliveries.ts';
import { literals } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';

export function listBags(tx: Tx, orderId: string) {
  return tx
    .selectFrom('bags')
    .select(['code', 'n', 'made_by as madeBy'])
    .where('order_id', '=', orderId)
    .orderBy('n')
    .execute();
}

/** Whether a Duber has accepted a delivery of the order, and has not collected it. */
export async function isBeforePickup(tx: Tx, { id }: Caller, orderId: string): Promise<boolean> {
  const delivery = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('order_id', '=', orderId)
    .where('duber_id', '=', id)
    .where('status', 'in', BEFORE_PICKUP)
    .executeTakeFirst();
  return delivery !== undefined;
}

export type NewBag = { readonly code: string; readonly n: number };

/** Adds bags. A code that another order has, or a number that this one has, is left out. */
export async function insertBags(
  tx: Tx,
  { orderId, madeBy, bags }: { orderId: string; madeBy: string; bags: readonly NewBag[] },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('bags')
    .values(bags.map(({ code, n }) => ({ code, n, order_id: orderId, made_by: madeBy, made_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Which of these codes belong to the order. */
export async function findCodesOf(tx: Tx, orderId: string, codes: readonly string[]): Promise<readonly string[]> {
  const bags = tx.selectFrom('bags').select('code').where('order_id', '=', orderId).where('code', 'in', codes);
  return (await bags.execute()).map(({ code }) => code);
}

export function findBag(tx: Tx, code: string) {
  return tx.selectFrom('bags').select('code').where('code', '=', code).executeTakeFirst();
}

/** A bag of an order that the caller takes part in. */
export function findOwnBag(tx: Tx, { role, id }: Caller, code: string) {
  const delivery = sql`(select d.id from deliveries d where d.order_id = o.id and d.duber_id = ${id}
    and d.status not in (${literals(FINISHED_STATUSES)}) limit 1)`;
  const own = { Bud: sql`o.bud_id = ${id}`, Scrub: sql`o.scrub_id = ${id}`, Duber: sql`${delivery} is not null` }[role];
  return queryRow<{ code: string; n: number; orderId: string; deliveryId: string | null }>(
    tx,
    sql`select g.code, g.n, o.id as "orderId", ${role === 'Duber' ? delivery : sql`null::uuid`} as "deliveryId"
      from bags g join orders o on o.id = g.order_id where g.code = ${code} and ${own}`,
  );
}
