import { failureOfNeed } from '../../contract/failures.ts';
import { type AdmissionStatus, type DocumentKind, daysUntil, lastDayOf } from '../../domain/admissions.ts';
import { localDate } from '../../domain/localDays.ts';
import {
  ADMISSION_NEEDS,
  ADMISSION_ROWS,
  type AdmissionFacts,
  type AdmissionRow,
  hasAdmissionRow,
  REVIEW_ACTIONS,
} from '../../domain/process/admission.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import {
  type Refused,
  type StepDone,
  type StepSubject,
  type StepTaken,
  SYSTEM,
  takeStepIn,
  tryStep,
} from '../process/takeStep.ts';
import {
  type MailContext,
  queueAdmittedMail,
  queueAskedAgainMail,
  queueLapsedMail,
  queueReconsideredMail,
  queueRefusedMail,
  queueWarningMail,
} from './admissionMails.ts';
import {
  type Admission,
  findAdmission,
  lockAdmission,
  readTakesDocuments,
  updateAdmission,
  updateDocuments,
} from './admissions.sql.ts';
import { applyAdmissionEverywhere } from './applyAdmission.ts';
import { endOfKeeping } from './documentErasure.ts';
import { requestDocumentsOnce } from './enrol.ts';
import { type AdmissionRecord, type AdmissionRequest, listExpired, readFacts, takenOf } from './facts.ts';

type AdmissionKind = {
  readonly actor: { readonly role: 'Operator'; readonly id: string } | typeof SYSTEM;
  readonly row: AdmissionRow;
  readonly request: AdmissionRequest;
  readonly locked: Admission | undefined;
  readonly facts: AdmissionRecord;
  readonly needed: AdmissionFacts;
  /** The admission after the step, and the documents that were accepted or sent back. */
  readonly answer: { readonly admission: Admission; readonly kinds: readonly DocumentKind[] };
};
type AdmissionDone = StepDone<AdmissionKind>;

/** Takes the decision of an operator about a worker, in the transaction of an act. */
export const takeAdmissionStep = (
  inside: MailContext,
  actor: AdmissionKind['actor'],
  request: AdmissionRequest,
): Promise<AdmissionKind['answer']> => takeStepIn(inside.db, admissionsOf(inside), actor, request, inside.now);

/** A row of the System, if it fits. The caller has locked the worker. */
export const tryAdmissionStep = (inside: MailContext, locked: Admission, action: AdmissionRequest['action']) =>
  tryStep(inside.db, admissionsOf(inside), { actor: SYSTEM, request: { id: locked.id, action }, locked }, inside.now());

/**
 * Takes the automatic step of a locked admission, if one fits: all documents are there, one is missing, or none is missing any more.
 * Returns its action.
 */
export async function reviewAdmission(inside: MailContext, admission: Admission) {
  const actions = REVIEW_ACTIONS.filter((action) => hasAdmissionRow(action, admission.status));
  for (const action of actions) if ((await tryAdmissionStep(inside, admission, action)).ok) return action;
  return undefined;
}

/** The same for an admission that has changed otherwise: its restriction and its timers follow in any case. */
export async function reviewAndApply(inside: MailContext, admission: Admission) {
  const action = await reviewAdmission(inside, admission);
  if (!action) await applyAdmissionEverywhere(inside, admission, null);
  return action;
}

const admissionsOf = (inside: MailContext): StepSubject<AdmissionKind> => ({
  rows: ADMISSION_ROWS,
  needs: ADMISSION_NEEDS,
  lock: async (tx, _actor, id) => {
    const found = await lockAdmission(tx, id);
    return found && (await requestDocumentsOnce(inside, found)).admission;
  },
  readFacts: async (_tx, { request, locked }, at) => locked && { ...(await readFacts(inside, locked, request)), at },
  refuse: refuseStep,
  write: writeStep,
  effects: [
    (tx, done) => updateDocumentsOf(tx, done),
    (_tx, done) => applyAndReview(inside, done),
    (_tx, done) => notifyWorker(inside, done),
  ],
  wakes: () => ['mail'],
});

async function refuseStep(tx: Tx, { facts, why, now }: Refused<AdmissionKind>): Promise<never> {
  if (!(await readTakesDocuments(tx, now))) return refuse('documentsNotAsked');
  if (!facts || why.why !== 'need')
    return refuse('wrongStatus', { message: `The documents of this person are ${wordsOf(facts?.status)} now` });
  const { missing, past } = facts;
  if (why.need === 'some-wait') return refuse('wrongStatus', { message: 'Nothing waits to be looked at' });
  if (why.need === 'nothing-missing') return refuse('wrongStatus', { message: `Still missing: ${missing.join(', ')}` });
  if (why.need === 'none-expired')
    return refuse('wrongStatus', { message: `The ${past?.kind} has expired. Ask for it again` });
  return refuse(failureOfNeed(why.need) ?? 'wrongStatus');
}

