import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reply, sendRequest } from '../testing/checkedClient.ts';
import {
  DATABASE_KINDS,
  openTestServer,
  PASSWORD,
  pointAt,
  type TestServer,
  type TestUser,
} from '../testing/testServer.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';

const DAY_MS = 24 * 60 * 60_000;
const PAIRS = 60;
// Generous, for machines are busy; a look-up or a hash too few shows as much more than this.
const MAX_TIME_RATIO = 2.2;

const IGNORED_HEADERS = new Set(['date', 'x-request-id', 'retry-after', 'keep-alive']);

/** All of an answer that a prober could tell apart. */
const observableParts = ({ status, body, headers }: Reply) => ({
  status,
  body,
  headers: [...headers].filter(([name]) => !IGNORED_HEADERS.has(name)),
});

const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

describePromise('guessing', (suite) => {
  let world: TestServer;
  let known: TestUser;
  let made = 0;

  beforeAll(async () => {
    world = await openTestServer(DATABASE_KINDS.at(-1) ?? 'embedded');
    known = await world.createUser('Bud');
  }, TEST_TIMEOUT_MS);
  afterAll(() => world?.close());

  const newEmail = () => {
    made += 1;
    // As long as the known one, for the size of an answer tells, too.
    return `nobody-${String(made).padStart(Math.max(1, known.user.email.indexOf('@') - 7), '0')}@rubadub.test`;
  };
  const post = (path: string, body: object) => sendRequest(world.apiUrl, 'POST', path, { body });
  const signUp = (email: string, emailOtp: string) =>
    post('/auth/signUp', {
      email,
      emailOtp,
      fullname: 'Eve Guess',
      password: PASSWORD,
      role: 'Bud',
      address: { label: 'Default', address: '1 Guess Lane', ...pointAt(0, 0) },
    });
  const counts = (replies: readonly Reply[], status: number) => replies.filter((one) => one.status === status).length;

  test('of a thousand guesses at a code all at once, not even the right one gets in', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    suite.expectCases(1_000);
    const email = newEmail();
    await post('/auth/send-otp-for-email', { email });
    const code = /\d{6}/.exec((await world.waitForMail(email)).text)?.[0] ?? '';
    const guess = (index: number) => signUp(email, String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0'));
    const replies = await Promise.all(Array.from({ length: 999 }, (_, index) => guess(index)));
    replies.push(await signUp(email, code));
    expect(counts(replies, 400)).toBe(1_000);
    suite.countCases(replies.length);
  });

  test('of 300 guesses at a password, the right one is told only among the first few', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    suite.expectCases(300);
    const { email } = (await world.createUser('Bud')).user;
    const wrong = await Promise.all(
      Array.from({ length: 299 }, (_, index) => post('/auth/login', { email, password: `Wrong-Pass${index}` })),
    );
    const right = await post('/auth/login', { email, password: PASSWORD });
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(counts(wrong, 401)).toBeLessThanOrEqual(5);
    expect(counts(wrong, 429)).toBeGreaterThanOrEqual(294);
    suite.countCases(300);
  });

  test('a token or a link that is nearly right is wrong', { timeout: TEST_TIMEOUT_MS }, async () => {
    await post('/auth/forgot-password', { email: known.user.email });
    const { text } = await world.waitForMail(known.user.email, 'password');
    const link = /token=([\w-]+)/.exec(text)?.[1] ?? '';
    const nearly = [...nearTo(link)];
    const tokens = [...nearTo(known.token)];
    suite.expectCases(nearly.length + tokens.length);
    expect(nearly.length).toBeGreaterThan(80);
    for (const token of nearly) {
      const { status } = await post('/auth/reset-password', { token, newPassword: 'Rubadub2!' });
      expect([400, 401], token).toContain(status);
      suite.countCases();
    }
    for (const token of tokens) {
      const { status } = await sendRequest(world.apiUrl, 'GET', '/auth/session', {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(status, token).toBe(401);
      suite.countCases();
    }
    expect((await sendRequest(world.apiUrl, 'GET', '/auth/session', { token: known.token })).status).toBe(200);
  });

  function* nearTo(secret: string): Generator<string> {
    expect(secret).toHaveLength(43);
    yield secret.slice(0, -1);
    yield `${secret}A`;
    yield secret.toLowerCase();
    yield `${secret}=`;
    for (let index = 0; index < secret.length; index += 1) {
      for (const sign of [suite.random() < 0.5 ? 'q' : 'Q', '*']) {
        const near = secret.slice(0, index) + sign + secret.slice(index + 1);
        if (near !== secret) yield near;
      }
    }
  }

  type Probe = { readonly path: string; readonly body: (email: string) => object };
  const PROBES: readonly Probe[] = [
    { path: '/auth/login', body: (email) => ({ email, password: 'Wrong-Pass1' }) },
    { path: '/auth/send-otp-for-email', body: (email) => ({ email }) },
    { path: '/auth/forgot-password', body: (email) => ({ email }) },
    {
      path: '/auth/signUp',
      body: (email) => ({
        email,
        emailOtp: '000000',
        fullname: 'Eve Guess',
        password: PASSWORD,
        role: 'Bud',
        address: { label: 'Default', address: '1 Guess Lane', ...pointAt(0, 0) },
      }),
    },
  ];

  // Each asked of somebody with an account and of nobody in turn, so that whatever else the machine does meets both alike.
  test.each(PROBES)(
    '$path answers the same, in the same time, for known and unknown',
    { timeout: TEST_TIMEOUT_MS },
    async ({ path, body }) => {
      suite.expectCases(2 * PAIRS);
      const times = { known: [] as number[], unknown: [] as number[] };
      const stranger = newEmail();
      const time = async (who: keyof typeof times, email: string) => {
        const began = performance.now();
        const reply = await post(path, body(email));
        times[who].push(performance.now() - began);
        suite.countCases();
        return observableParts(reply);
      };
      for (const email of [known.user.email, stranger]) await post('/auth/send-otp-for-email', { email });
      for (let pair = 0; pair < PAIRS; pair += 1) {
        // A day later nobody waits for a code, and after a right password nobody for a wrong one.
        world.advanceClock(DAY_MS + 60_000);
        if (path === '/auth/signUp') {
          for (const email of [known.user.email, stranger]) await post('/auth/send-otp-for-email', { email });
        }
        const order = pair % 2 === 0;
        const first = await time(order ? 'known' : 'unknown', order ? known.user.email : stranger);
        const second = await time(order ? 'unknown' : 'known', order ? stranger : known.user.email);
        expect(second).toEqual(first);
      }
      const ratio = median(times.known) / median(times.unknown);
      suite.recordFigure(`time of ${path}, known to unknown`, Math.round(ratio * 100) / 100);
      expect(Math.max(ratio, 1 / ratio)).toBeLessThan(MAX_TIME_RATIO);
    },
  );
});
