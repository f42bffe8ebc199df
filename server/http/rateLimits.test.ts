import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { sendRequest } from '../../testing/checkedClient.ts';
import { rawRequest, sendRaw } from '../../testing/rawSocket.ts';
import { CHEAPEST_DATABASE, openTestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { ipNetworkOf } from './rateLimits.ts';

// The embedded database takes longest to start.

const forwardedFor = (address: string) => ({ headers: { 'x-forwarded-for': address } });

describe('limits per network', () => {
  test('keep nobody out when the clock was set back, as while the demo is added', async () => {
    const testServer = await openTestServer('embedded', {
      env: { RATE_LIMIT_SCALE: '0.02', TRUST_PROXY: 'on' },
      isClockStopped: true,
    });
    try {
      const address = forwardedFor('198.51.100.1');
      const config = () => sendRequest(testServer.apiUrl, 'GET', '/config', address);
      const code = (index: number) =>
        sendRequest(testServer.apiUrl, 'POST', '/auth/send-otp-for-email', {
          ...address,
          body: { email: `back-${index}@rubadub.test` },
        });
      for (const status of [200, 200, 429]) expect((await config()).status).toBe(status);
      testServer.advanceClock(1_000);
      for (let index = 2; index < 4; index += 1) expect((await code(index)).status).toBe(200);
      testServer.advanceClock(1_000);
      expect((await code(4)).status).toBe(429);
      testServer.advanceClock(-8 * 7 * 24 * 60 * 60_000);
      expect((await config()).status).toBe(200);
      expect((await code(1)).status).toBe(200);
    } finally {
      await testServer.close();
    }
  });

  test('count per address, are scaled by RATE_LIMIT_SCALE, and send Retry-After', async () => {
    const testServer = await openTestServer('embedded', {
      env: { RATE_LIMIT_SCALE: '0.02', TRUST_PROXY: 'on' },
      isClockStopped: true,
    });
    try {
      const config = (address: string) => sendRequest(testServer.apiUrl, 'GET', '/config', forwardedFor(address));
      const statuses = [];
      for (let count = 0; count < 3; count += 1) statuses.push((await config('198.51.100.1')).status);
      expect(statuses).toEqual([200, 200, 429]);
      const refused = await config('198.51.100.1');
      expect(refused.headers.get('retry-after')).toBe('1');
      expect((await config('198.51.100.2')).status).toBe(200);
      testServer.advanceClock(1000);
      expect((await config('198.51.100.1')).status).toBe(200);

      // However the address is written, and whether it exists or not.
      const targets = ['/%61pi/config', 'http://localhost/api/config', '//api/config', '/API/config', '/api/config?x'];
      for (const [index, target] of [...targets, '/api/nowhere', '/nowhere', '/%', '/%00'].entries()) {
        const headers = ['host: localhost', `x-forwarded-for: 198.51.100.${10 + index}`];
        const ask = async () => (await sendRaw(testServer.apiUrl, rawRequest('GET', target, headers))).status;
        expect([await ask(), await ask(), await ask()].at(-1), target).toBe(429);
        testServer.advanceClock(1000);
      }
      const isAlive = () => sendRaw(testServer.apiUrl, rawRequest('GET', '/api/health/live'));
      for (let count = 0; count < 4; count += 1) expect((await isAlive()).status).toBe(200);

      const code = (index: number, address: string) =>
        sendRequest(testServer.apiUrl, 'POST', '/auth/send-otp-for-email', {
          ...forwardedFor(address),
          body: { email: `limit-${address.replaceAll(':', '')}-${index}@rubadub.test` },
        });
      // At this scale two codes a minute, for all addresses of an IPv6 network together.
      for (let sent = 0; sent < 2; sent += 1) {
        testServer.advanceClock(1000);
        expect((await code(sent, `2001:db8::${sent}`)).status).toBe(200);
      }
      const last = await code(13, '2001:db8::ffff');
      expect(last.status).toBe(429);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(40);
      expect((await code(14, '2001:db8:0:1::1')).status).toBe(200);
      testServer.advanceClock(60_000);
      expect((await code(15, '2001:db8::1')).status).toBe(200);
    } finally {
      await testServer.close();
    }
  });

  test('of sign-ins, codes and secrets are shared by all servers', async () => {
    const env = { RATE_LIMIT_SCALE: '0.05', TRUST_PROXY: '1' };
    const one = await openTestServer('postgres', { env, isClockStopped: true });
    // `on` also means one proxy.
    const two = await openTestServer('postgres', { env: { ...env, TRUST_PROXY: 'on' }, beside: one });
    try {
      const email = 'nobody@rubadub.test';
      const calls = {
        '/auth/login': [15, { email, password: 'Rubadub1!' }],
        '/auth/forgot-password': [6, { email }],
        '/auth/reset-password': [15, { token: 'made-up', newPassword: 'Rubadub1!' }],
      } as const;
      for (const [path, [most, body]] of Object.entries(calls)) {
        const isLetThrough = async (index: number) => {
          const { apiUrl } = index % 2 === 0 ? one : two;
          // The client forges a different address each time. Only the one that the proxy saw counts.
          const reply = await sendRequest(apiUrl, 'POST', path, {
            body,
            ...forwardedFor(`203.0.113.${index}, 198.51.100.7`),
          });
          one.advanceClock(250);
          return reply.status !== 429 || reply.body.message.startsWith('Too many wrong');
        };
        const letThrough = [];
        for (let index = 0; index < most + 4; index += 1) letThrough.push(await isLetThrough(index));
        expect(letThrough.filter(Boolean), path).toHaveLength(most);
        const elsewhere = await sendRequest(two.apiUrl, 'POST', path, { body, ...forwardedFor('198.51.100.8') });
        expect(elsewhere.body.message ?? '', path).not.toContain('Too many requests');
        one.advanceClock(60_000);
      }
    } finally {
      await two.close();
      await one.close();
    }
  });

  test('count a client under one network in whatever form a proxy writes its address', async () => {
    const testServer = await openTestServer(CHEAPEST_DATABASE, {
      env: { RATE_LIMIT_SCALE: '0.02', TRUST_PROXY: 'on' },
      isClockStopped: true,
    });
    try {
      const ask = async (name: string, value: string) =>
        (await sendRaw(testServer.apiUrl, rawRequest('GET', '/api/config', ['host: localhost', `${name}: ${value}`])))
          .status;
      const statusesOf = async (name: string, values: readonly string[]) => {
        testServer.advanceClock(1_000);
        const statuses = [];
        for (const value of values) statuses.push(await ask(name, value));
        return statuses;
      };
      const plain = ['203.0.113.9:40001', '203.0.113.9:40002', '::ffff:203.0.113.9', '[::ffff:cb00:7109]:443'];
      expect(await statusesOf('x-forwarded-for', plain)).toEqual([200, 200, 429, 429]);
      const wide = ['2001:db8::1', '[2001:db8::2]', '[2001:DB8:0:0::3]:4711', '2001:db8::4%eth0'];
      expect(await statusesOf('x-forwarded-for', wide)).toEqual([200, 200, 429, 429]);
      const standard = [
        'for=203.0.113.9;proto=https;by=10.0.0.1',
        'For="203.0.113.9:40001"',
        'for="[2001:db8::1]:4711", proto=http; for="203.0.113.9:_secret"',
        'for="6.6.6.6", x=", for=203.0.113.9;by="10.0.0.1"',
      ];
      expect(await statusesOf('forwarded', standard)).toEqual([200, 200, 429, 429]);
      const unreadable = ['unknown', 'my-laptop', '_hidden', '010.0.0.1', '1.2.3', '203.0.113.999:80'];
      expect(await statusesOf('x-forwarded-for', unreadable)).toEqual([200, 200, 429, 429, 429, 429]);
      expect(await statusesOf('x-forwarded-for', ['203.0.113.9:1', '203.0.113.10:1', '203.0.113.11:1'])).toEqual([
        ...[200, 200, 200],
      ]);
    } finally {
      await testServer.close();
    }
  });

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['unknown', 'unknown'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('count %s under the network %s', (address, network) => {
    expect(ipNetworkOf(address)).toBe(network);
  });
});

describe('limits of open streams and connections', () => {
  test('count the open streams of a network, no matter which of its users opened them', async () => {
    const testServer = await openTestServer(CHEAPEST_DATABASE, {
      env: { RATE_LIMIT_SCALE: '0.05', TRUST_PROXY: 'on' },
      isClockStopped: true,
    });
    try {
      // 50 streams at this scale. The limit of requests per second allows five at a time.
      const people = [await testServer.createUser('Bud'), await testServer.createUser('Bud')];
      const open = async (index: number, address: string) => {
        const token = people[index % 2]?.token ?? '';
        const headers = { authorization: `Bearer ${token}`, ...forwardedFor(address).headers };
        const abort = new AbortController();
        const response = await fetch(`${testServer.apiUrl}/events`, { headers, signal: abort.signal });
        // It is kept: fetch closes the stream of a response that was garbage collected.
        return { response, end: () => abort.abort() };
      };
      const opened = [];
      for (let index = 0; index < 52; index += 1) {
        if (index % 4 === 0) testServer.advanceClock(1_000);
        opened.push(await open(index, `2001:db8::${index}`));
      }
      expect(opened.map(({ response }) => response.status)).toEqual([...Array(50).fill(200), 429, 429]);
      expect((await open(0, '2001:db8:0:1::1')).response.status).toBe(200);
      for (const { end } of opened) end();
      await waitFor(async () => {
        testServer.advanceClock(1_000);
        expect((await open(0, '2001:db8::1')).response.status).toBe(200);
      });
    } finally {
      await testServer.close();
    }
  });

  test('close the connections of a network above its limit, and no others', async () => {
    const testServer = await openTestServer(CHEAPEST_DATABASE, { env: { RATE_LIMIT_SCALE: '0.01' } });
    const sockets: Socket[] = [];
    try {
      const { hostname, port } = new URL(testServer.apiUrl);
      const connectFrom = (localAddress: string) =>
        new Promise<boolean>((resolve) => {
          const socket = connect({ host: hostname, port: Number(port), localAddress });
          sockets.push(socket);
          socket.on('error', () => resolve(false));
          socket.on('close', () => resolve(false));
          socket.on('data', () => resolve(true));
          socket.write('GET /api/health/live HTTP/1.1\r\nhost: localhost\r\n\r\n');
        });
      let held = 0;
      for (let index = 0; index < 25; index += 1) held += (await connectFrom('127.0.0.1')) ? 1 : 0;
      expect(held).toBe(20);
      if (process.platform === 'linux') expect(await connectFrom('127.0.0.2')).toBe(true);
      sockets[0]?.destroy();
      await waitFor(async () => expect(await connectFrom('127.0.0.1')).toBe(true));
    } finally {
      for (const socket of sockets) socket.destroy();
      await testServer.close();
    }
  });
});
