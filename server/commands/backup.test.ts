import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findLegId,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { createTestDatabase, DATABASE_KINDS, openTestServer, PASSWORD } from '../../testing/testServer.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, queryRows } from '../db/database.ts';
import { takeLock } from '../db/dataDirLock.ts';

const folder = mkdtempSync(join(tmpdir(), 'rubadub-backup-'));
const pathOf = (name: string) => join(folder, name);
const describeOnPostgres = describe.runIf(DATABASE_KINDS.includes('postgres'));

type Env = Record<string, string>;

/** Runs a command as npm does. */
async function runCommand(script: string, args: readonly string[], env: Env) {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${script}.ts`), ...args], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output: stdout + stderr };
}

/** The content of a backup without its time and without transaction ids, which differ between databases. */
const contentOf = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .replace(/"made":"[^"]+"/, '')
    .replaceAll(/"written_in":"\d+"/g, '')
    .replace(/#sha256 .*/, '');

const TALLIES = ['order_tallies', 'delivery_tallies', 'ledger_tallies'] as const;

/** The tallies that triggers maintain, which a backup does not contain. Rows with zeros only are left out. */
async function readTallies(database: Database) {
  const found: Record<string, unknown[]> = {};
  for (const table of TALLIES) {
    const all = await queryRows<{ line: string }>(
      database.db,
      sql`select row_to_json(t)::text as line from ${sql.table(table)} t order by 1`,
    );
    found[table] = all.map(({ line }) => line).filter((line) => /:-?[1-9]\d*[,}]/.test(line));
  }
  return found;
}

describeOnPostgres('a backup', () => {
  const embedded = pathOf('first');
  let bud = '';
  let tallies: Awaited<ReturnType<typeof readTallies>>;

  beforeAll(async () => {
    const testServer = await openTestServer('embedded', { env: { DATA_DIR: embedded } });
    const participants = await createParticipants(testServer);
    bud = participants.bud.user.email;
    const order = await createOrderInStatus(participants, 'Accepted', {
      orderInstructions: 'A "quoted" \\ line,\nand ümlauts 🧺 #rows 7',
    });
    await advanceDelivery(participants.duber, findLegId(order, 'Bud_To_Scrub'));
    await participants.scrub.api['start-order']({ params: { id: order.id } });
    await participants.scrub.api['complete-order']({ params: { id: order.id } });
    await participants.bud.api.reviewToScrub({
      params: { id: order.id },
      body: { ...REVIEW, scrubId: participants.scrub.user.id },
    });
    await createOrderInStatus(participants, 'Cancelled');
    await testServer.close();
    const database = await openEmbeddedDatabase(embedded);
    // Integers above 2^53 and times with microseconds must survive unchanged.
    await queryRows(database.db, sql`update users set created_at = '2026-01-02T03:04:05.678901Z' where email = ${bud}`);
    await queryRows(
      database.db,
      sql`update addresses set latitude = 0.1::float8 + 0.2::float8 where label = 'Default'`,
    );
    await queryRows(database.db, sql`select setval(pg_get_serial_sequence('ledger_entries', 'id'), 9007199254740993)`);
    tallies = await readTallies(database);
    await database.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('moves everything from the embedded database to PostgreSQL and back without a change', async () => {
    const [first, second, third] = [pathOf('1.gz'), pathOf('2.gz'), pathOf('3.gz')];
    const made = await runCommand('backup', [first], { DATA_DIR: embedded });
    expect(made.output).toContain('rows are in');
    expect(made.code).toBe(0);
    expect(statSync(first).mode & 0o777).toBe(0o600);
    const content = contentOf(first);
    expect(content).toContain('2026-01-02T03:04:05.678901+00:00');
    expect(content).toContain('0.30000000000000004');
    expect(content).toContain('🧺');

    const url = await createTestDatabase();
    const restored = await runCommand('restore', [first], { DATABASE_URL: url, DATA_DIR: pathOf('none') });
    expect(restored.output).toContain('are restored');
    expect((await runCommand('backup', [second], { DATABASE_URL: url, DATA_DIR: pathOf('none') })).code).toBe(0);
    expect(contentOf(second)).toBe(content);
    expect((await runCommand('ledgerCheck', [], { DATABASE_URL: url, DATA_DIR: pathOf('none') })).code).toBe(0);
    const database = openServerDatabase(url, 1);
    expect(await readTallies(database)).toEqual(tallies);
    await database.close();

    expect((await runCommand('restore', [second], { DATA_DIR: pathOf('second') })).code).toBe(0);
    expect((await runCommand('backup', [third], { DATA_DIR: pathOf('second') })).code).toBe(0);
    expect(contentOf(third)).toBe(content);

    // People can still sign in with their passwords.
    const testServer = await openTestServer('embedded', { env: { DATA_DIR: pathOf('second') } });
    const { user } = await testServer.api().login({ body: { email: bud, password: PASSWORD } });
    expect(user.fullname).toBe('Ada Bud');
    await testServer.close();
  });

  test('restores nothing when it is damaged, truncated or from another release', async () => {
    const file = pathOf('4.gz');
    await runCommand('backup', [file], { DATA_DIR: embedded });
    const whole = gunzipSync(readFileSync(file)).toString();
    const url = await createTestDatabase();
    const env = { DATABASE_URL: url, DATA_DIR: pathOf('none') };
    const damaged: [string, string | Buffer, string][] = [
      ['a changed letter', gzipSync(whole.replace('Ada Bud', 'Eve Bud')), 'the checksum at the end does not match'],
      ['a missing row', gzipSync(whole.replace(/\n\{"id[^\n]*/, '')), 'number of rows'],
      ['a cut line', gzipSync(whole.slice(0, -200)), 'cut short'],
      ['a cut file', readFileSync(file).subarray(0, -100), 'cannot be decompressed'],
      ['another release', gzipSync(whole.replace(',"010_outbox"', '')), '009_sorted'],
      ['another file', gzipSync('hello\nthere\n'), 'not a backup of Rubadub'],
      ['no gzip', 'hello', 'cannot be decompressed'],
      ['an unbalanced ledger', gzipSync(unbalanced(whole)), 'of the ledger has'],
    ];
    for (const [name, bytes, words] of damaged) {
      writeFileSync(pathOf('damaged.gz'), bytes);
      const { code, output } = await runCommand('restore', [pathOf('damaged.gz')], env);
      expect(output, name).toContain(words);
      expect(code, name).toBe(1);
    }
    const database = openServerDatabase(url, 1);
    expect(await queryRows(database.db, sql`select id from users`)).toEqual([]);
    await database.close();
  });

  /** A forged backup: one amount is changed, and the checksum is correct. */
  function unbalanced(whole: string): string {
    const changed = whole.replace(/("position":0,[^\n]*"amount":)(\d+)/, '$19$2').replace(/#sha256 .*\n/, '');
    return `${changed}#sha256 ${createHash('sha256').update(changed).digest('hex')}\n`;
  }

  test('is restored only into an empty database, and made only while no server uses the database', async () => {
    const file = pathOf('5.gz');
    const lock = takeLock(embedded);
    const locked = await runCommand('backup', [file], { DATA_DIR: embedded });
    expect([locked.code, locked.output]).toEqual([1, expect.stringContaining('is in use by process')]);
    lock.release();
    expect((await runCommand('backup', [file], { DATA_DIR: embedded })).code).toBe(0);
    const again = await runCommand('backup', [file], { DATA_DIR: embedded });
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('already exists')]);
    const full = await runCommand('restore', [file], { DATA_DIR: embedded });
    expect([full.code, full.output]).toEqual([1, expect.stringContaining('people have accounts in this database')]);
    expect((await runCommand('restore', [pathOf('nowhere.gz')], { DATA_DIR: pathOf('third') })).output).toContain(
      'does not exist',
    );
    expect((await runCommand('backup', [], {})).output).toContain('name a file');
  });
});
