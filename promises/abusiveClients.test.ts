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
// Every attack comes from its own network, so that it uses up only its own limits.
const attackerAddress = (index: number) => (LINUX ? `127.0.0.${66 + index}` : '127.0.0.1');
const MEGABYTE = 1024 * 1024;
/** The server reads at most 10 MB of such a body. The kernel holds more: Linux up to 32 MB for who receives, and 4 for who sends. */
const MOST_ACCEPTED_BYTES = 50 * MEGABYTE;
const STREAMS = 1_000;
const STREAMS_PER_USER = 100;
const MAX_MEMORY_MB = 400;
// A busy machine may let a few ordinary calls time out.
const MIN_ANSWERED_SHARE = 0.99;

type Attack = {
  readonly name: string;
  readonly connections: number;
  /** Starts the attack on an open connection. */
  readonly act: (client: AbusiveSocket) => void;
  /** The statuses that an answer may have. */
  readonly statuses: readonly number[];
  readonly mustBeAnswered: boolean;
  /** How much of a body the server may accept before it closes the connection. */
  readonly maxSentBytes?: number;
};

const JSON_HEADERS = { 'content-type': 'application/json' };
const loginRequestHead = (headers: Record<string, string | number>) =>
  requestHead('POST', '/api/auth/login', { ...JSON_HEADERS, ...headers });
const nestedArrays = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const ATTACKS: readonly Attack[] = [
  { name: 'connect and send nothing', connections: 500, act: () => undefined, statuses: [408], mustBeAnswered: false },
  {
    name: 'send a header line per second without end',
    connections: 300,
    act: (client) => {
      client.socket.write(requestHead('GET', '/api/config'));
      sendSlowly(client, repeatForever('x-more: and more\r\n'), 1_000);
    },
    statuses: [408],
    mustBeAnswered: true,
  },
  {
    name: 'send a byte of the body per second',
    connections: 90,
    act: (client) => {
      client.socket.write(`${loginRequestHead({ 'content-length': 60_000 })}\r\n`);
      sendSlowly(client, repeatForever('x'), 1_000);
    },
    statuses: [408],
    mustBeAnswered: true,
  },
  {
    name: 'send 80 MB at once',
    connections: 40,
    act: (client) => {
      client.socket.write(`${loginRequestHead({ 'content-length': 80 * MEGABYTE })}\r\n`);
      sendSlowly(client, Array<Buffer>(80).fill(Buffer.alloc(MEGABYTE, ' ')));
    },
    statuses: [413],
    mustBeAnswered: false,
    maxSentBytes: MOST_ACCEPTED_BYTES,
  },
  {
    name: 'send 80 MB in chunks',
    connections: 40,
    act: (client) => {
      client.socket.write(`${loginRequestHead({ 'transfer-encoding': 'chunked' })}\r\n`);
      const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
      sendSlowly(client, Array<string>(1_280).fill(chunk));
    },
    statuses: [413],
    mustBeAnswered: false,
    maxSentBytes: MOST_ACCEPTED_BYTES,
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
    name: 'request a URL of 100 KB',
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
    name: 'send something other than HTTP',
    connections: 40,
    act: ({ socket }) => void socket.write('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello there\r\n\r\n'),
    statuses: [400],
    mustBeAnswered: true,
  },
  {
    name: 'send 500 requests at once and read nothing',
    connections: 40,
    act: ({ socket }) => {
      socket.pause();
      socket.write(`${requestHead('GET', '/api/openapi.json')}\r\n`.repeat(499));
      socket.write(`${requestHead('GET', '/api/openapi.json', { connection: 'close' })}\r\n`);
      // Reads in the end, because a paused socket never reports that it was closed.
      setTimeout(() => socket.resume(), 5_000);
    },
    statuses: [200],
    mustBeAnswered: false,
  },
];

