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

/** Runs one of the scripts as npm does. */
async function runCommand(script: string, args: readonly string[], env: Env) {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${script}.ts`), ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, fault, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, said: said + fault };
}

/** What a backup holds, but for when it was made and what is numbered by the transactions of one database. */
const contentOf = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .replace(/"made":"[^"]+"/, '')
    .replaceAll(/"written_in":"\d+"/g, '')
    .replace(/#sha256 .*/, '');

const TALLIES = ['order_tallies', 'delivery_tallies', 'ledger_tallies'] as const;

/** The sums that triggers keep, which no backup holds; rows of nothing are none. */
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
    const world = await openTestServer('embedded', { env: { DATA_DIR: embedded } });
    const cast = await createParticipants(world);
    bud = cast.bud.user.email;
    const order = await createOrderInStatus(cast, 'Accepted', {
      orderInstructions: 'A "quoted" \\ line,\nand ümlauts 🧺 #rows 7',
    });
    await advanceDelivery(cast.duber, findLegId(order, 'Bud_To_Scrub'));
    await cast.scrub.api['start-order']({ params: { id: order.id } });
    await cast.scrub.api['complete-order']({ params: { id: order.id } });
    await cast.bud.api.reviewToScrub({ params: { id: order.id }, body: { ...REVIEW, scrubId: cast.scrub.user.id } });
    await createOrderInStatus(cast, 'Cancelled');
    await world.close();
    const database = await openEmbeddedDatabase(embedded);
    // Numbers that no double holds, and times to the microsecond, come through as they are.
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

  test('moves a city from the embedded database to PostgreSQL and back, and nothing is lost or changed', async () => {
    const [first, second, third] = [pathOf('1.gz'), pathOf('2.gz'), pathOf('3.gz')];
    const made = await runCommand('backup', [first], { DATA_DIR: embedded });
    expect(made.said).toContain('rows are in');
    expect(made.code).toBe(0);
    expect(statSync(first).mode & 0o777).toBe(0o600);
    const content = contentOf(first);
    expect(content).toContain('2026-01-02T03:04:05.678901+00:00');
    expect(content).toContain('0.30000000000000004');
    expect(content).toContain('🧺');

    const url = await createTestDatabase();
    const restored = await runCommand('restore', [first], { DATABASE_URL: url, DATA_DIR: pathOf('none') });
    expect(restored.said).toContain('are restored');
    expect((await runCommand('backup', [second], { DATABASE_URL: url, DATA_DIR: pathOf('none') })).code).toBe(0);
    expect(contentOf(second)).toBe(content);
    expect((await runCommand('ledgerCheck', [], { DATABASE_URL: url, DATA_DIR: pathOf('none') })).code).toBe(0);
    const database = openServerDatabase(url, 1);
    expect(await readTallies(database)).toEqual(tallies);
    await database.close();

    expect((await runCommand('restore', [second], { DATA_DIR: pathOf('second') })).code).toBe(0);
    expect((await runCommand('backup', [third], { DATA_DIR: pathOf('second') })).code).toBe(0);
    expect(contentOf(third)).toBe(content);

    // The product goes on where it was: people sign in with their passwords, and entries get numbers of their own.
    const world = await openTestServer('embedded', { env: { DATA_DIR: pathOf('second') } });
    const { user } = await world.api().login({ body: { email: bud, password: PASSWORD } });
    expect(user.fullname).toBe('Ada Bud');
    await world.close();
  });

  test('that is damaged, cut short or of another release restores nothing', async () => {
    const file = pathOf('4.gz');
    await runCommand('backup', [file], { DATA_DIR: embedded });
    const whole = gunzipSync(readFileSync(file)).toString();
    const url = await createTestDatabase();
    const env = { DATABASE_URL: url, DATA_DIR: pathOf('none') };
    const spoilt: [string, string | Buffer, string][] = [
      ['a changed letter', gzipSync(whole.replace('Ada Bud', 'Eve Bud')), 'the checksum at the end does not match'],
      ['a missing row', gzipSync(whole.replace(/\n\{"id[^\n]*/, '')), 'number of rows'],
      ['a cut line', gzipSync(whole.slice(0, -200)), 'cut short'],
      ['a cut file', readFileSync(file).subarray(0, -100), 'cannot be unpacked'],
      ['another release', gzipSync(whole.replace('"001_start"', '"000_before"')), 'is at'],
      ['another file', gzipSync('hello\nthere\n'), 'no backup of Rubadub'],
      ['no gzip', 'hello', 'cannot be unpacked'],
      ['an unbalanced ledger', gzipSync(unbalanced(whole)), 'of the ledger has'],
    ];
    for (const [name, bytes, words] of spoilt) {
      writeFileSync(pathOf('spoilt.gz'), bytes);
      const { code, said } = await runCommand('restore', [pathOf('spoilt.gz')], env);
      expect(said, name).toContain(words);
      expect(code, name).toBe(1);
    }
    const database = openServerDatabase(url, 1);
    expect(await queryRows(database.db, sql`select id from users`)).toEqual([]);
    await database.close();
  });

  /** What somebody would make who knows how: one amount more, and a checksum that fits. */
  function unbalanced(whole: string): string {
    const changed = whole.replace(/("position":0,[^\n]*"amount":)(\d+)/, '$19$2').replace(/#sha256 .*\n/, '');
    return `${changed}#sha256 ${createHash('sha256').update(changed).digest('hex')}\n`;
  }

  test('is restored into an empty database only, and made of one that no server has open', async () => {
    const file = pathOf('5.gz');
    const lock = takeLock(embedded);
    const locked = await runCommand('backup', [file], { DATA_DIR: embedded });
    expect([locked.code, locked.said]).toEqual([1, expect.stringContaining('is in use by process')]);
    lock.release();
    expect((await runCommand('backup', [file], { DATA_DIR: embedded })).code).toBe(0);
    const again = await runCommand('backup', [file], { DATA_DIR: embedded });
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('is there already')]);
    const full = await runCommand('restore', [file], { DATA_DIR: embedded });
    expect([full.code, full.said]).toEqual([1, expect.stringContaining('people have accounts in this database')]);
    expect((await runCommand('restore', [pathOf('nowhere.gz')], { DATA_DIR: pathOf('third') })).said).toContain(
      'is not there',
    );
    expect((await runCommand('backup', [], {})).said).toContain('say where to');
  });
});
