import type { Cancellation } from '../../contract/exceptions.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound } from '../http/refusals.ts';
import { divideCancellation, readTripShare, readUnearnedCents } from '../payments/earnings/cancellationMoney.ts';
import { findRefundableCents } from '../payments/refunds/refunds.ts';
import { type Delivery, factsOf, readDeliveries, whereMoved } from './orderFacts.sql.ts';
import { findOrder, type OrderParty } from './orders.sql.ts';

/** What an order that is cancelled now keeps of its card for a Duber who is on the way already, and what goes back. In cents. */
export async function readCancellationMoney(
  tx: Tx,
  { id: orderId, totalPrice }: Pick<OrderRow, 'id' | 'totalPrice'>,
  deliveries: readonly Delivery[],
): Promise<{ fee: number; refund: number }> {
  let fee = 0;
  for (const { id, status, price: cents } of deliveries)
    if (status === 'Way_To_Pick') fee += await readTripShare(tx, { orderId, deliveryId: id, cents });
  const left = await readUnearnedCents(tx, orderId, totalPrice);
  return divideCancellation(tx, { orderId, fee, left });
}

/** Before it is accepted the Bud takes `cancel-order`, afterwards `cancel-accepted`. */
const CANCELLABLE: readonly OrderStatus[] = ['Requested', 'Accepted'];

/** What cancelling would do now. The Bud is shown it before they press anything. In dollars. */
export async function readCancellation(tx: Tx, caller: OrderParty, id: string): Promise<Cancellation> {
  const order = orNotFound(await findOrder(tx, caller, id));
  const deliveries = await readDeliveries(tx, id);
  const why = whyNot(order, deliveries);
  if (why !== undefined) return { isPossible: false, fee: 0, refund: 0, why };
  const { fee, refund } = await readCancellationMoney(tx, order, deliveries);
  // A bank may have given some of it back.
  const left = (await findRefundableCents(tx, id)) ?? refund;
  return { isPossible: true, fee: fee / 100, refund: Math.min(refund, left) / 100, why: null };
}

function whyNot(order: OrderRow, deliveries: readonly Delivery[]): string | undefined {
  if (!CANCELLABLE.includes(order.status)) return `This order is ${order.status.replaceAll('_', ' ')}`;
  const facts = factsOf(order, deliveries);
  return facts.hasBagMoved ? whereMoved(facts, deliveries, 'Bud') : undefined;
}
