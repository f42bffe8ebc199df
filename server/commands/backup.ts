import { mkdtempSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeBackupFile } from '../db/backup/file.ts';
import { proveBackup } from '../db/backup/prove.ts';
import { RestoreError } from '../db/backup/read.ts';
import { writeBackup } from '../db/backup/write.ts';
import { transact } from '../db/database.ts';
import { BACKUP_ACTION, writeAudit } from '../operator/audit.sql.ts';
import { runForCommandLine } from '../operator/commandLineUser.ts';
import { addToErasureList, ERASURE_LIST } from '../personal/erasureList.ts';
import { CommandError, describeError, errorCodeOf, errorMessageOf } from './commandError.ts';
import { openDatabase } from './openDatabase.ts';
import { refuseExisting } from './privateFile.ts';
import { readOptions } from './readOptions.ts';

const CANNOT_WRITE = /^(?:ENOSPC|EDQUOT|EFBIG|EROFS|EACCES|EPERM|ENOENT|ENOTDIR)$/;
/** PostgreSQL has its own code for a full disk. */
const NO_ROOM = /^(?:ENOSPC|EDQUOT|53100)$/;

const USAGE = 'npm run backup -- rubadub.backup.gz [--quick]';

// `npm run backup -- FILE` writes a consistent copy of the database into one file, which restores into either kind. Without
// `--quick` the file gets its name only after it was restored into a database beside it and every row has come back.
async function run(): Promise<void> {
  const { file, isQuick } = readArguments(process.argv.slice(2));
  refuseExisting(file);
  const folder = makeWorkFolder(file);
  const part = join(folder, 'part');
  const total = await writePart(part, join(dirname(file), ERASURE_LIST)).catch((error: unknown) => {
    if (!CANNOT_WRITE.test(errorCodeOf(error))) throw error;
    throw new CommandError(`${file} cannot be written: ${errorMessageOf(error)}`);
  });
  if (!isQuick) await prove(part, folder, file);
  await rename(part, file);
  await recordBackup(total, !isQuick).catch((error: unknown) => {
    console.error(`rubadub backup: the file is complete, but Today does not know of it: ${errorMessageOf(error)}`);
  });
  const proof = isQuick
    ? 'Nobody has tried to restore it: --quick leaves that out.'
    : 'It was restored into a database beside it, and every row came back as it was.';
  console.log(
    `${total} rows are in ${file}. ${proof} Keep it as safe as the database: it contains personal data and keys.`,
  );
}

function readArguments(args: readonly string[]): { file: string; isQuick: boolean } {
  const options = { quick: { type: 'boolean', default: false } } as const;
  const { values, positionals } = readOptions(
    () => parseArgs({ args: [...args], options, allowPositionals: true }),
    USAGE,
  );
  const [name, ...others] = positionals;
  if (!name || others.length > 0) throw new CommandError(`name a file: ${USAGE}`);
  // npm runs scripts in the project's folder; INIT_CWD is where the operator is.
  return { file: resolve(process.env.INIT_CWD ?? '.', name), isQuick: values.quick };
}

/**
 * A folder beside the file for what is not finished, which is removed however the command ends. Nobody else can open it or
 * predict its name: folders such as /tmp are open to others, and the file contains personal data and keys.
 */
function makeWorkFolder(file: string): string {
  let folder: string;
  try {
    folder = mkdtempSync(`${file}.part-`);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${errorMessageOf(error)}`);
  }
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  return folder;
}

/** Writes the backup, and which accounts were erased into the list beside it. Returns how many rows it has written. */
async function writePart(part: string, erasureList: string): Promise<number> {
  const database = await openDatabase(process.env);
  let total = 0;
  try {
    const lines = writeBackup(database.db, new Date(), (table, rows) => {
      total += rows;
      if (rows > 0) console.log(`  ${table.padEnd(24)} ${String(rows).padStart(10)}`);
    });
    await writeBackupFile(part, lines);
    await addToErasureList(database.db, erasureList);
    return total;
  } finally {
    await database.close();
  }
}

/** The audit says who has copied everything, and Today when the last backup was made. */
async function recordBackup(rows: number, isProved: boolean): Promise<void> {
  const database = await openDatabase(process.env);
  const { username } = userInfo();
  try {
    await runForCommandLine(username, () =>
      transact(database.db, (tx) =>
        writeAudit(tx, {
          ...{ at: new Date(), operatorId: null, operatorName: username, action: BACKUP_ACTION },
          ...{ subjectKind: 'town', subjectId: null, reason: 'npm run backup', cents: null },
          details: JSON.stringify({ rows, isProved }),
          ...{ requestId: null, approvedBy: null, approvedByName: null, approvalId: null },
        }),
      ),
    );
  } finally {
    await database.close();
  }
}

async function prove(part: string, folder: string, file: string): Promise<void> {
  try {
    await proveBackup(part, join(folder, 'proof'));
  } catch (error) {
    if (error instanceof RestoreError) {
      throw new CommandError(`no backup was made, because this one could not be restored: ${error.message}`);
    }
    if (!NO_ROOM.test(errorCodeOf(error))) throw error;
    throw new CommandError(
      `no backup was made: ${dirname(file)} has no room for a second database, which proves the backup. Make room, name a file on another disk, or leave the proof out with --quick`,
    );
  }
}

// Until it has ended well, also when nothing is left to wait for.
process.exitCode = 1;
run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`rubadub backup: ${describeError(error)}`);
    process.exit(1);
  },
);
