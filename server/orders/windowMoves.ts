import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { judgeMove, type OrderTimes, type WindowMove } from '../../domain/moves.ts';
import type { OrderWindows, WindowPlan } from '../../domain/windows.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { moveTimeOfDeliveries } from '../deliveries/steps.ts';
import { openingSql, type StoredOpening, toOpening } from '../town/opening.sql.ts';
import { settingSql } from '../town/settings.sql.ts';
import type { OrderStepDone, OrderStepRequest } from './facts.ts';
import { endProposal, findProposal, insertProposal, type Proposal, windowOf } from './proposals.sql.ts';

/** The windows of an order, and what it pays for their speed; undefined for as soon as possible. */
export function timesOf({ pickupFrom, pickupUntil, returnFrom, returnUntil, turnaround }: OrderRow) {
  const [pickup, back] = [windowOf(pickupFrom, pickupUntil), windowOf(returnFrom, returnUntil)];
  return pickup && back && turnaround ? ({ pickup, return: back, turnaround } satisfies OrderTimes) : undefined;
}

/** The open proposal of an order, and what the windows mean that the request asks for, or that were proposed. */
export async function readMove(
  tx: Tx,
  order: OrderRow,
  { action, pickupFrom, returnFrom, proposalId }: OrderStepRequest,
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
  return { proposal, move: wanted && judgeMove(times, wanted, await readRules(tx, now), now) };
}

const dateOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time));

async function readRules(tx: Tx, now: Date) {
  const at = sql`${now}`;
  const row = await queryRow<{ plan: WindowPlan | null; opening: StoredOpening }>(
    tx,
    sql`select ${settingSql('windows', at)} as plan, ${openingSql(at)} as opening`,
  );
  if (!row) throw new Error('a select without a from clause returned no row');
  return { plan: row.plan, closed: toOpening(row.opening) };
}

/** Gives the order and its deliveries the windows that were asked for or proposed. */
export async function moveWindows(tx: Tx, { facts: { id, round, needed }, at }: OrderStepDone): Promise<void> {
  const windows = windowsOf(id, needed.move);
  const { pickup, return: back } = windows;
  await tx
    .updateTable('orders')
    .set({ pickup_from: pickup.from, pickup_until: pickup.until, return_from: back.from, return_until: back.until })
    .set({ promised_at: back.until })
    .where('id', '=', id)
    .execute();
  if (needed.move?.movesPickup) await moveTimeOfDeliveries(tx, { id, round }, pickup, at);
}

/** Asks the Bud whether other windows suit them. */
export async function propose(tx: Tx, { actor, request, facts: { id, needed }, at }: OrderStepDone): Promise<void> {
  const { role } = actor;
  if (role !== 'Scrub' && role !== 'Operator') throw new Error(`a ${role} proposes no window`);
  const windows = windowsOf(id, needed.move);
  const moved = { return: windows.return, pickup: needed.move?.movesPickup ? windows.pickup : undefined };
  const { reason = 'other', words } = request;
  await insertProposal(tx, { id: newId(), orderId: id, windows: moved, by: { role, id: actor.id }, reason, words }, at);
}

/** A proposal ends with its answer, or because the order is no longer as it was. */
export async function endProposalOf(tx: Tx, { row, facts, at }: OrderStepDone): Promise<void> {
  if (facts.returnFrom === null) return;
  const isOver =
    row.movesWindows === 'asked' || (row.from !== row.to && row.action !== 'accept-order') || row.startsOver;
  const answer = row.answersProposal ?? (isOver ? 'withdrawn' : undefined);
  if (answer) await endProposal(tx, facts.id, answer, at);
}

function windowsOf(orderId: string, move: WindowMove | undefined): OrderWindows {
  if (!move?.windows) throw new Error(`order ${orderId} has no other windows`);
  return move.windows;
}
