import type { Context } from '../context.ts';
import { processDuePayments } from './captures.ts';
import { reconcileDuePayment } from './reconciliation.ts';
import { processDueRefund } from './refunds.ts';

/** One round of whatever is due with the card network; false when nothing was. */
export async function runPaymentJobs(deps: Context): Promise<boolean> {
  const done = [await processDuePayments(deps), await processDueRefund(deps), await reconcileDuePayment(deps)];
  return done.includes(true);
}
