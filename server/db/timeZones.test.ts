import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const INSTANTS = [
  // Around the hour that New York skips, within the one that it repeats, and at both ends of a week in UTC.
  '2026-03-08T06:59:59.999Z',
  '2026-03-08T07:00:00.000Z',
  '2026-11-01T05:30:00.000Z',
  '2026-11-01T06:30:00.000Z',
  '2026-11-22T23:59:59.999Z',
  '2026-11-23T00:00:00.000Z',
  '1970-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
];

const SCRIPT = `
  const at = (path) => new URL(path, ${JSON.stringify(import.meta.url)}).href;
  const { sql } = await import(at('../../node_modules/kysely/dist/index.js'));
  const { openEmbeddedDatabase, queryRow } = await import(at('./database.ts'));
  const { mondayBefore } = await import(at('../../domain/ledger.ts'));
  const instants = ${JSON.stringify(INSTANTS)};
  const database = await openEmbeddedDatabase(undefined);
  const results = {};
  for (const zone of ['Pacific/Kiritimati', 'America/New_York']) {
    // Node reads the time zone again when it is set.
    process.env.TZ = zone;
    const stored = [];
    for (const instant of instants) {
      const row = await queryRow(database.db, sql\`select \${new Date(instant)}::timestamptz as at, \${instant}::timestamptz as text\`);
      stored.push(row.at.toISOString(), row.text.toISOString());
    }
    const mondays = instants.slice(4, 6).map((instant) => mondayBefore(new Date(instant)).toISOString());
    results[zone] = { offset: new Date(instants[0]).getTimezoneOffset(), stored, mondays };
  }
  await database.close();
  console.log(JSON.stringify(results));
`;

test('a process in any time zone stores every instant and counts weeks in UTC', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', SCRIPT]);
  const stored = INSTANTS.flatMap((instant) => [instant, instant]);
  const mondays = ['2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z'];
  expect(JSON.parse(stdout)).toEqual({
    'Pacific/Kiritimati': { offset: -840, stored, mondays },
    'America/New_York': { offset: 300, stored, mondays },
  });
});
