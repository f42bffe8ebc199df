import type { OrderStep } from '../../contract/orders.ts';
import { legFor } from '../../domain/deliveries.ts';
import { ORDER_CALL_ROWS, ORDER_FLOW, type OrderAction } from '../../domain/orders.ts';
import { computePrice } from '../../domain/payments.ts';
import { checkTransition } from '../../domain/workflow.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import { type Tx, transact, withConnection } from '../db/database.ts';
import { openDelivery } from '../deliveries/deliveries.ts';
import { publishOrderStep } from '../events/publish.ts';
import { applyHandoverEffects } from '../handovers/handoverEffects.ts';
import { makePins } from '../handovers/pins.ts';
import { recordHandover } from '../handovers/recordHandover.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { processDuePayment } from '../payments/captures.ts';
import { recordCompletion, scheduleCapture, scheduleVoid } from '../payments/payments.ts';
import { readTariff } from '../payments/prices.sql.ts';
import { countCancellation, forgetPlacement } from './orderLimits.ts';
import { findOrder, findOrderStepByKey, listOrders, moveOrder, type OrderParty, readOrderJson } from './orders.sql.ts';
import { placeOrder } from './placeOrder.ts';
import { priceInDollars } from './price.ts';

type OrderCalls = Pick<Handlers, 'listOrders' | 'placeOrder' | 'calculatePrice' | 'readOrder' | OrderAction>;

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
    calculatePrice: async ({ body }) => priceInDollars(computePrice(body, await readTariff(db, now()))),
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
  const { step, isNew } = await withConnection(context.db, (db) => moveOrRepeat({ ...context, db }, caller, requested));
  if (!isNew) return step;
  context.wake('events');
  if (step.status === 'Accepted') await captureNow(context, requested.id);
  else context.wake('payments');
  return step;
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
  const repeatOrRefuse = async (current: OrderRow) => ({
    step: (await findOrderStepByKey(db, { id, to, requestKey })) ?? refuseWrongStatus(current),
    isNew: false,
  });
  if (!verdict.ok) return repeatOrRefuse(order);
  const step = await transact(db, async (tx) => {
    const moved = await moveOrder(tx, caller, { id, action, from: order.status, to, requestKey }, now());
    if (moved) {
      await publishOrderStep(tx, moved);
      await applyStepEffects(context, tx, { ...order, status: to });
    }
    return moved;
  });
  return step ? { step, isNew: true } : repeatOrRefuse(await getOrder(db, caller, id));
}

function refuseWrongStatus({ status }: OrderRow): never {
  refuse('wrongStatus', { message: `This order is ${status.replaceAll('_', ' ')}` });
}

/** What an order's new status causes: a delivery to open, a card to capture or to void, a ledger entry. */
async function applyStepEffects({ now, newId }: Context, tx: Tx, order: OrderRow): Promise<void> {
  const { id: orderId, status, budId, scrubId, distanceInMeters } = order;
  if (status === 'Accepted') {
    await scheduleCapture(tx, orderId, now());
    await makePins(tx, orderId, now());
    await forgetPlacement(tx, budId);
  }
  if (status === 'Cancelled') await countCancellation(tx, budId, now());
  if (status === 'Cancelled' || status === 'Rejected') await scheduleVoid(tx, orderId, now());
  if (status === 'Completed') await recordCompletion(tx, order, now());
  await handOverWithoutDuber(tx, order, now());
  const deliveryType = legFor(status, order);
  if (!deliveryType) return;
  const isOutbound = deliveryType === 'Bud_To_Scrub';
  const pickup = isOutbound ? order.budAddress : order.scrubAddress;
  const price = isOutbound ? order.price.pickup : order.price.delivery;
  await openDelivery(
    tx,
    { id: newId(), orderId, deliveryType, budId, scrubId, price, distanceInMeters, pickup },
    now(),
  );
}

/**
 * What a step of the Scrub says when no Duber comes: with the start that the Bud has brought the laundry, with the completion
 * that the Bud has it back.
 */
async function handOverWithoutDuber(tx: Tx, order: OrderRow, at: Date): Promise<void> {
  const { id: orderId, status, budId, scrubId, selfDelivery, selfPickup } = order;
  if (status === 'In_Progress' && selfDelivery) {
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
