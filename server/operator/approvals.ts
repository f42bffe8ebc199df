import { APPROVALS_PAGE } from '../../contract/operator/approvals.ts';
import { type Operator, TOWN_NAME } from '../../domain/operators.ts';
import { formatOrderNumber } from '../../domain/orders.ts';
import { readPage } from '../db/pages.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { TimerKind } from '../jobs/timers.ts';
import { transactWithEffects } from '../jobs/transactWithEffects.ts';
import { readRequestId } from '../log.ts';
import { paramsOf, runApproved } from './acts.ts';
import { queueAutoApprovedMail } from './approvalMails.ts';
import {
  APPROVAL_TIMER_ROWS,
  type ApprovalRow,
  endApproval,
  findApprovalOfLink,
  hasOneOperator,
  listApprovalRows,
  lockApproval,
} from './approvals.sql.ts';
import { lockAudit, writeAudit } from './audit.sql.ts';
import type { Acts, ConsoleContext, OperatorHandlers, SignedInOperator } from './operatorContext.ts';
import {
  callOf,
  confirmRights,
  findLiveOperator,
  hasRight,
  isCodeFresh,
  isFromCommandLine,
  listActsFor,
} from './rights.ts';

type ApprovalCalls = Pick<OperatorHandlers, 'listApprovals' | 'approve' | 'decline' | 'withdraw' | 'stopApproval'>;

/** The name for automatic decisions. */
const TOWN = { id: null, name: TOWN_NAME, words: null };

export function approvalHandlers(context: ConsoleContext, acts: Acts): ApprovalCalls {
  const { now } = context;
  return {
    listApprovals: async ({ operator, query: { state = 'waiting', page = 1 } }) => {
      const list = { isWaiting: state === 'waiting', operatorId: operator.id, actions: listActsFor(operator.caps) };
      const { rows, hasMore } = await readPage(page, APPROVALS_PAGE, (bounds) =>
        listApprovalRows(context.db, list, bounds),
      );
      return { items: rows.map((row) => viewOf(row, operator)), hasMore };
    },
    approve: async ({ operator, params, body }) => {
      await transactWithEffects(context, async (inside) => {
        await lockAudit(inside.db);
        const row = await lockWaiting(inside, params.id);
        await checkDecider(inside, row, operator);
        const asker = (await findAsker(inside, row)) ?? refuse('wrongStatus', { message: ASKER_HAS_LEFT });
        await endApproval(inside.db, row.id, { to: 'approved', by: operator.id, at: now(), words: body.reason });
        const second = { id: operator.id, name: operator.fullname, words: body.reason };
        await runApproved(inside, acts, { ...requestOf(row, asker), second });
      });
      return {};
    },
    decline: ({ operator, params, body }) =>
      decideAgainst(context, operator, {
        ...{ id: params.id, words: body.reason, to: 'declined' },
        check: (inside, row) => checkDecider(inside, row, operator),
      }),
    withdraw: ({ operator, params, body }) =>
      decideAgainst(context, operator, {
        ...{ id: params.id, words: body.reason, to: 'withdrawn' },
        check: async (_inside, row) => {
          if (row.askedBy !== operator.id) refuse('notFound');
        },
      }),
    stopApproval: async ({ body, from }) => {
      await context.rateLimits.countSecretAttempt(from);
      // Looked up before the lock, so that guesses do not make operators wait.
      const id = (await findApprovalOfLink(context.db, body.token)) ?? refuse('notWaiting');
      await transactWithEffects(context, async (inside) => {
        await lockAudit(inside.db);
        const row = await lockWaiting(inside, id);
        await endApproval(inside.db, id, { to: 'declined', by: null, at: now(), words: 'Stopped by mail' });
        await writeDecision(inside, row, { ...TOWN, action: 'stop', words: 'Stopped with the link of the mail' });
      });
      return {};
    },
  };
}

async function lockWaiting({ db }: ConsoleContext, id: string): Promise<ApprovalRow> {
  const row = orNotFound(await lockApproval(db, id));
  if (row.status !== 'waiting') refuse('notWaiting');
  return row;
}

const ASKER_HAS_LEFT = 'Who asked for this may no longer ask for it';

