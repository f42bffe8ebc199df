import {
  endOfAdmission,
  hasRequirements,
  isHeldUnadmitted,
  missingKinds,
  type Requirement,
} from '../../domain/admissions.ts';
import { ADMISSION_TIMER_ROWS } from '../../domain/process/admission.ts';
import { applyScrubVisibility } from '../auth/restrictions.sql.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { endTimers, type NewTimer, startTimers, timersOf } from '../jobs/timers.sql.ts';
import { readSettings } from '../town/settings.sql.ts';
import {
  type Admission,
  areDocumentsRequired,
  listOpenDocuments,
  listRequirements,
  setAdmissionRestriction,
} from './admissions.sql.ts';
import { scheduleErasure } from './documentErasure.ts';

/** The context of a transaction that has locked the worker. */
export type AdmissionTx = Pick<Context, 'newId' | 'now'> & { readonly db: Tx };

/** Applies an admission: its restriction, its timers, and when pictures are erased. Returns whether the restriction was set or lifted. */
export async function applyAdmission(
  inside: AdmissionTx,
  admission: Admission,
  by: string | null = null,
): Promise<boolean> {
  const { db: tx, now, newId } = inside;
  const at = now();
  const requirements = await listRequirements(tx, admission.role);
  const isAsking = hasRequirements(requirements) && (await areDocumentsRequired(tx, at));
  const ends = isAsking ? await endsOf(inside, admission, requirements) : NEVER;
  await endTimers(tx, 'admission', admission.id);
  await startTimers(tx, 'admission', admission, timersAt(admission, ends, at));
  await scheduleErasure(inside, admission);
  const isHeld = isAsking && isHeldUnadmitted(admission, at);
  return setAdmissionRestriction(tx, admission.id, { isHeld, newId, at, by });
}

/** The same, and the search for Scrubs follows. */
export async function applyAdmissionEverywhere(
  inside: AdmissionTx,
  admission: Admission,
  by: string | null,
): Promise<void> {
  const hasChanged = await applyAdmission(inside, admission, by);
  if (hasChanged && admission.role === 'Scrub') await applyScrubVisibility(inside.db, admission.id);
}

export type AdmissionEnds = {
  /** When the worker may no longer work, if nothing changes. */
  readonly work: Date | null;
  /** When a document of a worker who is not admitted expires. */
  readonly document: Date | null;
};

const NEVER: AdmissionEnds = { work: null, document: null };

/** The times at which the admission or a document ends, from the present requirements and documents; null for never. */
export async function endsOf(
  { db: tx, now }: AdmissionTx,
  { id, status, worksUntil }: Admission,
  requirements: readonly Requirement[],
): Promise<AdmissionEnds> {
  if (status === 'refused') return NEVER;
  const documents = await listOpenDocuments(tx, id);
  const { timeZone } = await readSettings(tx, now());
  const accepted = documents.filter(({ state }) => state === 'accepted');
  const expires = endOfAdmission(requirements, accepted, timeZone);
  if (status !== 'active') return { work: worksUntil, document: expires };
  // A required document was not accepted yet.
  const grace = missingKinds(requirements, documents).length > 0 ? worksUntil : null;
  const [first = null] = [expires, grace].filter((end) => end !== null).toSorted((a, b) => a.getTime() - b.getTime());
  return { work: first, document: null };
}

/** The timers to start. A warning whose time is over is omitted; a late end is due at once. */
function timersAt({ status }: Admission, ends: AdmissionEnds, at: Date): NewTimer[] {
  return ADMISSION_TIMER_ROWS.filter(({ from }) => from === status).flatMap((row) => {
    const end = row.action === 'expire' ? ends.document : ends.work;
    if (end === null) return [];
    const comesLate = row.action === 'expire' || row.action === 'lapse';
    const [timer] = timersOf([row], end);
    return timer && (comesLate || timer.dueAt > at) ? [timer] : [];
  });
}
