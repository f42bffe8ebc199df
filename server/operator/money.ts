import { LEDGER_PAGE } from '../../contract/operator/money.ts';
import { formatOrderNumber } from '../../domain/orders.ts';
import { toDollars } from '../../domain/payments.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { ActInput, Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { findOrderId } from '../orders/findOrderId.ts';
import { adjustOrder, confirmationCodeOf, proposeAdjustment } from '../payments/ledger/adjustments.ts';
import {
  type EntryLineRow,
  findHoldOver,
  listLedgerEntries,
  listProblems,
  listWeeksOfMoney,
  type PaymentProblem,
  retryProblem,
  type WeekOfMoney,
} from '../payments/payouts/moneyReports.ts';
import { dropRefund } from '../payments/refunds/dropRefund.ts';
import { readSettings } from '../town/settings.sql.ts';
import { namePeople } from './money.sql.ts';
import { findPerson } from './people.sql.ts';
import { queueCardMail } from './peopleMails.ts';
import { lineView, REFUND_ACTS, refundHandlers } from './refundOrder.ts';

const MAX_PROBLEMS = 100;
const NO_ORDER = '00000000-0000-0000-0000-000000000000';

type MoneyReads = 'previewRefund' | 'previewAdjustment' | 'listMoneyProblems' | 'listLedger' | 'listMoneyWeeks';

export const moneyHandlers = (context: ConsoleContext): Pick<OperatorHandlers, MoneyReads> => {
  const { db, now } = context;
  return {
    ...refundHandlers(context),
    previewAdjustment: async ({ params }) => {
      const lines = await proposeAdjustment(db, params.id);
      const names = await namePeople(
        db,
        lines.map(({ party }) => party),
      );
      return { lines: lines.map((line) => lineView(line, names)), code: confirmationCodeOf(lines) };
    },
    listMoneyProblems: async () => {
      const problems = await listProblems(db, MAX_PROBLEMS + 1);
      return { items: problems.slice(0, MAX_PROBLEMS).map(problemView), hasMore: problems.length > MAX_PROBLEMS };
    },
    listLedger: async ({ query: { order, ...filter } }) => {
      const orderId = order?.trim() ? ((await findOrderId(db, order.trim())) ?? NO_ORDER) : undefined;
      const { lines, next } = await listLedgerEntries(db, { ...filter, orderId }, LEDGER_PAGE);
      return { items: [...Map.groupBy(lines, ({ id }) => id).values()].flatMap(entryView), next };
    },
    listMoneyWeeks: async ({ query: { before } }) => {
      const { timeZone } = await readSettings(db, now());
      const { weeks, hasMore } = await listWeeksOfMoney(db, { before, timeZone, now: now() });
      return { timeZone, weeks: weeks.map(weekView), next: hasMore ? (weeks.at(-1)?.from ?? null) : null };
    },
  };
};

const problemView = ({ since, cents, ...problem }: PaymentProblem) => ({
  ...problem,
  amount: toDollars(cents),
  since: since.toISOString(),
  // Slow jobs are retried automatically, a discrepancy is fixed at Square, and nothing charges a hold that is over.
  canRetry: problem.kind === 'capture' || problem.kind === 'release' || problem.kind === 'refund',
  canDrop: problem.kind === 'refund',
});

function entryView(lines: readonly EntryLineRow[]) {
  return lines.slice(0, 1).map(({ id, at, kind, orderId, orderNumber }) => ({
    ...{ id: Number(id), at: at.toISOString(), kind, orderId },
    orderNumber: orderNumber === null ? null : formatOrderNumber(Number(orderNumber)),
    lines: lines.map(({ account, party, amount }) => ({ account, party, amount: toDollars(amount) })),
  }));
}

function weekView({ from, orders, ...sums }: WeekOfMoney) {
  const net = sums.platformFee - sums.refundCosts - sums.cardFees - sums.promotions;
  const dollars = Object.fromEntries(Object.entries({ ...sums, net }).map(([name, cents]) => [name, toDollars(cents)]));
  return { from, orders, ...(dollars as Omit<WeekOfMoney, 'from' | 'orders'> & { net: number }) };
}

type MoneyActs = Pick<Acts, 'refundOrder' | 'adjustOrder' | 'retryProblem' | 'askForCard' | 'dropRefund'>;

export const MONEY_ACTS: MoneyActs = {
  ...REFUND_ACTS,
  adjustOrder: {
    cents: proposedCents,
    run: async ({ context, operator, params, body: { code, reason } }) => {
      const lines = await adjustOrder(context, { orderId: params.id, reason, setBy: operator.fullname, code });
      if (!lines?.length) refuse('wrongStatus', { message: OTHER_LINES });
      return { details: { lines: lines.map((line) => ({ ...line, amount: toDollars(line.amount) })) } };
    },
  },
  retryProblem: {
    run: async ({ context, params }) => {
      if (!(await retryProblem(context.db, params.id, context.now()))) refuse('notFound');
      context.wake('payments');
      return {};
    },
  },
  askForCard: {
    run: async ({ context, params }) => {
      const { budId, order, cents } = orNotFound(await findHoldOver(context.db, params.id));
      const bud = orNotFound(await findPerson(context.db, budId));
      await queueCardMail(context, bud, { order, cents });
      return { details: { order, amount: toDollars(cents) } };
    },
  },
  dropRefund: {
    run: async ({ context, params }) => {
      if (!(await dropRefund(context.db, params.id, context.now()))) refuse('notFound');
      return {};
    },
  },
};

const OTHER_LINES = 'The books of this order are right, or have changed. Look at the lines again';

/** The debits of the lines that the code confirms. */
async function proposedCents({ context: { db }, params, body }: ActInput<'adjustOrder'>) {
  const lines = await proposeAdjustment(db, params.id);
  if (lines.length === 0 || confirmationCodeOf(lines) !== body.code) refuse('wrongStatus', { message: OTHER_LINES });
  return lines.reduce((cents, { amount }) => cents + Math.max(0, amount), 0);
}
