import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/** Takes some unused files out of sight, so that no step can use them while they are erased. Returns their ids. */
export async function hideUnusedFiles(tx: Tx, before: Date, now: Date, limit: number): Promise<string[]> {
  const due = tx
    .selectFrom('files')
    .where('about_id', 'is', null)
    .where('at', '<', before)
    .orderBy('at')
    .limit(limit)
    .select('id')
    .forUpdate()
    .skipLocked();
  const hidden = await tx
    .updateTable('files')
    .set({ gone_at: sql`coalesce(gone_at, ${now})` })
    .where('id', 'in', due)
    .where('about_id', 'is', null)
    .returning('id')
    .execute();
  return hidden.map(({ id }) => id);
}

/** Deletes the rows of hidden files, and with them what the database has of their contents. */
export async function deleteFiles(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('files').where('id', 'in', ids).where('about_id', 'is', null).execute();
}

/** Files that a step used, and whose content was kept long enough. A document is kept for as long as it counts. */
export async function listOldFiles(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const old = await tx
    .selectFrom('files')
    .where('about_id', 'is not', null)
    .where('about_kind', '<>', 'document')
    .where('gone_at', 'is', null)
    .where('at', '<', before)
    .orderBy('at')
    .limit(limit)
    .select('id')
    .execute();
  return old.map(({ id }) => id);
}

/** The pictures of documents that no longer count. One that waits is taken back before. */
export async function listEndedDocuments(tx: Tx, now: Date, limit: number): Promise<string[]> {
  const ended = await tx
    .selectFrom('documents')
    .where('erase_at', '<=', now)
    .where('state', '<>', 'waiting')
    .orderBy('erase_at')
    .limit(limit)
    .select('file_id')
    .execute();
  return ended.map((document) => document.file_id);
}

/** Notes that the pictures are erased. */
export async function markDocumentsErased(tx: Tx, fileIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('documents')
    .set({ erase_at: null })
    .where('file_id', 'in', [...fileIds])
    .where('erase_at', 'is not', null)
    .execute();
}

/** Deletes the contents, and keeps the rows: that there was a photo stays known. */
export async function deleteContents(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  await tx.deleteFrom('file_contents').where('file_id', 'in', ids).execute();
  await tx.updateTable('files').set({ gone_at: now }).where('id', 'in', ids).execute();
}
