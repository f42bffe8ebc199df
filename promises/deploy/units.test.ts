import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/build.ts';
import { readConfig } from '../../server/config/config.ts';
import { findDebianProgram } from '../../testing/debianProgram.ts';
import { createOrderInStatus, createParticipants } from '../../testing/orderSteps.ts';
import { CHEAPEST_DATABASE, openTestServer } from '../../testing/testServer.ts';
import { isNight } from '../promiseSuite.ts';

const FOLDER = join(ROOT, 'deploy', 'systemd');
const units = readdirSync(FOLDER).filter((name) => /\.(?:service|timer)$/.test(name));
const read = (unit: string) => readFileSync(join(FOLDER, unit), 'utf8');
/** Of 10; systemd calls less than 2 OK. */
const MOST_EXPOSED = 2;

const analyze = findDebianProgram('/usr/bin/systemd-analyze', 'systemd', 'libsystemd-shared');

describe.skipIf(analyze === undefined)('systemd', () => {
  // Units are looked up beside each other, with what stands in their .d folders.
  const home = mkdtempSync(join(tmpdir(), 'rubadub-units-'));
  const run = (...args: string[]) =>
    execFileSync(analyze ?? '', args, {
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${home}:` },
      encoding: 'utf8',
      stdio: 'pipe',
    });
  beforeAll(() => cpSync(FOLDER, home, { recursive: true }));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test('accepts every unit without a warning', () => {
    expect(units).toContain('rubadub-server.service');
    expect(run('verify', ...units.map((unit) => join(home, unit)))).toBe('');
  });

  test.each(units.filter((unit) => /^rubadub-.*\.service$/.test(unit)))('finds that %s may do little', (unit) => {
    const report = run('security', '--offline=true', '--no-pager', join(home, unit));
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(report)?.[1])).toBeLessThan(MOST_EXPOSED);
  });
});

test('each service and its timer have the same name, and each job that may fail tells the owner', () => {
  const timers = units.filter((unit) => unit.endsWith('.timer'));
  expect(timers.map((timer) => timer.replace('.timer', '.service')).filter((unit) => !units.includes(unit))).toEqual(
    [],
  );
  for (const timer of timers)
    expect(read(timer.replace('.timer', '.service'))).toContain('OnFailure=notify-rubadub@%n.service');
});

test('the server starts with the variables of the example', () => {
  const example = readFileSync(join(ROOT, 'deploy', 'example.env'), 'utf8');
  const lines = example.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const env = Object.fromEntries(lines.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]));
  const filled = {
    ...{ SQUARE_ACCESS_TOKEN: 'token', SQUARE_APPLICATION_ID: 'sandbox-id', SQUARE_LOCATION_ID: 'place' },
    ...{ MAPBOX_TOKEN: 'pk.token', MAP_STYLE_URL: 'https://example.org/style.json' },
    SEALING_KEY: Buffer.alloc(32, 1).toString('base64url'),
  };
  expect(Object.keys(filled).filter((name) => env[name] !== '')).toEqual([]);
  expect(readConfig({ ...env, ...filled })).toMatchObject({
    publicUrl: 'https://laundry.example.org',
    trustProxy: 1,
    metrics: { port: 9464 },
    sandbox: { square: false, places: false, map: false, mail: false },
  });
});

/** The command of a unit for this machine: systemd reads `%%` as % and `$$` as $, and passes what it quotes as one argument. */
function commandOf(unit: string, folders: Readonly<Record<string, string>>): string {
  const text = read(unit).replaceAll('\\\n', '');
  const [, script = ''] = /^ExecStart=\/bin\/sh -e?u?c '(.*)'$/m.exec(text) ?? [];
  return Object.entries(folders).reduce(
    (command, [from, to]) => command.replaceAll(from, to),
    script.replaceAll('%%', '%').replaceAll('$$', '$'),
  );
}

// The programs have tests of their own. This one runs what stands in the units.
test.runIf(isNight)('the backup of the night can be restored by the rehearsal, which finds no fault', async () => {
  const home = mkdtempSync(join(tmpdir(), 'rubadub-rehearsal-'));
  const server = await openTestServer(CHEAPEST_DATABASE);
  try {
    await createOrderInStatus(await createParticipants(server), 'Completed');
    const folders = { '/var/lib/rubadub-backups': home, '/var/tmp/rehearsal': join(home, 'rehearsal') };
    const run = (unit: string, env: Record<string, string>) =>
      execFileSync('/bin/sh', ['-euc', commandOf(unit, folders)], {
        cwd: ROOT,
        env: { PATH: process.env.PATH ?? '', ...env },
        encoding: 'utf8',
        stdio: 'pipe',
      });
    expect(run('rubadub-backup.service', { DATABASE_URL: server.databaseUrl ?? '' })).toContain(
      'every row came back as it was',
    );
    const rehearsal = run('rubadub-rehearsal.service', {});
    expect(rehearsal).toContain('The ledger is right');
    expect(rehearsal).toContain('The tallies are right');
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
});
