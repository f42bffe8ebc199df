import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { sendRequest } from '../../testing/checkedClient.ts';
import { DATABASE_KINDS, openTestServer } from '../../testing/testServer.ts';
import { openEmbeddedDatabase, queryRow, queryRows } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createRetentionJob } from '../jobs/retention.ts';
import { ipNetworkOf } from './rateLimits.ts';

// A start of the embedded database takes longest.
const CHEAPEST_DATABASE = DATABASE_KINDS.at(-1) ?? 'embedded';

const forwardedFor = (address: string) => ({ headers: { 'x-forwarded-for': address } });

describe('limits by network address', () => {
  test('count per address, are scaled by RATE_LIMIT_SCALE, and say when to come back', async () => {
    const world = await openTestServer('embedded', { env: { RATE_LIMIT_SCALE: '0.02', TRUST_PROXY: 'on' } });
    try {
      const config = (address: string) => sendRequest(world.apiUrl, 'GET', '/config', forwardedFor(address));
      const statuses = [];
      for (let asked = 0; asked < 3; asked += 1) statuses.push((await config('198.51.100.1')).status);
      expect(statuses).toEqual([200, 200, 429]);
      const refused = await config('198.51.100.1');
      expect(refused.headers.get('retry-after')).toBe('1');
      expect((await config('198.51.100.2')).status).toBe(200);
      world.advanceClock(1000);
      expect((await config('198.51.100.1')).status).toBe(200);

      const code = (index: number, address: string) =>
        sendRequest(world.apiUrl, 'POST', '/auth/send-otp-for-email', {
          ...forwardedFor(address),
          body: { email: `limit-${address.replaceAll(':', '')}-${index}@rubadub.test` },
        });
      // Two codes a minute at this scale, over the whole network of an IPv6 address.
      for (let sent = 0; sent < 2; sent += 1) {
        world.advanceClock(1000);
        expect((await code(sent, `2001:db8::${sent}`)).status).toBe(200);
      }
      const last = await code(13, '2001:db8::ffff');
      expect(last.status).toBe(429);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(40);
      expect((await code(14, '2001:db8:0:1::1')).status).toBe(200);
      world.advanceClock(60_000);
      expect((await code(15, '2001:db8::1')).status).toBe(200);
    } finally {
      await world.close();
    }
  });

  test.runIf(DATABASE_KINDS.includes('postgres'))(
    'of sign-ins, codes and secrets are one for all servers',
    async () => {
      const env = { RATE_LIMIT_SCALE: '0.05', TRUST_PROXY: '1' };
      const one = await openTestServer('postgres', { env });
      // `on` is one proxy, as well.
      const two = await openTestServer('postgres', { env: { ...env, TRUST_PROXY: 'on' }, beside: one });
      try {
        const email = 'nobody@rubadub.test';
        const calls = {
          '/auth/login': [15, { email, password: 'Rubadub1!' }],
          '/auth/forgot-password': [6, { email }],
          '/auth/reset-password': [15, { token: 'made-up', newPassword: 'Rubadub1!' }],
        } as const;
        for (const [path, [most, body]] of Object.entries(calls)) {
          const reached = async (index: number) => {
            const { apiUrl: host } = index % 2 === 0 ? one : two;
            // Each from another made-up address further left: only what the proxy itself saw counts.
            const reply = await sendRequest(host, 'POST', path, {
              body,
              ...forwardedFor(`203.0.113.${index}, 198.51.100.7`),
            });
            one.advanceClock(250);
            return reply.status !== 429 || reply.body.message.startsWith('Too many wrong');
          };
          const letThrough = [];
          for (let index = 0; index < most + 4; index += 1) letThrough.push(await reached(index));
          expect(letThrough.filter(Boolean), path).toHaveLength(most);
          const elsewhere = await sendRequest(two.apiUrl, 'POST', path, { body, ...forwardedFor('198.51.100.8') });
          expect(elsewhere.body.message ?? '', path).not.toContain('Too many requests');
          one.advanceClock(60_000);
        }
      } finally {
        await two.close();
        await one.close();
      }
    },
  );

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('belong %s to the network %s', (address, network) => {
    expect(ipNetworkOf(address)).toBe(network);
  });
});

