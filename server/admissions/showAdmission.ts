import { applyScrubVisibility } from '../accounts/accounts.ts';
import type { Admission } from './admissions.sql.ts';
import { applyAdmission, type Inside } from './applyAdmission.ts';

/** Makes an admission true, also for the search that finds Scrubs. */
export async function applyAndShow(inside: Inside, admission: Admission, by: string | null): Promise<void> {
  const hasChanged = await applyAdmission(inside, admission, by);
  if (hasChanged && admission.role === 'Scrub') await applyScrubVisibility(inside.db, admission.id);
}
