import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenToEvents } from '../testing/eventListener.ts';
import { createTestDatabase, PASSWORD, type TestUser } from '../testing/testServer.ts';
import { openAbusiveSocket, requestHead } from './abusiveSocket.ts';
import { launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';
import { createTestUserAt } from './serverPair.ts';

describe('a server that is told to stop', () => {
  let standIns: StandIns;
  let databaseUrl: string;
  let bud: TestUser;
  const launch = () => launchServer({ ...standIns.env, DATABASE_URL: databaseUrl });

  beforeAll(async () => {
    standIns = await launchStandIns();
    databaseUrl = await createTestDatabase();
    const server = await launch();
    bud = await createTestUserAt(server, standIns.url, 'Bud');
    await server.end();
  });
  afterAll(() => standIns?.close());

  const signIn = (server: ServerProcess) => server.api().login({ body: { email: bud.user.email, password: PASSWORD } });

  test('answers what is under way, ends its streams, takes nothing new, and ends with 0', async () => {
    const server = await launch();
    const stream = await listenToEvents(server.apiUrl, bud.token);
    // Connections that are open already: what is written to them has arrived long before the first hash is done.
    await Promise.all(Array.from({ length: 30 }, () => server.api(bud.token).session()));
    // Hashes queue, so most of these are under way for a while.
    const asked = Array.from({ length: 30 }, () => signIn(server));
    await asked[0];
    const code = server.end('SIGTERM');
    const signedIn = await Promise.all(asked);
    expect(await stream.ended).toBe('ended');
    expect(await code).toBe(0);
    await expect(signIn(server)).rejects.toThrow('unreachable');
    // What was answered was kept.
    const again = await launch();
    for (const { authToken } of signedIn) expect((await again.api(authToken).session()).user.id).toBe(bud.user.id);
    expect(await again.end('SIGINT')).toBe(0);
  });

  test('is not held up by whoever dawdles, nor by a connection that nobody uses', async () => {
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

  test('ends at once when it is told again', async () => {
    const server = await launch();
    const slow = await openAbusiveSocket(server.url, '127.0.0.1');
    slow.socket.write(
      `${requestHead('POST', '/api/auth/login', { 'content-type': 'application/json', 'content-length': 99 })}\r\n{`,
    );
    await signIn(server);
    const first = server.end('SIGTERM');
    // The first ones could be npm's copies of one Ctrl-C; sooner or later one of them means "now".
    const again = setInterval(() => process.kill(server.pid, 'SIGTERM'), 50);
    void first.finally(() => clearInterval(again));
    expect(await first).toBe(1);
  });
});
