import { DAYS_PAGE } from '../../../contract/operator/reconciliation.ts';
import { formatOrderNumber } from '../../../domain/orders.ts';
import { toDollars } from '../../../domain/payments.ts';
import { type DaySums, netOf } from '../../../domain/reconciledDays.ts';
import { readPage } from '../../db/pages.ts';
import { isoTimes } from '../../http/isoTimes.ts';
import { orNotFound, refuse } from '../../http/refusals.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../../operatorContext.ts';
import { findReconciledDay, listReconciledDays, type ReconciledDayRow, recheckDay } from './reconciledDays.ts';

type Reads = Pick<OperatorHandlers, 'listReconciledDays' | 'readReconciledDay'>;

export const reconciliationHandlers = ({ db }: ConsoleContext): Reads => ({
  listReconciledDays: ({ query: { page } }) =>
    readPage(page, DAYS_PAGE, (bounds) => listReconciledDays(db, bounds), dayView),
  readReconciledDay: async ({ params }) => {
    const found = orNotFound(await findReconciledDay(db, params.day));
    const differences = found.differences.map(({ orderNumber, ours, theirs, ...of }) => ({
      ...of,
      orderNumber: orderNumber === null ? null : formatOrderNumber(orderNumber),
      ours: toDollars(ours),
      theirs: toDollars(theirs),
    }));
    return { ...dayView(found), differences };
  },
});

const sumsView = (sums: DaySums | null) =>
  sums && {
    charged: toDollars(sums.charged),
    refunded: toDollars(sums.refunded),
    fees: toDollars(sums.fees),
    disputed: toDollars(sums.disputed),
    net: toDollars(netOf(sums)),
  };

function dayView({ day, state, checkedAt, ours, theirs, counts, differing, isDue, failure }: ReconciledDayRow) {
  return {
    ...isoTimes({ day, state, checkedAt, counts, differing, failure }),
    isChecking: isDue,
    ours: sumsView(ours),
    theirs: sumsView(theirs),
    difference: ours && theirs && toDollars(netOf(theirs) - netOf(ours)),
  };
}

export const RECONCILIATION_ACTS: Pick<Acts, 'recheckDay'> = {
  recheckDay: {
    run: async ({ context, params: { day } }) => {
      if (!(await recheckDay(context.db, day, context.now()))) refuse('notFound');
      return { subjectId: day };
    },
  },
};
