import type { Deps } from '../deps.ts';
import { lookAtDuePayment } from './looks.ts';
import { settleDueRefund } from './refunds.ts';
import { settleDuePayments } from './settle.ts';

/** One round of whatever is due with the card network; false when nothing was. */
export async function workOnPayments(deps: Deps): Promise<boolean> {
  const done = [await settleDuePayments(deps), await settleDueRefund(deps), await lookAtDuePayment(deps)];
  return done.includes(true);
}
