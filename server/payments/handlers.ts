import type { Sealer } from '../auth/sealing.ts';
import type { Context } from '../context.ts';
import { earningsHandlers } from './earnings.ts';
import { payoutAccountHandlers } from './payoutAccounts.ts';
import { receiptHandlers } from './receipts.ts';
import { taxIdHandlers } from './taxIds.ts';

/** The calls about money: what people paid, what workers earn, where it goes, and how it is reported. */
export const paymentHandlers = (context: Context, sealer: Sealer) => ({
  ...receiptHandlers(context),
  ...earningsHandlers(context),
  ...payoutAccountHandlers(context, sealer),
  ...taxIdHandlers(context, sealer),
});
