import type { Role } from '../../domain/accounts.ts';
import {
  ADMISSION_TIMER_ROWS,
  endOfAdmission,
  GRACE_MS,
  isHeldUnadmitted,
  isWorkerRole,
  type WorkerRole,
} from '../../domain/admissions.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { TimerRow } from '../jobs/timers.sql.ts';
import { readSettings } from '../settings.sql.ts';
import { replaceTimers, setAdmissionHold } from './admissionHolds.sql.ts';
import { type MailContext, queueWelcomeMail } from './admissionMails.ts';
import {
  type Admission,
  findAdmission,
  hasWorked,
  insertAdmission,
  listOpenDocuments,
  listRequirements,
  readIsAsking,
} from './admissions.sql.ts';

/** Inside of a transaction that has locked the worker. */
export type Inside = Pick<Context, 'newId' | 'now'> & { readonly db: Tx };

/** A new worker of a town that asks for documents is kept from work until they are admitted. Returns whether they are. */
export async function enrolNewWorker(inside: MailContext, { id, role }: { id: string; role: Role }): Promise<boolean> {
  if (!isWorkerRole(role) || !(await readIsAsking(inside.db, inside.now()))) return false;
  await queueWelcomeMail(inside, id);
  return applyAdmission(inside, await createAdmission(inside, { id, role, worksUntil: null }));
}

/** Makes the admission of somebody who was there before the town asked. Who has worked works on for a while. */
export async function enrolWorker(inside: Inside, worker: { id: string; role: WorkerRole }): Promise<Admission> {
  // Who sends before the day from which it counts gets their time when it comes.
  const isAsking = await readIsAsking(inside.db, inside.now());
  const worksUntil = isAsking && (await hasWorked(inside.db, worker)) ? endOfGrace(inside.now()) : null;
  return createAdmission(inside, { ...worker, worksUntil });
}

type NewWorker = { readonly id: string; readonly role: WorkerRole; readonly worksUntil: Date | null };

async function createAdmission({ db, now }: Inside, worker: NewWorker): Promise<Admission> {
  await insertAdmission(db, worker, now());
  return (await findAdmission(db, worker.id)) as Admission;
}

/** Until when somebody works on who worked before the town asked. */
export const endOfGrace = (now: Date): Date => new Date(now.getTime() + GRACE_MS);

/**
 * Makes true what an admission says: whether the worker is kept from new work, and when the server does something by itself.
 * Returns whether they are newly kept from it, or no longer.
 */
export async function applyAdmission(inside: Inside, admission: Admission, by: string | null = null): Promise<boolean> {
  const { db: tx, now, newId } = inside;
  const at = now();
  const isAsking = await readIsAsking(tx, at);
  const end = isAsking ? await endOf(inside, admission) : null;
  await replaceTimers(tx, admission, end ? rowsFor(admission, end, at) : [], end ?? at);
  // A town may ask the workers of one role only.
  const isNeeded = (await listRequirements(tx, admission.role)).some(({ needed }) => needed);
  const isHeld = isAsking && isNeeded && isHeldUnadmitted(admission, at);
  return setAdmissionHold(tx, admission.id, { isHeld, newId, at, by });
}

/** When a worker may no longer work unless something happens; null when nothing ends by itself. */
export async function endOf(
  { db: tx, now }: Inside,
  { id, role, status, worksUntil }: Admission,
): Promise<Date | null> {
  if (status !== 'active') return status === 'refused' ? null : worksUntil;
  const [requirements, documents] = [await listRequirements(tx, role), await listOpenDocuments(tx, id)];
  const { timeZone } = await readSettings(tx, now());
  return endOfAdmission(
    requirements,
    documents.filter(({ state }) => state === 'accepted'),
    timeZone,
  );
}

/** The timers that start now. A warning whose time is over is left out; the end itself is late, and comes now. */
const rowsFor = ({ status }: Admission, end: Date, at: Date): TimerRow[] =>
  ADMISSION_TIMER_ROWS.filter(
    ({ from, after }) =>
      from === status && (after === 0 ? status === 'active' || end > at : end.getTime() + after > at.getTime()),
  );
