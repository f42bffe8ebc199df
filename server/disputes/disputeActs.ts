import { DISPUTES_PAGE } from '../../contract/operator/disputes.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { formatOrderNumber } from '../../domain/orders.ts';
import { toDollars } from '../../domain/payments.ts';
import { readPage } from '../db/pages.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { orNotFound } from '../http/refusals.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import {
  type DisputeRow,
  findDispute,
  findDisputedCents,
  listDisputeRows,
  renderEvidence,
  takeDisputeStep,
} from './steps.ts';

type DisputeCalls = Pick<OperatorHandlers, 'listDisputes' | 'readDispute' | 'readDisputeEvidence'>;

export const disputeHandlers = ({ db, now }: ConsoleContext): DisputeCalls => ({
  listDisputes: ({ query: { state = 'open', page } }) =>
    readPage(
      page,
      DISPUTES_PAGE,
      (bounds) => listDisputeRows(db, state === 'open', bounds),
      (row) => viewOf(row, now()),
    ),
  readDispute: async ({ params }) => {
    const row = orNotFound(await findDispute(db, params.id));
    const { preparedAt, preparedBy, liableAccount } = row;
    return { ...viewOf(row, now()), ...isoTimes({ preparedAt, preparedBy }), bears: liableAccount ?? 'platform' };
  },
  readDisputeEvidence: async ({ params }) => {
    const { evidence, orderId } = orNotFound(await findDispute(db, params.id));
    return { pieces: evidence ?? (await renderEvidence(db, orderId)), isPrepared: evidence !== null };
  },
});

function viewOf(row: DisputeRow, now: Date) {
  const { id, orderId, reason, status, networkState, dueAt, seenAt, failure, sentAt, endedAt } = row;
  const isAnswered = status === 'sent' || endedAt !== null;
  return {
    ...isoTimes({ id, orderId, reason, status, networkState, dueAt, seenAt, failure, sentAt, endedAt }),
    orderNumber: formatOrderNumber(Number(row.orderNumber)),
    amount: toDollars(row.cents),
    daysLeft: isAnswered || dueAt === null ? null : Math.floor((dueAt.getTime() - now.getTime()) / DAY_MS),
    onItsWay: row.call,
  };
}

type DisputeActs = Pick<Acts, 'prepareDispute' | 'sendDispute' | 'acceptDispute'>;

const by = (fullname: string) => ({ role: 'Operator', id: null, name: fullname }) as const;

export const DISPUTE_ACTS: DisputeActs = {
  prepareDispute: {
    run: async ({ context, operator, params: { id } }) => {
      const { pieces } = await takeDisputeStep(context, by(operator.fullname), { id, action: 'prepare' });
      return { details: { pieces } };
    },
  },
  sendDispute: {
    // An impossible step is refused before it is stored for approval.
    cents: ({ context, operator, params: { id } }) =>
      findDisputedCents(context, by(operator.fullname), { id, action: 'send' }),
    run: async ({ context, operator, params: { id } }) => {
      await takeDisputeStep(context, by(operator.fullname), { id, action: 'send' });
      return {};
    },
  },
  acceptDispute: {
    cents: ({ context, operator, params: { id }, body: { liable, personId } }) =>
      findDisputedCents(context, by(operator.fullname), { id, action: 'accept', liable, personId }),
    run: async ({ context, operator, params: { id }, body: { liable, personId } }) => {
      const request = { id, action: 'accept', liable, personId } as const;
      const { bearer } = await takeDisputeStep(context, by(operator.fullname), request);
      return { details: { bearer: bearer?.userId ?? 'platform' } };
    },
  },
};