describePromise('abusive-clients', (suite) => {
  let standIns: StandIns;
  let server: ServerProcess;
  let ordinaryUser: TestUser;
  let greedyUser: TestUser;

  beforeAll(async () => {
    standIns = await launchStandIns();
    server = await launchServer({ ...standIns.env, DATABASE_URL: await createTestDatabase(), RATE_LIMIT_SCALE: '1' });
    [ordinaryUser, greedyUser] = [
      await createTestUserAt(server, standIns.url, 'Bud'),
      await createTestUserAt(server, standIns.url, 'Scrub'),
    ];
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await server?.end();
    await standIns?.close();
  });

  /** Makes ordinary calls one after the other until `done` settles, and counts how many were answered. */
  async function callUntil(done: Promise<unknown>): Promise<{ sent: number; answered: number }> {
    let isDone = false;
    void done.finally(() => {
      isDone = true;
    });
    const { api } = ordinaryUser;
    const calls = [
      () => api.session(),
      () => api.listOrders({ query: {} }),
      () => api.updateProfile({ body: { fullname: 'Patient Person' } }),
      () => api.calculatePrice({ body: { loadSize: 'Small' } }),
    ];
    const count = { sent: 0, answered: 0 };
    while (!isDone || count.sent < 40) {
      const call = calls[count.sent % calls.length];
      count.sent += 1;
      count.answered += await (call?.() ?? Promise.reject(new Error('no call'))).then(
        () => 1,
        (error: unknown) => {
          console.log('an ordinary call failed:', error);
          return 0;
        },
      );
      // Stays within the rate limit that applies to everyone.
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    return count;
  }

  async function runAttack(attack: Attack, index: number): Promise<void> {
    const { name, connections, act, statuses, mustBeAnswered, maxSentBytes = Number.POSITIVE_INFINITY } = attack;
    const clients = await Promise.all(
      Array.from({ length: connections }, () => openAbusiveSocket(server.url, attackerAddress(index))),
    );
    for (const client of clients) act(client);
    const ends: readonly ConnectionEnd[] = await Promise.all(clients.map(({ ended }) => ended));
    const answered = ends.flatMap(({ status }) => (status === undefined ? [] : [status]));
    for (const status of answered) expect(statuses, name).toContain(status);
    if (mustBeAnswered) expect(answered, name).toHaveLength(connections);
    for (const { sentBytes } of ends) expect(sentBytes, name).toBeLessThan(maxSentBytes);
    suite.countCases(connections);
  }

  /** Opens 1,000 streams of one person: the server keeps a hundred and refuses the others. */
  async function openStreams(): Promise<void> {
    const authorization = `Bearer ${greedyUser.token}`;
    const request = `${requestHead('GET', '/api/events', { authorization, connection: 'close' })}\r\n`;
    const streams: AbusiveSocket[] = [];
    // In batches, to stay within the limit of requests per second.
    for (let opened = 0; opened < STREAMS; opened += 50) {
      const batch = await Promise.all(
        Array.from({ length: 50 }, () => openAbusiveSocket(server.url, attackerAddress(ATTACKS.length))),
      );
      for (const { socket } of batch) socket.write(request);
      streams.push(...batch);
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
    const statuses: (number | undefined)[] = [];
    await new Promise<void>((resolve) => {
      for (const { ended } of streams) {
        void ended.then(({ status }) => statuses.push(status) === STREAMS - STREAMS_PER_USER && resolve());
      }
    });
    // On a busy machine the database may be too slow for a few of them, or a connection waits too long and is closed.
    for (const status of statuses) expect([429, 503, undefined]).toContain(status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(statuses.length / 2);
    expect(streams.filter(({ socket }) => !socket.destroyed)).toHaveLength(STREAMS_PER_USER);
    for (const { socket } of streams) socket.destroy();
    suite.countCases(STREAMS);
  }

  const memoryMb = () => {
    const pages = Number(readFileSync(`/proc/${server.pid}/statm`, 'utf8').split(' ')[1]);
    return Math.round((pages * 4096) / MEGABYTE);
  };

  test('closes connections that are slow or ask for too much while ordinary calls are answered', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    suite.expectCases(ATTACKS.reduce((sum, { connections }) => sum + connections, STREAMS));
    const memoryAtStart = LINUX ? memoryMb() : 0;
    let peakMemory = memoryAtStart;
    const memoryTimer = setInterval(() => {
      if (LINUX) peakMemory = Math.max(peakMemory, memoryMb());
    }, 100);
    const attacks = Promise.all([...ATTACKS.map(runAttack), openStreams()]);
    const { sent, answered } = await callUntil(attacks);
    clearInterval(memoryTimer);
    await attacks;
    suite.recordFigure('ordinary calls answered meanwhile', `${answered} of ${sent}`);
    suite.recordFigure('peak memory above the start, MB', peakMemory - memoryAtStart);
    expect(answered / sent).toBeGreaterThanOrEqual(MIN_ANSWERED_SHARE);
    expect(peakMemory - memoryAtStart).toBeLessThan(MAX_MEMORY_MB);
  });
});
