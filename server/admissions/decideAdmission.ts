import {
  type AdmissionAction,
  type AdmissionStatus,
  ENDED_DOCUMENT_KEPT_MS,
  graceLeft,
  isPast,
  lastDayOf,
  statusAfter,
} from '../../domain/admissions.ts';
import { localDate } from '../../domain/localDays.ts';
import { showScrub } from '../accounts/accounts.ts';
import { refuse } from '../http/refusals.ts';
import { readSettings } from '../settings.sql.ts';
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
import { listMissing } from './documents.ts';
import { applyAdmission } from './enrol.ts';

/** Who decides about whom, in the transaction of an act. */
export type Decision = { readonly id: string; readonly by: string };

type OpenDocument = Awaited<ReturnType<typeof listOpenDocuments>>[number];

/** Locks a worker whose admission can take a step now. */
async function lockFor({ db: tx, now }: MailContext, { id }: Decision, action: AdmissionAction) {
  if (!(await readTakesDocuments(tx, now()))) refuse('documentsNotAsked');
  const admission = await lockAdmission(tx, id);
  const to = admission && statusAfter(action, admission.status);
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
    lapsed: 'expired',
    refused: 'refused',
  })[status];

type Step = { readonly admission: Admission; readonly to: AdmissionStatus };

async function take(context: MailContext, { admission, to }: Step, by: string, keepsGrace: boolean): Promise<void> {
  const worksUntil = keepsGrace ? graceLeft(admission.worksUntil, context.now()) : null;
  const changed = await updateAdmission(
    context.db,
    admission,
    { status: to, worksUntil, decidedBy: by },
    context.now(),
  );
  await applyAndShow(context, changed, by);
}

/** Makes an admission true, also for the search that finds Scrubs. */
export async function applyAndShow(context: MailContext, admission: Admission, by: string | null): Promise<void> {
  const hasChanged = await applyAdmission(context, admission, by);
  if (hasChanged && admission.role === 'Scrub') await showScrub(context.db, admission.id);
}

/** Accepts the documents that wait. `seen` are those that the operator has looked at. */
export async function admitWorker(
  context: MailContext,
  { id, by }: Decision,
  seen: readonly string[],
): Promise<{ accepted: string[] }> {
  const { db: tx, now } = context;
  const { admission, to, open } = await lockFor(context, { id, by }, 'admit');
  const waiting = open.filter(({ state }) => state === 'waiting');
  refuseUnseen(waiting, seen);
  const requirements = await listRequirements(tx, admission.role);
  const missing = await listMissing(context, admission, requirements);
  if (missing.length > 0) refuse('wrongStatus', { message: `Still missing: ${missing.join(', ')}` });
  const { timeZone } = await readSettings(tx, now());
  const past = waiting.find(({ expiresOn }) => isPast(expiresOn, now(), timeZone));
  if (past) refuse('wrongStatus', { message: `The ${past.kind} has expired. Ask for it again` });
  for (const document of waiting) {
    await replaceAccepted(context, open, document);
    const requirement = requirements.find(({ kind }) => kind === document.kind) ?? { renewDays: null };
    const lastDay = lastDayOf(document.expiresOn, requirement, localDate(now(), timeZone));
    await updateDocuments(tx, [document.id], { state: 'accepted', by, lastDay }, now());
  }
  await take(context, { admission, to }, by, false);
  await queueAdmittedMail(context, id, admission.status === 'active');
  return { accepted: waiting.map(({ kind }) => kind) };
}

function refuseUnseen(waiting: readonly OpenDocument[], seen: readonly string[]): void {
  if (waiting.length === 0) refuse('wrongStatus', { message: 'Nothing waits to be looked at' });
  if (waiting.length !== new Set(seen).size || !waiting.every(({ id }) => seen.includes(id)))
    refuse('documentsChanged');
}

/** One document of each kind counts. */
async function replaceAccepted({ db, now }: MailContext, open: readonly OpenDocument[], { kind }: OpenDocument) {
  const before = open.filter((one) => one.kind === kind && one.state === 'accepted').map(({ id }) => id);
  await updateDocuments(db, before, { state: 'replaced', eraseAt: endOfKeeping(now()) }, now());
}

const endOfKeeping = (now: Date) => new Date(now.getTime() + ENDED_DOCUMENT_KEPT_MS);

/** Sends documents back, each with what is wrong with it. */
export async function askAgain(
  context: MailContext,
  { id, by }: Decision,
  asked: readonly { readonly id: string; readonly why: string }[],
): Promise<{ kinds: string[] }> {
  const { admission, to, open } = await lockFor(context, { id, by }, 'ask-again');
  const back = asked.map(({ id: documentId, why }) => {
    const document = open.find((one) => one.id === documentId && one.state === 'waiting');
    return { ...(document ?? refuse('documentsChanged')), why };
  });
  for (const { id: documentId, why } of back)
    await updateDocuments(context.db, [documentId], { state: 'asked-again', by, why }, context.now());
  await take(context, { admission, to }, by, true);
  await queueAskedAgainMail(context, id, back);
  return { kinds: back.map(({ kind }) => kind) };
}

/** Refuses somebody for good, as far as nobody thinks again. */
export async function refuseWorker(context: MailContext, { id, by }: Decision, reason: string): Promise<void> {
  const { admission, to, open } = await lockFor(context, { id, by }, 'refuse');
  const ids = open.map((document) => document.id);
  await updateDocuments(context.db, ids, { state: 'refused', by, eraseAt: endOfKeeping(context.now()) }, context.now());
  await take(context, { admission, to }, by, false);
  await queueRefusedMail(context, id, reason);
}

/** Lets somebody who was refused send documents again. */
export async function reconsiderWorker(context: MailContext, { id, by }: Decision): Promise<void> {
  const { admission, to } = await lockFor(context, { id, by }, 'reconsider');
  await take(context, { admission, to }, by, false);
  await queueReconsideredMail(context, id);
}
