import { judgeMove, type OrderTimes, type WindowMove, type WindowRules } from '../../domain/moves.ts';
import { NO_ZONE, placesOf, type TimeWindow, type WindowKind } from '../../domain/windows.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { toOpening } from '../town/opening.sql.ts';
import { readWindowPlan } from '../town/windowPlan.sql.ts';
import { findProposal, type Proposal, windowOf } from './proposals.sql.ts';

/** The windows of an order, and what it pays for their speed; undefined for as soon as possible. */
export function timesOf({ pickupFrom, pickupUntil, returnFrom, returnUntil, turnaround }: OrderRow) {
  const [pickup, back] = [windowOf(pickupFrom, pickupUntil), windowOf(returnFrom, returnUntil)];
  return pickup && back && turnaround ? ({ pickup, return: back, turnaround } satisfies OrderTimes) : undefined;
}

type MoveRequest = {
  readonly action: string;
  readonly pickupFrom?: string | undefined;
  readonly returnFrom?: string | undefined;
  readonly proposalId?: string | undefined;
};

/** The open proposal of an order, and what the windows mean that the request asks for, or that were proposed. */
export async function readMove(
  tx: Tx,
  order: OrderRow,
  { action, pickupFrom, returnFrom, proposalId }: MoveRequest,
  now: Date,
): Promise<{ readonly proposal: Proposal | undefined; readonly move: WindowMove | undefined }> {
  const times = timesOf(order);
  if (!times) return { proposal: undefined, move: undefined };
  const open = await findProposal(tx, order.id);
  // Who answers has read one proposal, and not the next one.
  const proposal = proposalId === undefined || open?.id === proposalId ? open : undefined;
  const asked =
    returnFrom === undefined ? undefined : { pickupFrom: dateOf(pickupFrom), returnFrom: new Date(returnFrom) };
  const proposed = proposal && { ...proposal, pickupFrom: proposal.pickupFrom ?? undefined };
  const wanted = action === 'accept-window' ? proposed : asked;
  return { proposal, move: wanted && judgeMove(times, wanted, await readWindowRules(tx, now), now) };
}

const dateOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time));

/** What decides which windows are offered now. */
export async function readWindowRules(tx: Tx, now: Date): Promise<WindowRules> {
  const { windows, opening } = await readWindowPlan(tx, now);
  return { plan: windows, closed: toOpening(opening) };
}

/** What the order has reserved. */
export const readBooking = (tx: Tx, orderId: string) =>
  tx
    .selectFrom('bookings')
    .select(['scrub_id as scrubId', 'zone_id as zoneId', 'pounds', 'day'])
    .select(['pickup_starts as pickupStarts', 'return_starts as returnStarts'])
    .where('order_id', '=', orderId)
    .executeTakeFirst();

/** Bookings say zeros for outside of all zones. */
export const zoneOrNull = (zoneId: string): string | null => (zoneId === NO_ZONE ? null : zoneId);

/** Whether a window has no place left for an order. Where no Duber drives, an order needs none. */
export async function readIsFull(tx: Tx, orderId: string, { plan }: WindowRules, now: Date) {
  const booking = await readBooking(tx, orderId);
  if (!booking || !plan) return () => false;
  const places = placesOf(plan, zoneOrNull(booking.zoneId));
  const full = await tx
    .selectFrom('window_places')
    .select(['kind', 'starts_at'])
    .where('zone_id', '=', booking.zoneId)
    .where('starts_at', '>', now)
    .where('taken', '>=', places)
    .execute();
  const names = new Set(full.map(({ kind, starts_at }) => `${kind} ${starts_at.getTime()}`));
  const drives = { pickup: booking.pickupStarts !== null, return: booking.returnStarts !== null };
  return (kind: WindowKind, { from }: TimeWindow) => drives[kind] && names.has(`${kind} ${from.getTime()}`);
}