describe('what is of no use any more', () => {
  test('is swept away, page by page, and what is of use stays', async () => {
    const database = await openEmbeddedDatabase(undefined);
    try {
      const { db } = database;
      await migrate(db);
      const now = new Date('2026-05-04T12:00:00Z');
      const [old, young] = [new Date('2026-03-01T00:00:00Z'), new Date('2026-05-04T11:59:00Z')];
      await fill(db, old, 'old');
      await fill(db, young, 'young');
      const sweep = createRetentionJob({ db, now: () => now }, 1);
      let steps = 0;
      while (await sweep()) steps += 1;
      // A table of several pages was taken in several steps.
      expect(steps).toBeGreaterThan(6);
      for (const table of ['rate_limits', 'sign_in_failures', 'email_codes', 'sessions', 'reset_links']) {
        const left = await queryRow(db, sql`select count(*)::int as count from ${sql.id(table)}`);
        expect(left, table).toEqual({ count: table === 'rate_limits' ? 300 : 1 });
      }
      expect(await sweep()).toBe(true);
    } finally {
      await database.close();
    }
  });

  async function fill(db: Parameters<typeof queryRows>[0], at: Date, name: string) {
    const user = name === 'old' ? '01900000-0000-7000-8000-000000000001' : '01900000-0000-7000-8000-000000000002';
    const statements = [
      sql`insert into users (id, fullname, email, email_key, role, password_hash, created_at)
        values (${user}, 'Ada', ${name}, ${name}, 'Bud', 'x', ${at})`,
      sql`insert into rate_limits select 'code', ${name} || n, ${at}, 1 from generate_series(1, 300) n`,
      sql`insert into sign_in_failures values (${name}, 3, ${at})`,
      sql`insert into email_codes values (${name}, null, ${at}, 5, ${at}, ${at}, 1)`,
      sql`insert into sessions values (decode(md5(${name}), 'hex'), ${user}, ${at}, ${at})`,
      sql`insert into reset_links values (${user}, decode(md5(${name}), 'hex'), ${at}, ${at})`,
    ];
    for (const statement of statements) await queryRows(db, statement);
  }
});

describe('limits of what is open at once', () => {
  test('hold for the streams of a network, whoever opens them, until they end', async () => {
    const world = await openTestServer(CHEAPEST_DATABASE, { env: { RATE_LIMIT_SCALE: '0.05', TRUST_PROXY: 'on' } });
    try {
      // 50 at this scale; the limit of requests a second lets five through at a time.
      const people = [await world.createUser('Bud'), await world.createUser('Bud')];
      const open = async (index: number, address: string) => {
        const token = people[index % 2]?.token ?? '';
        const headers = { authorization: `Bearer ${token}`, ...forwardedFor(address).headers };
        const ending = new AbortController();
        const { status } = await fetch(`${world.apiUrl}/events`, { headers, signal: ending.signal });
        return { status, end: () => ending.abort() };
      };
      const opened = [];
      for (let index = 0; index < 52; index += 1) {
        if (index % 4 === 0) world.advanceClock(1_000);
        opened.push(await open(index, `2001:db8::${index}`));
      }
      expect(opened.map(({ status }) => status)).toEqual([...Array(50).fill(200), 429, 429]);
      expect((await open(0, '2001:db8:0:1::1')).status).toBe(200);
      for (const { end } of opened) end();
      await vi.waitFor(async () => {
        world.advanceClock(1_000);
        expect((await open(0, '2001:db8::1')).status).toBe(200);
      });
    } finally {
      await world.close();
    }
  });

  test('turn away the connections of a network above its share, and only those', async () => {
    const world = await openTestServer(CHEAPEST_DATABASE, { env: { RATE_LIMIT_SCALE: '0.01' } });
    const sockets: Socket[] = [];
    try {
      const { hostname, port } = new URL(world.apiUrl);
      const connected = (localAddress: string) =>
        new Promise<boolean>((resolve) => {
          const socket = connect({ host: hostname, port: Number(port), localAddress });
          sockets.push(socket);
          socket.on('error', () => resolve(false));
          socket.on('close', () => resolve(false));
          socket.on('data', () => resolve(true));
          socket.write('GET /api/health/live HTTP/1.1\r\nhost: rubadub.test\r\n\r\n');
        });
      let held = 0;
      for (let index = 0; index < 25; index += 1) held += (await connected('127.0.0.1')) ? 1 : 0;
      expect(held).toBe(20);
      if (process.platform === 'linux') expect(await connected('127.0.0.2')).toBe(true);
      sockets[0]?.destroy();
      await vi.waitFor(async () => expect(await connected('127.0.0.1')).toBe(true));
    } finally {
      for (const socket of sockets) socket.destroy();
      await world.close();
    }
  });
});
