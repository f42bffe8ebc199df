import type { OrderExceptionAnswer } from '../../contract/exceptions.ts';
import { ORDER_NEEDS } from '../../domain/needs.ts';
import { isPlannedAction, ORDER_ROWS } from '../../domain/process/order.ts';
import { refuseHeldWork } from '../auth/restrictions.sql.ts';
import type { Context } from '../context.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import { checkReason } from '../process/checkReason.ts';
import {
  chooseStep,
  type Refused,
  type StepSubject,
  SYSTEM,
  takeStep,
  takeStepIn,
  tryStep,
} from '../process/takeStep.ts';
import {
  findWayHomeProblem,
  type OrderKind,
  type OrderStepRequest,
  type OrderStepTaken,
  readFacts,
  setsOf,
} from './facts.ts';
import { applyOrderEffects } from './orderEffects.ts';
import { isLaundryAtScrub, whereMoved } from './orderFacts.sql.ts';
import { moveOrder } from './orderSteps.sql.ts';
import { askForLock, type OrderActor } from './orders.sql.ts';
import { refuseChoice } from './refuseChoice.ts';

const ORDERS: StepSubject<OrderKind> = {
  rows: ORDER_ROWS,
  needs: ORDER_NEEDS,
  checkReport,
  lock: askForLock,
  readFacts,
  refuse: refuseStep,
  write: writeStep,
  effects: [applyOrderEffects],
  explain: (error, { action }) => refuseHeldWork(error, isPlannedAction(action) ? 'worker' : 'Bud'),
  // The call that charges a card waits for the charge.
  wakes: ({ action }) => (action === 'accept-order' ? ['events'] : ['events', 'payments']),
};

/** Takes one step of an order, for a person, an operator or the server. */
export const takeOrderStep = (
  context: Pick<Context, 'db' | 'now' | 'wake'>,
  actor: OrderActor,
  request: OrderStepRequest,
): Promise<OrderExceptionAnswer> => takeStep(context, ORDERS, actor, request);

/** The same in the transaction of the caller. */
export const takeOrderStepIn = (
  tx: Tx,
  actor: OrderActor,
  request: OrderStepRequest,
  now: () => Date,
): Promise<OrderExceptionAnswer> => takeStepIn(tx, ORDERS, actor, request, now);

/** The row that fits, or why none does. Locks the order, and changes nothing. */
export const chooseOrderStep = async (tx: Tx, actor: OrderActor, request: OrderStepRequest, at: Date) =>
  chooseStep(tx, ORDERS, { actor, request, locked: await askForLock(tx, actor, request.id) }, at);

/** A row of the System, if it fits. The caller has locked the order. */
export const tryOrderStep = (tx: Tx, locked: OrderRow, action: OrderStepRequest['action'], at: Date) =>
  tryStep(tx, ORDERS, { actor: SYSTEM, request: { id: locked.id, action }, locked: async () => locked }, at);

function checkReport(_actor: OrderActor | typeof SYSTEM, request: OrderStepRequest): void {
  checkReason(request.action, request);
  const isMove = request.action === 'move-window' || request.action === 'propose-window';
  if (isMove && request.returnFrom === undefined) refuseProperty('returnFrom', 'isNotEmpty', 'returnFrom is required');
}

async function writeStep(tx: Tx, taken: OrderStepTaken): Promise<OrderExceptionAnswer> {
  const { actor, request, row, facts, at } = taken;
  const { id, action, reason, words } = request;
  const { from, to, startsOver, makesPins } = row;
  const move = { id, action, from, to, startsOver, sets: setsOf(taken), makesPins, reason, words };
  return { ...(await moveOrder(tx, actor, move, at)), round: facts.round + (startsOver ? 1 : 0) };
}

async function refuseStep(_tx: Tx, { actor: { role }, request, facts, why }: Refused<OrderKind>): Promise<never> {
  if (!facts) return refuse('notFound');
  if (role === 'Scrub' && facts.givenBackAt !== null && isPlannedAction(request.action))
    return refuse('wrongStatus', { message: 'You have given this order back' });
  const problem = why.why === 'need' && why.need === 'way-home' ? findWayHomeProblem(facts.needed, request) : undefined;
  if (problem) return refuseProperty(...problem);
  const { deliveries } = facts;
  return refuseChoice(
    why,
    facts.status,
    whereMoved({ isLaundryHere: isLaundryAtScrub(facts, deliveries) }, deliveries, role),
  );
}
