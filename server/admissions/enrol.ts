import type { Role } from '../../domain/accounts.ts';
import {
  type DocumentKind,
  GRACE_MS,
  hasRequirements,
  isHeldUnadmitted,
  isWorkerRole,
  neededKinds,
  type WorkerRole,
} from '../../domain/admissions.ts';
import { type MailContext, queueWelcomeMail } from './admissionMails.ts';
import {
  type Admission,
  areDocumentsRequired,
  findAdmission,
  hasWorked,
  insertAdmission,
  listRequirements,
  readRequirementPeriod,
  updateAdmission,
} from './admissions.sql.ts';
import { type AdmissionTx, applyAdmission } from './applyAdmission.ts';
import { listMissing } from './facts.ts';

/** Sets the admission restriction of a new worker in a town that requires documents. Returns whether it did. */
export async function enrolNewWorker(inside: MailContext, { id, role }: { id: string; role: Role }): Promise<boolean> {
  if (!isWorkerRole(role) || !(await areDocumentsRequired(inside.db, inside.now()))) return false;
  // A role without requirements starts without a restriction.
  if (!hasRequirements(await listRequirements(inside.db, role))) return false;
  await queueWelcomeMail(inside, id);
  return applyAdmission(inside, await createAdmission(inside, { id, role, worksUntil: null }));
}

/** Creates the admission of an existing worker. One who has worked gets a grace period. */
export async function enrolWorker(inside: AdmissionTx, worker: { id: string; role: WorkerRole }): Promise<Admission> {
  // A worker who sends documents before the policy starts gets the grace period when it does.
  const isAsking = await areDocumentsRequired(inside.db, inside.now());
  const worksUntil = isAsking && (await hasWorked(inside.db, worker)) ? endOfGrace(inside.now()) : null;
  return createAdmission(inside, { ...worker, worksUntil });
}

type NewWorker = { readonly id: string; readonly role: WorkerRole; readonly worksUntil: Date | null };

async function createAdmission({ db, now }: AdmissionTx, worker: NewWorker): Promise<Admission> {
  const askedFor = neededKinds(await listRequirements(db, worker.role));
  await insertAdmission(db, { ...worker, askedFor }, now());
  return (await findAdmission(db, worker.id)) as Admission;
}

/** The end of the grace period. */
const endOfGrace = (now: Date): Date => new Date(now.getTime() + GRACE_MS);

type Asked = {
  readonly admission: Admission;
  /** The documents to send now: all missing ones, or the new requirements. Empty when the worker was asked before. */
  readonly kinds: readonly DocumentKind[];
  readonly isBesides: boolean;
};

/**
 * Asks a worker for documents once: when they were not asked since documents are required, or not for all present requirements. A
 * worker who has worked gets a grace period.
 */
export async function requestDocumentsOnce(inside: AdmissionTx, admission: Admission): Promise<Asked> {
  const { db: tx, now } = inside;
  const { status, askedAt, askedFor } = admission;
  const { since } = await readRequirementPeriod(tx, now());
  if (since === null) return { admission, kinds: [], isBesides: false };
  const requirements = await listRequirements(tx, admission.role);
  const needed = neededKinds(requirements);
  const isFirst = askedAt < since || askedFor?.length === 0;
  const missing = await listMissing(inside, admission, requirements);
  const asked = isFirst ? [] : (askedFor ?? (status === 'active' ? [] : needed));
  const kinds = missing.filter((kind) => !asked.includes(kind));
  const isAsked = isFirst ? needed.length > 0 : kinds.length > 0;
  if (!isAsked && String(askedFor) === String(needed)) return { admission, kinds: [], isBesides: false };
  const isWorking = askedAt >= since && (!isFirst || status === 'active') && !isHeldUnadmitted(admission, now());
  const mayGoOn = isWorking || (isFirst && (await hasWorked(tx, admission)));
  const isSettled = status === 'refused' || (status === 'active' && missing.length === 0);
  // Without an end, somebody who was admitted would never need what is missing.
  const end = mayGoOn ? endOfGrace(now()) : status === 'active' ? now() : null;
  const change = isAsked
    ? { worksUntil: isSettled ? null : end, askedAt: now() }
    : { worksUntil: admission.worksUntil };
  const changed = await updateAdmission(tx, admission, { status, askedFor: needed, ...change }, now());
  return { admission: changed, kinds: isAsked && status !== 'refused' ? kinds : [], isBesides: !isFirst };
}
