import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { createTestDatabase } from '../../testing/testServer.ts';
import { openServerDatabase, queryRow, queryRows, type Tx } from './database.ts';
import { MIGRATIONS, MigrationError, migrate } from './migrate.ts';

/** What migrations that were edited after their release did at first, as a change of what they do now. */
const EARLIER_VERSIONS: readonly (readonly [title: string, migration: string, change: readonly string[]])[] = [
  [
    'reset links had a row per link',
    '001_start',
    [
      'alter table reset_links drop constraint reset_links_pkey, drop constraint reset_links_token_hash_key',
      'alter table reset_links add primary key (token_hash)',
      'create index reset_links_of_user on reset_links (user_id)',
    ],
  ],
  [
    'notices for nearby Dubers had no table',
    '004_notifications',
    ['drop table nearby_notices', 'drop index mails_given_up', 'alter table mails drop column failure'],
  ],
  [
    'mails that were given up had no reason',
    '004_notifications',
    ['drop index mails_given_up', 'alter table mails drop column failure'],
  ],
];

/** With its large indexes still to be made. */
const LATEST = Object.keys(MIGRATIONS).at(-1) ?? '';

const USER_ID = '01a20000-0000-7000-8000-000000000000';

/** Migrates up to a migration, and then changes the schema to that of an earlier version of it. */
async function migrateTo(db: Tx, migration: string, change: readonly string[]): Promise<void> {
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } }).migrateTo(
    migration,
  );
  expect(error).toBeUndefined();
  for (const statement of change) await sql.raw(statement).execute(db);
}

/** Columns, constraints, indexes, triggers and functions, one line each. */
async function describeSchema(tx: Tx): Promise<string[]> {
  const rows = await queryRows<{ line: string }>(
    tx,
    sql`select format('%s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
        pg_get_expr(d.adbin, d.adrelid)) as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
      union all select format('%s %s', conname, pg_get_constraintdef(oid)) from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
      order by 1`,
  );
  return rows.map(({ line }) => line);
}

