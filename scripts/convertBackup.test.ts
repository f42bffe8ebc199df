import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { openServerDatabase, queryRow } from '../server/db/database.ts';
import { runCommand, withChecksum } from '../testing/backupFiles.ts';
import { createTestDatabase } from '../testing/testServer.ts';

/** Made by the last build that had migrations: two orders, one of them delivered and reviewed, one cancelled. */
const OF_MIGRATIONS = join(import.meta.dirname, '..', 'testing', 'backups', 'ofMigrations.backup.gz');
/** The same town, by the last build of schema 1. Its steps have the keys of their requests. */
const OF_SCHEMA_1 = join(import.meta.dirname, '..', 'testing', 'backups', 'ofSchema1.backup.gz');
const SCRIPT = join(import.meta.dirname, 'convertBackup.ts');

const folder = mkdtempSync(join(tmpdir(), 'rubadub-convert-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the script, and returns what it prints. */
function convert(from: string, to: string): string {
  try {
    return execFileSync(process.execPath, [SCRIPT, from, join(folder, to)], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    return (error as { readonly stderr: string }).stderr;
  }
}

function change(name: string, edit: (whole: string) => string): string {
  const path = join(folder, name);
  writeFileSync(path, gzipSync(edit(gunzipSync(readFileSync(OF_MIGRATIONS)).toString())));
  return path;
}

describe.each([
  ['of a build that had migrations', OF_MIGRATIONS],
  ['of schema 1', OF_SCHEMA_1],
])('the backup %s', (_, backup) => {
  test('is refused by a restore, which names the command that converts the backup', async () => {
    const env = { DATABASE_URL: await createTestDatabase(), DATA_DIR: join(folder, 'none') };
    const { code, output } = await runCommand('restore', [backup], env);
    expect([code, output]).toEqual([1, expect.stringContaining('convert it first (npm run convert-backup)')]);
  });

  test('is restored once it is converted, with every order, hand-over, review and cent', async () => {
    const name = `of-${basename(backup)}`;
    expect(convert(backup, name)).toContain('is written');
    const env = { DATABASE_URL: await createTestDatabase(), DATA_DIR: join(folder, 'none') };
    const restored = await runCommand('restore', [join(folder, name)], env);
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('are restored')]);
    const checked = await runCommand('ledgerCheck', [], env);
    expect([checked.code, checked.output]).toEqual([0, expect.stringContaining('The ledger is right')]);
    const { db, close } = openServerDatabase(env.DATABASE_URL, 1);
    try {
      const found = await queryRow(
        db,
        sql`select (select array_agg(status order by number) from orders) as orders,
          (select count(*)::int from order_steps) as steps, (select count(*)::int from delivery_steps) as "deliverySteps",
          (select count(*)::int from handovers) as handovers, (select count(*)::int from reviews) as reviews,
          (select is_first_pass from admission_sweeps) as "isFirstPass"`,
      );
      expect(found).toEqual({
        ...{
          orders: ['Completed', 'Cancelled'],
          steps: 6,
          deliverySteps: 12,
          handovers: 4,
          reviews: 1,
          isFirstPass: false,
        },
      });
    } finally {
      await close();
    }
  });
});

describe('a conversion', () => {
  test('is refused in one line when the backup is damaged, of an even earlier build, or converted already', () => {
    convert(OF_MIGRATIONS, 'converted.gz');
    const refused: readonly [string, string, string][] = [
      [
        'damaged',
        change('damaged.gz', (whole) => whole.replace('Ada', 'Eve')),
        'the checksum at the end does not match',
      ],
      ['cut', change('cut.gz', (whole) => whole.slice(0, 3_000)), 'cut short'],
      [
        'earlier',
        change('earlier.gz', (whole) => withChecksum(whole.replace(',"053_rates_and_restores"', ''))),
        'restore it with the last build that has migrations',
      ],
      ['converted', join(folder, 'converted.gz'), 'restore it as it is'],
      ['missing', join(folder, 'none.gz'), 'does not exist'],
    ];
    for (const [name, from, words] of refused) {
      const output = convert(from, `${name}-new.gz`);
      expect(output, name).toContain(words);
      expect(output.trim().split('\n'), name).toHaveLength(1);
    }
  });
});
