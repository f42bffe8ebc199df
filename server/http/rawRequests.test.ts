import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawRequest, sendRaw } from '../../testing/rawSocket.ts';
import { CHEAPEST_DATABASE, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { createHostCheck } from './hosts.ts';

// The embedded database takes longest to start.

let testServer: TestServer;
const bodyOf = (text: string): { statusCode?: number; message?: unknown } =>
  JSON.parse(text.split('\r\n\r\n')[1] ?? '{}');

beforeAll(async () => {
  testServer = await openTestServer(CHEAPEST_DATABASE, { env: { ALLOWED_HOSTS: 'wash.example.org, 10.1.2.3' } });
});
afterAll(() => testServer.close());

describe('the host that a request names', () => {
  const ask = (headers: string[], target = '/api/config') =>
    sendRaw(testServer.apiUrl, rawRequest('GET', target, headers));

  test.each([
    'localhost',
    'LOCALHOST:1',
    'app.localhost:3000',
    '127.0.0.1',
    '127.0.0.1:9',
    '[::1]:3000',
    'wash.example.org',
    'Wash.Example.org:443',
    '10.1.2.3:80',
  ])('is accepted when it is %s', async (host) => {
    expect((await ask([`Host: ${host}`])).status).toBe(200);
  });

  test.each([
    'rebound.example.org',
    'rebound.example.org:3000',
    'localhost.example.org',
    'wash.example.org.evil.example',
    'notlocalhost',
    '10.0.0.1',
    '[::2]',
    '',
  ])('is refused with the expected name when it is "%s"', async (host) => {
    const { status, text } = await ask([`Host: ${host}`]);
    expect(status).toBe(400);
    expect(bodyOf(text).message).toMatch(/^This server is 127\.0\.0\.1, not ".*": open it under its own name/);
  });

  test('is also read from an address that is a whole URL', async () => {
    expect((await ask(['Host: localhost'], 'http://localhost/api/config')).status).toBe(200);
    expect((await ask(['Host: localhost'], 'http://rebound.example.org/api/config')).status).toBe(400);
    expect((await ask(['Host: rebound.example.org'], 'http://localhost/api/config')).status).toBe(400);
  });

  test('does not matter for health checks, which load balancers send to an address of their own', async () => {
    for (const path of ['/api/health/live', '/api/health/ready']) {
      expect((await ask(['Host: 172.16.9.9'], path)).status, path).toBe(200);
    }
  });

  test('must be named, except by clients of HTTP/1.0, which are no browsers', async () => {
    expect((await ask(['X: y'])).status).toBe(400);
    expect((await sendRaw(testServer.apiUrl, 'GET /api/config HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  test('must be named once', async () => {
    for (const path of ['/api/config', '/api/health/live']) {
      const { status, text } = await ask(['Host: localhost', 'hOST: localhost'], path);
      expect([status, bodyOf(text).message]).toEqual([400, 'The request has more than one Host header: send one']);
    }
  });
});

test('a server that listens everywhere is also reached under the address at which the request arrived', () => {
  const check = createHostCheck({ publicUrl: 'https://wash.example.org', host: '0.0.0.0' });
  const askAt = (localAddress: string, host: string) => () =>
    check(
      { rawHeaders: ['Host', host], headers: { host }, url: '/', socket: { localAddress } } as never,
      '/api/config',
    );
  expect(askAt('192.168.1.5', '192.168.1.5:3000')).not.toThrow();
  expect(askAt('::ffff:192.168.1.5', '192.168.1.5:3000')).not.toThrow();
  expect(askAt('2001:db8::1', '[2001:db8::1]:3000')).not.toThrow();
  expect(askAt('192.168.1.5', '192.168.1.6:3000')).toThrow('This server is wash.example.org');
  expect(askAt('127.0.0.1', '192.168.1.5:3000')).toThrow('This server is wash.example.org');
  expect(askAt('192.168.1.5', 'rebound.example.org')).toThrow('This server is wash.example.org');
});

test('an expectation that nobody knows is ignored', async () => {
  const { status } = await sendRaw(
    testServer.apiUrl,
    rawRequest('GET', '/api/config', ['host: localhost', 'expect: x']),
  );
  expect(status).toBe(200);
});

test('an address that leads nowhere is answered in the shape of every error, with or without the web app', async () => {
  for (const target of ['/nowhere', '/*', '//x', '/API/config']) {
    const { status, text } = await sendRaw(testServer.apiUrl, rawRequest('GET', target));
    expect([status, bodyOf(text)]).toEqual([
      404,
      { statusCode: 404, error: 'Not Found', message: 'Not found', code: 'notFound' },
    ]);
  }
});

test('a body with a key twice is refused in words that name the key', async () => {
  const email = `twice@rubadub.test`;
  const response = await fetch(`${testServer.apiUrl}/auth/send-otp-for-email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"email":"other@rubadub.test","em\\u0061il":"${email}"}`,
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ message: 'The body has the key "email" more than once' });
});

describe('a body over the limit', () => {
  const MEGABYTE = 1024 * 1024;

  /** Writes the whole body before it reads a byte, as simple clients do. */
  function writeThenRead(head: string, body: readonly (string | Buffer)[]): Promise<string> {
    const { hostname, port } = new URL(testServer.apiUrl);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) });
      let received = '';
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
      });
      socket.once('end', () => resolve(received));
      socket.pause();
      socket.write(head);
      const rest = [...body];
      const next = () => {
        const chunk = rest.shift();
        if (chunk === undefined) socket.resume();
        else socket.write(chunk, next);
      };
      next();
    });
  }

  const headOf = (...headers: string[]) =>
    rawRequest('POST', '/api/auth/login', ['host: localhost', 'content-type: application/json', ...headers]);

  test('of 5 MB is answered 413 to a client that writes it all before it reads', async () => {
    const chunks = Array.from({ length: 80 }, () => Buffer.alloc(MEGABYTE / 16, ' '));
    const answer = await writeThenRead(headOf(`content-length: ${5 * MEGABYTE}`), chunks);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('of 5 MB in chunks is answered 413 as well', async () => {
    const chunks = Array.from({ length: 80 }, () => `10000\r\n${' '.repeat(65_536)}\r\n`);
    const answer = await writeThenRead(headOf('transfer-encoding: chunked'), [...chunks, '0\r\n\r\n']);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('is also read to its end when the request is refused for another reason', async () => {
    const chunks = Array.from({ length: 80 }, () => Buffer.alloc(MEGABYTE / 16, ' '));
    const head = headOf(`content-length: ${5 * MEGABYTE}`).replace('/auth/login', '/profile');
    expect(await writeThenRead(head, chunks)).toMatch(/^HTTP\/1\.1 40\d /);
  });
});