const wordsOf = (status: AdmissionStatus = 'new') =>
  ({
    new: 'not complete',
    waiting: 'to be looked at',
    asked: 'not complete',
    active: 'accepted',
    lapsed: 'expired or missing',
    refused: 'refused',
  })[status];

async function writeStep(
  tx: Tx,
  { row, actor, facts, at }: StepTaken<AdmissionKind>,
): Promise<AdmissionKind['answer']> {
  const kinds = (row.documents === 'accept' ? facts.waiting : facts.returned).map(({ kind }) => kind);
  if (!row.sets) return { admission: facts.admission, kinds };
  const { worksUntil } = row.sets(takenOf(facts, at));
  const change = { status: row.to, worksUntil, decidedBy: actor.id ?? undefined };
  return { admission: await updateAdmission(tx, facts.admission, change, at), kinds };
}

/** Changes the documents that the step is about. */
async function updateDocumentsOf(tx: Tx, { row, actor, facts, at }: AdmissionDone): Promise<undefined> {
  const by = actor.id ?? undefined;
  const idsOf = (documents: readonly { readonly id: string }[]) => documents.map(({ id }) => id);
  if (row.documents === 'accept') await acceptWaiting(tx, facts, { by, at });
  if (row.documents === 'send-back')
    for (const { id, why } of facts.returned) await updateDocuments(tx, [id], { state: 'asked-again', by, why }, at);
  const eraseAt = endOfKeeping(at);
  if (row.documents === 'refuse') await updateDocuments(tx, idsOf(facts.open), { state: 'refused', by, eraseAt }, at);
  if (row.documents === 'expire') await updateDocuments(tx, idsOf(facts.expired), { state: 'expired', eraseAt }, at);
}

async function acceptWaiting(
  tx: Tx,
  { open, waiting, requirements, timeZone }: AdmissionRecord,
  { by, at }: { readonly by: string | undefined; readonly at: Date },
): Promise<void> {
  for (const { id, kind, expiresOn } of waiting) {
    // One document of each kind counts.
    const before = open.filter((one) => one.kind === kind && one.state === 'accepted').map((one) => one.id);
    await updateDocuments(tx, before, { state: 'replaced', eraseAt: endOfKeeping(at) }, at);
    const requirement = requirements.find((one) => one.kind === kind) ?? { renewDays: null };
    const lastDay = lastDayOf(expiresOn, requirement, localDate(at, timeZone));
    await updateDocuments(tx, [id], { state: 'accepted', by, lastDay }, at);
  }
}

/** The restriction, the timers and the pictures of the worker follow the admission. A mail alone changes nothing. */
async function applyAndReview(inside: MailContext, { row, actor, answer }: AdmissionDone): Promise<undefined> {
  if (!row.sets || (row.reviews === 'before' && (await reviewAdmission(inside, answer.admission)))) return;
  await applyAdmissionEverywhere(inside, answer.admission, actor.id);
  if (row.reviews === 'after') await reviewAdmission(inside, answer.admission);
}

async function notifyWorker(inside: MailContext, { row, request, facts, at }: AdmissionDone): Promise<undefined> {
  const { id, reason = '' } = request;
  const { notifies } = row;
  if (notifies === 'admitted') await queueAdmittedMail(inside, id, facts.status === 'active');
  if (notifies === 'asked-again') await queueAskedAgainMail(inside, id, facts.returned);
  if (notifies === 'refused') await queueRefusedMail(inside, id, reason);
  if (notifies === 'reconsidered') await queueReconsideredMail(inside, id);
  if (notifies === 'lapsed') {
    const expired = row.documents === 'expire' ? facts.expired : [];
    const kinds = expired.map(({ kind }) => kind);
    await queueLapsedMail(inside, orNotFound(await findAdmission(inside.db, id)), kinds);
  }
  if (notifies === 'warned' && facts.end) {
    const expired = facts.status === 'active' ? listExpired(facts, facts.end) : [];
    const kinds = expired.map(({ kind }) => kind);
    await queueWarningMail(inside, id, { kinds, end: facts.end, days: daysUntil(facts.end, at) });
  }
}
