import { ACCEPTED_BY_YOU, DELIVERY_CALLED_OFF, failureOfNeed, NOT_WITH_YOU } from '../../contract/failures.ts';
import type { TownAction } from '../../contract/operator/orders.ts';
import { ENDED_STATUSES } from '../../domain/deliveries.ts';
import { DELIVERY_NEEDS, type Need, townReasonsOf } from '../../domain/needs.ts';
import { DELIVERY_ROWS, DELIVERY_TOWN_ROWS, type DeliveryRow, isPlannedAction } from '../../domain/process/delivery.ts';
import { isRelayed } from '../../domain/process/holder.ts';
import type { EndedBy } from '../../domain/process/row.ts';
import type { TimeWindow } from '../../domain/windows.ts';
import { chooseRow } from '../../domain/workflow.ts';
import { refuseHeldWork } from '../auth/restrictions.sql.ts';
import type { Context } from '../context.ts';
import { type Tx, violatedConstraint } from '../db/database.ts';
import { refuseMissingProof } from '../handovers/missingProof.ts';
import { refuseUnproven } from '../handovers/proofs.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import { checkReason } from '../process/checkReason.ts';
import { type Refused, type StepActor, type StepSubject, SYSTEM, takeStep, tryStep } from '../process/takeStep.ts';
import { actionsAt, hintOf } from '../process/townHints.ts';
import { findDeliveryStatus } from './deliveries.sql.ts';
import { closeCase } from './effects/closeCase.ts';
import { endWay } from './effects/endWay.ts';
import { handOver } from './effects/handOver.ts';
import { holdEarnings } from './effects/holdEarnings.ts';
import { notify } from './effects/notify.ts';
import { offer } from './effects/offer.ts';
import { openCaseOfDelivery } from './effects/openCase.ts';
import { payDuber } from './effects/payDuber.ts';
import { startSilence } from './effects/startSilence.ts';
import { takeBack } from './effects/takeBack.ts';
import { undoEarnings } from './effects/undoEarnings.ts';
import { lockDelivery, readDeliveryFacts } from './facts.sql.ts';
import {
  type DeliveryKind,
  type DeliveryStepRequest,
  type DeliveryStepTaken,
  neededFacts,
  readFacts,
  type TakenDeliveryStep,
} from './facts.ts';
import { writeStep } from './steps.sql.ts';

const DELIVERIES: StepSubject<DeliveryKind> = {
  rows: DELIVERY_ROWS,
  needs: DELIVERY_NEEDS,
  checkReport,
  lock: (tx, _actor, id) => lockDelivery(tx, id),
  readsFactsWithLock: true,
  readFacts,
  refuse: refuseStep,
  write: writeStep,
  effects: [
    ...[closeCase, takeBack, handOver],
    // Before money is locked: what is paid for a failure waits for its case.
    ...[openCaseOfDelivery, undoEarnings, payDuber, holdEarnings],
    ...[notify, offer, startSilence, endWay],
  ],
  explain: explainViolation,
  wakes: ({ action }) => (isPlannedAction(action) ? ['events'] : ['events', 'payments']),
};

/** Takes one step of a delivery for a person, an operator or the server. */
export const takeDeliveryStep = (
  context: Pick<Context, 'db' | 'now' | 'wake'>,
  actor: StepActor,
  request: DeliveryStepRequest,
): Promise<TakenDeliveryStep> => takeStep(context, DELIVERIES, actor, request);

/** A row of the System, if it fits. The caller has locked the delivery. */
export const tryDeliveryStep = (tx: Tx, request: DeliveryStepRequest, at: Date) =>
  tryStep(tx, DELIVERIES, { actor: SYSTEM, request, locked: undefined }, at);

/**
 * Calls off every delivery of an order that has ended or was given back, in the transaction of that step, which has locked the order, and
 * pays a Duber who is on the way to the pickup. A delivery with laundry on board continues: it ends with the hand-over.
 */
export async function callOffDeliveries(
  tx: Tx,
  orderId: string,
  why: { readonly reason: string; readonly cause: EndedBy },
  at: Date,
): Promise<void> {
  const open = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('order_id', '=', orderId)
    .where('status', 'not in', ENDED_STATUSES)
    .orderBy('id')
    .execute();
  for (const { id } of open) await tryDeliveryStep(tx, { id, action: 'call-off', ...why }, at);
}

/** The pickup of an order has another window. A Duber who has accepted it for the old one may not have time: it is offered again. */
export async function moveTimeOfDeliveries(
  tx: Tx,
  order: { readonly id: string; readonly round: number },
  window: TimeWindow,
  at: Date,
): Promise<void> {
  const moved = await tx
    .updateTable('deliveries')
    .set({ due_from: window.from, due_until: window.until })
    .where('order_id', '=', order.id)
    .where('round', '=', order.round)
    .where('delivery_type', '=', 'Bud_To_Scrub')
    .where('status', 'not in', ENDED_STATUSES)
    .returning(['id', 'status'])
    .execute();
  for (const { id, status } of moved)
    if (status === 'Accepted') await tryDeliveryStep(tx, { id, action: 'time-moved' }, at);
}

