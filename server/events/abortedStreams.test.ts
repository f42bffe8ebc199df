import { once } from 'node:events';
import { connect } from 'node:net';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { createOperator } from '../../testing/operators.ts';
import { rawRequest } from '../../testing/rawSocket.ts';
import { openTestServer, PASSWORD, type TestServer } from '../../testing/testServer.ts';
import { openTextStream } from '../../testing/textStream.ts';
import { waitFor, waitUntil } from '../../testing/waits.ts';
import { queryRow } from '../db/database.ts';
import { MAX_STREAMS_PER_USER } from './streamResponse.ts';

// The embedded database has one session, which cannot wait for another one.
describe('a client that is gone before the server knows who it is', () => {
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer('postgres');
  });
  afterAll(() => testServer?.close());

  async function ask(path: string, token: string) {
    const { hostname, port, pathname } = new URL(testServer.apiUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const headers = [`host: ${hostname}:${port}`, `authorization: Bearer ${token}`];
    socket.write(rawRequest('GET', pathname + path, headers));
    return socket;
  }

  /** More streams than somebody may have, whose clients hang up while the database is slow to say who they are. */
  async function hangUpEarly(path: string, token: string, sessions: RawBuilder<unknown>): Promise<void> {
    const { db } = testServer.server;
    await holdTransaction(db, async (tx) => {
      await sql`lock table ${sessions} in access exclusive mode`.execute(tx);
      const sockets = await Promise.all(Array.from({ length: 2 * MAX_STREAMS_PER_USER }, () => ask(path, token)));
      await waitFor(async () => {
        const waiting = sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted
          and relation = ${sql.lit(sessions === OPERATOR_SESSIONS ? 'operator_sessions' : 'sessions')}::regclass`;
        expect((await queryRow<{ n: number }>(tx, waiting))?.n).toBeGreaterThan(0);
      });
      let gone = 0;
      for (const socket of sockets) socket.once('close', () => (gone += 1)).destroy();
      await waitUntil(() => gone === sockets.length);
    });
  }

  const SESSIONS = sql.table('sessions');
  const OPERATOR_SESSIONS = sql.table('operator_sessions');

  const expectFree = (path: string, token: string) =>
    waitFor(async () => {
      const { status, disconnect } = await openTextStream(testServer.apiUrl + path, {
        authorization: `Bearer ${token}`,
      });
      disconnect();
      expect(status).toBe(200);
    });

  test('leaves no stream of events behind', async () => {
    const { user } = await testServer.createUser('Bud');
    // A session that the server has not looked up so far.
    const { authToken } = await testServer.api().login({ body: { email: user.email, password: PASSWORD } });
    await hangUpEarly('/events', authToken, SESSIONS);
    await expectFree('/events', authToken);
  });

  test('leaves no stream of Today behind', async () => {
    const { token } = await createOperator(testServer, { caps: ['see'] });
    await hangUpEarly('/operator/events', token, OPERATOR_SESSIONS);
    await expectFree('/operator/events', token);
  });
});
