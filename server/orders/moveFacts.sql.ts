import { sql } from 'kysely';
import { judgeMove, type OrderTimes, type WindowMove, type WindowRules } from '../../domain/moves.ts';
import { type AskedWork, askedTimes } from '../../domain/weeks.ts';
import {
  NO_ZONE,
  placesLeft,
  type TimeWindow,
  WINDOW_KINDS,
  type WindowKind,
  windowOf,
  windowsOf,
} from '../../domain/windows.ts';
import type { Actor } from '../../domain/workflow.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import { queryRows, type Tx } from '../db/database.ts';
import { toOpening } from '../town/opening.sql.ts';
import { readWindowPlan, type StoredWindows } from '../town/windowPlan.sql.ts';
import { listTakenPlaces } from '../windows/windows.ts';
import { findProposal, type Proposal } from './proposals.sql.ts';

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
  return { proposal, move: wanted && judgeMove(times, wanted, await readWindowRules(tx, order.id, now), now) };
}

const dateOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time));

/** What decides which windows are offered in a zone. */
export const rulesIn = ({ windows, opening }: StoredWindows, zoneId: string | null): WindowRules => ({
  plan: windows,
  closed: toOpening(opening, zoneId),
});

/** What decides which windows an order is offered now. */
export async function readWindowRules(tx: Tx, orderId: string, now: Date): Promise<WindowRules> {
  const { zoneId, ...stored } = await readWindowPlan(tx, now, orderId);
  return rulesIn(stored, zoneId);
}

/** What the order has reserved. */
export const readBooking = (tx: Tx, orderId: string) =>
  tx
    .selectFrom('bookings as b')
    .innerJoin('orders as o', 'o.id', 'b.order_id')
    .select(['b.scrub_id as scrubId', 'b.zone_id as zoneId', 'b.day', 'b.pounds', 'o.load_size as size'])
    .select(['b.pickup_starts as pickupStarts', 'b.return_starts as returnStarts'])
    .where('b.order_id', '=', orderId)
    .executeTakeFirst();

/** Bookings say zeros for outside of all zones. */
export const zoneOrNull = (zoneId: string): string | null => (zoneId === NO_ZONE ? null : zoneId);

/** What a Scrub has to be able to do for windows that move. */
export const askedOf = (
  { pickup, return: back }: { readonly pickup: TimeWindow | undefined; readonly return: TimeWindow },
  pounds: number,
  { zone, at }: { readonly zone: string; readonly at: Date },
): AskedWork => ({
  ...{ at, zone },
  ...(pickup
    ? { pounds, ...askedTimes({ pickup, return: back }) }
    : { returnFrom: back.from, returnUntil: back.until }),
});

type OfferedWindow = TimeWindow & { readonly kind: WindowKind };

type Asker = { readonly orderId: string; readonly pounds: number; readonly zone: string; readonly at: Date };

/** Those of the windows that a Scrub cannot do for an order. */
async function listMissed(tx: Tx, scrubId: string, offered: readonly OfferedWindow[], asker: Asker) {
  const { orderId: order, pounds } = asker;
  const asked = offered.map((window, index) => {
    const windows = { pickup: window.kind === 'pickup' ? window : undefined, return: window };
    return { index, asked: { ...askedOf(windows, pounds, asker), order } satisfies AskedWork };
  });
  const rows = await queryRows<{ index: number }>(
    tx,
    sql`select w.index from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) w (index int, asked jsonb)
      where not can_take(${scrubId}::uuid, w.asked)`,
  );
  return rows.flatMap(({ index }) => offered[index] ?? []);
}

/**
 * Whether an order cannot have a window: it has no place left, or its Scrub cannot do it then, unless it is the Scrub who asks. Where no
 * Duber drives, an order needs no place.
 */
export async function readIsTaken(tx: Tx, orderId: string, rules: WindowRules, asker: { role: Actor }, now: Date) {
  const booking = await readBooking(tx, orderId);
  const { plan, closed } = rules;
  if (!booking || !plan) return () => false;
  const leftIn = placesLeft(plan, zoneOrNull(booking.zoneId), await listTakenPlaces(tx, now));
  const offered = WINDOW_KINDS.flatMap((kind) =>
    windowsOf(plan, kind, closed, now).map((window): OfferedWindow => ({ ...window, kind })),
  );
  const scrubId = asker.role === 'Scrub' ? null : booking.scrubId;
  const asking = { orderId, pounds: booking.pounds, zone: closed.timeZone, at: now };
  const missed = scrubId ? await listMissed(tx, scrubId, offered, asking) : [];
  const booked = { pickup: booking.pickupStarts, return: booking.returnStarts };
  const isMissed = (kind: WindowKind, from: Date) =>
    missed.some((window) => window.kind === kind && window.from.getTime() === from.getTime());
  // The place that the order has is its own.
  const isFull = (kind: WindowKind, window: TimeWindow) =>
    booked[kind] !== null && booked[kind].getTime() !== window.from.getTime() && leftIn(kind, window) === 'none';
  return (kind: WindowKind, window: TimeWindow) => isFull(kind, window) || isMissed(kind, window.from);
}
