import type { Sealer } from '../auth/sealing.ts';
import type { Context } from '../context.ts';
import { receiptHandlers } from './ledger/receipts.ts';
import { earningsHandlers } from './payouts/earnings.ts';
import { payoutAccountHandlers } from './payouts/payoutAccounts.ts';
import { taxIdHandlers } from './payouts/taxIds.ts';

/** The calls about money: what people paid, what workers earn, where it goes, and how it is reported. */
export const paymentHandlers = (context: Context, sealer: Sealer) => ({
  ...receiptHandlers(context),
  ...earningsHandlers(context),
  ...payoutAccountHandlers(context, sealer),
  ...taxIdHandlers(context, sealer),
});
