import { applyScrubVisibility } from '../auth/holds.sql.ts';
import type { Admission } from './admissions.sql.ts';
import { type AdmissionTx, applyAdmission } from './applyAdmission.ts';

/** Applies an admission, and updates the search for Scrubs. */
export async function applyAdmissionEverywhere(
  inside: AdmissionTx,
  admission: Admission,
  by: string | null,
): Promise<void> {
  const hasChanged = await applyAdmission(inside, admission, by);
  if (hasChanged && admission.role === 'Scrub') await applyScrubVisibility(inside.db, admission.id);
}
