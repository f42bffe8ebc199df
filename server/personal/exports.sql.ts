import { sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import type { ZipFile } from './zip.ts';

/** A copy of the data of a person. */
export type Export = {
  readonly id: string;
  readonly userId: string;
  readonly askedAt: Date;
  readonly readyAt: Date | null;
  readonly failedAt: Date | null;
};

const COLUMNS = sql`e.id, e.user_id as "userId", e.asked_at as "askedAt", e.ready_at as "readyAt", e.failed_at as "failedAt"`;

export const findExport = (tx: Tx, userId: string, after: Date): Promise<Export | undefined> =>
  queryRow(tx, sql`select ${COLUMNS} from exports e where e.user_id = ${userId} and e.asked_at > ${after}`);

/** Begins a copy, in the place of one that has failed or is over. False when there is another one. */
export async function insertExport(
  tx: Tx,
  { id, userId, at, after }: { id: string; userId: string; at: Date; after: Date },
): Promise<boolean> {
  await queryRows(
    tx,
    sql`delete from exports where user_id = ${userId} and (failed_at is not null or asked_at <= ${after})`,
  );
  const inserted = await queryRow(
    tx,
    sql`insert into exports (id, user_id, asked_at, due_at) values (${id}, ${userId}, ${at}, ${at})
      on conflict (user_id) do nothing returning 1 as one`,
  );
  return inserted !== undefined;
}

export type DueExport = Pick<Export, 'id' | 'userId' | 'askedAt'> & { readonly tries: number };

/** Leases the copy that waits longest to be made on. */
export const leaseExport = (tx: Tx, now: Date, leasedUntil: Date): Promise<DueExport | undefined> =>
  queryRow(
    tx,
    sql`update exports e set due_at = ${leasedUntil}, tries = e.tries + 1
      where e.id = (select id from exports where due_at <= ${now} order by due_at limit 1 for update skip locked)
      returning e.id, e.user_id as "userId", e.asked_at as "askedAt", e.tries`,
  );

/** A slice is done: the next one is due at once. */
export async function continueExport(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('exports').set({ due_at: now, tries: 0 }).where('id', '=', id).execute();
}

export async function endExport(tx: Tx, id: string, end: { ready_at: Date } | { failed_at: Date }): Promise<void> {
  await tx
    .updateTable('exports')
    .set({ ...end, due_at: null })
    .where('id', '=', id)
    .execute();
}

type NewFile = { readonly name: string; readonly crc: number; readonly bytes: number; readonly content: Buffer };

/** How many files a copy has so far, the id of the last photo, and the number of the order of the last receipt. */
export type Progress = { readonly files: number; readonly photo: string; readonly receipt: number };

export async function readProgress(tx: Tx, exportId: string): Promise<Progress> {
  const lastOf = (folder: string, pattern: string) =>
    sql`max(substring(name from ${pattern})) filter (where starts_with(name, ${folder}))`;
  const progress = await queryRow<Progress>(
    tx,
    sql`select count(*)::int as files, coalesce(${lastOf('photos/', '[0-9a-f-]{36}')}, '') as photo,
        coalesce(max(substring(name from '[0-9]+')::int) filter (where starts_with(name, 'receipts/')), 0) as receipt
      from export_files where export_id = ${exportId}`,
  );
  return progress ?? { files: 0, photo: '', receipt: 0 };
}

export async function insertFiles(tx: Tx, exportId: string, from: number, files: readonly NewFile[]): Promise<void> {
  const rows = files.map((file, index) => ({ ...file, export_id: exportId, position: from + index }));
  if (rows.length > 0) await tx.insertInto('export_files').values(rows).execute();
}

export const listExportFiles = (tx: Tx, exportId: string): Promise<(ZipFile & { readonly position: number })[]> =>
  queryRows(
    tx,
    sql`select position, name, crc::float8 as crc, bytes, octet_length(content) as "compressedBytes"
      from export_files where export_id = ${exportId} order by position`,
  );

/** Undefined when the copy was deleted meanwhile. */
export async function readExportFile(tx: Tx, exportId: string, position: number): Promise<Buffer | undefined> {
  const file = await tx
    .selectFrom('export_files')
    .select('content')
    .where('export_id', '=', exportId)
    .where('position', '=', position)
    .executeTakeFirst();
  return file?.content;
}

/** Photos that a person has sent and that are kept, after one of them. */
export const listOwnPhotos = (tx: Tx, userId: string, after: string, limit: number): Promise<{ id: string }[]> =>
  queryRows(
    tx,
    sql`select f.id from files f where f.owner_id = ${userId} and f.gone_at is null and f.kept_at is not null
      and f.id::text > ${after} order by f.id::text limit ${limit}`,
  );

type ReceiptOrder = { readonly id: string; readonly number: number; readonly createdAt: Date; readonly total: number };

/** Orders of a Bud whose card was charged or held, after one of them. */
export const listReceiptOrders = (tx: Tx, budId: string, after: number, limit: number): Promise<ReceiptOrder[]> =>
  queryRows(
    tx,
    sql`select o.id, o.number::int as number, o.created_at as "createdAt", o.total_price as total from orders o
      where o.bud_id = ${budId} and o.number > ${after} order by o.number limit ${limit}`,
  );

export const listReceiptLines = (tx: Tx, orderId: string): Promise<{ item: string; cents: number }[]> =>
  queryRows(tx, sql`select item, cents from order_lines where order_id = ${orderId} order by item`);
