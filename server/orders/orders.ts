import { NEED_FAILURES } from '../../contract/failures.ts';
import type { OrderStep } from '../../contract/orders.ts';
import { legFor } from '../../domain/deliveries.ts';
import { findMissingNeed } from '../../domain/needs.ts';
import { ORDER_CALL_ROWS, ORDER_FLOW, type OrderAction } from '../../domain/orders.ts';
import { COMPLETION_NEEDS } from '../../domain/weighing.ts';
import { checkTransition } from '../../domain/workflow.ts';
import { refuseHeldWork } from '../auth/holds.sql.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import { type Tx, transactStep, violatedConstraint, withConnection } from '../db/database.ts';
import { publishOrderStep } from '../events/publish.ts';
import { applyHandoverEffects } from '../handovers/handoverEffects.ts';
import { makePinsSql } from '../handovers/pins.ts';
import { isLaundryWithScrub, recordHandover } from '../handovers/recordHandover.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { processDuePayment } from '../payments/captures.ts';
import { scheduleCapture } from '../payments/payments.sql.ts';
import { recordCompletion } from '../payments/payments.ts';
import { releaseOrder } from '../payments/pays.ts';
import { findAnswer, isRepeat, keepAnswer } from '../process/requests.ts';
import { checkPromo } from './checkPromo.ts';
import { openLeg } from './legs.ts';
import { isLaundryAtScrub, readLegs } from './orderFacts.sql.ts';
import { countCancellation, uncountPlacement } from './orderLimits.ts';
import { type MovedOrder, moveOrderWith, type OrderTransition } from './orderSteps.sql.ts';
import { findOrder, listOrders, lockOrder, type OrderParty, readOrderJson } from './orders.sql.ts';
import { startCharging, startClosing } from './orderTimers.sql.ts';
import { placeOrder } from './placeOrder.ts';
import { quotePrice } from './sizes.ts';
import { readWeighingState } from './weighings.sql.ts';

type OrderCalls = Pick<
  Handlers,
  'listOrders' | 'placeOrder' | 'calculatePrice' | 'checkPromo' | 'readOrder' | OrderAction
>;

type StepInput = { caller: OrderParty; params: { id: string }; idempotencyKey: string | undefined };
type RequestedStep = { readonly id: string; readonly action: OrderAction; readonly requestKey: Buffer | null };

export function orderHandlers(context: Context): OrderCalls {
  const { db, now } = context;
  const steps = Object.fromEntries(
    ORDER_CALL_ROWS.map(({ action }) => [
      action,
      ({ caller, params, idempotencyKey }: StepInput) =>
        takeOrderStep(context, caller, { id: params.id, action, requestKey: requestKeyOf(caller.id, idempotencyKey) }),
    ]),
  ) as unknown as Pick<Handlers, OrderAction>;
  return {
    ...steps,
    listOrders: ({ caller, query }) => listOrders(caller, query, now()),
    placeOrder: (input) => placeOrder(context, input),
    calculatePrice: ({ caller, body }) => quotePrice(db, caller.id, body, now()),
    checkPromo: (input) => checkPromo(context, input),
    readOrder: ({ caller, params }) => readOrderJson(caller, params.id, now()),
  };
}

/** An order of the caller. Refuses with 404 when it is not theirs. */
export async function getOrder(tx: Tx, caller: OrderParty, id: string): Promise<OrderRow> {
  return orNotFound(await findOrder(tx, caller, id));
}

/**
 * Takes one step of ORDER_FLOW: the domain's verdict for a good message, then compare-and-swap, then the effects. A repeated
 * request with the same key gets the first answer again.
 */
async function takeOrderStep(context: Context, caller: OrderParty, requested: RequestedStep): Promise<OrderStep> {
  const { step, isNew } = await withConnection(context.db, (db) =>
    moveAfterOthers(() => moveOrRepeat({ ...context, db }, caller, requested)),
  ).catch((error: unknown) => refuseHeldWork(error, 'worker'));
  if (!isNew) return step;
  context.wake('events');
  if (step.status === 'Accepted') await captureNow(context, requested.id);
  else context.wake('payments');
  return step;
}

const MAX_TRIES = 5;

/**
 * A step that waited for another one, which left the status as it is (a reminder, a choice of the Bud), would get the same
 * place in the history. It is taken again.
 */
async function moveAfterOthers<T>(move: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await move();
    } catch (error) {
      if (tries === MAX_TRIES || violatedConstraint(error) !== 'order_steps_pkey') throw error;
    }
  }
}

async function moveOrRepeat(
  context: Context,
  caller: OrderParty,
  { id, action, requestKey }: RequestedStep,
): Promise<{ step: OrderStep; isNew: boolean }> {
  const { db, now } = context;
  const order = await getOrder(db, caller, id);
  const verdict = checkTransition(ORDER_FLOW, action, order.status, caller.role);
  const { to } = orNotFound(ORDER_CALL_ROWS.find((row) => row.action === action));
  const keyed = { actorId: caller.id, requestKey, call: action, subjectId: id };
  const repeatOrRefuse = async (current: OrderRow) => ({
    step: (await findAnswer<OrderStep>(db, keyed)) ?? refuseWrongStatus(current, caller),
    isNew: false,
  });
  if (!verdict.ok) return repeatOrRefuse(order);
  const step = await transactStep(db, async (tx) => {
    const isWeighed = action === 'complete-order' && order.ceilingSize !== null;
    const current = isWeighed ? await lockWeighed(tx, caller, order) : order;
    if (!current) return undefined;
    const transition = { id, action, from: current.status, to };
    const moved = await moveWithLaundry(tx, caller, current, transition, now());
    if (!moved) return undefined;
    await publishOrderStep(tx, moved.step);
    await applyStepEffects(context, tx, { ...current, status: to }, moved);
    await keepAnswer(tx, keyed, moved.step, now());
    return moved.step;
  }).catch((error: unknown) => {
    if (isRepeat(error)) return undefined;
    throw error;
  });
  return step ? { step, isNew: true } : repeatOrRefuse(await getOrder(db, caller, id));
}

