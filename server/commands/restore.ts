import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sql } from 'kysely';
import { readBackupFile } from '../db/backup/file.ts';
import { RestoreError, restoreBackup } from '../db/backup/read.ts';
import { recordRestore } from '../payments/reconcile/afterRestore.sql.ts';
import { ERASURE_LIST, syncErasures } from '../personal/erasureList.ts';
import { CommandError, describeError } from './commandError.ts';
import { openDatabaseToRestore } from './openDatabase.ts';

const SIGN_IN_AGAIN = `Everybody signs in again, with the password of the time of the backup: sessions, known devices, codes, reset links
and unsent messages are never restored. Anyone whose password was stolen since then needs a new one again.`;

const CARD_NETWORK = `The first start compares everything with the card network since the backup. Today then lists payments whose hold is gone, because
their order was called off since, and days with charges that are unknown here.`;

// `npm run restore -- FILE` restores a backup into an empty database of either kind, in one transaction.
async function run(): Promise<void> {
  const [name] = process.argv.slice(2);
  if (!name) throw new CommandError('name a backup: npm run restore -- rubadub.backup.gz');
  const file = resolve(process.env.INIT_CWD ?? '.', name);
  if (!existsSync(file)) throw new CommandError(`${file} does not exist`);
  const database = await openDatabaseToRestore(process.env);
  try {
    const { rows, leftOut } = await restoreBackup(database.db, readBackupFile(file)).catch((error: unknown) => {
      if (error instanceof RestoreError) throw new CommandError(`nothing was restored: ${error.message}`);
      throw error;
    });
    await recordRestore(database.db, new Date());
    await syncErasures(database.db, join(dirname(file), ERASURE_LIST), new Date());
    await sql`analyze`.execute(database.db);
    printCounts('', rows);
    printCounts('left out: ', leftOut);
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    console.log(`${total} rows of ${file} are restored. Check them with \`npm run ledger:check\`.`);
    console.log(CARD_NETWORK);
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

// Until it has ended well, also when nothing is left to wait for.
process.exitCode = 1;
run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`rubadub restore: ${describeError(error)}`);
    process.exit(1);
  },
);
