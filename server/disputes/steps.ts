import type { LiableParty } from '../../domain/ledger.ts';
import { DISPUTE_NEEDS, type DisputeFacts } from '../../domain/needs.ts';
import { type Cents, formatDollars } from '../../domain/payments.ts';
import {
  DISPUTE_ROWS,
  type DisputeAction,
  type DisputeRow as DisputeStepRow,
  FOUND,
} from '../../domain/process/dispute.ts';
import { reasonText } from '../../texts/chargebacks.ts';
import { openCase } from '../cases/openCase.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import {
  type DisputeBearer,
  lockDisputedPayment,
  releaseDisputedCredits,
  writeDisputeEnd,
} from '../payments/earnings/disputeMoney.ts';
import {
  type Asked,
  checkStepIn,
  type Refused,
  type StepDone,
  type StepSubject,
  type StepTaken,
  SYSTEM,
  takeStep,
  tryStep,
} from '../process/takeStep.ts';
import {
  type DisputeRow,
  hasRunningDispute,
  lockDispute,
  markSettled,
  moveDispute,
  saveCall,
  savePrepared,
  startWarning,
} from './disputes.sql.ts';
import { findBearer } from './evidence.sql.ts';
import { renderEvidence } from './evidence.ts';

export { type DisputeRow, findDispute, listDisputeRows } from './disputes.sql.ts';
export { renderEvidence } from './evidence.ts';

type DisputeActor = { readonly role: 'Operator'; readonly id: null; readonly name: string } | typeof SYSTEM;

/** The request for a row of DISPUTE_ROWS. */
export type DisputeStepRequest = {
  readonly id: string;
  readonly action: DisputeAction;
  /** For `accept`: who bears the chargeback. */
  readonly liable?: LiableParty | undefined;
  readonly personId?: string | undefined;
};

/** A chargeback before a step. */
type DisputeRecord = DisputeRow & {
  /** Who is named to bear it; undefined when the report does not say which person of the order. */
  readonly bearer: DisputeBearer | undefined;
  /** What is kept for the bank, for `prepare`. */
  readonly pieces: readonly string[];
};

type DisputeKind = {
  readonly actor: DisputeActor;
  readonly row: DisputeStepRow;
  readonly request: DisputeStepRequest;
  readonly locked: DisputeRow | undefined;
  readonly facts: DisputeRecord;
  readonly needed: DisputeFacts;
  readonly answer: { readonly pieces: number; readonly bearer: DisputeBearer };
};

const DISPUTES: StepSubject<DisputeKind> = {
  rows: DISPUTE_ROWS,
  needs: DISPUTE_NEEDS,
  lock: (tx, _actor, id) => lockDispute(tx, id),
  readFacts,
  refuse: refuseStep,
  write: writeStep,
  effects: [applyDisputeEffects],
  wakes: () => ['payments'],
};

/** Takes one step of a chargeback for an operator. A worker tells the card network what they decide. */
export const takeDisputeStep = (
  context: Pick<Context, 'db' | 'now' | 'wake'>,
  actor: DisputeActor,
  request: DisputeStepRequest,
): Promise<DisputeKind['answer']> => takeStep(context, DISPUTES, actor, request);

/** What a step of an operator is about. Refuses one that cannot be taken now. */
export async function findDisputedCents(
  { db, now }: Pick<Context, 'db' | 'now'>,
  actor: DisputeActor,
  request: DisputeStepRequest,
): Promise<Cents> {
  return (await checkStepIn(db, DISPUTES, actor, request, now)).facts.cents;
}

/** A row of the System, if it fits. The caller has locked the chargeback. */
export const tryDisputeStep = (tx: Tx, locked: DisputeRow, action: DisputeAction, at: Date) =>
  tryStep(tx, DISPUTES, { actor: SYSTEM, request: { id: locked.id, action }, locked }, at);

