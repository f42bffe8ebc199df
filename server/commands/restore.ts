import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { sql } from 'kysely';
import { RestoreError, restoreBackup } from '../db/backup/read.ts';
import { CommandError, describeError, errorCodeOf, errorMessageOf } from './commandError.ts';
import { openDatabaseToRestore } from './openDatabase.ts';

// `npm run restore -- FILE` restores a backup into an empty database of either kind, in one transaction.
async function run(): Promise<void> {
  const [name] = process.argv.slice(2);
  if (!name) throw new CommandError('name a backup: npm run restore -- rubadub.backup.gz');
  const file = resolve(process.env.INIT_CWD ?? '.', name);
  if (!existsSync(file)) throw new CommandError(`${file} does not exist`);
  const database = await openDatabaseToRestore(process.env);
  try {
    const counts = await restoreBackup(database.db, readLines(file)).catch((error: unknown) => {
      // A key, a check constraint or the ledger's balance: the rows contradict each other.
      if (errorCodeOf(error).startsWith('23')) throw new CommandError(`nothing was restored: ${errorMessageOf(error)}`);
      if (error instanceof RestoreError) throw new CommandError(`nothing was restored: ${error.message}`);
      throw error;
    });
    await sql`analyze`.execute(database.db);
    for (const [table, rows] of Object.entries(counts)) {
      if (rows > 0) console.log(`  ${table.padEnd(24)} ${String(rows).padStart(10)}`);
    }
    const total = Object.values(counts).reduce((sum, rows) => sum + rows, 0);
    console.log(`${total} rows of ${file} are restored. Check them with \`npm run ledger:check\`.`);
  } finally {
    await database.close();
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
