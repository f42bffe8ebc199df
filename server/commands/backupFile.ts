import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { RestoreError, restoreBackup } from '../db/backup/read.ts';
import { writeBackup } from '../db/backup/write.ts';
import { openEmbeddedDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { CommandError, errorMessageOf } from './commandError.ts';

/** The lines of a backup. Throws a RestoreError when the file cannot be decompressed. */
export async function* readBackupFile(file: string): AsyncGenerator<string> {
  const text = createGunzip();
  const unzipping = pipeline(createReadStream(file), text);
  // Awaited below. Without this, an earlier failure would be an unhandled rejection.
  unzipping.catch(() => undefined);
  try {
    yield* createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY });
    await unzipping;
  } catch (error) {
    throw new RestoreError(`the file cannot be decompressed: ${errorMessageOf(error)}`);
  }
}

/**
 * Restores a backup into an embedded database in a new folder beside the file, and compares each row of that database with the file.
 * Throws a CommandError when the backup does not restore, or restores something else. The folder is deleted in any case.
 */
export async function proveBackup(file: string): Promise<void> {
  // The rows are as private as the file, so the folder is one that only this user can open.
  const folder = await mkdtemp(join(dirname(file), '.rubadub-proof-'));
  try {
    const database = await openEmbeddedDatabase(join(folder, 'data'));
    try {
      await migrate(database.db);
      await restoreBackup(database.db, readBackupFile(file));
      await compareLines(readBackupFile(file), writeBackup(database.db, new Date()));
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof RestoreError) throw new CommandError(`the backup cannot be restored: ${error.message}`);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The manifest has the time of the backup, and the checksum is over the manifest. */
const isCompared = (line: string) => !/^#(?:manifest|sha256) /.test(line);

async function* onlyCompared(lines: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  for await (const line of lines) {
    const bare = line.replace(/\n$/, '');
    if (isCompared(bare)) yield bare;
  }
}

async function compareLines(written: AsyncIterable<string>, restored: AsyncIterable<string>): Promise<void> {
  const others = onlyCompared(restored);
  let table = '';
  try {
    for await (const line of onlyCompared(written)) {
      if (line.startsWith('#table ')) table = line.slice('#table '.length);
      if ((await others.next()).value === line) continue;
      throw new CommandError(`the backup restores other rows than it has, in the table ${table}`);
    }
  } finally {
    // Ends the transaction of the other backup.
    await others.return(undefined);
  }
}
