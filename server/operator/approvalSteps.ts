import { failureOfNeed } from '../../contract/failures.ts';
import { type Operator, TOWN_NAME } from '../../domain/operators.ts';
import {
  APPROVAL_NEEDS,
  APPROVAL_ROWS,
  type ApprovalFacts,
  type ApprovalRow as ApprovalStepRow,
} from '../../domain/process/approval.ts';
import type { Tx } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';
import { readRequestId } from '../log.ts';
import type { Acts, ConsoleContext, SignedInOperator } from '../operatorContext.ts';
import {
  type Refused,
  type StepDone,
  type StepSubject,
  type StepTaken,
  SYSTEM,
  takeStepIn,
  tryStep,
} from '../process/takeStep.ts';
import { runApproved } from './acts.ts';
import { queueAutoApprovedMail } from './approvalMails.ts';
import { type ApprovalRow, endApproval, hasOneOperator, listWaitingOf, lockApproval } from './approvals.sql.ts';
import { lockAudit, writeAudit } from './audit.sql.ts';
import { callOf, findCurrent, findLiveOperator, hasRight, isCodeFresh, isFromCommandLine } from './rights.ts';

/** An operator, or the town: a timer, or the link of the mail to its owner. */
export type ApprovalActor =
  | { readonly role: 'Operator'; readonly id: string; readonly operator: Operator | SignedInOperator }
  | typeof SYSTEM;
export const asActor = (operator: Operator | SignedInOperator) =>
  ({ role: 'Operator', id: operator.id, operator }) as const satisfies ApprovalActor;

export type ApprovalRequest = {
  readonly id: string;
  readonly action: ApprovalStepRow['action'];
  readonly words?: string;
};

type ApprovalKind = {
  readonly actor: ApprovalActor;
  readonly row: ApprovalStepRow;
  readonly request: ApprovalRequest;
  readonly locked: ApprovalRow | undefined;
  /** The asker is undefined when they have left, or lost the right since. */
  readonly facts: ApprovalRow & { readonly asker: Operator | undefined };
  readonly needed: ApprovalFacts;
  readonly answer: Record<string, never>;
};
type ApprovalDone = StepDone<ApprovalKind>;

/** Takes a step of a request for approval in the transaction `inside`. `acts` are those that can be approved. */
export const takeApprovalStep = (
  inside: ConsoleContext,
  acts: Acts,
  actor: ApprovalActor,
  request: ApprovalRequest,
): Promise<Record<string, never>> => takeStepIn(inside.db, approvalsOf(inside, acts), actor, request, inside.now);

/** A row of the System, if it fits. The caller has locked the request. */
export const tryApprovalStep = (
  inside: ConsoleContext,
  acts: Acts,
  locked: ApprovalRow,
  step: Pick<ApprovalRequest, 'action' | 'words'>,
) =>
  tryStep(
    inside.db,
    approvalsOf(inside, acts),
    { actor: SYSTEM, request: { ...step, id: locked.id }, locked },
    inside.now(),
  );

/** Ends the requests of an operator who leaves. Returns how many there were. */
export async function endApprovalsOf(
  inside: ConsoleContext,
  operator: Operator,
  { askerId, words }: { readonly askerId: string; readonly words: string },
): Promise<number> {
  const ids = await listWaitingOf(inside.db, askerId);
  for (const id of ids) {
    const request = { id, action: 'asker-left', words } as const;
    await takeStepIn(inside.db, approvalsOf(inside), asActor(operator), request, inside.now);
  }
  return ids.length;
}

export async function lockForStep(tx: Tx, id: string): Promise<ApprovalRow | undefined> {
  await lockAudit(tx);
  return lockApproval(tx, id);
}

const approvalsOf = (inside: ConsoleContext, acts?: Acts): StepSubject<ApprovalKind> => ({
  rows: APPROVAL_ROWS,
  needs: APPROVAL_NEEDS,
  lock: (tx, _actor, id) => lockForStep(tx, id),
  readFacts: async (_tx, { actor, request, locked: row }, at) => {
    if (!row) return undefined;
    const readsAsker = request.action === 'approve' || request.action === 'ripen';
    const asker = readsAsker ? await findAsker(inside, row) : undefined;
    const needed =
      actor.role === 'System' ? await readTown(inside, row) : await readDecider(inside, row, actor.operator);
    return { facts: { ...row, asker }, needed: { ...needed, mayAskerAsk: !readsAsker || asker !== undefined }, at };
  },
  refuse: refuseStep,
  write: writeStep,
  effects: [
    (_tx, done) => runAct(inside, acts, done),
    (tx, done) => auditDecision(tx, done),
    (_tx, done) => notifyTown(inside, done),
  ],
  wakes: () => [],
});

