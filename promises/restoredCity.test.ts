import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Installation } from '../city/installation.ts';
import { readCityOptions } from '../city/options.ts';
import { makeReport } from '../city/report/report.ts';
import { describeFindings } from '../city/report/writeReport.ts';
import { runCity } from '../city/run.ts';
import { MINUTE_MS } from '../domain/durations.ts';
import { openServerDatabase } from '../server/db/database.ts';
import { writeSetting } from '../server/town/settings.sql.ts';
import { runCommand } from '../testing/childProcesses.ts';
import { readStoredRows } from '../testing/storedRows.ts';
import { createTestDatabase } from '../testing/testServer.ts';
import { isNight, TEST_TIMEOUT_MS } from './promiseSuite.ts';

const CROWD = isNight
  ? { buds: 120, scrubs: 25, dubers: 30, operators: 3 }
  : { buds: 8, scrubs: 3, dubers: 4, operators: 2 };
const MINUTES = isNight ? 15 : 0.1;
const SPEED = isNight ? 60 : 150;

const folder = mkdtempSync(join(tmpdir(), 'rubadub-restored-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A careful town has all that an open one has, and documents, proofs and weighings. */
const POLICIES = isNight ? (['open', 'careful'] as const) : (['careful'] as const);

describe.each(POLICIES)('a city with the preset %s', (policy) => {
  test(
    'is the same row by row after its backup was restored into another database',
    async () => {
      const size = { ...CROWD, minutes: MINUTES, speed: SPEED };
      const options = { ...readCityOptions(['--policy', policy], Date.now() % 1e9), ...size };
      const result = await runCity(options, async ({ stage, context }) => {
        if (stage === 'done' && context) await compareRestored(context.installation, policy);
      });
      const report = makeReport(result);
      expect(report.findings, describeFindings(report)).toEqual([]);
    },
    TEST_TIMEOUT_MS + MINUTES * MINUTE_MS,
  );
});

async function compareRestored({ own, database }: Installation, name: string): Promise<void> {
  if (!own || !database) throw new Error('this city has a database of its own');
  // From here on nothing changes.
  await Promise.all(own.slots.map(({ process }) => process.end()));
  // A pause that has ended, after which no backup could be restored once.
  await writeSetting(database.db, { name: 'pause', value: null, setBy: 'the test', from: new Date() });
  // The backup itself is a row of the audit.
  const expected = await readStoredRows(database.db);
  const [file, DATA_DIR] = [join(folder, `${name}.gz`), join(folder, 'none')];
  const made = await runCommand('backup', [file], { DATABASE_URL: own.env.DATABASE_URL ?? '', DATA_DIR });
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('every row came back') });
  const DATABASE_URL = await createTestDatabase();
  expect(await runCommand('restore', [file], { DATABASE_URL, DATA_DIR })).toMatchObject({ code: 0 });
  expect(await runCommand('ledgerCheck', [], { DATABASE_URL, DATA_DIR })).toMatchObject({ code: 0 });
  const restored = openServerDatabase(DATABASE_URL, 2, 'endless');
  try {
    const rows = await readStoredRows(restored.db);
    expect(Object.values(rows).flat().length).toBeGreaterThan(100);
    expect(rows).toEqual(expected);
  } finally {
    await restored.close();
  }
}