const OPERATOR = { role: 'Operator', id: null } as const;

/** What an operator can do with a delivery at its present status. */
export async function readTownActionsOfDelivery(tx: Tx, id: string, now: Date): Promise<TownAction[]> {
  // All these actions read the same facts.
  const facts = orNotFound(await readDeliveryFacts(tx, OPERATOR, { id, action: 'call-off' }, now));
  const { status } = facts;
  return actionsAt(DELIVERY_TOWN_ROWS, status).map((action) => {
    const needed = neededFacts(OPERATOR, { id, action, words: '' }, facts, now);
    return {
      action,
      hint: hintOf(chooseRow(DELIVERY_TOWN_ROWS, { action, status, by: OPERATOR.role }, DELIVERY_NEEDS, needed)),
      reasons: [...townReasonsOf(action)],
      needsWords: action === 'call-off' && isRelayed(facts),
      needsPlace: action === 'relay',
      needsPayer: false,
      waysHome: [],
    };
  });
}

/** The rules for the body: a reason from the list, words where they are needed. */
function checkReport({ role }: StepActor, { action, reason, words, place }: DeliveryStepRequest): void {
  const rows = (DELIVERY_ROWS as readonly DeliveryRow[]).filter((row) => row.action === action && row.by === role);
  const needs = rows.flatMap((row) => row.needs ?? []);
  if (needs.includes('reason')) {
    checkReason(action, { reason, words });
    if (reason === undefined) refuseProperty('reason', 'isNotEmpty', 'reason must say why');
  }
  if (words === undefined && needs.includes('words'))
    refuseProperty('words', 'isNotEmpty', 'words must say what happened');
  if (place === undefined && needs.includes('place'))
    refuseProperty('place', 'isNotEmpty', 'place must say where the laundry is');
}

async function refuseStep(tx: Tx, { actor, request, facts, why, now }: Refused<DeliveryKind>): Promise<never> {
  const { action } = request;
  if (!facts) return refuseUnknown(tx, request);
  if (why.why === 'need') return refuseNeed(tx, { actor, request, facts, need: why.need, now });
  const { status } = facts;
  if (action === 'accept-delivery')
    refuse('alreadyAccepted', { message: status === 'Called_Off' ? DELIVERY_CALLED_OFF : ACCEPTED_BY_YOU });
  refuse('wrongStatus', { message: `This delivery is ${status.replaceAll('_', ' ')}` });
}

// Another Duber's delivery answers like an unknown one, except to a Duber who tries to accept it too late.
async function refuseUnknown(tx: Tx, { id, action }: DeliveryStepRequest): Promise<never> {
  const status = action === 'accept-delivery' ? await findDeliveryStatus(tx, id) : undefined;
  if (status === 'Called_Off') refuse('alreadyAccepted', { message: DELIVERY_CALLED_OFF });
  if (status !== undefined) refuse('alreadyAccepted');
  refuse('notFound');
}

type Missing = Pick<DeliveryStepTaken, 'actor' | 'request' | 'facts'> & { readonly need: Need; readonly now: Date };

async function refuseNeed(tx: Tx, { actor, request, facts, need, now }: Missing): Promise<never> {
  const { id, action } = request;
  if (need === 'words-about-laundry')
    refuseProperty('words', 'isNotEmpty', 'words must say how the laundry, which an earlier Duber has, goes on');
  if (need === 'proven' && action === 'brought-back') refuseMissingProof(action);
  if (need === 'proven' && (action === 'collected' || action === 'delivered') && actor.id !== null)
    return refuseUnproven(tx, { duberId: actor.id, deliveryId: id, action }, now);
  if (need === 'not-said-before') refuse('wrongStatus', { message: 'This was already said' });
  const failure = failureOfNeed(need) ?? 'wrongStatus';
  if (failure === 'wrongStatus') refuse(failure, { message: `This delivery is ${facts.status.replaceAll('_', ' ')}` });
  refuse(failure, failure === 'laundryNotOnBoard' && actor.role === 'Duber' ? { message: NOT_WITH_YOU } : {});
}

/** A Duber has one active delivery at most, and the town may have given them a restriction at this moment. */
function explainViolation(error: unknown, { action }: DeliveryStepRequest): never {
  if (violatedConstraint(error) !== 'deliveries_once_active') return refuseHeldWork(error, 'worker');
  refuse('alreadyBusy', isPlannedAction(action) ? {} : { message: 'The Duber already has another active delivery' });
}
