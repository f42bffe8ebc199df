import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { writeBackup } from '../db/backup/write.ts';
import { CommandError, describeError, errorCodeOf, errorMessageOf } from './commandError.ts';
import { openDatabase } from './openDatabase.ts';
import { NEW_PRIVATE_FILE, refuseExisting } from './privateFile.ts';

const CANNOT_WRITE = /^(?:ENOSPC|EDQUOT|EFBIG|EROFS|EACCES|EPERM|ENOENT|ENOTDIR)$/;

// `npm run backup -- FILE` writes a consistent copy of the database into one file, which restores into either kind.
async function run(): Promise<void> {
  const [name] = process.argv.slice(2);
  if (!name) throw new CommandError('name a file: npm run backup -- rubadub.backup.gz');
  // npm runs scripts in the project's folder; INIT_CWD is where the operator is.
  const file = resolve(process.env.INIT_CWD ?? '.', name);
  refuseExisting(file);
  const database = await openDatabase(process.env);
  // A name that no other user can predict: folders such as /tmp are open to others, and the file contains personal data and keys.
  const part = `${file}.${randomUUID()}.part`;
  let total = 0;
  try {
    const lines = writeBackup(database.db, new Date(), (table, rows) => {
      total += rows;
      if (rows > 0) console.log(`  ${table.padEnd(24)} ${String(rows).padStart(10)}`);
    });
    const { flag: flags, mode } = NEW_PRIVATE_FILE;
    const out = createWriteStream(part, { flags, mode, flush: true });
    await pipeline(Readable.from(lines), createGzip(), out);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    if (!CANNOT_WRITE.test(errorCodeOf(error))) throw error;
    throw new CommandError(`${file} cannot be written: ${errorMessageOf(error)}`);
  } finally {
    await database.close();
  }
  console.log(`${total} rows are in ${file}. Keep it as safe as the database: it contains personal data and keys.`);
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`rubadub backup: ${describeError(error)}`);
    process.exit(1);
  },
);
