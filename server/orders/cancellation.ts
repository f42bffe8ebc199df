import type { Cancellation } from '../../contract/exceptions.ts';
import { FAILURES } from '../../contract/failures.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound } from '../http/refusals.ts';
import { readTripShare, readUnearnedCents } from '../payments/cancellationMoney.ts';
import { factsOf, type Leg, readLegs } from './orderFacts.sql.ts';
import { findOrder, type OrderParty } from './orders.sql.ts';

/** What an order that is cancelled now keeps for a Duber who is on the way already, in cents. */
export async function readCancellationFee(tx: Tx, orderId: string, legs: readonly Leg[]): Promise<number> {
  let fee = 0;
  for (const { id, status, price } of legs)
    if (status === 'Way_To_Pick') fee += await readTripShare(tx, { orderId, deliveryId: id, cents: price });
  return fee;
}

/** Before it is accepted the Bud takes `cancel-order`, afterwards `cancel-accepted`. */
const CANCELLABLE: readonly OrderStatus[] = ['Requested', 'Accepted'];

/** What cancelling would do now. The Bud is shown it before they press anything. In dollars. */
export async function readCancellation(tx: Tx, caller: OrderParty, id: string): Promise<Cancellation> {
  const order = orNotFound(await findOrder(tx, caller, id));
  const legs = await readLegs(tx, id);
  const why = whyNot(order, legs);
  if (why !== undefined) return { isPossible: false, fee: 0, refund: 0, why };
  const fee = await readCancellationFee(tx, id, legs);
  const left = await readUnearnedCents(tx, id, order.price.totalPrice);
  return { isPossible: true, fee: fee / 100, refund: Math.max(0, left - fee) / 100, why: null };
}

function whyNot(order: OrderRow, legs: readonly Leg[]): string | undefined {
  if (!CANCELLABLE.includes(order.status)) return `This order is ${order.status.replaceAll('_', ' ')}`;
  return factsOf(order, legs, {}).hasBagMoved ? FAILURES.laundryMoved[1] : undefined;
}
