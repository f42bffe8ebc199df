import { hash } from 'node:crypto';
import type { StoredPhoto } from '../../contract/files.ts';
import { isSameDigest, requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { type Tx, transact, violatedConstraint } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import {
  bindFiles,
  type FilesOfSubject,
  findDocumentFile,
  findFileByKey,
  findUsedFile,
  findVisibleFile,
  hasLaundryUnderWay,
  insertContent,
  insertFile,
  markKept,
} from './files.sql.ts';
import { countPhoto, spendPhotoTime } from './photoBudget.ts';
import type { PhotoReencoder } from './photoReencoder.ts';
import type { ReencodedPhoto } from './photoWorker.ts';
import { type FileStorage, FileStorageError } from './s3.ts';

/** What files need besides the context. Without a storage, contents are kept in the database. */
export type FileParts = { readonly reencoder: PhotoReencoder; readonly storage: FileStorage | undefined };

type FileContext = Context & FileParts;
type CreateFile = Parameters<Handlers['createFile']>[0];

const RETRY_AFTER_S = 5;

export function fileHandlers(context: Context, parts: FileParts): Pick<Handlers, 'createFile' | 'readFile'> {
  const fileContext = { ...context, ...parts };
  return {
    createFile: (input) => createFile(fileContext, input),
    readFile: async ({ caller, params }) => {
      const file = orNotFound(await findVisibleFile(context.db, caller.id, params.id, context.now()));
      // What is about nothing yet may become a document.
      const isCached = file.aboutKind !== null && file.aboutKind !== 'document';
      return { type: file.type, bytes: file.content ?? (await readStored(fileContext, file)), isCached };
    },
  };
}

/** A photo of a case, an order or a delivery, for operators. Photos that no step uses yet are their owner's. */
export async function readPhotoOfTown(context: Pick<Context, 'db' | 'log'>, parts: FileParts, id: string) {
  const file = orNotFound(await findUsedFile(context.db, id));
  return { type: file.type, bytes: file.content ?? (await readStored({ ...context, ...parts }, file)) };
}

/** A photo, for the copy that its owner gets of their data. Undefined when it is erased. */
export async function readOwnPhoto(
  context: Pick<FileContext, 'db' | 'now' | 'log' | 'storage'>,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<Buffer | undefined> {
  const file = await findVisibleFile(context.db, ownerId, id, context.now());
  return file && (file.content ?? (await readStored(context, file)));
}

/** A document of a person, for operators who have said why they look at it. */
export async function readDocumentOf(
  context: Pick<Context, 'db' | 'log'>,
  parts: FileParts,
  { ownerId, documentId }: { ownerId: string; documentId: string },
) {
  const file = orNotFound(await findDocumentFile(context.db, ownerId, documentId));
  return { type: file.type, bytes: file.content ?? (await readStored({ ...context, ...parts }, file)) };
}

async function createFile(context: FileContext, input: CreateFile): Promise<StoredPhoto> {
  const { caller, photo, idempotencyKey } = input;
  const { db, newId, now } = context;
  if (photo.length === 0) refuse('notAPhoto');
  const [requestKey, sent] = [requestKeyOf(caller.id, idempotencyKey), hash('sha256', photo, 'buffer')];
  const earlier = await findEarlier(context, requestKey, sent);
  if (earlier?.keptAt) return toAnswer(earlier);
  // A repeated request was counted by its first one.
  if (!earlier) await countPhoto(context, { id: caller.id, address: input.from });
  const reencoded = await reencode(context, input);
  const { width, height } = reencoded;
  const sha256 = hash('sha256', reencoded.bytes, 'buffer');
  const file = { id: newId(), type: 'image/jpeg', width, height, bytes: reencoded.bytes.length, sha256 };
  // An earlier request got no further than its row: this one goes on with it.
  if (earlier) return keepContent(context, earlier, reencoded);
  try {
    await insertFile(db, { ...file, owner: caller.id, sent, requestKey }, now());
  } catch (error) {
    // A parallel request with the same key was first. The client asks again, and then gets its answer.
    if (violatedConstraint(error) !== 'files_request_key_key') throw error;
    return refuse('notReady', { retryAfter: RETRY_AFTER_S });
  }
  return keepContent(context, file, reencoded);
}

async function findEarlier({ db }: FileContext, requestKey: Buffer | null, sent: Buffer) {
  const earlier = requestKey ? await findFileByKey(db, requestKey) : undefined;
  if (earlier && (earlier.goneAt || !isSameDigest(earlier.sent, sent))) refuse('keyReused');
  return earlier;
}

async function reencode(context: FileContext, { caller, photo, from }: CreateFile): Promise<ReencodedPhoto> {
  const isProof = await hasLaundryUnderWay(context.db, caller.id);
  const { result, ms } = await context.reencoder.reencode(photo, { owner: caller.id, isProof });
  await spendPhotoTime(context, { id: caller.id, address: from }, ms);
  return typeof result === 'string' ? refuse(result) : result;
}

type FileRow = Omit<StoredPhoto, 'type'>;

/** Puts the content where it is kept, after its row: what is never kept is erased like an unused file. */
async function keepContent(context: FileContext, file: FileRow, { bytes }: ReencodedPhoto): Promise<StoredPhoto> {
  const { db, now, storage, log } = context;
  if (storage === undefined) {
    await transact(db, async (tx) => {
      await insertContent(tx, file.id, bytes);
      await markKept(tx, file.id, now());
    });
    return toAnswer(file);
  }
  await storage.put(file.id, bytes).catch((error: unknown) => refuseStorage(log, error));
  await markKept(db, file.id, now());
  return toAnswer(file);
}

const toAnswer = ({ id, width, height, bytes }: FileRow): StoredPhoto => ({
  ...{ id, type: 'image/jpeg', width, height, bytes },
});

/** A content that is not in the database. */
async function readStored(
  { storage, log }: Pick<FileContext, 'storage' | 'log'>,
  file: { id: string; sha256: Buffer },
): Promise<Buffer> {
  const content = orNotFound(await storage?.get(file.id).catch((error: unknown) => refuseStorage(log, error)));
  if (!isSameDigest(hash('sha256', content, 'buffer'), file.sha256)) throw new Error(`file ${file.id} was changed`);
  return content;
}

function refuseStorage(log: Context['log'], error: unknown): never {
  if (!(error instanceof FileStorageError)) throw error;
  log.error({ err: error }, 'a photo could not be kept or read');
  return refuse('notReady', { retryAfter: RETRY_AFTER_S });
}

const LOST_PHOTO = 'A photo is no longer there. Please remove it and take it again';

/**
 * Makes files part of what they are about, in the transaction of the step that takes them. Refuses when one of them is
 * unknown, somebody else's, or about something else. May be repeated for the same subject. How many a step takes, the
 * contract says.
 */
export async function attachFiles(tx: Tx, files: FilesOfSubject): Promise<void> {
  const fileIds = [...new Set(files.fileIds)];
  if (fileIds.length === 0) return;
  if ((await bindFiles(tx, { ...files, fileIds })) < fileIds.length)
    refuseProperty('fileIds', 'isOwnPhoto', LOST_PHOTO);
}
