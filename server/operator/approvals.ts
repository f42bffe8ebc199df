import { APPROVALS_PAGE } from '../../contract/operator/approvals.ts';
import { TOWN_NAME } from '../../domain/operators.ts';
import { formatOrderNumber } from '../../domain/orders.ts';
import { APPROVAL_TIMER_ROWS } from '../../domain/process/approval.ts';
import { readPage } from '../db/pages.ts';
import { refuse } from '../http/refusals.ts';
import type { TimerKind } from '../jobs/timers.ts';
import { transactWithEffects } from '../jobs/transactWithEffects.ts';
import type { Acts, ConsoleContext, OperatorHandlers, SignedInOperator } from '../operatorContext.ts';
import { SYSTEM } from '../process/takeStep.ts';
import { paramsOf } from './acts.ts';
import {
  type ApprovalActor,
  type ApprovalRequest,
  ASKER_HAS_LEFT,
  asActor,
  lockForStep,
  takeApprovalStep,
  tryApprovalStep,
} from './approvalSteps.ts';
import { type ApprovalRow, findApprovalOfLink, listApprovalRows } from './approvals.sql.ts';
import { callOf, hasRight, listActsFor } from './rights.ts';

type ApprovalCalls = Pick<OperatorHandlers, 'listApprovals' | 'approve' | 'decline' | 'withdraw' | 'stopApproval'>;

export function approvalHandlers(context: ConsoleContext, acts: Acts): ApprovalCalls {
  const decide = (actor: ApprovalActor, request: ApprovalRequest) =>
    transactWithEffects(context, (inside) => takeApprovalStep(inside, acts, actor, request));
  return {
    listApprovals: async ({ operator, query: { state = 'waiting', page } }) => {
      const list = { isWaiting: state === 'waiting', operatorId: operator.id, actions: listActsFor(operator.caps) };
      return readPage(
        page,
        APPROVALS_PAGE,
        (bounds) => listApprovalRows(context.db, list, bounds),
        (row) => viewOf(row, operator),
      );
    },
    approve: ({ operator, params: { id }, body: { reason: words } }) =>
      decide(asActor(operator), { id, action: 'approve', words }),
    decline: ({ operator, params: { id }, body: { reason: words } }) =>
      decide(asActor(operator), { id, action: 'decline', words }),
    withdraw: ({ operator, params: { id }, body: { reason: words } }) =>
      decide(asActor(operator), { id, action: 'withdraw', words }),
    stopApproval: async ({ body, from }) => {
      await context.rateLimits.countSecretAttempt(from);
      // Looked up before the lock, so that guesses do not make operators wait.
      const id = (await findApprovalOfLink(context.db, body.token)) ?? refuse('notWaiting');
      return decide(SYSTEM, { id, action: 'stop', words: 'Stopped by mail' });
    },
  };
}

function viewOf(row: ApprovalRow, { id, caps }: SignedInOperator) {
  const call = callOf(row.action);
  const { reason, ...asked } = row.body;
  const details = { ...paramsOf(row), ...row.about, ...asked };
  const isAboutThem = row.subjectKind === 'operator' && row.subjectId === id;
  const mayDecide = call !== undefined && hasRight(caps, call) && row.askedBy !== id && !isAboutThem;
  return {
    id: row.id,
    action: row.action,
    subject: { kind: row.subjectKind, id: row.subjectId },
    orderNumber: row.orderNumber === null ? null : formatOrderNumber(Number(row.orderNumber)),
    amount: row.cents === null ? null : row.cents / 100,
    reason,
    details,
    state: row.status,
    askedBy: { id: row.askedBy, name: row.askedByName },
    askedAt: row.askedAt.toISOString(),
    decidedBy: row.decidedAt === null ? null : { id: row.decidedBy, name: row.decidedByName ?? TOWN_NAME },
    decidedAt: row.decidedAt?.toISOString() ?? null,
    words: row.words,
    goesOnAt: row.goesOnAt?.toISOString() ?? null,
    ripens: row.ripens,
    canDecide: row.status === 'waiting' && mayDecide,
  };
}

/** The rows of the System: an unanswered request expires, or is approved in a town with one operator. */
export const approvalTimers = (acts: Acts): TimerKind<ConsoleContext> => ({
  subject: 'approval',
  rows: APPROVAL_TIMER_ROWS,
  wakes: [],
  lock: async (inside, { subjectId, action }) => {
    const row = await lockForStep(inside.db, subjectId);
    if (!row) return undefined;
    const expire = (words: string) => tryApprovalStep(inside, acts, row, { action: 'expire', words });
    if (action === 'expire') return () => expire('Nobody has answered in time');
    return async () => {
      const outcome = await tryApprovalStep(inside, acts, row, { action: 'ripen' });
      // Where another operator can answer, or could recently, it waits until it expires.
      if (!outcome.ok && outcome.why.why === 'need' && outcome.why.need === 'asker-may-still')
        await expire(noLongerPossible(ASKER_HAS_LEFT));
    };
  },
  lockAfter: async (inside, { subjectId }, { message }) => {
    const row = await lockForStep(inside.db, subjectId);
    return row && (() => tryApprovalStep(inside, acts, row, { action: 'expire', words: noLongerPossible(message) }));
  },
});

const noLongerPossible = (why: string) => `It was no longer possible: ${why}`;
