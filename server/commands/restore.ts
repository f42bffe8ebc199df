import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { sql } from 'kysely';
import { RestoreError, restoreBackup } from '../db/backup/read.ts';
import { CommandError, describeError, errorCodeOf, errorMessageOf } from './commandError.ts';
import { openDatabaseToRestore } from './openDatabase.ts';

// `npm run restore -- FILE`: brings a backup into an empty database, of either kind, in one transaction.
async function run(): Promise<void> {
  const [name] = process.argv.slice(2);
  if (!name) throw new CommandError('say what from: npm run restore -- rubadub.backup.gz');
  const file = resolve(process.env.INIT_CWD ?? '.', name);
  if (!existsSync(file)) throw new CommandError(`${file} is not there`);
  const database = await openDatabaseToRestore(process.env);
  try {
    const counts = await restoreBackup(database.db, readLines(file)).catch((error: unknown) => {
      // A key, a check or the ledger: the rows do not hold together.
      if (errorCodeOf(error).startsWith('23')) throw new CommandError(`nothing was restored: ${errorMessageOf(error)}`);
      if (error instanceof RestoreError) throw new CommandError(`nothing was restored: ${error.message}`);
      throw error;
    });
    await sql`analyze`.execute(database.db);
    for (const [table, rows] of Object.entries(counts)) {
      if (rows > 0) console.log(`  ${table.padEnd(24)} ${String(rows).padStart(10)}`);
    }
    const total = Object.values(counts).reduce((sum, rows) => sum + rows, 0);
    console.log(`${total} rows of ${file} are restored. \`npm run ledger:check\` reads them through.`);
  } finally {
    await database.close();
  }
}

async function* readLines(file: string): AsyncGenerator<string> {
  const text = createGunzip();
  const fed = pipeline(createReadStream(file), text);
  // Awaited below: until then its failure is nobody's.
  fed.catch(() => undefined);
  try {
    yield* createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY });
    await fed;
  } catch (error) {
    throw new RestoreError(`the file cannot be unpacked: ${errorMessageOf(error)}`);
  }
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`rubadub restore: ${describeError(error)}`);
    process.exit(1);
  },
);
