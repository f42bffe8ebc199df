import type { Context } from '../context.ts';
import { processDuePayments } from './charge/captures.ts';
import { reconcileDuePayment } from './reconcile/reconciliation.ts';
import { processDueRefund } from './refunds/refunds.ts';
import { processDueCard } from './saved/savedCards.ts';

/** Runs the due captures, releases, refunds, reconciliations and changes of saved cards once; false when nothing was due. */
export async function runPaymentJobs(context: Context): Promise<boolean> {
  const done = [
    await processDuePayments(context),
    await processDueRefund(context),
    await reconcileDuePayment(context),
    await processDueCard(context),
  ];
  return done.includes(true);
}