/**
 * Where the town's policy says so, nobody starts with laundry that nobody has seen, or completes what they do not have: an order that
 * is cleaned again begins without its laundry. Elsewhere both succeed at once, and nothing is read for it.
 */
async function moveWithLaundry(tx: Tx, caller: OrderParty, order: OrderRow, transition: OrderTransition, now: Date) {
  const { action, from, to } = transition;
  const isEarly = action === 'start-order' || action === 'complete-order';
  const parts = { isEarly, ...(to === 'Accepted' ? { pins: makePinsSql(now) } : {}) };
  const moved = await moveOrderWith(tx, caller, { ...transition, parts }, now);
  if (moved || !isEarly) return moved;
  const current = orNotFound(await lockOrder(tx, caller, order.id));
  if (current.status !== from) return undefined;
  const isHere =
    action === 'start-order'
      ? isLaundryAtScrub(current, await readLegs(tx, current.id))
      : await isLaundryWithScrub(tx, current.id);
  if (!isHere) refuse('laundryNotHere');
  return moveOrderWith(tx, caller, { ...transition, parts: {} }, now);
}

const NEEDS_OF_COMPLETION = ORDER_FLOW.flatMap((row) => ('needs' in row ? row.needs : []));

/**
 * Locks an order before it is completed: a weight or an answer that ended meanwhile has changed its price. Undefined when its
 * status is another one by now.
 */
async function lockWeighed(tx: Tx, caller: OrderParty, { id, status }: OrderRow): Promise<OrderRow | undefined> {
  const order = orNotFound(await lockOrder(tx, caller, id));
  if (order.status !== status) return undefined;
  await refuseUnweighed(tx, order);
  return order;
}

/** The needs of the row of ORDER_FLOW: laundry is weighed, and its Bud has answered, before it is done. */
async function refuseUnweighed(tx: Tx, { id }: OrderRow): Promise<void> {
  const missing = findMissingNeed(NEEDS_OF_COMPLETION, COMPLETION_NEEDS, await readWeighingState(tx, id));
  if (missing === 'weighed' || missing === 'correction-answered') refuse(NEED_FAILURES[missing]);
}

function refuseWrongStatus({ status, givenBackAt }: OrderRow, { role }: OrderParty): never {
  const hasGivenBack = role === 'Scrub' && givenBackAt !== null;
  const what = hasGivenBack ? 'You have given this order back' : `This order is ${status.replaceAll('_', ' ')}`;
  refuse('wrongStatus', { message: what });
}

/** What an order's new status causes: a delivery to open, a card to capture or to void, a ledger entry. */
async function applyStepEffects(context: Context, tx: Tx, order: OrderRow, moved: MovedOrder): Promise<void> {
  const { now } = context;
  const { id: orderId, status, budId } = order;
  // A Bud whose Scrub gave the order back has not changed their mind.
  const isFirstRound = order.round === 1;
  if (status === 'Accepted') {
    await scheduleCapture(tx, orderId, now());
    if (order.ceilingSize !== null) await startCharging(tx, orderId, now());
    if (isFirstRound) await uncountPlacement(tx, budId);
  }
  if (status === 'Cancelled' && isFirstRound) await countCancellation(tx, budId, now());
  if (status === 'Cancelled' || status === 'Rejected') await releaseOrder(tx, orderId, now());
  if (status === 'Completed') await recordCompletion(tx, order, now());
  await handOverWithoutDuber(tx, order, moved, now());
  const deliveryType = legFor(status, order);
  if (deliveryType) await openLeg(context, tx, order, deliveryType);
  else if (status === 'Completed') await startClosing(tx, orderId, now());
}

/**
 * What a step of the Scrub says when no Duber comes: with the start that the Bud has brought the laundry, with the completion
 * that the Bud has it back.
 */
async function handOverWithoutDuber(tx: Tx, order: OrderRow, { isBroughtByBud }: MovedOrder, at: Date): Promise<void> {
  const { id: orderId, status, budId, scrubId, selfPickup } = order;
  if (status === 'In_Progress' && isBroughtByBud) {
    const handover = await recordHandover(tx, { orderId, from: 'Bud', taker: { role: 'Scrub', id: scrubId } }, at);
    const facts = { orderId, deliveryId: null, scrubId, taker: 'Scrub', bags: null } as const;
    if (handover) await applyHandoverEffects(tx, handover, facts, at);
  }
  if (status === 'Completed' && selfPickup)
    await recordHandover(tx, { orderId, from: 'Scrub', taker: { role: 'Bud', id: budId } }, at);
}

const CAPTURE_TIMEOUT_MS = 5_000;

/** Captures before the step is answered, if the card network is quick. The worker retries what fails or takes longer. */
async function captureNow(context: Context, orderId: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CAPTURE_TIMEOUT_MS);
  });
  const capture = processDuePayment(context, orderId).catch((error: unknown) => {
    context.log.error({ err: error, order: orderId }, 'the capture failed; the worker will retry it');
  });
  await Promise.race([capture, timeout]);
  clearTimeout(timer);
}
