import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { median, openConnection } from './load.ts';

const TIMEOUT_MS = 200;
const QUICK = { path: '/quick', token: 'token', status: 200 };
const SILENT = { path: '/silent', token: 'token', status: 200 };

let server: Server;
let port: number;

beforeEach(async () => {
  server = createServer(({ url }, response) => {
    if (url === '/api/quick') response.setHeader('content-length', 2).end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('a request without an answer fails and is named, and a connection that only waits stays open', async () => {
  const waiting = await openConnection('127.0.0.1', port, { timeoutMs: TIMEOUT_MS });
  const silent = await openConnection('127.0.0.1', port, { timeoutMs: TIMEOUT_MS });
  await expect(silent.request(SILENT)).rejects.toThrow('no answer to GET /silent in 0.2 s');
  expect(await waiting.request(QUICK)).toEqual({ status: 200, bytes: 2 });
  waiting.close();
});

it('time in which the load generator itself is blocked does not count', async () => {
  const connection = await openConnection('127.0.0.1', port, { timeoutMs: TIMEOUT_MS });
  const answer = connection.request(QUICK);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * TIMEOUT_MS);
  expect(await answer).toEqual({ status: 200, bytes: 2 });
  connection.close();
});

it('the median of an even number of values is the mean of the two in the middle', () => {
  expect([median([3, 1, 10, 2]), median([3, 10, 1]), median([4])]).toEqual([2.5, 3, 4]);
  expect(median([])).toBeNaN();
});

it('a connection sends its own base path and headers', async () => {
  const connection = await openConnection('127.0.0.1', port, {
    base: '/store',
    headersOf: (token) => ({ 'x-session': `of ${token}` }),
  });
  const asked = once(server, 'request');
  const answer = connection.request(QUICK);
  const [{ url, headers }, response] = (await asked) as [IncomingMessage, ServerResponse];
  expect([url, headers['x-session'], headers.authorization]).toEqual(['/store/quick', 'of token', undefined]);
  response.setHeader('content-length', 2).end('ok');
  expect(await answer).toEqual({ status: 200, bytes: 2 });
  connection.close();
});
