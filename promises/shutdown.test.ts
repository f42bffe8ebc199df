import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenToEvents } from '../testing/eventListener.ts';
import { createTestDatabase, PASSWORD, type TestUser } from '../testing/testServer.ts';
import { openAbusiveSocket, requestHead } from './abusiveSocket.ts';
import { type Env, launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';
import { createTestUserAt } from './serverPair.ts';

describe('a server that receives SIGTERM', () => {
  let standIns: StandIns;
  let databaseUrl: string;
  let bud: TestUser;
  const launch = (env: Env = {}) => launchServer({ ...standIns.env, DATABASE_URL: databaseUrl, ...env });

  beforeAll(async () => {
    standIns = await launchStandIns();
    databaseUrl = await createTestDatabase();
    const server = await launch();
    bud = await createTestUserAt(server, standIns.url, 'Bud');
    await server.end();
  });
  afterAll(() => standIns?.close());

  const signIn = (server: ServerProcess) => server.api().login({ body: { email: bud.user.email, password: PASSWORD } });

  test('answers pending requests, closes its streams, accepts no new requests and exits with 0', async () => {
    const server = await launch();
    const stream = await listenToEvents(server.apiUrl, bud.token);
    // Open the connections first, so that all sign-ins arrive before the first hash is done.
    await Promise.all(Array.from({ length: 30 }, () => server.api(bud.token).session()));
    // Password hashes queue, so most of these stay pending for a while.
    const pending = Array.from({ length: 30 }, () => signIn(server));
    await pending[0];
    const code = server.end('SIGTERM');
    const signedIn = await Promise.all(pending);
    expect(await stream.ended).toBe('ended');
    expect(await code).toBe(0);
    await expect(signIn(server)).rejects.toThrow('unreachable');
    // The sessions that were answered still exist.
    const restarted = await launch();
    for (const { authToken } of signedIn) expect((await restarted.api(authToken).session()).user.id).toBe(bud.user.id);
    expect(await restarted.end('SIGINT')).toBe(0);
  });

  test('first says that it is not ready, and answers until load balancers have noticed', async () => {
    const server = await launch({ DRAIN_S: '1' });
    const stream = await listenToEvents(server.apiUrl, bud.token);
    const code = server.end('SIGTERM');
    expect(await stream.ended).toBe('ended');
    const ready = await fetch(`${server.apiUrl}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { message: 'This server is about to stop' }]);
    expect(Number(ready.headers.get('retry-after'))).toBeGreaterThan(0);
    // A new connection is accepted and answered, and then closed.
    const { status, headers } = await fetch(`${server.apiUrl}/auth/session`, {
      headers: { authorization: `Bearer ${bud.token}` },
    });
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    expect(await code).toBe(0);
    await expect(signIn(server)).rejects.toThrow('unreachable');
  });

  test('exits in time despite slow requests and idle connections', async () => {
    const server = await launch();
    const idle = await openAbusiveSocket(server.url, '127.0.0.1');
    const slow = await openAbusiveSocket(server.url, '127.0.0.1');
    slow.socket.write(
      `${requestHead('POST', '/api/auth/login', { 'content-type': 'application/json', 'content-length': 99 })}\r\n{`,
    );
    await signIn(server);
    expect(await server.end('SIGTERM')).toBe(0);
    expect((await idle.ended).status).toBeUndefined();
    await slow.ended;
  });

  test('exits at once on a second SIGTERM', async () => {
    const server = await launch();
    const slow = await openAbusiveSocket(server.url, '127.0.0.1');
    slow.socket.write(
      `${requestHead('POST', '/api/auth/login', { 'content-type': 'application/json', 'content-length': 99 })}\r\n{`,
    );
    await signIn(server);
    const exitCode = server.end('SIGTERM');
    // The server takes signals within the first second for npm's copies of the same Ctrl-C, so keep sending.
    const repeat = setInterval(() => process.kill(server.pid, 'SIGTERM'), 50);
    void exitCode.finally(() => clearInterval(repeat));
    expect(await exitCode).toBe(1);
  });
});
