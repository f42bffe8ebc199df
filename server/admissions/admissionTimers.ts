import {
  ADMISSION_TIMER_ROWS,
  type AdmissionAction,
  type DocumentKind,
  ENDED_DOCUMENT_KEPT_MS,
  isPast,
  statusAfter,
  WARN_DAYS,
} from '../../domain/admissions.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { type DueTimer, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { readSettings } from '../settings.sql.ts';
import { type MailContext, queueLapsedMail, queueWarningMail } from './admissionMails.ts';
import {
  ADMISSIONS,
  type Admission,
  listOpenDocuments,
  listRequirements,
  lockAdmission,
  readIsAsking,
  updateAdmission,
  updateDocuments,
} from './admissions.sql.ts';
import { applyAndShow } from './decideAdmission.ts';
import { completeDocuments } from './documents.ts';
import { endOf } from './enrol.ts';

type Timers = Pick<Context, 'db' | 'now' | 'newId' | 'config' | 'wake' | 'log'>;

/** Warns workers whose documents expire, and keeps them from new work once they have. Returns how many timers were due. */
export async function runAdmissionTimers(context: Timers): Promise<number> {
  const due = await runDueTimers(context, ADMISSIONS, ADMISSION_TIMER_ROWS, (timer) => fire(context, timer));
  if (due > 0) context.wake('mail');
  return due;
}

async function fire(context: Timers, timer: DueTimer): Promise<void> {
  await transact(context.db, async (tx) => {
    const inside = { ...context, db: tx, wake: () => {} };
    const admission = await lockAdmission(tx, timer.subjectId);
    if (!admission || !(await takeTimer(tx, timer))) return;
    const to = statusAfter(timer.action as AdmissionAction, admission.status);
    if (to === undefined || !(await readIsAsking(tx, context.now()))) return;
    const days = WARN_DAYS.find((count) => timer.action === `warn-${count}`);
    if (days !== undefined) return warn(inside, admission, days);
    if (timer.action === 'lapse') return lapse(inside, admission, null);
    // The time is over that somebody works on without what is missing.
    const ended = await updateAdmission(tx, admission, { status: to, worksUntil: null }, context.now());
    await applyAndShow(inside, ended, null);
    await queueLapsedMail(inside, admission.id, []);
  });
}

async function warn(inside: MailContext, admission: Admission, days: number): Promise<void> {
  const end = await endOf(inside, admission);
  if (!end) return;
  const kinds = admission.status === 'active' ? await listKindsPast(inside, admission, end) : [];
  await queueWarningMail(inside, admission.id, { kinds, end, days });
}

/** The documents that do not count at a time, of those that are needed and accepted. */
async function listKindsPast({ db: tx, now }: MailContext, { id, role }: Admission, at: Date): Promise<DocumentKind[]> {
  const { timeZone } = await readSettings(tx, now());
  const needed = (await listRequirements(tx, role)).filter((one) => one.needed).map(({ kind }) => kind);
  return (await listOpenDocuments(tx, id))
    .filter(
      ({ kind, state, lastDay }) => state === 'accepted' && needed.includes(kind) && isPast(lastDay, at, timeZone),
    )
    .map(({ kind }) => kind);
}

/** Documents have expired: no new work until others are accepted, or until a time. */
export async function lapse(inside: MailContext, admission: Admission, worksUntil: Date | null): Promise<void> {
  const { db: tx, now } = inside;
  const kinds = await listKindsPast(inside, admission, now());
  const ids = (await listOpenDocuments(tx, admission.id))
    .filter(({ state, kind }) => state === 'accepted' && kinds.includes(kind))
    .map(({ id }) => id);
  const eraseAt = new Date(now().getTime() + ENDED_DOCUMENT_KEPT_MS);
  await updateDocuments(tx, ids, { state: 'expired', eraseAt }, now());
  const to = statusAfter('lapse', admission.status) ?? admission.status;
  const lapsed = await updateAdmission(tx, admission, { status: to, worksUntil }, now());
  await applyAndShow(inside, lapsed, null);
  // What is to take their place may wait already.
  await completeDocuments(inside, lapsed, await listRequirements(tx, admission.role));
  await queueLapsedMail(inside, admission.id, kinds);
}
