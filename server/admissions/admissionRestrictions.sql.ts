import { sql } from 'kysely';
import { queryRow, type Tx } from '../db/database.ts';
import { endTimers, type NewTimer, startTimers } from '../jobs/timers.sql.ts';
import type { Admission } from './admissions.sql.ts';

const REASON = 'Their documents are not accepted.';

/** Sets or lifts the worker's admission restriction. Returns whether that changed. Lock the worker before. */
export async function setAdmissionRestriction(
  tx: Tx,
  userId: string,
  { isHeld, newId, at, by }: { isHeld: boolean; newId: () => string; at: Date; by: string | null },
): Promise<boolean> {
  const changed = isHeld
    ? sql`insert into holds (id, user_id, kind, reason, from_at, of_admission)
        values (${newId()}, ${userId}, 'new-work', ${REASON}, ${at}, true)
        on conflict (user_id) where lifted_at is null and of_admission do nothing returning 1 as one`
    : sql`update holds set lifted_at = ${at}, lifted_by = ${by}
        where user_id = ${userId} and lifted_at is null and of_admission returning 1 as one`;
  return (await queryRow(tx, changed)) !== undefined;
}

/** Replaces the timers of an admission. */
export async function replaceTimers(tx: Tx, { id, step }: Admission, timers: readonly NewTimer[]): Promise<void> {
  await endTimers(tx, 'admission', id);
  await startTimers(tx, 'admission', { id, step }, timers);
}
