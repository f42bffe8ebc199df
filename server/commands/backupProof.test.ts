import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '../../testing/childProcesses.ts';
import { createTestDatabase } from '../../testing/testServer.ts';
import { openServerDatabase, queryRows } from '../db/database.ts';
import { ensureSchema } from '../db/ensureSchema.ts';

const folder = mkdtempSync(join(tmpdir(), 'rubadub-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a backup leaves no file when it cannot be restored, unless --quick leaves that out and says so', async () => {
  const url = await createTestDatabase();
  const database = openServerDatabase(url, 1);
  try {
    await ensureSchema(database.db);
    await queryRows(database.db, sql`alter table reconciled_days drop constraint reconciled_days_state_check`);
    await queryRows(database.db, sql`insert into reconciled_days (day, state) values ('2026-11-23', 'odd')`);
  } finally {
    await database.close();
  }
  const env = { DATABASE_URL: url, DATA_DIR: join(folder, 'none') };
  const own = join(folder, 'backups');
  mkdirSync(own);
  const failed = await runCommand('backup', [join(own, 'nightly.gz')], env);
  expect([failed.code, failed.output]).toEqual([
    1,
    expect.stringMatching(/\nrubadub backup: no backup was made, because this one could not be restored: a row .*\n$/),
  ]);
  expect(readdirSync(own)).toEqual([]);
  const quick = await runCommand('backup', [join(own, 'nightly.gz'), '--quick'], env);
  expect([quick.code, quick.output]).toEqual([0, expect.stringContaining('Nobody has tried to restore it')]);
  expect(readdirSync(own)).toEqual(['nightly.gz']);
  const wrong = await runCommand('backup', [join(own, 'nightly.gz'), '--quik'], env);
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('there is no option --quik')]);
});
