import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { restoreBackup } from '../server/db/backup/read.ts';
import { writeBackup } from '../server/db/backup/write.ts';
import { type Database, openEmbeddedDatabase, type Tx } from '../server/db/database.ts';
import { ensureSchema } from '../server/db/ensureSchema.ts';

/** The content of a backup without what tells when it was made. */
export const contentOf = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .replace(/^#manifest .*$/m, '')
    .replace(/#sha256 .*/, '');

/** A forged backup: one amount is changed, and the checksum is correct. */
export function unbalanced(whole: string): string {
  return withChecksum(whole.replace(/("position":"0",[^\n]*"amount":")(\d+)/, '$19$2'));
}

export function withChecksum(whole: string): string {
  const changed = whole.replace(/#sha256 .*\n/, '');
  return `${changed}#sha256 ${createHash('sha256').update(changed).digest('hex')}\n`;
}

/** A forged backup: a table has one more row. */
export function withRow(whole: string, table: string, row: object): string {
  const section = new RegExp(`(#table ${table}\\n(?:\\{.*\\n)*)#rows (\\d+)\\n`);
  expect(whole).toMatch(section);
  return whole.replace(section, (_, rows, count) => `${rows}${JSON.stringify(row)}\n#rows ${Number(count) + 1}\n`);
}

/** A backup of a database as it is now. */
export async function takeBackup(db: Tx, now: Date): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of writeBackup(db, now)) lines.push(line.replace(/\n$/, ''));
  return lines;
}

/** An embedded database that a backup was restored into. */
export async function openRestored(backup: readonly string[]): Promise<Database> {
  const database = await openEmbeddedDatabase(undefined);
  await ensureSchema(database.db);
  const lines = async function* () {
    yield* backup;
  };
  await restoreBackup(database.db, lines());
  return database;
}
