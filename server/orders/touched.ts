import {
  type DaysOffChoice,
  findNextWindows,
  MAX_TOUCHED,
  type TouchedChoice,
  type WindowRules,
} from '../../domain/moves.ts';
import type { TimeWindow } from '../../domain/windows.ts';
import { lockTimes } from '../bookings/bookings.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { refuse } from '../http/refusals.ts';
import { readWindowPlan } from '../town/windowPlan.sql.ts';
import { readIsTaken, rulesIn } from './moveFacts.sql.ts';
import type { OrderActor } from './orders.sql.ts';
import { takeOrderStep } from './steps.ts';
import { listTouchedOrders, type TouchedOrder, type TouchedPart, touchedOf } from './touched.sql.ts';

export type { TouchedOrder } from './touched.sql.ts';

export type Settling = {
  readonly by: OrderActor;
  /** When nobody comes. It is stored already, so its windows are no longer offered. */
  readonly span: TimeWindow;
  /** The zone to which nobody comes; the whole town without it. */
  readonly zoneId?: string | null | undefined;
  /** What becomes of the orders whose laundry has left its Bud, instead of being cancelled or given back: another time without it. */
  readonly underWay?: 'keep';
  readonly choice: TouchedChoice | DaysOffChoice | undefined;
  /** Why, for the people of the orders. */
  readonly why: { readonly reason: string; readonly words?: string };
};

/** Whether an order can be cancelled or given back. What is agreed stays when a proposal alone leads there. */
export const canLeave = ({ isAtBud, isProposal }: TouchedOrder): boolean => isAtBud && !isProposal;

/** The windows of an order that are touched, as answers have them. */
export const touchedWindowsOf = (order: TouchedOrder) => ({
  pickup: order.isPickupTouched ? isoTimes({ from: order.pickupFrom, until: order.pickupUntil }) : null,
  return: order.isReturnTouched ? isoTimes({ from: order.returnFrom, until: order.returnUntil }) : null,
});

/** The orders that a closure, a pause or days off would touch, for those who choose what becomes of them. */
export async function listTouched<View>(db: Tx, part: TouchedPart, viewOf: (order: TouchedOrder) => View) {
  const found = await listTouchedOrders(db, part, MAX_TOUCHED + 1);
  return { items: found.slice(0, MAX_TOUCHED).map(viewOf), hasMore: found.length > MAX_TOUCHED };
}

/**
 * Carries out what operators choose for the orders with a window in a time at which nobody comes, or a Scrub for their own, in the
 * transaction of the caller. Refuses without a choice, so that no order is kept or dropped in silence. An order whose laundry has left its
 * Bud is neither cancelled nor given back here. Returns what became of each.
 */
export async function settleTouchedOrders(
  context: Pick<Context, 'db' | 'now' | 'wake'>,
  settling: Settling,
): Promise<string[]> {
  const { db, now } = context;
  const { choice, underWay = 'offer' } = settling;
  await lockTimes(db);
  const touched = await listUnlessUnasked(db, settling);
  if (touched.length === 0) return [];
  const stored = await readWindowPlan(db, now());
  const done: string[] = [];
  for (const order of touched.slice(0, MAX_TOUCHED)) {
    const isLeft = choice === 'cancel' || choice === 'give-back';
    const does = isLeft && !canLeave(order) ? underWay : choice;
    if (does === 'cancel' || does === 'give-back') await leave(context, settling, order);
    if (does === 'offer') await offer(context, settling, order, rulesIn(stored, order.zoneId));
    done.push(`${order.number}: ${does}`);
  }
  return touched.length > MAX_TOUCHED ? [...done, 'and more: keep'] : done;
}

/** The orders that are touched. Refuses without a choice what becomes of them, and too many. */
export async function listUnlessUnasked(
  db: Tx,
  { by, choice, span, zoneId }: Pick<Settling, 'by' | 'choice' | 'span' | 'zoneId'>,
): Promise<TouchedOrder[]> {
  const scrubId = by.role === 'Scrub' ? by.id : undefined;
  const touched = await listTouchedOrders(db, { span, scrubId, zoneId }, MAX_TOUCHED + 1);
  // Keeping changes no order, so there may be any number.
  if (touched.length > MAX_TOUCHED && choice !== 'keep')
    refuse('ordersTouched', {
      message: `More than ${MAX_TOUCHED} orders have a window then. Choose a shorter time, or keep them`,
    });
  if (touched.length > 0 && choice === undefined) refuse('ordersTouched', { message: messageOf(touched) });
  return touched;
}

function messageOf(touched: readonly TouchedOrder[]): string {
  const [first] = touched;
  const who = touched.length === 1 ? `${first?.number} has` : `${touched.length} orders have`;
  return `${who} a window then. Say what becomes of ${touched.length === 1 ? 'it' : 'them'}`;
}

type Deciding = Pick<Context, 'db' | 'now' | 'wake'>;

/** The step with which an operator or a Scrub leaves an order whose Bud has the laundry. */
function leave(context: Deciding, { by, why }: Settling, { id, status }: TouchedOrder) {
  if (by.role === 'Operator')
    return takeOrderStep(context, by, { ...why, id, action: 'cancel-by-operator', reason: 'nobody-can' });
  if (status === 'Requested') return takeOrderStep(context, by, { id, action: 'reject-order' });
  return takeOrderStep(context, by, { id, action: 'give-back', reason: 'other', words: AWAY });
}
const AWAY = 'I am away then.';

/** Asks the Bud whether the next windows suit them that are offered and have a place. */
async function offer(context: Deciding, { by, why }: Settling, order: TouchedOrder, rules: WindowRules): Promise<void> {
  const { db, now } = context;
  const { id, number } = order;
  // The Bud has been asked already, for a time at which the Scrub works.
  if (by.role === 'Scrub' && order.isAsked) return;
  const current = {
    pickup: { from: order.pickupFrom, until: order.pickupUntil },
    return: { from: order.returnFrom, until: order.returnUntil },
  };
  const isTaken = await readIsTaken(db, id, rules, { role: 'Operator' }, now());
  const next = findNextWindows(current, touchedOf(order), rules, isTaken, now());
  if (!next) return refuse('windowGone', { message: `There is no other window for ${number}. Choose something else` });
  const { pickup, return: back } = next;
  const movesPickup = pickup.from.getTime() !== order.agreedPickupFrom.getTime();
  const windows = {
    returnFrom: back.from.toISOString(),
    ...(movesPickup && { pickupFrom: pickup.from.toISOString() }),
  };
  await takeOrderStep(context, by, { ...why, id, action: 'propose-window', ...windows, replaces: true });
}
