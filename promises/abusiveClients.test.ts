import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestUser } from '../testing/testServer.ts';
import {
  type AbusiveSocket,
  type ConnectionEnd,
  openAbusiveSocket,
  repeatForever,
  requestHead,
  sendSlowly,
} from './abusiveSocket.ts';
import { launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { createTestUserAt } from './serverPair.ts';

const LINUX = process.platform === 'linux';
// Networks of their own, so that what they use up is their own, too.
const attackerAddress = (index: number) => (LINUX ? `127.0.0.${66 + index}` : '127.0.0.1');
const MEGABYTE = 1024 * 1024;
const STREAMS = 1_000;
const STREAMS_PER_USER = 100;
const MAX_MEMORY_MB = 400;
// All of them, but for what a machine that is busy with other things lets time out.
const MIN_ANSWERED_SHARE = 0.99;

type Attack = {
  readonly name: string;
  readonly connections: number;
  /** Begins what it does on an open connection. */
  readonly act: (rude: AbusiveSocket) => void;
  /** What each may be answered, if it is answered. */
  readonly statuses: readonly number[];
  readonly mustBeAnswered: boolean;
  /** How much of a body may have been taken in before the end. */
  readonly maxSentBytes?: number;
};

const JSON_HEADERS = { 'content-type': 'application/json' };
const loginRequestHead = (headers: Record<string, string | number>) =>
  requestHead('POST', '/api/auth/login', { ...JSON_HEADERS, ...headers });
const nestedArrays = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const ATTACKS: readonly Attack[] = [
  { name: 'connect and say nothing', connections: 500, act: () => undefined, statuses: [408], mustBeAnswered: false },
  {
    name: 'send a header line a second, without end',
    connections: 300,
    act: (rude) => {
      rude.socket.write(requestHead('GET', '/api/config'));
      sendSlowly(rude, repeatForever('x-more: and more\r\n'), 1_000);
    },
    statuses: [408],
    mustBeAnswered: true,
  },
  {
    name: 'send a byte of a body a second',
    connections: 90,
    act: (rude) => {
      rude.socket.write(`${loginRequestHead({ 'content-length': 60_000 })}\r\n`);
      sendSlowly(rude, repeatForever('x'), 1_000);
    },
    statuses: [408],
    mustBeAnswered: true,
  },
  {
    name: 'send 10 MB at once',
    connections: 40,
    act: (rude) => {
      rude.socket.write(`${loginRequestHead({ 'content-length': 10 * MEGABYTE })}\r\n`);
      sendSlowly(rude, Array<Buffer>(10).fill(Buffer.alloc(MEGABYTE, ' ')));
    },
    statuses: [413],
    mustBeAnswered: false,
    maxSentBytes: 9 * MEGABYTE,
  },
  {
    name: 'send 10 MB in chunks',
    connections: 40,
    act: (rude) => {
      rude.socket.write(`${loginRequestHead({ 'transfer-encoding': 'chunked' })}\r\n`);
      const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
      sendSlowly(rude, Array<string>(160).fill(chunk));
    },
    statuses: [413],
    mustBeAnswered: false,
    maxSentBytes: 9 * MEGABYTE,
  },
  ...[
    ['JSON nested 10,000 deep', `{"email":${nestedArrays(10_000)},"password":"x"}`],
    ['objects nested 5,000 deep', `{"email":${'{"__proto_":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
  ].map(([name = '', body = '']) => ({
    name,
    connections: 40,
    act: ({ socket }: AbusiveSocket) =>
      void socket.write(`${loginRequestHead({ 'content-length': body.length, connection: 'close' })}\r\n${body}`),
    statuses: [400],
    mustBeAnswered: true,
  })),
  {
    name: 'ask for an address of 100 KB',
    connections: 40,
    act: ({ socket }) => void socket.write(`${requestHead('GET', `/api/${'a'.repeat(100 * 1024)}`)}\r\n`),
    statuses: [431],
    mustBeAnswered: false,
  },
  {
    name: 'send 100 KB of headers',
    connections: 40,
    act: ({ socket }) =>
      void socket.write(`${requestHead('GET', '/api/config', { 'x-big': 'a'.repeat(100 * 1024) })}\r\n`),
    statuses: [431],
    mustBeAnswered: false,
  },
  {
    name: 'speak no HTTP',
    connections: 40,
    act: ({ socket }) => void socket.write('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello there\r\n\r\n'),
    statuses: [400],
    mustBeAnswered: true,
  },
  {
    name: 'ask 500 times at once and read nothing',
    connections: 40,
    act: ({ socket }) => {
      socket.pause();
      socket.write(`${requestHead('GET', '/api/openapi.json')}\r\n`.repeat(499));
      socket.write(`${requestHead('GET', '/api/openapi.json', { connection: 'close' })}\r\n`);
      // It reads in the end, so that it can be seen to have ended.
      setTimeout(() => socket.resume(), 5_000);
    },
    statuses: [200],
    mustBeAnswered: false,
  },
];

describePromise('greedy', (suite) => {
  let standIns: StandIns;
  let server: ServerProcess;
  let ordinary: TestUser;
  let greedy: TestUser;

  beforeAll(async () => {
    standIns = await launchStandIns();
    server = await launchServer({ ...standIns.env, DATABASE_URL: await createTestDatabase(), RATE_LIMIT_SCALE: '1' });
    [ordinary, greedy] = [
      await createTestUserAt(server, standIns.url, 'Bud'),
      await createTestUserAt(server, standIns.url, 'Scrub'),
    ];
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await server?.end();
    await standIns?.close();
  });

  /** Calls as an ordinary person does, one after the other, until `done`; each is to be answered. */
  async function callUntil(done: Promise<unknown>): Promise<{ asked: number; answered: number }> {
    let isDone = false;
    void done.finally(() => {
      isDone = true;
    });
    const { api } = ordinary;
    const calls = [
      () => api.session(),
      () => api.listOrders({ query: {} }),
      () => api.updateProfile({ body: { fullname: 'Patient Person' } }),
      () => api.calculatePrice({ body: { loadSize: 'Small' } }),
    ];
    const count = { asked: 0, answered: 0 };
    while (!isDone || count.asked < 40) {
      const call = calls[count.asked % calls.length];
      count.asked += 1;
      count.answered += await (call?.() ?? Promise.reject(new Error('no call'))).then(
        () => 1,
        (error: unknown) => {
          console.log('an ordinary call failed:', error);
          return 0;
        },
      );
      // A person's pace, within the limit that is the same for everybody.
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    return count;
  }

  async function run(attack: Attack, index: number): Promise<void> {
    const { name, connections, act, statuses, mustBeAnswered, maxSentBytes: sentAtMost } = attack;
    const rude = await Promise.all(
      Array.from({ length: connections }, () => openAbusiveSocket(server.url, attackerAddress(index))),
    );
    for (const one of rude) act(one);
    const endings: readonly ConnectionEnd[] = await Promise.all(rude.map(({ ended }) => ended));
    const answered = endings.flatMap(({ status }) => (status === undefined ? [] : [status]));
    for (const status of answered) expect(statuses, name).toContain(status);
    if (mustBeAnswered) expect(answered, name).toHaveLength(connections);
    for (const { sentBytes: sent } of endings) expect(sent, name).toBeLessThan(sentAtMost ?? Number.POSITIVE_INFINITY);
    suite.countCases(connections);
    console.log(
      name,
      Math.round(performance.now() / 1000),
      answered.length,
      new Set(answered),
      Math.max(...endings.map((e) => e.sentBytes)),
    );
  }

  /** 1,000 streams of one person: a hundred are held, and the others are told that it is too many. */
  async function openStreams(): Promise<void> {
    const authorization = `Bearer ${greedy.token}`;
    const request = `${requestHead('GET', '/api/events', { authorization, connection: 'close' })}\r\n`;
    const streams: AbusiveSocket[] = [];
    // As many at a time as the limit of requests a second lets through.
    for (let opened = 0; opened < STREAMS; opened += 50) {
      const some = await Promise.all(
        Array.from({ length: 50 }, () => openAbusiveSocket(server.url, attackerAddress(ATTACKS.length))),
      );
      for (const { socket } of some) socket.write(request);
      streams.push(...some);
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
    const statuses: (number | undefined)[] = [];
    await new Promise<void>((resolve) => {
      for (const { ended } of streams) {
        void ended.then(({ status }) => statuses.push(status) === STREAMS - STREAMS_PER_USER && resolve());
      }
    });
    // On a machine that is busy with more than this the database may be too slow for one or the other.
    for (const status of statuses) expect([429, 503]).toContain(status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(statuses.length / 2);
    expect(streams.filter(({ socket }) => !socket.destroyed)).toHaveLength(STREAMS_PER_USER);
    for (const { socket } of streams) socket.destroy();
    suite.countCases(STREAMS);
  }

  const memoryMb = () => {
    const pages = Number(readFileSync(`/proc/${server.pid}/statm`, 'utf8').split(' ')[1]);
    return Math.round((pages * 4096) / MEGABYTE);
  };

  test('whoever dawdles or asks for too much is ended, and nobody else waits', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    suite.expectCases(ATTACKS.reduce((sum, { connections }) => sum + connections, STREAMS));
    const before = LINUX ? memoryMb() : 0;
    let most = before;
    const watch = setInterval(() => {
      if (LINUX) most = Math.max(most, memoryMb());
    }, 100);
    const attacks = Promise.all([...ATTACKS.map(run), openStreams()]);
    const { asked, answered } = await callUntil(attacks);
    clearInterval(watch);
    await attacks;
    suite.recordFigure('ordinary calls answered beside them', `${answered} of ${asked}`);
    suite.recordFigure('memory at most above the start, MB', most - before);
    expect(answered / asked).toBeGreaterThanOrEqual(MIN_ANSWERED_SHARE);
    expect(most - before).toBeLessThan(MAX_MEMORY_MB);
  });
});
