import { type RawBuilder, sql } from 'kysely';
import type { FileSubject } from '../../domain/files.ts';
import { ORDER_GROUPS, ORDER_STATUSES } from '../../domain/orders.ts';
import { isActiveDelivery, literals } from '../db/columns.sql.ts';
import { queryRows, type Tx } from '../db/database.ts';
import { seesFile } from './fileVisibility.sql.ts';

export type NewFile = {
  readonly id: string;
  readonly owner: string;
  readonly sha256: Buffer;
  readonly bytes: number;
  readonly type: string;
  readonly width: number;
  readonly height: number;
  /** The digest of the photo as it was sent. */
  readonly sent: Buffer;
  readonly requestKey: Buffer | null;
};

/** Writes a file that is still to be kept. */
export async function insertFile(tx: Tx, { owner, requestKey, ...file }: NewFile, at: Date): Promise<void> {
  await tx
    .insertInto('files')
    .values({ ...file, owner_id: owner, request_key: requestKey, at })
    .execute();
}

/** Notes that the content is where it is kept. */
export async function markKept(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('files').set({ kept_at: at }).where('id', '=', id).execute();
}

export async function insertContent(tx: Tx, id: string, content: Uint8Array): Promise<void> {
  await tx
    .insertInto('file_contents')
    .values({ file_id: id, content: Buffer.from(content) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The file of an earlier request with the same key. */
export function findFileByKey(tx: Tx, requestKey: Buffer) {
  return tx
    .selectFrom('files')
    .where('request_key', '=', requestKey)
    .select(['id', 'type', 'width', 'height', 'bytes', 'sent', 'kept_at as keptAt', 'gone_at as goneAt'])
    .executeTakeFirst();
}

/** A file that is kept. `content` is null when it is not kept in the database. */
const selectKeptFile = (tx: Tx, id: string | RawBuilder<string>) =>
  tx
    .selectFrom('files as f')
    .leftJoin('file_contents as c', 'c.file_id', 'f.id')
    .where('f.id', '=', id)
    .where('f.kept_at', 'is not', null)
    .where('f.gone_at', 'is', null)
    .select(['f.id', 'f.type', 'f.sha256', 'f.about_kind as aboutKind', 'c.content']);

/** A file that the viewer may see now. */
export function findVisibleFile(tx: Tx, viewerId: string, id: string, now: Date) {
  return selectKeptFile(tx, id)
    .where(seesFile({ id: sql`${viewerId}`, now: sql`${now}` }))
    .executeTakeFirst();
}

/** A file that is about something, except documents. */
export function findUsedFile(tx: Tx, id: string) {
  return selectKeptFile(tx, id).where('f.about_kind', '<>', 'document').executeTakeFirst();
}

/** The picture of a document of a person. */
export function findDocumentFile(tx: Tx, ownerId: string, documentId: string) {
  return selectKeptFile(
    tx,
    sql<string>`(select d.file_id from documents d where d.id = ${documentId} and d.user_id = ${ownerId})`,
  )
    .where('f.about_kind', '=', 'document')
    .executeTakeFirst();
}

export type FilesOfSubject = {
  readonly owner: string;
  readonly fileIds: readonly string[];
  readonly aboutKind: FileSubject;
  readonly aboutId: string;
};

/** Binds the owner's files that are not about anything yet. Returns how many of the ids are about the subject now. */
export async function bindFiles(tx: Tx, { owner, fileIds, aboutKind, aboutId }: FilesOfSubject): Promise<number> {
  const isOwn = sql<boolean>`owner_id = ${owner} and id = any(${[...fileIds]}::uuid[]) and gone_at is null`;
  const isAbout = sql<boolean>`about_kind = ${aboutKind} and about_id = ${aboutId}`;
  await tx
    .updateTable('files')
    .set({ about_kind: aboutKind, about_id: aboutId })
    .where(isOwn)
    .where('about_id', 'is', null)
    .where('kept_at', 'is not', null)
    .execute();
  const { count } = await tx
    .selectFrom('files')
    .where(isOwn)
    .where(isAbout)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const IN_PROGRESS = literals(ORDER_STATUSES.filter((status) => ORDER_GROUPS[status] === 'progress'));

/**
 * Whether a person may need a photo for a step now: a delivery of theirs is under way (hand-overs, failed pickups), or they wash
 * (weighing). Pictures of documents and claims come after these. From our own rows, because anybody can say so in a request.
 */
export async function hasLaundryUnderWay(tx: Tx, userId: string): Promise<boolean> {
  const carriedFor = (column: RawBuilder<unknown>) =>
    sql`exists (select 1 from deliveries d where ${column} = ${userId} and ${isActiveDelivery('d')})`;
  const [row] = await queryRows<{ isUnderWay: boolean }>(
    tx,
    sql`select ${carriedFor(sql`d.duber_id`)} or ${carriedFor(sql`d.bud_id`)} or ${carriedFor(sql`d.scrub_id`)}
      or exists (select 1 from orders o where o.scrub_id = ${userId} and o.status collate "C" in (${IN_PROGRESS}))
      as "isUnderWay"`,
  );
  return row?.isUnderWay ?? false;
}
