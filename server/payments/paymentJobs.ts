import type { Deps } from '../context.ts';
import { settleDuePayments } from './captures.ts';
import { lookAtDuePayment } from './reconciliation.ts';
import { settleDueRefund } from './refunds.ts';

/** One round of whatever is due with the card network; false when nothing was. */
export async function workOnPayments(deps: Deps): Promise<boolean> {
  const done = [await settleDuePayments(deps), await settleDueRefund(deps), await lookAtDuePayment(deps)];
  return done.includes(true);
}
