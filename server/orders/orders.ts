import type { OrderStep } from '../../contract/orders.ts';
import { legFor } from '../../domain/deliveries.ts';
import { linesOfCompletion } from '../../domain/ledger.ts';
import { ORDER_FLOW, type OrderAction, REQUEST_LIFETIME_MS } from '../../domain/orders.ts';
import { computePrice, toDollars } from '../../domain/payments.ts';
import { checkTransition } from '../../domain/workflow.ts';
import type { Context } from '../context.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import { type Tx, transact } from '../db/database.ts';
import { insertDelivery } from '../deliveries/deliveries.sql.ts';
import { publishNewDelivery, publishOrderStep } from '../events/publish.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { processDuePayment } from '../payments/captures.ts';
import { sumSpending, writeLedgerEntry } from '../payments/ledger.sql.ts';
import { schedulePayment } from '../payments/payments.sql.ts';
import { readTariff } from '../payments/prices.sql.ts';
import {
  expireOrder,
  findOrder,
  listExpiredRequests,
  listOrders,
  moveOrder,
  type OrderParty,
  readOrderJson,
} from './orders.sql.ts';
import { placeOrder } from './placeOrder.ts';
import { priceInDollars } from './price.ts';

type OrderCalls = Pick<
  Handlers,
  'listOrders' | 'placeOrder' | 'calculatePrice' | 'totalSpending' | 'readOrder' | OrderAction
>;

const SETTLEMENT_TIMEOUT_MS = 5_000;

export function orderHandlers(deps: Context): OrderCalls {
  const { db, now } = deps;
  const steps = Object.fromEntries(
    ORDER_FLOW.map(({ action }) => [
      action,
      ({ caller, params }: { caller: OrderParty; params: { id: string } }) =>
        takeOrderStep(deps, caller, params.id, action),
    ]),
  ) as unknown as Pick<Handlers, OrderAction>;
  return {
    ...steps,
    listOrders: ({ caller, query }) => listOrders(caller, query, now()),
    placeOrder: (asked) => placeOrder(deps, asked),
    calculatePrice: async ({ body }) => priceInDollars(computePrice(body, await readTariff(db, now()))),
    totalSpending: async ({ caller }) => ({ totalSpending: toDollars(await sumSpending(db, caller.id)) }),
    readOrder: ({ caller, params }) => readOrderJson(caller, params.id, now()),
  };
}

/** One step of ORDER_FLOW: the domain's verdict for a good message, then compare-and-swap, then what follows from it. */
async function takeOrderStep(deps: Context, caller: OrderParty, id: string, action: OrderAction): Promise<OrderStep> {
  const { db, now } = deps;
  const order = orNotFound(await findOrder(db, caller, id));
  const verdict = checkTransition(ORDER_FLOW, action, order.status, caller.role);
  if (!verdict.ok) refuse('wrongStatus', { message: `This order is ${statusText(order.status)}` });
  const step = await transact(db, async (tx) => {
    const moved = await moveOrder(tx, caller, { id, from: order.status, to: verdict.to }, now());
    if (moved) {
      await publishOrderStep(tx, moved);
      await applyStepEffects(deps, tx, { ...order, status: verdict.to });
    }
    return moved;
  });
  if (!step) {
    const current = orNotFound(await findOrder(db, caller, id));
    refuse('wrongStatus', { message: `This order is ${statusText(current.status)}` });
  }
  deps.wake('events');
  if (verdict.to === 'Accepted') await processPaymentWithin(deps, id, SETTLEMENT_TIMEOUT_MS);
  else deps.wake('payments');
  return step;
}

const statusText = (status: string) => status.replaceAll('_', ' ');

/** What follows from an order's new status: a leg to carry, a card to charge or to let go. */
async function applyStepEffects({ now, newId }: Context, tx: Tx, order: OrderRow): Promise<void> {
  const { id: orderId, status, budId, scrubId, distanceInMeters } = order;
  if (status === 'Accepted') await schedulePayment(tx, orderId, 'capturing', now());
  if (status === 'Cancelled' || status === 'Rejected') await schedulePayment(tx, orderId, 'voiding', now());
  if (status === 'Completed')
    await writeLedgerEntry(tx, { kind: 'completed', orderId, at: now(), lines: linesOfCompletion(order) });
  const deliveryType = legFor(status, order);
  if (!deliveryType) return;
  const out = deliveryType === 'Bud_To_Scrub';
  const pickup = out ? order.budAddress : order.scrubAddress;
  const price = out ? order.price.pickup : order.price.delivery;
  const [id, at] = [newId(), now()];
  await insertDelivery(tx, { id, orderId, deliveryType, budId, scrubId, price, distanceInMeters, pickup }, at);
  await publishNewDelivery(tx, { deliveryId: id, status: 'Pending', createdAt: at.toISOString() }, pickup);
}

// The step is committed: one try at its payment now, and whatever comes of it, the worker finishes what is left.
async function processPaymentWithin(deps: Context, orderId: string, most: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, most);
  });
  const settled = processDuePayment(deps, orderId).catch((error: unknown) => {
    deps.log.error({ err: error, order: orderId }, 'a payment was not settled at once');
  });
  await Promise.race([settled, enough]);
  clearTimeout(timer);
}

const EXPIRY_BATCH_SIZE = 50;

/** Cancels the requests that nobody answered in time, and lets their cards go; gives how many there were. */
export async function expireRequests({ db, now, wake: nudge }: Context): Promise<number> {
  const since = new Date(now().getTime() - REQUEST_LIFETIME_MS);
  const ids = await listExpiredRequests(db, since, EXPIRY_BATCH_SIZE);
  for (const id of ids) {
    await transact(db, async (tx) => {
      const step = await expireOrder(tx, id, now());
      if (!step) return;
      await publishOrderStep(tx, step, 'expired');
      await schedulePayment(tx, id, 'voiding', now());
    });
  }
  if (ids.length > 0) for (const work of ['payments', 'events'] as const) nudge(work);
  return ids.length;
}
