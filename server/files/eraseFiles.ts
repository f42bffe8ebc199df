import { UNUSED_FILE_KEPT_MS, USED_FILE_KEPT_MS } from '../../domain/files.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import {
  deleteContents,
  deleteFiles,
  hideUnusedFiles,
  listEndedDocuments,
  listOldFiles,
  markDocumentsErased,
} from './eraseFiles.sql.ts';
import type { FileStorage } from './s3.ts';

const FILES_PER_RUN = 20;

type EraseContext = Pick<Context, 'db' | 'now'> & { readonly storage: FileStorage | undefined };

/** Erases some files that no step used within a day, and the contents of old ones and of documents that ended. Returns whether there may be more. */
export async function eraseFiles({ db, now, storage }: EraseContext): Promise<boolean> {
  const at = now();
  const ago = (ms: number) => new Date(at.getTime() - ms);
  const unused = await hideUnusedFiles(db, ago(UNUSED_FILE_KEPT_MS), at, FILES_PER_RUN);
  if (unused.length > 0) {
    await eraseStored(storage, unused);
    await deleteFiles(db, unused);
  }
  const old = await listOldFiles(db, ago(USED_FILE_KEPT_MS), FILES_PER_RUN);
  if (old.length > 0) {
    await eraseStored(storage, old);
    await transact(db, (tx) => deleteContents(tx, old, at));
  }
  const documents = await listEndedDocuments(db, at, FILES_PER_RUN);
  if (documents.length > 0) {
    await eraseStored(storage, documents);
    await transact(db, async (tx) => {
      await deleteContents(tx, documents, at);
      await markDocumentsErased(tx, documents);
    });
  }
  return [unused, old, documents].some(({ length }) => length === FILES_PER_RUN);
}

// Before the rows, which say what is still to be erased.
async function eraseStored(storage: FileStorage | undefined, ids: readonly string[]): Promise<void> {
  for (const id of ids) await storage?.delete(id);
}
