import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { lockAdmission, updateDocuments } from './admissions.sql.ts';
import { listAbandoned, listAbandonedOf } from './documentErasure.sql.ts';
import { reviewAndApply } from './steps.ts';

const PEOPLE_PER_RUN = 20;
const WHY = 'We have erased it, because nothing more came for 30 days.';

/**
 * Sends back waiting documents whose pictures are about to be erased, because others never arrived or none are required any more.
 * So nobody is admitted for an erased picture. Returns whether there may be more.
 */
export async function returnAbandonedDocuments(
  context: Pick<Context, 'db' | 'now' | 'newId' | 'config' | 'wake'>,
): Promise<boolean> {
  const { db, now } = context;
  const people = await listAbandoned(db, now(), PEOPLE_PER_RUN);
  for (const id of people) {
    await transact(db, async (tx) => {
      const inside = { ...context, db: tx };
      const admission = await lockAdmission(tx, id);
      // They may have sent the rest meanwhile.
      const abandoned = await listAbandonedOf(tx, id, now());
      if (!admission || abandoned.length === 0) return;
      await updateDocuments(tx, abandoned, { state: 'asked-again', why: WHY }, now());
      await reviewAndApply(inside, admission);
    });
  }
  return people.length === PEOPLE_PER_RUN;
}
