import { DOCUMENTS_SHOWN_MS } from '../../domain/admissions.ts';
import { ENDED_DOCUMENT_KEPT_MS, eraseAtOf, UNSEEN_DOCUMENT_KEPT_MS } from '../../domain/documentRetention.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { readSettings } from '../town/settings.sql.ts';
import { type Admission, listRequirements, readTakesDocuments } from './admissions.sql.ts';
import { couldBeSeen, findLastSentAt, listKeptDocuments, setEraseAt } from './documentErasure.sql.ts';

type ErasureContext = Pick<Context, 'now'> & { readonly db: Tx };

/** The erase time of a document that ends now. */
export const endOfKeeping = (now: Date): Date => new Date(now.getTime() + ENDED_DOCUMENT_KEPT_MS);

/** The erase time of a document that is replaced now. It is sooner when no operator could see it. */
export async function endOfReplaced(
  { db, now }: ErasureContext,
  userId: string,
  { sentAt }: { readonly sentAt: Date },
): Promise<Date> {
  const from = new Date(sentAt.getTime() - DOCUMENTS_SHOWN_MS);
  const isSeen = await couldBeSeen(db, userId, { from, until: now() });
  return isSeen ? endOfKeeping(now()) : new Date(now().getTime() + UNSEEN_DOCUMENT_KEPT_MS);
}

/** Saves for every picture of a worker when it will be erased. */
export async function scheduleErasure({ db, now }: ErasureContext, admission: Admission): Promise<void> {
  const { id, role } = admission;
  const documents = await listKeptDocuments(db, id);
  if (documents.length === 0) return;
  const requirements = await listRequirements(db, role);
  const isNeeded = (kind: string) => requirements.some((one) => one.needed && one.kind === kind);
  const { timeZone } = await readSettings(db, now());
  const idleSince = await findIdleSince(db, admission);
  const keeping = { isTaking: await readTakesDocuments(db, now()), idleSince, timeZone, now: now() };
  for (const document of documents) {
    const eraseAt = eraseAtOf(document, { ...keeping, isNeeded: isNeeded(document.kind) });
    if (eraseAt?.getTime() !== document.eraseAt?.getTime()) await setEraseAt(db, document.id, eraseAt);
  }
}

/**
 * Since when the worker has sent nothing although a document is missing; null when nothing is missing, or when an operator must
 * decide.
 */
async function findIdleSince(db: Tx, { id, status, since }: Admission): Promise<Date | null> {
  if (status === 'waiting' || status === 'active') return null;
  const lastSentAt = await findLastSentAt(db, id);
  return lastSentAt && lastSentAt > since ? lastSentAt : since;
}
