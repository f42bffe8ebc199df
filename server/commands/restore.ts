import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { sql } from 'kysely';
import { NotRestorable, readBackup } from '../db/backup/read.ts';
import { codeOf, explain, messageOf, StartFault } from './commandError.ts';
import { openToRestore } from './openDatabase.ts';

// `npm run restore -- FILE`: brings a backup into an empty database, of either kind, in one transaction.
async function run(): Promise<void> {
  const [name] = process.argv.slice(2);
  if (!name) throw new StartFault('say what from: npm run restore -- rubadub.backup.gz');
  const file = resolve(process.env.INIT_CWD ?? '.', name);
  if (!existsSync(file)) throw new StartFault(`${file} is not there`);
  const database = await openToRestore(process.env);
  try {
    const counts = await readBackup(database.db, linesOf(file)).catch((error: unknown) => {
      // A key, a check or the ledger: the rows do not hold together.
      if (codeOf(error).startsWith('23')) throw new StartFault(`nothing was restored: ${messageOf(error)}`);
      if (error instanceof NotRestorable) throw new StartFault(`nothing was restored: ${error.message}`);
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

async function* linesOf(file: string): AsyncGenerator<string> {
  const text = createGunzip();
  const fed = pipeline(createReadStream(file), text);
  // Awaited below: until then its failure is nobody's.
  fed.catch(() => undefined);
  try {
    yield* createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY });
    await fed;
  } catch (error) {
    throw new NotRestorable(`the file cannot be unpacked: ${messageOf(error)}`);
  }
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`rubadub restore: ${explain(error)}`);
    process.exit(1);
  },
);
