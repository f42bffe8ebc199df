import { needsApproval } from '../../domain/approvals.ts';
import type { Operator } from '../../domain/operators.ts';
import type { Cents } from '../../domain/payments.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { readSettings } from '../town/settings.sql.ts';
import type { MovedMoney } from './movedMoney.ts';
import { sumMovedAlone } from './refundLimits.sql.ts';

type LimitContext = Pick<ConsoleContext, 'db' | 'now'>;

type AtStake = { readonly operator: Pick<Operator, 'id'>; readonly cents: Cents; readonly moved: MovedMoney };

/** Whether an act moves more than this operator may move without approval. Every act is asked. */
export async function isAboveLimits(context: LimitContext, { operator, cents, moved }: AtStake): Promise<boolean> {
  const { orderId, ofOrders } = moved;
  // An act about an order puts all of it at stake there.
  if (await isAbove(context, { operator, cents, orderId })) return true;
  for (const part of ofOrders)
    if (part.orderId !== orderId && (await isAbove(context, { operator, ...part }))) return true;
  return false;
}

/** The same for a refund before it is made. */
export const isAboveRefundLimits = (
  context: LimitContext,
  refund: { operator: Pick<Operator, 'id'>; orderId: string; cents: Cents },
): Promise<boolean> => isAbove(context, refund);

async function isAbove(
  { db, now }: LimitContext,
  { operator, orderId, cents }: { operator: Pick<Operator, 'id'>; orderId?: string | undefined; cents: Cents },
): Promise<boolean> {
  const at = now();
  const { refundLimitOrder, refundLimitDay, timeZone } = await readSettings(db, at);
  const soFar = await sumMovedAlone(db, { orderId, operatorId: operator.id, timeZone, now: at });
  // What concerns no order has the limit of the day only.
  const order = orderId === undefined ? Number.POSITIVE_INFINITY : refundLimitOrder;
  return needsApproval(cents, soFar, { order, day: refundLimitDay });
}
