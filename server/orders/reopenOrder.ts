import type { OrderExceptionAnswer } from '../../contract/exceptions.ts';
import type { TripPayer } from '../../domain/orders.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { lockLegs } from './orderFacts.sql.ts';
import { lockOrder } from './orders.sql.ts';
import { takeOrderStepIn } from './steps.ts';

const TOWN = { role: 'Operator', id: null } as const;

/** Locks an order and its deliveries as `reopenOrder` does, for those who lock somebody else in between. */
export async function lockToReopen(tx: Tx, orderId: string): Promise<void> {
  await lockOrder(tx, TOWN, orderId);
  await lockLegs(tx, orderId);
}

/**
 * Has an order cleaned again, as an operator or the answer to a claim decides, in the transaction of that decision: its next
 * round, with new deliveries that cost the Bud nothing. Refuses when it is closed, or when a delivery has not ended.
 */
export function reopenOrder(
  { now }: Pick<Context, 'now'>,
  tx: Tx,
  { orderId, ...why }: { orderId: string; waysPaidBy: TripPayer; reason: string; words?: string | undefined },
): Promise<OrderExceptionAnswer> {
  return takeOrderStepIn(tx, TOWN, { id: orderId, action: 'reopen', ...why }, now);
}
