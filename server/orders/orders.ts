import type { OrderStep } from '../../contract/orders.ts';
import { legFor } from '../../domain/deliveries.ts';
import { linesOfCompletion } from '../../domain/ledger.ts';
import { ORDER_FLOW, type OrderAction, REQUEST_LIFETIME_MS } from '../../domain/orders.ts';
import { priceOf, toDollars } from '../../domain/payments.ts';
import { decide } from '../../domain/workflow.ts';
import type { Deps } from '../context.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import { type Tx, transact } from '../db/database.ts';
import { insertDelivery } from '../deliveries/deliveries.sql.ts';
import { announceDelivery, announceOrder } from '../events/publish.ts';
import { found, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { settleDuePayment } from '../payments/captures.ts';
import { spentBy, writeEntry } from '../payments/ledger.sql.ts';
import { makeDue } from '../payments/payments.sql.ts';
import { tariffAt } from '../payments/prices.sql.ts';
import { expiredRequests, expireOrder, findOrder, listOrders, moveOrder, type Owner, showOrder } from './orders.sql.ts';
import { placeOrder } from './placeOrder.ts';
import { priceInDollars } from './price.ts';

type OrderCalls = Pick<
  Handlers,
  'listOrders' | 'placeOrder' | 'calculatePrice' | 'totalSpending' | 'readOrder' | OrderAction
>;

const ANSWER_WITHIN_MS = 5_000;

export function orderHandlers(deps: Deps): OrderCalls {
  const { db, now } = deps;
  const steps = Object.fromEntries(
    ORDER_FLOW.map(({ action }) => [
      action,
      ({ caller, params }: { caller: Owner; params: { id: string } }) => takeStep(deps, caller, params.id, action),
    ]),
  ) as unknown as Pick<Handlers, OrderAction>;
  return {
    ...steps,
    listOrders: ({ caller, query }) => listOrders(caller, query, now()),
    placeOrder: (asked) => placeOrder(deps, asked),
    calculatePrice: async ({ body }) => priceInDollars(priceOf(body, await tariffAt(db, now()))),
    totalSpending: async ({ caller }) => ({ totalSpending: toDollars(await spentBy(db, caller.id)) }),
    readOrder: ({ caller, params }) => showOrder(caller, params.id, now()),
  };
}

/** One step of ORDER_FLOW: the domain's verdict for a good message, then compare-and-swap, then what follows from it. */
async function takeStep(deps: Deps, caller: Owner, id: string, action: OrderAction): Promise<OrderStep> {
  const { db, now } = deps;
  const order = found(await findOrder(db, caller, id));
  const verdict = decide(ORDER_FLOW, action, order.status, caller.role);
  if (!verdict.ok) refuse('wrongStatus', { message: `This order is ${words(order.status)}` });
  const step = await transact(db, async (tx) => {
    const moved = await moveOrder(tx, caller, { id, from: order.status, to: verdict.to }, now());
    if (moved) {
      await announceOrder(tx, moved);
      await follow(deps, tx, { ...order, status: verdict.to });
    }
    return moved;
  });
  if (!step) {
    const current = found(await findOrder(db, caller, id));
    refuse('wrongStatus', { message: `This order is ${words(current.status)}` });
  }
  deps.nudge('events');
  if (verdict.to === 'Accepted') await settleWithin(deps, id, ANSWER_WITHIN_MS);
  else deps.nudge('payments');
  return step;
}

const words = (status: string) => status.replaceAll('_', ' ');

/** What follows from an order's new status: a leg to carry, a card to charge or to let go. */
async function follow({ now, newId }: Deps, tx: Tx, order: OrderRow): Promise<void> {
  const { id: orderId, status, budId, scrubId, distanceInMeters } = order;
  if (status === 'Accepted') await makeDue(tx, orderId, 'capturing', now());
  if (status === 'Cancelled' || status === 'Rejected') await makeDue(tx, orderId, 'voiding', now());
  if (status === 'Completed')
    await writeEntry(tx, { kind: 'completed', orderId, at: now(), lines: linesOfCompletion(order) });
  const deliveryType = legFor(status, order);
  if (!deliveryType) return;
  const out = deliveryType === 'Bud_To_Scrub';
  const pickup = out ? order.budAddress : order.scrubAddress;
  const price = out ? order.price.pickup : order.price.delivery;
  const [id, at] = [newId(), now()];
  await insertDelivery(tx, { id, orderId, deliveryType, budId, scrubId, price, distanceInMeters, pickup }, at);
  await announceDelivery(tx, { deliveryId: id, status: 'Pending', createdAt: at.toISOString() }, pickup);
}

// The step is committed: one try at its payment now, and whatever comes of it, the worker finishes what is left.
async function settleWithin(deps: Deps, orderId: string, most: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, most);
  });
  const settled = settleDuePayment(deps, orderId).catch((error: unknown) => {
    deps.log.error({ err: error, order: orderId }, 'a payment was not settled at once');
  });
  await Promise.race([settled, enough]);
  clearTimeout(timer);
}

const EXPIRED_AT_ONCE = 50;

/** Cancels the requests that nobody answered in time, and lets their cards go; gives how many there were. */
export async function expireRequests({ db, now, nudge }: Deps): Promise<number> {
  const since = new Date(now().getTime() - REQUEST_LIFETIME_MS);
  const ids = await expiredRequests(db, since, EXPIRED_AT_ONCE);
  for (const id of ids) {
    await transact(db, async (tx) => {
      const step = await expireOrder(tx, id, now());
      if (!step) return;
      await announceOrder(tx, step, 'expired');
      await makeDue(tx, id, 'voiding', now());
    });
  }
  if (ids.length > 0) for (const work of ['payments', 'events'] as const) nudge(work);
  return ids.length;
}
