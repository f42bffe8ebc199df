import { sql } from 'kysely';
import type { BudId, UserId } from '../../domain/accounts.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import { EXPORT_KEPT_MS } from '../../domain/erasures.ts';
import { formatOrderNumber } from '../../domain/orders.ts';
import { formatDollars } from '../../domain/payments.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { type FileParts, readOwnPhoto } from '../files/files.ts';
import type { ArchiveAnswer } from '../http/photos.ts';
import { refuse } from '../http/refusals.ts';
import { exportReadyMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { readReceiptOf } from '../payments/ledger/receipts.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { findErasedPerson } from './erasures.sql.ts';
import {
  continueExport,
  type DueExport,
  endExport,
  findExport,
  insertFiles,
  leaseExport,
  listExportFiles,
  listOwnPhotos,
  listReceiptLines,
  listReceiptOrders,
  type Progress,
  readExportFile,
  readProgress,
} from './exports.sql.ts';
import { EXPORTED_TABLES, readPersonalRows } from './personalRows.sql.ts';
import { compressFile, writeZip, zipBytes } from './zip.ts';

/** Longer than a slice takes. */
const LEASE_MS = 5 * MINUTE_MS;
const MAX_TRIES = 5;
const TABLES_PER_SLICE = 8;
const PHOTOS_PER_SLICE = 5;
const RECEIPTS_PER_SLICE = 20;

const README = `This is a copy of your data.

data/      what we have stored about you, a file for each kind of thing, in JSON. Amounts are in cents, times in UTC.
           "(secret)" stands for what nobody can read, such as the digest of your password.
photos/    the photos that you have sent and that are still kept.
receipts/  what you have paid, order by order.

Of what you do not have there is an empty list, [], or no folder.
`;

type ExportContext = Context & Pick<FileParts, 'storage'>;
type TextFile = { readonly name: string; readonly content: Buffer };

/** Makes one slice of a copy that somebody has asked for. Returns whether there may be more. */
export async function makeExports(context: ExportContext): Promise<boolean> {
  const { db, now, log } = context;
  const due = await leaseExport(db, now(), new Date(now().getTime() + LEASE_MS));
  if (!due) return false;
  if (due.tries > MAX_TRIES) {
    log.error({ export: due.id }, 'a copy of the data of a person could not be made');
    await endExport(db, due.id, { failed_at: now() });
    return true;
  }
  const progress = await readProgress(db, due.id);
  const slice = await readSlice(context, due, progress);
  const compressed = await Promise.all(
    slice.map(async ({ name, content }) => ({ name, ...(await compressFile(content)) })),
  );
  await transact(db, async (tx) => {
    if (compressed.length === 0) return finish(context, tx, due);
    await insertFiles(tx, due.id, progress.files, compressed);
    await continueExport(tx, due.id, now());
  });
  context.wake('mail');
  return true;
}

async function finish(
  { now, newId, config }: ExportContext,
  tx: Tx,
  { id, userId, askedAt }: DueExport,
): Promise<void> {
  const person = await findErasedPerson(tx, userId);
  await endExport(tx, id, { ready_at: now() });
  if (!person) return;
  const mail = exportReadyMail(
    person.fullname,
    new Date(askedAt.getTime() + EXPORT_KEPT_MS),
    await readPublicTown({ config, db: tx, now }),
  );
  await queueMail(tx, { id: newId(), recipient: person.email, ...mail }, now());
}

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** The files that follow those that are made. None when all are. */
async function readSlice(context: ExportContext, due: DueExport, progress: Progress): Promise<TextFile[]> {
  const { db } = context;
  if (progress.files === 0) return [{ name: 'README.txt', content: Buffer.from(README) }];
  const tables = EXPORTED_TABLES.slice(progress.files - 1, progress.files - 1 + TABLES_PER_SLICE);
  if (tables.length > 0) return readTables(db, tables, due.userId);
  const photos = progress.receipt === 0 ? await readPhotos(context, due.userId as UserId, progress.photo) : [];
  return photos.length > 0 ? photos : readReceipts(db, due.userId as BudId, progress.receipt);
}

const readTables = (db: Tx, tables: readonly string[], userId: string): Promise<TextFile[]> =>
  transact(db, async (tx) => {
    // Some large tables have no index for it, and are read once.
    await sql`set local statement_timeout = 0`.execute(tx);
    const files: TextFile[] = [];
    for (const table of tables)
      files.push({ name: `data/${table}.json`, content: json(await readPersonalRows(tx, table, userId)) });
    return files;
  });

async function readPhotos(context: ExportContext, userId: UserId, last: string): Promise<TextFile[]> {
  const photos = await listOwnPhotos(context.db, userId, last, PHOTOS_PER_SLICE);
  const files: TextFile[] = [];
  for (const { id } of photos) {
    const content = await readOwnPhoto(context, { ownerId: userId, id });
    // Erased meanwhile.
    files.push({ name: `photos/${id}.jpg`, content: content ?? Buffer.alloc(0) });
  }
  return files;
}

async function readReceipts(db: Tx, budId: BudId, after: number): Promise<TextFile[]> {
  const orders = await listReceiptOrders(db, budId, after, RECEIPTS_PER_SLICE);
  return Promise.all(
    orders.map(async ({ id, number, createdAt, total }) => {
      const name = formatOrderNumber(number);
      const receipt = await readReceiptOf(db, budId, id);
      const lines = await listReceiptLines(db, id);
      const rows = [
        ...lines.map(({ item, cents }) => [item, formatDollars(cents)]),
        ['total', formatDollars(total)],
        ...(receipt?.movements ?? []).map(({ kind, amount, at }) => [
          `${kind} ${at}`,
          formatDollars(Math.round(amount * 100)),
        ]),
      ];
      const card = receipt?.card.last4 ? `Card ending in ${receipt.card.last4}\n` : '';
      const text = `Receipt ${name}\n${createdAt.toISOString()}\n${card}\n${rows.map(([what = '', sum = '']) => `${what.padEnd(40)}${sum.padStart(12)}`).join('\n')}\n`;
      return { name: `receipts/${name}.txt`, content: Buffer.from(text) };
    }),
  );
}

/** The archive of a copy that is ready, a file at a time. */
export async function readArchive({ db, now }: Pick<Context, 'db' | 'now'>, userId: string): Promise<ArchiveAnswer> {
  const found = await findExport(db, userId, new Date(now().getTime() - EXPORT_KEPT_MS));
  if (!found?.readyAt) return refuse('noExport');
  const files = await listExportFiles(db, found.id);
  const read = async ({ position }: { readonly position: number }) => {
    const content = await readExportFile(db, found.id, position);
    if (!content) throw new Error('the copy was deleted while it was sent');
    return content;
  };
  return { name: 'my-data.zip', bytes: zipBytes(files), content: writeZip(files, found.askedAt, read) };
}
