import {
  ADMISSION_TIMER_ROWS,
  type AdmissionAction,
  admissionStatusAfter,
  type DocumentKind,
  daysUntil,
  endOfDocument,
  graceUntil,
  isExpired,
  latestWarning,
  neededKinds,
} from '../../domain/admissions.ts';
import type { Context } from '../context.ts';
import type { TimerContext, TimerKind } from '../jobs/timers.ts';
import { readSettings } from '../town/settings.sql.ts';
import { type MailContext, queueLapsedMail, queueWarningMail } from './admissionMails.ts';
import {
  type Admission,
  areDocumentsRequired,
  listOpenDocuments,
  listRequirements,
  lockAdmission,
  updateAdmission,
  updateDocuments,
} from './admissions.sql.ts';
import { type AdmissionEnds, endsOf } from './applyAdmission.ts';
import { applyAdmissionEverywhere } from './applyEverywhere.ts';
import { endOfKeeping } from './documentErasure.ts';
import { reviewAdmission } from './reviewAdmission.ts';

/** Warns workers whose documents expire, and keeps them from new work once they have. */
export const ADMISSION_TIMERS: TimerKind<TimerContext & Pick<Context, 'newId' | 'config'>> = {
  subject: 'admission',
  actions: [...new Set(ADMISSION_TIMER_ROWS.map(({ action }) => action))],
  wakes: ['mail'],
  lock: async (inside, { subjectId, action }) => {
    const admission = await lockAdmission(inside.db, subjectId);
    return admission && (() => fire(inside, admission, action as AdmissionAction));
  },
};

async function fire(inside: MailContext, admission: Admission, action: AdmissionAction): Promise<void> {
  const { db: tx, now } = inside;
  if (admissionStatusAfter(action, admission.status) === undefined || !(await areDocumentsRequired(tx, now()))) return;
  const ends = await endsOf(inside, admission, await listRequirements(tx, admission.role));
  const end = action === 'expire' ? ends.document : ends.work;
  if (action.startsWith('warn-')) return warn(inside, admission, ends, action);
  // The requirements or the accepted documents have changed since the timer started.
  if (!end || end > now()) return applyAdmissionEverywhere(inside, admission, null);
  if (action === 'lapse' || action === 'expire') return lapse(inside, admission);
  // The grace period is over.
  const ended = await updateAdmission(tx, admission, { status: admission.status, worksUntil: null }, now());
  await applyAdmissionEverywhere(inside, ended, null);
  await queueLapsedMail(inside, ended, []);
}

/** When several warnings are due, only the latest is sent. */
async function warn(
  inside: MailContext,
  admission: Admission,
  { work: end }: AdmissionEnds,
  action: AdmissionAction,
): Promise<void> {
  const now = inside.now();
  const latest = end && latestWarning(end, now);
  if (!latest) return applyAdmissionEverywhere(inside, admission, null);
  if (end <= now || action !== `warn-${latest}`) return;
  const kinds = admission.status === 'active' ? await listKindsPast(inside, admission, end) : [];
  await queueWarningMail(inside, admission.id, { kinds, end, days: daysUntil(end, now) });
}

/** The needed and accepted documents that have expired at a time. */
async function listPast({ db: tx, now }: MailContext, { id, role }: Admission, at: Date) {
  const { timeZone } = await readSettings(tx, now());
  const needed = neededKinds(await listRequirements(tx, role));
  return (await listOpenDocuments(tx, id)).flatMap(({ id: documentId, kind, state, lastDay }) =>
    state === 'accepted' && lastDay !== null && needed.includes(kind) && isExpired(lastDay, at, timeZone)
      ? [{ id: documentId, kind, end: endOfDocument(lastDay, timeZone) }]
      : [],
  );
}

const listKindsPast = async (inside: MailContext, admission: Admission, at: Date): Promise<DocumentKind[]> =>
  (await listPast(inside, admission, at)).map(({ kind }) => kind);

async function expirePast(inside: MailContext, admission: Admission) {
  const past = await listPast(inside, admission, inside.now());
  const change = { state: 'expired', eraseAt: endOfKeeping(inside.now()) } as const;
  await updateDocuments(
    inside.db,
    past.map(({ id }) => id),
    change,
    inside.now(),
  );
  return past;
}

/**
 * Documents have expired, or the grace period is over: no new work until the missing documents are accepted. A document that
 * expired while none were required does not shorten the grace period that its owner got.
 */
export async function lapse(inside: MailContext, admission: Admission): Promise<void> {
  const { db: tx, now } = inside;
  const past = await expirePast(inside, admission);
  const isOfBefore = past.length > 0 && past.every(({ end }) => end <= admission.askedAt);
  const keepsTime = admission.status !== 'active' || isOfBefore;
  const worksUntil = keepsTime ? graceUntil(admission.worksUntil, now()) : null;
  const to = admissionStatusAfter('lapse', admission.status) ?? admission.status;
  const lapsed = await updateAdmission(tx, admission, { status: to, worksUntil }, now());
  // Their replacements may already be waiting.
  const { admission: reviewed } = await reviewAdmission(inside, lapsed, await listRequirements(tx, admission.role));
  await applyAdmissionEverywhere(inside, reviewed, null);
  const kinds = past.map(({ kind }) => kind);
  await queueLapsedMail(inside, reviewed, kinds);
}
