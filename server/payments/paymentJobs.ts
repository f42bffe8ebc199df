import type { Context } from '../context.ts';
import { processDuePayments } from './charge/captures.ts';
import { reconcileDuePayment } from './reconcile/reconciliation.ts';
import { processDueRefund } from './refunds/refunds.ts';

/** Runs the due captures, releases, refunds and reconciliations once; false when nothing was due. */
export async function runPaymentJobs(context: Context): Promise<boolean> {
  const done = [await processDuePayments(context), await processDueRefund(context), await reconcileDuePayment(context)];
  return done.includes(true);
}