describe('the migrations', () => {
  let databases: ReturnType<typeof openServerDatabase>[] = [];
  let fresh: readonly string[];
  const open = async (url?: string) => {
    const database = openServerDatabase(url ?? (await createTestDatabase()), 2, 'endless');
    databases.push(database);
    return database.db;
  };
  beforeAll(async () => {
    const db = await open();
    await migrate(db);
    fresh = await describeSchema(db);
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    databases = [];
  });

  test.each(EARLIER_VERSIONS)('repair a database from when %s', async (_title, migration, change) => {
    const db = await open();
    await migrateTo(db, migration, change);
    await migrate(db);
    expect(await describeSchema(db)).toEqual(fresh);
  });

  test('keep the newest reset link of each user when they repair a database', async () => {
    const db = await open();
    const [[, migration, change] = ['', '', []]] = EARLIER_VERSIONS;
    await migrateTo(db, migration, change);
    await sql`insert into users (id, fullname, email, email_key, role, password_hash, created_at)
      values (${USER_ID}, 'Ada', 'ada@rubadub.test', 'ada@rubadub.test', 'Bud', '', now())`.execute(db);
    await sql`insert into reset_links (token_hash, user_id, created_at, expires_at)
      select decode('0' || n, 'hex'), ${USER_ID}, now() + n * interval '1 second', now() from generate_series(1, 3) n`.execute(
      db,
    );
    await migrate(db);
    const links = await db.selectFrom('reset_links').select('token_hash').execute();
    expect(links.map(({ token_hash }) => token_hash.toString('hex'))).toEqual(['03']);
  });

  test('run once when ten servers start at the same time', async () => {
    const url = await createTestDatabase();
    const servers = await Promise.all(Array.from({ length: 10 }, () => open(url)));
    await Promise.all(servers.map((db) => migrate(db)));
    expect(await describeSchema(servers[0] as Tx)).toEqual(fresh);
  });

  test('wait for a server that migrates, say so, and give up with one line', async () => {
    const url = await createTestDatabase();
    const [other, db] = [await open(url), await open(url)];
    await other.connection().execute(async (session) => {
      await sql`select pg_advisory_lock(3853314791062309107)`.execute(session);
      const messages: string[] = [];
      const failure = migrate(db, { log: (message) => messages.push(message), lockWaitS: 1 });
      await expect(failure).rejects.toThrow(MigrationError);
      await expect(failure).rejects.toThrow(/^another server has been migrating the database for 1 seconds: [^\n]+$/);
      expect(messages).toEqual(['waiting for another server that migrates the database, up to 1 seconds']);
      const patient = migrate(db);
      await sql`select pg_advisory_unlock_all()`.execute(session);
      await patient;
    });
    expect(await describeSchema(db)).toEqual(fresh);
  });

  test.each([
    ['018_live_events', 'a step', 'deliveries', 'orders'],
    ['018_live_events', 'a payment', 'ledger_entries', 'orders'],
    ['018_live_events', 'a sign-in', 'users', 'orders'],
    ['021_adjustments', 'a hold', 'payments', 'orders'],
    ['021_adjustments', 'a notification', 'notifications', 'users'],
    ['021_adjustments', 'a refund', 'refunds', 'orders'],
    ['021_adjustments', 'an event', 'live_events', 'orders'],
    ['029_legs', 'a payment', 'payments', 'orders'],
    ['041_admission_changes', 'an event', 'live_events', 'orders'],
  ])('get out of the way after %s of %s, which uses %s and then %s', async (at, _who, first, second) => {
    const url = await createTestDatabase();
    const [other, db] = [await open(url), await open(url)];
    await migrateTo(db, at, []);
    const { running } = await holdTransaction(other, async (tx) => {
      await sql`select from ${sql.table(first)}`.execute(tx);
      const running = migrate(db);
      // Its failure is read below.
      running.catch(() => {});
      const waits = () =>
        queryRow(db, sql`select 1 as one from pg_locks where relation = ${first}::regclass and not granted`);
      await expect.poll(waits, { timeout: 60_000, interval: 20 }).toBeDefined();
      await sql`select from ${sql.table(second)}`.execute(tx);
      return { running };
    });
    await running;
    expect(await describeSchema(db)).toEqual(fresh);
  });

  test.each([
    ['018_live_events', 'ledger_entries'],
    ['021_adjustments', 'notifications'],
    ['021_adjustments', 'prices'],
    ['021_adjustments', 'events'],
    ['021_adjustments', 'notification_choices'],
    ['039_returned_payouts', 'audit'],
    ['040_payout_files', 'admissions'],
    ['041_admission_changes', 'payments'],
    ['046_listed_payments', 'live_events'],
    [LATEST, 'delivery_steps'],
  ])(
    'give up after %s with one line when %s is in use for too long, and go on at the next start',
    async (at, table) => {
      const url = await createTestDatabase();
      const [other, db] = [await open(url), await open(url)];
      await migrateTo(db, at, []);
      await holdTransaction(other, async (tx) => {
        // Unlike a query, this keeps no snapshot, for which the indexes would wait.
        await sql`lock table ${sql.table(table)} in access share mode`.execute(tx);
        const failure = migrate(db, { lockWaitS: 1 });
        await expect(failure).rejects.toThrow(MigrationError);
        await expect(failure).rejects.toThrow(/^tables were in use for 1 seconds without a pause: [^\n]+$/);
      });
      await migrate(db);
      expect(await describeSchema(db)).toEqual(fresh);
    },
  );

  test.each([
    ['order_steps_once_a_round', 'order_steps'],
    ['delivery_steps_once_an_attempt', 'delivery_steps'],
    ['orders_number', 'orders'],
    ['payments_of_replacements', 'payments'],
  ])('make %s while %s are written', async (_index, table) => {
    const url = await createTestDatabase();
    const [step, db] = [await open(url), await open(url)];
    await migrateTo(db, LATEST, []);
    const lock = sql`lock table ${sql.table(table)} in row exclusive mode nowait`;
    const { running } = await holdTransaction(step, async (tx) => {
      await lock.execute(tx);
      const running = migrate(db);
      running.catch(() => {});
      const waits = () =>
        queryRow(
          db,
          sql`select 1 as one from pg_locks l join pg_stat_activity a using (pid)
            where a.datname = current_database() and not l.granted`,
        );
      await expect.poll(waits, { timeout: 60_000, interval: 20 }).toBeDefined();
      await db.transaction().execute((another) => lock.execute(another));
      return { running };
    });
    await running;
    expect(await describeSchema(db)).toEqual(fresh);
  });

  test('make an index again that a crash left unfinished', async () => {
    const db = await open();
    await migrateTo(db, LATEST, []);
    await sql`create index order_steps_once_a_round on order_steps (order_id)`.execute(db);
    await sql`update pg_index set indisvalid = false where indexrelid = 'order_steps_once_a_round'::regclass`.execute(
      db,
    );
    await migrate(db);
    expect(await describeSchema(db)).toEqual(fresh);
  });

  test('refuse a database that a newer release has migrated, in one line', async () => {
    const db = await open();
    await migrate(db);
    await sql`insert into kysely_migration (name, timestamp) values ('999_future', '')`.execute(db);
    await expect(migrate(db)).rejects.toThrow(
      'the database was migrated by a newer release (999_future): start that release or a newer one',
    );
  });
});