async function readFacts(tx: Tx, { request, locked: row }: Asked<DisputeKind>, at: Date) {
  if (!row) return undefined;
  const isAccepted = request.action === 'accept';
  const bearer = isAccepted ? await findNamedBearer(tx, row.orderId, request) : bearerOf(row);
  const pieces = request.action === 'prepare' ? await renderEvidence(tx, row.orderId) : [];
  const needed = { hasCall: row.call !== null, isBearerKnown: bearer !== undefined };
  return { facts: { ...row, bearer, pieces }, needed, at };
}

/** The person of a liable side; null for the platform, undefined when it is not clear who it is. */
async function findNamedBearer(
  tx: Tx,
  orderId: string,
  { liable = 'platform', personId }: DisputeStepRequest,
): Promise<DisputeBearer | undefined> {
  if (liable === 'platform') return null;
  const userId = await findBearer(tx, orderId, { account: liable, personId });
  return userId === undefined ? undefined : { account: liable, userId };
}

const bearerOf = ({ liableAccount, liableUser }: DisputeRow): DisputeBearer =>
  liableAccount !== null && liableUser !== null ? { account: liableAccount, userId: liableUser } : null;

async function writeStep(tx: Tx, { row, facts, at }: StepTaken<DisputeKind>): Promise<DisputeKind['answer']> {
  const { id, pieces, bearer = null } = facts;
  await moveDispute(tx, id, { to: row.to, sets: row.sets?.({ at }) ?? {}, endsCall: row.endsCall === true });
  return { pieces: pieces.length, bearer };
}

/** Applies the effects of a step. The timer of `warn` sends the mail. */
async function applyDisputeEffects(
  tx: Tx,
  { row, actor, facts, answer, at }: StepDone<DisputeKind>,
): Promise<undefined> {
  const { id, orderId, cents: amount, debitEntry } = facts;
  const by = actor.role === 'Operator' ? actor.name : '';
  if (row.keeps) await savePrepared(tx, id, { evidence: [...facts.pieces], by }, at);
  if (row.calls) await saveCall(tx, id, { call: row.calls, bearer: row.calls === 'accept' ? answer.bearer : null }, at);
  if (row.settles && debitEntry !== null) {
    const budId = await lockDisputedPayment(tx, orderId);
    const end = { isWon: row.settles === 'won', bearer: answer.bearer };
    const entry = await writeDisputeEnd(tx, { orderId, budId, amount }, end, at);
    if (entry !== undefined) await markSettled(tx, id, entry);
  }
  if (row.opens) await openDisputeCase(tx, facts, at);
  if (row.startsWarning && facts.dueAt) await startWarning(tx, id, facts.dueAt);
  // Another chargeback of the order may still run.
  if (row.frees && !(await hasRunningDispute(tx, orderId))) await releaseDisputedCredits(tx, orderId, at);
}

/** Opens a case about a chargeback, if none is open. */
export async function openDisputeCase(
  tx: Tx,
  { orderId, cents, reason, dueAt }: Pick<DisputeRow, 'orderId' | 'cents' | 'reason' | 'dueAt'>,
  at: Date,
): Promise<void> {
  const until = dueAt ? ` The bank wants an answer by ${dueAt.toUTCString().slice(5, 16)}.` : '';
  const words = `The card holder contests ${formatDollars(cents)} at their bank. ${reasonText(reason)}.${until}`;
  await openCase(tx, { kind: FOUND.opens.case, orderId, reason, words }, at);
}

async function refuseStep(_tx: Tx, { facts, why }: Refused<DisputeKind>): Promise<never> {
  if (!facts) return refuse('notFound');
  if (facts.call !== null) return refuse('wrongStatus', { message: 'The card network is being told already' });
  if (why.why === 'need' && why.need === 'bearer-known')
    return refuseProperty('personId', 'isPerson', 'Say which person of the order bears it');
  return refuse('wrongStatus', { message: `This chargeback is ${facts.status}` });
}
