import {
  ADMISSION_TIMER_ROWS,
  endOfAdmission,
  hasRequirements,
  isHeldUnadmitted,
  missingKinds,
  type Requirement,
} from '../../domain/admissions.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { readSettings } from '../town/settings.sql.ts';
import { replaceTimers, setAdmissionHold } from './admissionHolds.sql.ts';
import { type Admission, areDocumentsRequired, listOpenDocuments, listRequirements } from './admissions.sql.ts';
import { scheduleErasure } from './documentErasure.ts';

/** Inside of a transaction that has locked the worker. */
export type AdmissionTx = Pick<Context, 'newId' | 'now'> & { readonly db: Tx };

/**
 * Makes true what an admission says: whether the worker is kept from new work, when the server does something by itself, and
 * when pictures are erased. Returns whether they are newly kept from it, or no longer.
 */
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
  await replaceTimers(tx, admission, timersOf(admission, ends, at));
  await scheduleErasure(inside, admission);
  const isHeld = isAsking && isHeldUnadmitted(admission, at);
  return setAdmissionHold(tx, admission.id, { isHeld, newId, at, by });
}

export type AdmissionEnds = {
  /** When a worker may no longer work unless something happens. */
  readonly work: Date | null;
  /** When a document of somebody expires who is not admitted now. */
  readonly document: Date | null;
};

const NEVER: AdmissionEnds = { work: null, document: null };

/** When what ends by itself, from what is asked for and accepted now; null for never. */
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
  // Something is asked for besides what was accepted.
  const grace = missingKinds(requirements, documents).length > 0 ? worksUntil : null;
  const [first = null] = [expires, grace].filter((end) => end !== null).toSorted((a, b) => a.getTime() - b.getTime());
  return { work: first, document: null };
}

/** The timers that start now. A warning whose time is over is left out; the end itself is late, and comes now. */
function timersOf({ status }: Admission, ends: AdmissionEnds, at: Date) {
  return ADMISSION_TIMER_ROWS.filter(({ from }) => from === status).flatMap((row) => {
    const end = row.action === 'expire' ? ends.document : ends.work;
    if (end === null) return [];
    const comesLate = row.action === 'expire' || row.action === 'lapse';
    return comesLate || end.getTime() + row.after > at.getTime() ? [{ row, end }] : [];
  });
}
