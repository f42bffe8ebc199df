import {
  type AdmissionAction,
  type AdmissionStatus,
  admissionStatusAfter,
  graceUntil,
  isExpired,
  lastDayOf,
} from '../../domain/admissions.ts';
import { localDate } from '../../domain/localDays.ts';
import { refuse } from '../http/refusals.ts';
import { readSettings } from '../town/settings.sql.ts';
import {
  type MailContext,
  queueAdmittedMail,
  queueAskedAgainMail,
  queueReconsideredMail,
  queueRefusedMail,
} from './admissionMails.ts';
import {
  type Admission,
  listOpenDocuments,
  listRequirements,
  lockAdmission,
  readTakesDocuments,
  updateAdmission,
  updateDocuments,
} from './admissions.sql.ts';
import { applyAdmissionEverywhere } from './applyEverywhere.ts';
import { endOfKeeping } from './documentErasure.ts';
import { requestDocumentsOnce } from './enrol.ts';
import { listMissing, reviewAdmission } from './reviewAdmission.ts';

/** The worker and the operator, in the transaction of an act. */
export type Decision = { readonly id: string; readonly by: string };

type OpenDocument = Awaited<ReturnType<typeof listOpenDocuments>>[number];

/** Locks a worker whose admission can take a step now. */
async function lockFor(context: MailContext, { id }: Decision, action: AdmissionAction) {
  const { db: tx, now } = context;
  if (!(await readTakesDocuments(tx, now()))) refuse('documentsNotAsked');
  const found = await lockAdmission(tx, id);
  const admission = found && (await requestDocumentsOnce(context, found)).admission;
  const to = admission && admissionStatusAfter(action, admission.status);
  if (!admission || to === undefined)
    return refuse('wrongStatus', { message: `The documents of this person are ${wordsOf(admission?.status)} now` });
  return { admission, to, open: await listOpenDocuments(tx, id) };
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

type Step = { readonly admission: Admission; readonly to: AdmissionStatus };

async function take(
  context: MailContext,
  { admission, to }: Step,
  by: string,
  keepsGrace: boolean,
): Promise<Admission> {
  // An admitted worker who was asked for more has a grace period, which may be over.
  const left = to === 'active' ? admission.worksUntil : graceUntil(admission.worksUntil, context.now());
  const worksUntil = keepsGrace ? left : null;
  const changed = await updateAdmission(
    context.db,
    admission,
    { status: to, worksUntil, decidedBy: by },
    context.now(),
  );
  await applyAdmissionEverywhere(context, changed, by);
  return changed;
}

/** The documents that an operator has seen, and until when they could be read. */
export type ReviewedDocuments = { readonly documents: readonly string[]; readonly until: Date | null };

/** Accepts the documents that wait, if the operator has seen all of them. */
export async function admitWorker(
  context: MailContext,
  { id, by }: Decision,
  seen: ReviewedDocuments,
): Promise<{ accepted: string[] }> {
  const { db: tx, now } = context;
  const { admission, to, open } = await lockFor(context, { id, by }, 'admit');
  const waiting = open.filter(({ state }) => state === 'waiting');
  refuseUnseen(waiting, seen);
  const requirements = await listRequirements(tx, admission.role);
  const missing = await listMissing(context, admission, requirements);
  // An admitted worker who was asked for more can renew other documents meanwhile.
  if (missing.length > 0 && to !== admission.status)
    refuse('wrongStatus', { message: `Still missing: ${missing.join(', ')}` });
  const { timeZone } = await readSettings(tx, now());
  const past = waiting.find(({ expiresOn }) => isExpired(expiresOn, now(), timeZone));
  if (past) refuse('wrongStatus', { message: `The ${past.kind} has expired. Ask for it again` });
  for (const document of waiting) {
    await replaceAccepted(context, open, document);
    const requirement = requirements.find(({ kind }) => kind === document.kind) ?? { renewDays: null };
    const lastDay = lastDayOf(document.expiresOn, requirement, localDate(now(), timeZone));
    await updateDocuments(tx, [document.id], { state: 'accepted', by, lastDay }, now());
  }
  await take(context, { admission, to }, by, missing.length > 0);
  await queueAdmittedMail(context, id, admission.status === 'active');
  return { accepted: waiting.map(({ kind }) => kind) };
}

function refuseUnseen(waiting: readonly OpenDocument[], { documents, until }: ReviewedDocuments): void {
  if (waiting.length === 0) refuse('wrongStatus', { message: 'Nothing waits to be looked at' });
  if (waiting.length !== new Set(documents).size || !waiting.every(({ id }) => documents.includes(id)))
    refuse('documentsChanged');
  // The operator could still read when the last document arrived.
  if (until === null || waiting.some(({ sentAt }) => sentAt >= until)) refuse('documentsHidden');
}

/** One document of each kind counts. */
async function replaceAccepted({ db, now }: MailContext, open: readonly OpenDocument[], { kind }: OpenDocument) {
  const before = open.filter((one) => one.kind === kind && one.state === 'accepted').map(({ id }) => id);
  await updateDocuments(db, before, { state: 'replaced', eraseAt: endOfKeeping(now()) }, now());
}

/** Sends documents back, each with the problem. */
export async function requestDocumentsAgain(
  context: MailContext,
  { id, by }: Decision,
  returned: readonly { readonly id: string; readonly why: string }[],
): Promise<{ kinds: string[] }> {
  const { admission, to, open } = await lockFor(context, { id, by }, 'ask-again');
  const back = returned.map(({ id: documentId, why }) => {
    const document = open.find((one) => one.id === documentId && one.state === 'waiting');
    return { ...(document ?? refuse('documentsChanged')), why };
  });
  for (const { id: documentId, why } of back)
    await updateDocuments(context.db, [documentId], { state: 'asked-again', by, why }, context.now());
  const asked = await take(context, { admission, to }, by, true);
  // What was sent back may not be needed: then an operator can still accept the rest.
  const { admission: reviewed, action } = await reviewAdmission(
    context,
    asked,
    await listRequirements(context.db, asked.role),
  );
  if (action) await applyAdmissionEverywhere(context, reviewed, null);
  await queueAskedAgainMail(context, id, back);
  return { kinds: back.map(({ kind }) => kind) };
}

/** Refuses a worker, until an operator reconsiders. */
export async function refuseWorker(context: MailContext, { id, by }: Decision, reason: string): Promise<void> {
  const { admission, to, open } = await lockFor(context, { id, by }, 'refuse');
  const ids = open.map((document) => document.id);
  await updateDocuments(context.db, ids, { state: 'refused', by, eraseAt: endOfKeeping(context.now()) }, context.now());
  await take(context, { admission, to }, by, false);
  await queueRefusedMail(context, id, reason);
}

/** Lets a refused worker send documents again. */
export async function reconsiderWorker(context: MailContext, { id, by }: Decision): Promise<void> {
  const { admission, to } = await lockFor(context, { id, by }, 'reconsider');
  await take(context, { admission, to }, by, false);
  await queueReconsideredMail(context, id);
}