/** The requester. */
async function findAsker(inside: ConsoleContext, { action, askedBy }: ApprovalRow): Promise<Operator | undefined> {
  const call = callOf(action);
  const asker = await findLiveOperator(inside, askedBy);
  return asker && call && hasRight(asker.caps, call) ? asker : undefined;
}

const readTown = async ({ db, now }: ConsoleContext, { isStopMailed }: ApprovalRow): Promise<ApprovalFacts> => ({
  isStopMailed,
  isOneOperator: await hasOneOperator(db, now()),
});

/** The second operator needs the same right, is not the requester, and is not the subject. */
async function readDecider(
  inside: ConsoleContext,
  row: ApprovalRow,
  operator: Operator | SignedInOperator,
): Promise<ApprovalFacts> {
  const call = callOf(row.action);
  const current = await findCurrent(inside, operator);
  const signedIn = 'session' in operator ? operator : undefined;
  // In a town with two operators, the one who lost the phone approves at the machine of the server.
  const mayBeAbout = row.action === 'resetFactor' && signedIn !== undefined && isFromCommandLine(signedIn);
  const takesCode = call?.act?.takesCode || row.cents !== null;
  return {
    isActKnown: call !== undefined,
    isSignedIn: current !== undefined,
    hasRight: current !== undefined && call !== undefined && hasRight(current.caps, call),
    isAsker: row.askedBy === operator.id,
    isAboutThem: row.subjectKind === 'operator' && row.subjectId === operator.id && !mayBeAbout,
    isCodeFresh: !takesCode || (signedIn !== undefined && isCodeFresh(signedIn.session, inside.now())),
  };
}

const UNKNOWN_ACT = 'This release does not know what was asked for';
export const ASKER_HAS_LEFT = 'Who asked for this may no longer ask for it';

async function refuseStep(_tx: Tx, { facts, why }: Refused<ApprovalKind>): Promise<never> {
  if (!facts) return refuse('notFound');
  if (why.why !== 'need') return refuse('notWaiting');
  if (why.need === 'known-act') return refuse('wrongStatus', { message: UNKNOWN_ACT });
  if (why.need === 'asker-may-still') return refuse('wrongStatus', { message: ASKER_HAS_LEFT });
  return refuse(failureOfNeed(why.need) ?? 'wrongStatus');
}

async function writeStep(tx: Tx, { row, actor, request, at }: StepTaken<ApprovalKind>): Promise<Record<string, never>> {
  const to = row.to as Exclude<typeof row.to, 'waiting'>;
  await endApproval(tx, request.id, { to, by: actor.id, at, words: request.words ?? null });
  return {};
}

/** The name for automatic decisions. */
const TOWN = { id: null, name: TOWN_NAME, words: null };

/** Runs the stored request, in the name of the requester. */
async function runAct(inside: ConsoleContext, acts: Acts | undefined, done: ApprovalDone): Promise<undefined> {
  const { row, facts, actor, request } = done;
  if (!row.runs || !acts || !facts.asker) return;
  const { id: approvalId, action: name, params, body, cents, asker: operator } = facts;
  const words = request.words ?? null;
  const second = actor.role === 'System' ? TOWN : { id: actor.id, name: actor.operator.fullname, words };
  await runApproved(inside, acts, { operator, approvalId, cents, request: { name, params, body }, second });
}

async function auditDecision(tx: Tx, { row, facts, actor, request, at }: ApprovalDone): Promise<undefined> {
  if (!row.audits) return;
  const by = actor.role === 'System' ? TOWN : { id: actor.id, name: actor.operator.fullname };
  const reason = row.audits === 'stop' ? 'Stopped with the link of the mail' : (request.words ?? '');
  await writeAudit(tx, {
    ...{ at, operatorId: by.id, operatorName: by.name, action: row.audits, reason, cents: facts.cents },
    ...{ subjectKind: facts.subjectKind, subjectId: facts.subjectId, approvedBy: null, approvedByName: null },
    approvalId: facts.id,
    details: JSON.stringify({ act: facts.action, askedBy: facts.askedByName }),
    requestId: readRequestId() ?? null,
  });
}

async function notifyTown(inside: ConsoleContext, { row, facts }: ApprovalDone): Promise<undefined> {
  if (!row.notifies) return;
  const { askedByName, action, reason } = facts;
  await queueAutoApprovedMail(
    inside,
    `${askedByName} had asked for: ${callOf(action)?.summary}. The reason: ${reason}`,
  );
}