/** The second operator needs the same right, is not the requester, and is not the subject. */
async function checkDecider(inside: ConsoleContext, row: ApprovalRow, operator: SignedInOperator): Promise<void> {
  const call =
    callOf(row.action) ?? refuse('wrongStatus', { message: 'This release does not know what was asked for' });
  await confirmRights(inside, operator, call);
  if (row.askedBy === operator.id) refuse('notYourOwn');
  // In a town with two operators, the one who lost the phone approves at the machine of the server.
  const mayBeAbout = row.action === 'resetFactor' && isFromCommandLine(operator);
  if (row.subjectKind === 'operator' && row.subjectId === operator.id && !mayBeAbout) refuse('notYourOwn');
  const takesCode = call.act?.takesCode || row.cents !== null;
  if (takesCode && !isCodeFresh(operator.session, inside.now())) refuse('codeTooOld');
}

/** The requester. Undefined when they have left, or lost the right since. */
async function findAsker(inside: ConsoleContext, row: ApprovalRow): Promise<Operator | undefined> {
  const call = callOf(row.action);
  const asker = await findLiveOperator(inside, row.askedBy);
  return asker && call && hasRight(asker.caps, call) ? asker : undefined;
}

type Against = {
  readonly id: string;
  readonly words: string;
  readonly to: 'declined' | 'withdrawn';
  readonly check: (inside: ConsoleContext, row: ApprovalRow) => Promise<void>;
};

async function decideAgainst(
  context: ConsoleContext,
  operator: SignedInOperator,
  { id, words, to, check }: Against,
): Promise<Record<string, never>> {
  await transactWithEffects(context, async (inside) => {
    await lockAudit(inside.db);
    const row = await lockWaiting(inside, id);
    await check(inside, row);
    await endApproval(inside.db, id, { to, by: operator.id, at: inside.now(), words });
    const action = to === 'declined' ? 'decline' : 'withdraw';
    await writeDecision(inside, row, { id: operator.id, name: operator.fullname, action, words });
  });
  return {};
}

type DecisionBy = {
  id: string | null;
  name: string;
  action: 'decline' | 'withdraw' | 'stop' | 'expire';
  words: string;
};

function writeDecision({ db, now }: ConsoleContext, row: ApprovalRow, by: DecisionBy): Promise<void> {
  return writeAudit(db, {
    ...{ at: now(), operatorId: by.id, operatorName: by.name, action: by.action, reason: by.words, cents: row.cents },
    ...{ subjectKind: row.subjectKind, subjectId: row.subjectId, approvedBy: null, approvedByName: null },
    approvalId: row.id,
    details: JSON.stringify({ act: row.action, askedBy: row.askedByName }),
    requestId: readRequestId() ?? null,
  });
}

/** The stored request, in the name of the requester. */
function requestOf({ id: approvalId, action: name, params, body, cents }: ApprovalRow, operator: Operator) {
  return { operator, approvalId, cents, request: { name, params, body } };
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
    decidedBy: row.decidedAt === null ? null : { id: row.decidedBy, name: row.decidedByName ?? TOWN.name },
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
  actions: APPROVAL_TIMER_ROWS.map(({ action }) => action),
  wakes: [],
  lock: async (inside, { subjectId, action }) => {
    const row = await lockDue(inside, subjectId);
    return (
      row &&
      (() => (action === 'expire' ? expire(inside, row, 'Nobody has answered in time') : ripen(inside, acts, row)))
    );
  },
  // The act is no longer possible, so the request ends.
  lockAfter: async (inside, { subjectId }, { message }) => {
    const row = await lockDue(inside, subjectId);
    return row && (() => expire(inside, row, `It was no longer possible: ${message}`));
  },
});

async function lockDue({ db }: ConsoleContext, id: string): Promise<ApprovalRow | undefined> {
  await lockAudit(db);
  const row = await lockApproval(db, id);
  return row?.status === 'waiting' ? row : undefined;
}

async function ripen(inside: ConsoleContext, acts: Acts, row: ApprovalRow): Promise<void> {
  // There is, or was recently, another operator who can answer, so it waits until it expires.
  if (!row.isStopMailed || !(await hasOneOperator(inside.db, inside.now()))) return;
  const asker = (await findAsker(inside, row)) ?? refuse('wrongStatus', { message: ASKER_HAS_LEFT });
  await endApproval(inside.db, row.id, { to: 'approved', by: null, at: inside.now(), words: null });
  await runApproved(inside, acts, { ...requestOf(row, asker), second: TOWN });
  await queueAutoApprovedMail(
    inside,
    `${row.askedByName} had asked for: ${callOf(row.action)?.summary}. The reason: ${row.reason}`,
  );
}

async function expire(inside: ConsoleContext, row: ApprovalRow, words: string): Promise<void> {
  await endApproval(inside.db, row.id, { to: 'expired', by: null, at: inside.now(), words });
  await writeDecision(inside, row, { ...TOWN, action: 'expire', words });
}
