import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentOf, unbalanced, withChecksum, withRow } from '../../testing/backupFiles.ts';
import { runCommand } from '../../testing/childProcesses.ts';
import { createOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { createTestDatabase, openTestServer, PASSWORD } from '../../testing/testServer.ts';
import { RestoreError, restoreBackup } from '../db/backup/read.ts';
import { listBackupTables } from '../db/backup/tables.sql.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, queryRows } from '../db/database.ts';
import { takeLock } from '../db/dataDirLock.ts';
import { ensureSchema } from '../db/ensureSchema.ts';
import { verifyAuditChain } from '../operator/audit.ts';
import { readWorks } from '../operator/figures.sql.ts';

const folder = mkdtempSync(join(tmpdir(), 'rubadub-backup-'));
const pathOf = (name: string) => join(folder, name);

/** How many bytes of a backup are changed, one at a time. */
const FLIPS = 60;

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

describe('a backup', () => {
  const embedded = pathOf('first');
  let bud = '';
  let budToken = '';
  let tallies: Awaited<ReturnType<typeof readTallies>>;

  beforeAll(async () => {
    const testServer = await openTestServer('embedded', { env: { DATA_DIR: embedded } });
    const participants = await createParticipants(testServer);
    bud = participants.bud.user.email;
    budToken = participants.bud.token;
    const order = await createOrderInStatus(participants, 'Accepted', {
      orderInstructions: 'A "quoted" \\ line,\nand ümlauts 🧺 #rows 7',
    });
    await advanceDelivery(participants.duber, findDeliveryId(order, 'Bud_To_Scrub'));
    await participants.scrub.api['start-order']({ params: { id: order.id } });
    await participants.scrub.api['complete-order']({ params: { id: order.id } });
    await participants.bud.api.reviewToScrub({
      params: { id: order.id },
      body: { ...REVIEW, scrubId: participants.scrub.user.id },
    });
    await createOrderInStatus(participants, 'Cancelled');
    const operator = await createOperator(testServer);
    await operator.api.setTimeZone({ body: { timeZone: 'Asia/Karachi', reason: 'The town "is" there,\nümlaut 🧺' } });
    // Stored as JSON's null, which a backup must not take for no value.
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await operator.api.pauseTown({ body: { until, words: 'A flood', reason: 'A flood' } });
    await operator.api.openTown({ body: { reason: 'It is over' } });
    await testServer.server.inviteOperator({ email: 'next@rubadub.test', caps: ['see'] });
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
    expect(made.output).toContain('every row came back as it was');
    expect(made.code).toBe(0);
    expect(statSync(first).mode & 0o777).toBe(0o600);
    const content = contentOf(first);
    expect(content).toContain('2026-01-02 03:04:05.678901+00');
    expect(content).toContain('0.30000000000000004');
    expect(content).toContain('🧺');

    const url = await createTestDatabase();
    const restored = await runCommand('restore', [first], { DATABASE_URL: url, DATA_DIR: pathOf('none') });
    expect(restored.output).toContain('are restored');
    expect(
      (await runCommand('backup', [second, '--quick'], { DATABASE_URL: url, DATA_DIR: pathOf('none') })).code,
    ).toBe(0);
    expect(contentOf(second)).toBe(content);
    expect((await runCommand('ledgerCheck', [], { DATABASE_URL: url, DATA_DIR: pathOf('none') })).code).toBe(0);
    const database = openServerDatabase(url, 1);
    expect(await readTallies(database)).toEqual(tallies);
    // The times and texts of the audit are the same to the letter, so its hashes still fit.
    const { rows: audited, brokenAt } = await verifyAuditChain(database.db);
    expect([audited, brokenAt]).toEqual([5, null]);
    // The newest row is of the second backup, so it is not in its file.
    const { books, backupAt } = await readWorks(database.db, new Date());
    const [newest] = await queryRows<{ at: Date; details: string }>(
      database.db,
      sql`select at, details from audit where action = 'makeBackup' order by id desc limit 1`,
    );
    expect([books, backupAt]).toEqual([null, newest?.at.toISOString()]);
    expect(JSON.parse(newest?.details ?? '')).toMatchObject({ isProved: false, via: 'command line' });
    // The numbers of orders go on where they were.
    const numbers = sql`select max(number) + 1 as due, nextval('order_numbers') as next from orders`;
    const [restoredNumbers] = await queryRows<{ due: string; next: string }>(database.db, numbers);
    expect(restoredNumbers?.next).toBe(restoredNumbers?.due);
    await database.close();

    expect((await runCommand('restore', [second], { DATA_DIR: pathOf('second') })).code).toBe(0);
    expect((await runCommand('backup', [third, '--quick'], { DATA_DIR: pathOf('second') })).code).toBe(0);
    expect(contentOf(third)).toBe(content);

    // Sessions of the time of the backup are over, and people sign in again with their passwords.
    const testServer = await openTestServer('embedded', { env: { DATA_DIR: pathOf('second') } });
    const ended = await testServer
      .api(budToken)
      .profile()
      .catch((error: unknown) => error);
    expect(ended).toMatchObject({ statusCode: 401 });
    const { user } = await testServer.api().login({ body: { email: bud, password: PASSWORD } });
    expect(user.fullname).toBe('Ada Bud');
    await testServer.close();
  });

  test('restores no sessions, links, codes and unsent mails, even from a file that contains them, and says so', async () => {
    const [file, forged, second] = [pathOf('6.gz'), pathOf('7.gz'), pathOf('8.gz')];
    await runCommand('backup', [file, '--quick'], { DATA_DIR: embedded });
    const whole = gunzipSync(readFileSync(file)).toString();
    const userId = /"id":"([^"]+)"[^\n]*"email":/.exec(whole)?.[1] ?? '';
    const [id, hash, at] = [userId, `\\x${'ab'.repeat(32)}`, '2026-01-02T03:04:05+00:00'];
    const mail = { recipient: bud, created_at: at, tries: 0 };
    const keys = { p256dh: 'x', auth: 'x', agent: 'x', created_at: at };
    const window = { window_from: at, sent_in_window: 1 };
    const message = { kind: 'account', channel: 'account-mail', target: id, ...mail };
    const added: [string, object][] = [
      ['sessions', { token_hash: hash, user_id: id, created_at: at, last_used_at: at }],
      [
        'push_subscriptions',
        { ...{ id, user_id: id, session_hash: hash, endpoint: 'https://push.example', endpoint_hash: hash }, ...keys },
      ],
      [
        'operator_invitations',
        { token_hash: hash, caps: '{admin}', sealed_secret: hash, created_at: at, expires_at: '2999-01-01T00:00:00Z' },
      ],
      ['known_devices', { user_id: id, kind: 'device', value: 'ab', last_seen_at: at }],
      [
        'email_codes',
        { email_key: 'a@b.test', code_hash: hash, expires_at: at, tries_left: 5, sent_at: at, ...window },
      ],
      ['reset_links', { user_id: id, token_hash: hash, created_at: at, expires_at: at }],
      ['reset_requests', { id, email_key: bud, asked_at: at }],
      ['nearby_notices', { delivery_id: id, latitude: 1, longitude: 1, created_at: at }],
      ['notifications', { ...message, about: id, state: 'due', due_at: at, rendered_mail: { text: 'secret-link' } }],
      [
        'notifications',
        {
          ...message,
          about: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab',
          state: 'given-up',
          done_at: at,
          rendered_mail: { text: 'secret-link' },
        },
      ],
      ['notifications', { ...message, about: hash.slice(2, 34), state: 'sent', done_at: at }],
    ];
    const rows = added.reduce((text, [table, row]) => withRow(text, table, row), whole);
    writeFileSync(forged, gzipSync(withChecksum(rows)));

    const url = await createTestDatabase();
    const env = { DATABASE_URL: url, DATA_DIR: pathOf('none') };
    const { code, output } = await runCommand('restore', [forged], env);
    expect([code, output]).toEqual([0, expect.stringContaining('Everybody signs in again')]);
    // Those of the database, which the backup already left out, and the added one.
    for (const what of [
      'sessions',
      'sessions of operators',
      'known devices',
      'sign-up codes',
      'reset links',
      'unsent mails and pushes',
    ]) {
      expect(output).toMatch(new RegExp(`left out: ${what} .* [1-9]\\d*\\n`));
    }
    expect((await runCommand('backup', [second, '--quick'], env)).code).toBe(0);
    expect(gunzipSync(readFileSync(second)).toString()).not.toContain('secret-link');
    const database = openServerDatabase(url, 1);
    const count = (table: string, where = 'true') =>
      queryRows<{ rows: number }>(database.db, sql.raw(`select count(*)::int as rows from ${table} where ${where}`));
    for (const table of new Set(added.map(([name]) => name))) {
      if (table !== 'notifications') expect(await count(table), table).toEqual([{ rows: 0 }]);
    }
    expect(await count('notifications', "state = 'due'")).toEqual([{ rows: 0 }]);
    // What was sent stays, so that it is not sent twice.
    expect(await count('notifications', `about = '${hash.slice(2, 34)}'`)).toEqual([{ rows: 1 }]);
    await database.close();
  });

  test('leaves out every table that keeps the digest of a token or a code', async () => {
    const database = await openEmbeddedDatabase(embedded);
    const digests = await queryRows<{ table: string }>(
      database.db,
      sql`select distinct table_name as table from information_schema.columns
        where table_schema = current_schema() and column_name ~ '(token|code|session)s?_(hash|digest)'`,
    );
    const tables = await listBackupTables(database.db);
    await database.close();
    expect(digests.length).toBeGreaterThan(3);
    const restored = tables.filter(({ leftOut }) => leftOut?.rows !== 'all').map(({ name }) => name);
    expect(restored.filter((name) => digests.some(({ table }) => table === name))).toEqual([]);
  });

  test('restores nothing when it is damaged, truncated or from another release', async () => {
    const file = pathOf('4.gz');
    await runCommand('backup', [file, '--quick'], { DATA_DIR: embedded });
    const whole = gunzipSync(readFileSync(file)).toString();
    const url = await createTestDatabase();
    const env = { DATABASE_URL: url, DATA_DIR: pathOf('none') };
    const damaged: [string, string | Buffer, string][] = [
      ['a changed letter', gzipSync(whole.replace('Ada Bud', 'Eve Bud')), 'the checksum at the end does not match'],
      ['a missing row', gzipSync(whole.replace(/\n\{"id[^\n]*/, '')), 'number of rows'],
      ['a cut line', gzipSync(whole.slice(0, -200)), 'cut short'],
      ['a cut file', readFileSync(file).subarray(0, -100), 'cannot be decompressed'],
      ['another schema', gzipSync(whole.replace(/"schema":\d+/, '"schema":999')), 'the backup has schema 999'],
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

  test('is refused in one line, and restores nothing, wherever a byte of it was changed', async () => {
    const file = pathOf('flipped.gz');
    await runCommand('backup', [file, '--quick'], { DATA_DIR: embedded });
    const whole = gunzipSync(readFileSync(file));
    const database = openServerDatabase(await createTestDatabase(), 1);
    try {
      await ensureSchema(database.db);
      for (let flip = 0; flip < FLIPS; flip += 1) {
        const bytes = Buffer.from(whole);
        const at = Math.floor((flip / FLIPS) * bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 + (flip % 255));
        const lines = async function* () {
          yield* bytes.toString().split('\n').slice(0, -1);
        };
        const failure = await restoreBackup(database.db, lines()).catch((error: unknown) => error);
        expect(failure, `byte ${at}`).toBeInstanceOf(RestoreError);
        expect((failure as Error).message).not.toContain('\n');
        expect(await queryRows(database.db, sql`select id from users`)).toEqual([]);
      }
    } finally {
      await database.close();
    }
  });

  test('is restored only into an empty database, and made only while no server uses the database', async () => {
    const file = pathOf('5.gz');
    const lock = takeLock(embedded);
    const locked = await runCommand('backup', [file, '--quick'], { DATA_DIR: embedded });
    expect([locked.code, locked.output]).toEqual([1, expect.stringContaining('is in use by process')]);
    lock.release();
    // In a folder that others can write to, somebody may have placed a link.
    writeFileSync(pathOf('victim'), 'safe');
    symlinkSync(pathOf('victim'), `${file}.part`);
    expect((await runCommand('backup', [file, '--quick'], { DATA_DIR: embedded })).code).toBe(0);
    expect(readFileSync(pathOf('victim'), 'utf8')).toBe('safe');
    const again = await runCommand('backup', [file, '--quick'], { DATA_DIR: embedded });
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('already exists')]);
    const full = await runCommand('restore', [file], { DATA_DIR: embedded });
    expect([full.code, full.output]).toEqual([1, expect.stringContaining('people have accounts in this database')]);
    const target = pathOf('with-operators');
    const started = await openTestServer('embedded', { env: { DATA_DIR: target } });
    await createOperator(started);
    await started.close();
    const audited = await runCommand('restore', [file], { DATA_DIR: target });
    expect([audited.code, audited.output]).toEqual([
      1,
      expect.stringContaining('operators have acted in this database'),
    ]);
    expect((await runCommand('restore', [pathOf('nowhere.gz')], { DATA_DIR: pathOf('third') })).output).toContain(
      'does not exist',
    );
    expect((await runCommand('backup', [], {})).output).toContain('name a file');
  });
});
