import { type RawBuilder, sql } from 'kysely';
import { MAX_PIN_TRIES, type PinSide } from '../../domain/handovers.ts';
import { isOnBoard } from '../db/columns.sql.ts';
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

/** Takes the try back: the same request had been answered before. */
export async function giveTryBack(tx: Tx, orderId: string, side: PinSide): Promise<void> {
  await tx
    .updateTable('pins')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('order_id', '=', orderId)
    .where('side', '=', side)
    .where('round', '=', presentRound(orderId))
    .where('tries', '>', 0)
    .execute();
}

/** Another PIN than that of `pins p`. Whoever knows it, and not the shift, knows nothing about the new one. */
const shifted = (shift: RawBuilder<unknown>) => sql`lpad(((p.pin::integer + ${shift}::integer) % 10000)::text, 4, '0')`;

/** Replaces the PIN of one side, if it still is `pin`. False when it has opened a hand-over meanwhile. */
export async function replacePin(
  tx: Tx,
  { orderId, side, pin }: { readonly orderId: string; readonly side: PinSide; readonly pin: string },
  { shift, now }: { readonly shift: number; readonly now: Date },
): Promise<boolean> {
  const replaced = await queryRow(
    tx,
    sql`update pins p set pin = ${shifted(sql`${shift}`)}, tries = 0, made_at = ${now}
      where p.order_id = ${orderId} and p.side = ${side} and p.round = ${presentRound(orderId)} and p.pin = ${pin}
      returning p.side`,
  );
  return replaced !== undefined;
}

/**
 * Replaces the PINs of the order of each delivery of `moved`, whose Duber is new: the one before may know them. One that another
 * Duber needs who has the laundry of the order stays, because they may have typed it where there is no network. Wrong ones still count.
 */
export const replacePinsSql = (shifts: Readonly<Record<PinSide, RawBuilder<unknown>>>, now: RawBuilder<unknown>) =>
  sql`update pins p set made_at = ${now}::timestamptz,
      pin = case p.side when 'Bud' then ${shifted(shifts.Bud)} else ${shifted(shifts.Scrub)} end
    from moved m where p.order_id = m.order_id and p.round = m.round
      and not exists (select from deliveries other where other.order_id = m.order_id and other.id <> m.id
        and ${isOnBoard('other')}
        and p.side = case when (other.delivery_type = 'Bud_To_Scrub') <> (other.status = 'Way_Back') then 'Scrub' else 'Bud' end)`;

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
