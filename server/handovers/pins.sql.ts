import { type RawBuilder, sql } from 'kysely';
import { MAX_PIN_TRIES, type PinSide } from '../../domain/handovers.ts';
import { queryRow, type Tx } from '../db/database.ts';

type NewPins = Readonly<Record<PinSide, string>>;

/**
 * Gives the Bud and the Scrub of each order `(id, round)` of `orders` a PIN for that round. Part of the statement of the step
 * that begins it.
 */
export const insertPinsSql = (
  orders: RawBuilder<unknown>,
  pins: NewPins,
  now: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`insert into pins (order_id, round, side, pin, made_at)
    select o.id, o.round, new.side, new.pin, ${now}::timestamptz from ${orders} o
      cross join (values ('Bud', ${pins.Bud}::text), ('Scrub', ${pins.Scrub}::text)) new (side, pin)
    on conflict do nothing`;

const presentRound = (orderId: string) => sql<number>`(select o.round from orders o where o.id = ${orderId})`;

export type Pin = { readonly pin: string; readonly isBlocked: boolean };

/** The PIN of one side of an order, and whether there were too many wrong ones. */
export function findPin(tx: Tx, orderId: string, side: PinSide): Promise<Pin | undefined> {
  return tx
    .selectFrom('pins')
    .select(['pin', sql<boolean>`tries >= ${sql.lit(MAX_PIN_TRIES)}`.as('isBlocked')])
    .where('order_id', '=', orderId)
    .where('side', '=', side)
    .where('round', '=', presentRound(orderId))
    .executeTakeFirst();
}

/**
 * Counts a try before it is compared, so that tries at the same time are no more than the limit. Returns the PIN and how many
 * tries there were with this one; undefined when it is blocked.
 */
export function takePinTry(
  tx: Tx,
  orderId: string,
  side: PinSide,
): Promise<{ pin: string; tries: number } | undefined> {
  return queryRow(
    tx,
    sql`update pins set tries = tries + 1
      where order_id = ${orderId} and side = ${side} and round = ${presentRound(orderId)} and tries < ${MAX_PIN_TRIES}
      returning pin, tries`,
  );
}

/** The PIN was right: the wrong ones before it no longer count. */
export async function forgetPinTries(tx: Tx, orderId: string, side: PinSide): Promise<void> {
  await tx
    .updateTable('pins')
    .set({ tries: 0 })
    .where('order_id', '=', orderId)
    .where('side', '=', side)
    .where('round', '=', presentRound(orderId))
    .execute();
}
