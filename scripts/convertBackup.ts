import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError, describeError } from '../server/commands/commandError.ts';
import { readBackupFile, writeBackupFile } from '../server/db/backup/file.ts';
import { SCHEMA_NUMBER } from '../server/db/ensureSchema.ts';

// `npm run convert-backup -- OLD NEW` makes a backup of the schema of this build from the backup of an earlier build. It is removed with
// 1.0, from which on a release upgrades the database itself.

type Row = Readonly<Record<string, string | null>>;

/** The last migration of the builds that had migrations. */
const LAST_MIGRATION = '053_rates_and_restores';
/** Mails of builds before the outbox, all of them sent or given up, and failed sign-ins of builds before sign_in_attempts. */
const GONE_TABLES = ['mails', 'sign_in_failures'];

const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

/** Columns that went. The keys of earlier requests are not moved to the table `requests`: after a restore everybody signs in again. */
const GONE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  admission_sweeps: ['is_on', 'last_user', 'is_done'],
  audit: ['request_key', 'request_hash'],
  order_steps: ['request_key'],
  delivery_steps: ['request_key'],
  weighings: ['request_key'],
  cases: ['request_key'],
  case_events: ['request_key'],
};

/** New tables, which are empty, each before the table that follows it in a backup. */
const NEW_BEFORE: Readonly<Record<string, string>> = { requirements: 'requests' };

type EarlierManifest = {
  readonly migrations?: readonly string[];
  readonly schema?: number;
  readonly tables?: readonly string[];
};

/** The manifest of the converted backup. */
function convertManifest(line: string): string {
  const { migrations, schema, tables = [], ...rest } = JSON.parse(line.replace(/^#manifest /, '')) as EarlierManifest;
  if (schema === SCHEMA_NUMBER)
    throw new CommandError('the backup has the schema of this build already: restore it as it is');
  if (migrations && migrations.at(-1) !== LAST_MIGRATION)
    throw new CommandError(
      `the backup is at ${migrations.at(-1)}, before ${LAST_MIGRATION}: restore it with the last build that has migrations, start that build once, and make a backup with it`,
    );
  const kept = tables.filter((name) => !GONE_TABLES.includes(name));
  const all = kept.flatMap((name) => [NEW_BEFORE[name] ?? [], name].flat());
  return `#manifest ${JSON.stringify({ ...rest, schema: SCHEMA_NUMBER, tables: all })}`;
}

/** The lines of the converted backup, each with its end. Throws when the checksum of the earlier backup does not match. */
export async function* convertBackup(lines: AsyncIterable<string>): AsyncGenerator<string> {
  const [read, written] = [createHash('sha256'), createHash('sha256')];
  const hashed = (line: string) => {
    written.update(`${line}\n`);
    return `${line}\n`;
  };
  let table = '';
  for await (const line of lines) {
    if (line.startsWith('#sha256 ')) {
      if (line !== `#sha256 ${read.digest('hex')}`)
        throw new CommandError('the checksum at the end does not match: the file was changed or damaged');
      yield `#sha256 ${written.digest('hex')}\n`;
      return;
    }
    read.update(`${line}\n`);
    if (line.startsWith('#table ')) table = line.slice('#table '.length);
    if (GONE_TABLES.includes(table)) continue;
    const [gone, added] = [GONE_COLUMNS[table], NEW_BEFORE[table]];
    if (added && line.startsWith('#table ')) for (const one of [`#table ${added}`, '#rows 0']) yield hashed(one);
    if (line.startsWith('#manifest ')) yield hashed(convertManifest(line));
    else yield hashed(gone && !line.startsWith('#') ? JSON.stringify(without(JSON.parse(line) as Row, gone)) : line);
  }
  throw new CommandError('the file ends before its checksum: it was cut short');
}

async function run([from, to]: readonly string[]): Promise<void> {
  if (!from || !to) throw new CommandError('name both files: npm run convert-backup -- old.backup.gz new.backup.gz');
  const [source, target] = [from, to].map((name) => resolve(process.env.INIT_CWD ?? '.', name)) as [string, string];
  if (!existsSync(source)) throw new CommandError(`${source} does not exist`);
  if (existsSync(target)) throw new CommandError(`${target} exists already`);
  await writeBackupFile(target, convertBackup(readBackupFile(source)));
  console.log(`${target} is written. Restore it with \`npm run restore -- ${to}\`.`);
}

if (import.meta.main) {
  await run(process.argv.slice(2)).catch((error: unknown) => {
    console.error(`rubadub convert-backup: ${describeError(error)}`);
    process.exitCode = 1;
  });
}
