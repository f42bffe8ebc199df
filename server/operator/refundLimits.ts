import { needsApproval } from '../../domain/approvals.ts';
import type { Operator } from '../../domain/operators.ts';
import type { Cents } from '../../domain/payments.ts';
import { readSettings } from '../town/settings.sql.ts';
import type { ConsoleContext } from './operatorContext.ts';
import { sumUnapprovedRefunds } from './refundLimits.sql.ts';

/** Whether a refund is above what this operator may do without approval. Every act that refunds calls it. */
export async function isAboveRefundLimits(
  { db, now }: Pick<ConsoleContext, 'db' | 'now'>,
  { operator, orderId, cents }: { operator: Pick<Operator, 'id'>; orderId: string; cents: Cents },
): Promise<boolean> {
  const at = now();
  const { refundLimitOrder, refundLimitDay, timeZone } = await readSettings(db, at);
  const soFar = await sumUnapprovedRefunds(db, { orderId, operatorId: operator.id, timeZone, now: at });
  return needsApproval(cents, soFar, { order: refundLimitOrder, day: refundLimitDay });
}
