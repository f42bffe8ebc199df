import { sql } from 'kysely';
import type { TripPayer, WayHome } from '../../domain/orders.ts';
import type { AddressSnapshot } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { isPrivacyCareful } from '../town/policies.sql.ts';
import { selectScrub } from './placeOrder.sql.ts';

// What the rows of ORDER_EXCEPTIONS change besides the status. Lock the order before.

export async function markGivenBack(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('orders').set({ given_back_at: at, handed_over_at: null }).where('id', '=', id).execute();
}

/** An order is cleaned again. The new deliveries are paid by `waysPaidBy`, not by the Bud. */
export async function markReopened(tx: Tx, id: string, waysPaidBy: TripPayer): Promise<void> {
  await tx.updateTable('orders').set({ ways_paid_by: waysPaidBy, handed_over_at: null }).where('id', '=', id).execute();
}

/** An order ends while somebody else than its Bud has the laundry. */
export async function markWayHome(tx: Tx, id: string, wayHome: WayHome): Promise<void> {
  await tx.updateTable('orders').set({ way_home: wayHome }).where('id', '=', id).execute();
}

/** Whether the town has looked for the laundry of an order, or does. */
export async function hasCaseOfLost(tx: Tx, orderId: string): Promise<boolean> {
  const cases = tx.selectFrom('cases').select('id').where('order_id', '=', orderId).where('kind', '=', 'lost');
  return (await cases.limit(1).executeTakeFirst()) !== undefined;
}

/** The Bud has handed the laundry to the Scrub, without a Duber. */
export async function markHandedOver(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('orders').set({ handed_over_at: at }).where('id', '=', id).execute();
}

export type NextScrub = {
  readonly active: boolean;
  readonly place: AddressSnapshot;
  /** Whether the Bud knows only the approximate place. */
  readonly isCareful: boolean;
};

export async function findNextScrub(tx: Tx, scrubId: string, now: Date): Promise<NextScrub | undefined> {
  const found = await queryRow<{ scrub: Pick<NextScrub, 'active' | 'place'> | null; isCareful: boolean }>(
    tx,
    sql`select ${selectScrub(sql`${scrubId}`)} as scrub, ${isPrivacyCareful(sql`${now}`)} as "isCareful"`,
  );
  return found?.scrub ? { ...found.scrub, isCareful: found.isCareful } : undefined;
}

/** Whether a Scrub gave this order back before. */
export async function hasHadOrder(tx: Tx, orderId: string, scrubId: string): Promise<boolean> {
  const step = await tx
    .selectFrom('order_steps')
    .select('order_id')
    .where('order_id', '=', orderId)
    .where('action', '=', 'give-back')
    .where('actor_id', '=', scrubId)
    .executeTakeFirst();
  return step !== undefined;
}

/** The order and its deliveries, which were called off, are another Scrub's from now on. */
export async function changeScrub(
  tx: Tx,
  id: string,
  {
    scrubId,
    scrubAddress,
    distanceInMeters,
  }: { scrubId: string; scrubAddress: AddressSnapshot; distanceInMeters: number },
): Promise<void> {
  await tx
    .updateTable('orders')
    .set({
      scrub_id: scrubId,
      scrub_address: JSON.stringify(scrubAddress),
      distance_m: distanceInMeters,
      given_back_at: null,
    })
    .where('id', '=', id)
    .execute();
  await tx.updateTable('deliveries').set({ scrub_id: scrubId }).where('order_id', '=', id).execute();
}
