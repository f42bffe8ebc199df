import {
  type AdmissionAction,
  admissionStatusAfter,
  type DocumentKind,
  findAutomaticStep,
  graceUntil,
  isExpired,
  missingKinds,
  type Requirement,
} from '../../domain/admissions.ts';
import { readSettings } from '../town/settings.sql.ts';
import { type Admission, listOpenDocuments, updateAdmission } from './admissions.sql.ts';
import type { AdmissionTx } from './applyAdmission.ts';

type Reviewed = { readonly admission: Admission; readonly action: AdmissionAction | undefined };

/**
 * Takes the automatic step of a locked admission, if any: all documents are there, one is missing, or none is missing any more.
 * Apply the admission afterwards.
 */
export async function reviewAdmission(
  inside: AdmissionTx,
  admission: Admission,
  requirements: readonly Requirement[],
): Promise<Reviewed> {
  const { db: tx, now } = inside;
  const action = findAutomaticStep(admission.status, requirements, await listInHand(inside, admission));
  const status = action && admissionStatusAfter(action, admission.status);
  if (status === undefined) return { admission, action: undefined };
  const worksUntil = status === 'active' ? null : graceUntil(admission.worksUntil, now());
  return { admission: await updateAdmission(tx, admission, { status, worksUntil }, now()), action };
}

/** The documents that a worker still has to send. */
export const listMissing = async (
  inside: Pick<AdmissionTx, 'db' | 'now'>,
  admission: Admission,
  requirements: readonly Requirement[],
): Promise<DocumentKind[]> => missingKinds(requirements, await listInHand(inside, admission));

/** The open documents without accepted ones that have expired. */
async function listInHand({ db: tx, now }: Pick<AdmissionTx, 'db' | 'now'>, { id }: Admission) {
  const { timeZone } = await readSettings(tx, now());
  const documents = await listOpenDocuments(tx, id);
  return documents.filter(({ state, lastDay }) => state !== 'accepted' || !isExpired(lastDay, now(), timeZone));
}
