import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRequest } from '../../testing/checkedClient.ts';
import { openHangingDatabase } from '../../testing/hangingDatabase.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { findTestPort } from '../../testing/ports.ts';
import { createTestDatabase, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { findUrlProblem, readHosts } from '../config/databaseHosts.ts';
import { openServerDatabase, queryRow, type Tx } from './database.ts';

test('a URL may name several hosts, each with its own port, and ask for one that can write', () => {
  const hosts = readHosts(
    'postgres://me:a%40b@one:5433,two,[::1]:5434/rubadub?target_session_attrs=read-write&sslmode=require',
  );
  expect(hosts.mustWrite).toBe(true);
  const urls = Array.from({ length: 4 }, () => {
    const url = hosts.url();
    hosts.skip(url);
    // A second failure of the same host changes nothing.
    hosts.skip(url);
    return url;
  });
  expect(urls).toEqual([
    'postgres://me:a%40b@one:5433/rubadub?sslmode=require&uselibpqcompat=true',
    'postgres://me:a%40b@two/rubadub?sslmode=require&uselibpqcompat=true',
    'postgres://me:a%40b@[::1]:5434/rubadub?sslmode=require&uselibpqcompat=true',
    'postgres://me:a%40b@one:5433/rubadub?sslmode=require&uselibpqcompat=true',
  ]);
  expect(readHosts('postgres://one/rubadub').mustWrite).toBe(false);
  for (const url of ['postgres://one,two/a', 'postgresql://u@one:1,two:2/a?target_session_attrs=any'])
    expect(findUrlProblem(url)).toBeUndefined();
  for (const url of ['postgres://one:port,two/a', 'postgres://one/a?target_session_attrs=standby'])
    expect(findUrlProblem(url)).toBeDefined();
});

describe('a database with several hosts', () => {
  test('is reached through the first host that answers, on the pool and on the pipelined connection', async () => {
    const url = await createTestDatabase();
    const { host } = new URL(url);
    const away = await Promise.all([findTestPort(), findTestPort()]);
    const hosts = [...away.map((port) => `127.0.0.1:${port}`), host].join();
    const { db, pipeline, close } = openServerDatabase(url.replace(host, hosts), 1);
    try {
      const readOne = async (tx: Pick<Tx, 'executeQuery'>) =>
        (await tx.executeQuery<{ one: number }>(sql`select 1 as one`.compile(db) as never)).rows[0]?.one;
      expect([await readOne(db), await readOne(pipeline as never)]).toEqual([1, 1]);
    } finally {
      await close();
    }
  });
});

describe('a host that lets connections in and answers nothing', () => {
  test('is left for the next one, by all its connections', async () => {
    const hanging = await openHangingDatabase();
    const url = await createTestDatabase();
    const { host } = new URL(url);
    const { db, pipeline, close } = openServerDatabase(url.replace(host, `127.0.0.1:${hanging.port},${host}`), 2);
    const read = (on: Pick<Tx, 'executeQuery'>) => on.executeQuery(sql`select 1`.compile(db) as never);
    try {
      const reads = await Promise.allSettled([db, db, pipeline as never].map(read));
      expect(reads.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      await Promise.all([db, db, pipeline as never].map(read));
    } finally {
      await close();
      hanging.close();
    }
  });
});

describe('a primary with a locked table', () => {
  test('is kept: statements that wait behind each other on one connection do not add up to a hang', async () => {
    const url = await createTestDatabase();
    const { host } = new URL(url);
    const other = openServerDatabase(url, 1);
    const { db, pipeline, close } = openServerDatabase(url.replace(host, `${host},${host}`), 2);
    const readLocked = (column: string) =>
      pipeline.executeQuery(sql`select ${sql.lit(column)} from locked`.compile(db));
    try {
      await sql`create table locked ()`.execute(other.db);
      await holdTransaction(other.db, async (tx) => {
        await sql`lock table locked`.execute(tx);
        const unrelated = sql`select pg_sleep(3.9)`.execute(db).then(() => sql`select pg_sleep(3.9)`.execute(db));
        const reads = await Promise.allSettled([readLocked('a'), readLocked('b')]);
        expect(reads.map((one) => (one as PromiseRejectedResult).reason.code)).toEqual(['57014', '57014']);
        await unrelated;
      });
    } finally {
      await Promise.all([close(), other.close()]);
    }
  });
});

describe('a primary that is demoted', () => {
  let server: TestServer;
  let admin: ReturnType<typeof openServerDatabase>;
  let scrub: TestUser;
  beforeAll(async () => {
    server = await openTestServer('postgres');
    scrub = await server.createUser('Scrub');
    admin = openServerDatabase(server.databaseUrl ?? '', 1);
  });
  afterAll(async () => {
    await admin?.close();
    await server?.close();
  });

  /** New sessions are read-only, as on a standby, and the old ones end, as in a switch-over. */
  async function setReadOnly(isReadOnly: boolean, endSessions: boolean): Promise<void> {
    const name = new URL(server.databaseUrl ?? '').pathname.slice(1);
    await admin.db.connection().execute(async (session) => {
      await sql`set transaction_read_only = off`.execute(session);
      await sql`set default_transaction_read_only = off`.execute(session);
      await sql`alter database ${sql.id(name)} set default_transaction_read_only = ${sql.lit(isReadOnly ? 'on' : 'off')}`.execute(
        session,
      );
      if (!endSessions) return;
      await queryRow(
        session,
        sql`select count(pg_terminate_backend(pid)) as ended from pg_stat_activity
        where datname = ${name} and pid <> pg_backend_pid()`,
      );
    });
  }
  const readiness = () => sendRequest(server.apiUrl, 'GET', '/health/ready', {});
  const write = () => scrub.api.changeVisibility({ body: { isActive: true } });
  const isWritten = () =>
    write().then(
      () => true,
      () => false,
    );

  test('makes the server not ready, and its connections are given up for those of the new primary', async () => {
    expect((await readiness()).status).toBe(200);
    let isRefused = false;
    // On a busy machine a connection may open so late that it can write: then there is nothing to give up.
    while (!isRefused) {
      await setReadOnly(true, true);
      await expect
        .poll(async () => (await readiness()).body.message)
        .toBe('The database is read-only: it is a standby');
      await expect(write()).rejects.toMatchObject({ statusCode: 503 });
      // Every connection of the pool is open, and read-only.
      await Promise.all(Array.from({ length: 20 }, readiness));
      await setReadOnly(false, false);
      isRefused = !(await isWritten());
    }
    // The write that failed has given up the read-only connections. None of them is left after that.
    await expect.poll(isWritten).toBe(true);
    const answers = await Promise.all(Array.from({ length: 20 }, readiness));
    expect(answers.map(({ body }) => body.message ?? body.status)).toEqual(answers.map(() => 'ready'));
  });
});
