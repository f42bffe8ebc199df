import type { OrderStep } from '../../contract/orders.ts';
import type { OrderAction } from '../../domain/orders.ts';
import { ORDER_CALL_ROWS } from '../../domain/process/order.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { processDuePayment } from '../payments/charge/captures.ts';
import { checkPromo } from './checkPromo.ts';
import { findOrder, listOrders, type OrderParty, readOrderJson } from './orders.sql.ts';
import { placeOrder } from './placeOrder.ts';
import { quotePrice } from './sizes.ts';
import { takeOrderStep } from './steps.ts';

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
        pressOrderStep(context, caller, { id: params.id, action, requestKey: requestKeyOf(caller.id, idempotencyKey) }),
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

/** Takes a planned step. Its answer does not say the round. */
async function pressOrderStep(context: Context, caller: OrderParty, request: RequestedStep): Promise<OrderStep> {
  const { round: _round, ...step } = await takeOrderStep(context, caller, request);
  if (request.action === 'accept-order') await captureNow(context, request.id);
  return step;
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
