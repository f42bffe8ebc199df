import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { sql } from 'kysely';
import { RestoreError, restoreBackup } from '../db/backup/read.ts';
import { CommandError, describeError, errorMessageOf } from './commandError.ts';
import { openDatabaseToRestore } from './openDatabase.ts';

const SIGN_IN_AGAIN = `Everybody signs in again, with the password of the time of the backup: sessions, known devices, codes, reset links
and unsent messages are never restored. Anyone whose password was stolen since then needs a new one again.`;

// `npm run restore -- FILE` restores a backup into an empty database of either kind, in one transaction.
async function run(): Promise<void> {
  const [name] = process.argv.slice(2);
  if (!name) throw new CommandError('name a backup: npm run restore -- rubadub.backup.gz');
  const file = resolve(process.env.INIT_CWD ?? '.', name);
  if (!existsSync(file)) throw new CommandError(`${file} does not exist`);
  const database = await openDatabaseToRestore(process.env);
  try {
    const { rows, leftOut } = await restoreBackup(database.db, readLines(file)).catch((error: unknown) => {
      if (error instanceof RestoreError) throw new CommandError(`nothing was restored: ${error.message}`);
      throw error;
    });
    await sql`analyze`.execute(database.db);
    printCounts('', rows);
    printCounts('left out: ', leftOut);
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    console.log(`${total} rows of ${file} are restored. Check them with \`npm run ledger:check\`.`);
    console.log(SIGN_IN_AGAIN);
  } finally {
    await database.close();
  }
}

function printCounts(prefix: string, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) {
    if (count > 0) console.log(`  ${(prefix + name).padEnd(38)} ${String(count).padStart(10)}`);
  }
}

async function* readLines(file: string): AsyncGenerator<string> {
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

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`rubadub restore: ${describeError(error)}`);
    process.exit(1);
  },
);
