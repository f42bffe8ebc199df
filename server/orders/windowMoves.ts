import { v7 as newId } from 'uuid';
import { localDate } from '../../domain/localDays.ts';
import { answerBy, type WindowMove } from '../../domain/moves.ts';
import { askedTimes } from '../../domain/weeks.ts';
import { type OrderWindows, placesOf } from '../../domain/windows.ts';
import { moveBooking, refuseBooking } from '../bookings/bookings.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { moveTimeOfDeliveries } from '../deliveries/steps.ts';
import { restartAfterMove } from '../process/orderTimers.sql.ts';
import type { OrderStepDone } from './facts.ts';
import { askedOf, readBooking, readWindowRules, timesOf, zoneOrNull } from './moveFacts.sql.ts';
import { endProposal, insertProposal } from './proposals.sql.ts';

/** Gives the order and its deliveries the windows that were asked for or proposed. */
export async function moveWindows(tx: Tx, { row, facts, at }: OrderStepDone): Promise<void> {
  const { id, round, needed, proposal } = facts;
  const windows = windowsOf(id, needed.move);
  const { pickup, return: back } = windows;
  const isScrubsWish = row.movesWindows === 'proposed' && proposal?.by === 'Scrub';
  await moveReservation(tx, id, { ...windows, movesPickup: needed.move?.movesPickup === true, isScrubsWish }, at);
  await tx
    .updateTable('orders')
    .set({ pickup_from: pickup.from, pickup_until: pickup.until, return_from: back.from, return_until: back.until })
    .set({ promised_at: back.until })
    .where('id', '=', id)
    .execute()
    .catch(refuseBooking);
  await restartAfterMove(tx, id);
  if (needed.move?.movesPickup) await moveTimeOfDeliveries(tx, { id, round }, pickup, at);
}

type MovedWindows = OrderWindows & { readonly movesPickup: boolean; readonly isScrubsWish: boolean };

/** Takes the places of the new windows, and gives back the old ones. Refuses what is full, and what the Scrub cannot do. */
async function moveReservation(tx: Tx, orderId: string, moved: MovedWindows, at: Date): Promise<void> {
  const booking = await readBooking(tx, orderId);
  if (!booking) return;
  const { plan, closed } = await readWindowRules(tx, orderId, at);
  const { scrubId, zoneId, day, pounds, pickupStarts, returnStarts } = booking;
  const { pickup, return: back, movesPickup, isScrubsWish } = moved;
  const asked = askedOf({ pickup: movesPickup ? pickup : undefined, return: back }, pounds, {
    zone: closed.timeZone,
    at,
  });
  await moveBooking(tx, orderId, {
    ...{ scrubId, zoneId, pounds, day: movesPickup ? localDate(pickup.from, closed.timeZone) : day },
    // No Duber drives where the Bud does.
    pickupStarts: pickupStarts && pickup.from,
    returnStarts: returnStarts && back.from,
    places: plan ? placesOf(plan, zoneOrNull(zoneId)) : 0,
    asked: isScrubsWish ? null : asked,
  });
}

/** Asks the Bud whether other windows suit them. */
export async function propose(tx: Tx, { actor, request, facts, at }: OrderStepDone): Promise<void> {
  const { role } = actor;
  if (role !== 'Scrub' && role !== 'Operator') throw new Error(`a ${role} proposes no window`);
  const { id, needed } = facts;
  const windows = windowsOf(id, needed.move);
  const movesPickup = needed.move?.movesPickup === true;
  const moved = { return: windows.return, pickup: movesPickup ? windows.pickup : undefined };
  const agreed = (movesPickup ? facts.pickupFrom : facts.returnFrom) ?? at;
  const { reason = 'other', words } = request;
  await endProposal(tx, id, 'withdrawn', at);
  // A question of the town stays one, also when the Scrub is away at the time that it proposes.
  const by = facts.proposal?.by === 'Operator' ? ({ role: 'Operator', id: null } as const) : { role, id: actor.id };
  const asked = { by, reason, words, answerBy: answerBy(agreed, at) };
  await insertProposal(tx, { id: newId(), orderId: id, windows: moved, ...asked }, at);
}

/** A proposal ends with its answer, or because the order is no longer as it was. */
export async function endProposalOf(tx: Tx, { row, facts, at }: OrderStepDone): Promise<void> {
  if (facts.returnFrom === null) return;
  const isOver =
    row.movesWindows === 'asked' || (row.from !== row.to && row.action !== 'accept-order') || row.startsOver;
  const answer = row.answersProposal ?? (isOver ? 'withdrawn' : undefined);
  if (answer) await endProposal(tx, facts.id, answer, at);
}

/**
 * The next Scrub of an order takes it on at its windows. When nobody has come in its pickup window, the order is for as soon as possible.
 * Refuses a Scrub who cannot do it.
 */
export async function bookNextScrub(tx: Tx, order: OrderRow, scrubId: string, at: Date): Promise<void> {
  const booking = await readBooking(tx, order.id);
  if (!booking) return;
  const { closed } = await readWindowRules(tx, order.id, at);
  const { zoneId, pounds, size, pickupStarts, returnStarts } = booking;
  const times = timesOf(order);
  const ahead = times && times.pickup.from > at ? times : undefined;
  await moveBooking(tx, order.id, {
    ...{ scrubId, zoneId, pounds, pickupStarts, returnStarts, places: 0 },
    day: localDate(ahead?.pickup.from ?? at, closed.timeZone),
    asked: { at, zone: closed.timeZone, pounds, size, ...(ahead && askedTimes(ahead)) },
  });
}

function windowsOf(orderId: string, move: WindowMove | undefined): OrderWindows {
  if (!move?.windows) throw new Error(`order ${orderId} has no other windows`);
  return move.windows;
}
