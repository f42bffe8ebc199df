import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVICE_HEADER } from '../contract/call.ts';
import { DAY_MS } from '../domain/durations.ts';
import { type Reply, sendRequest } from '../testing/checkedClient.ts';
import {
  CHEAPEST_DATABASE,
  openTestServer,
  PASSWORD,
  pointAt,
  type TestServer,
  type TestUser,
} from '../testing/testServer.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';

const PAIRS = 60;
/** Calls at a time: of a thousand, a slow machine refuses with 503 those that wait for too long. */
const AT_ONCE = 100;
/** A skipped lookup or hash makes a far larger difference. */
const MAX_WORK_RATIO = 2.2;

const IGNORED_HEADERS = new Set(['date', 'x-request-id', 'retry-after', 'keep-alive']);

/** Everything in an answer that could tell an attacker whether an account exists. */
const observableParts = ({ status, body, headers }: Reply) => ({
  status,
  body,
  headers: [...headers].filter(([name]) => !IGNORED_HEADERS.has(name)),
});

/** The time that a processor worked for this process, in microseconds. A busy machine makes an answer slower, not this longer. */
function workedUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** One answer in four takes less work. The other ones include more of what the process does beside them. */
const firstQuartile = (works: readonly number[]) => works.toSorted((a, b) => a - b)[Math.floor(works.length / 4)] ?? 0;

describePromise('guessing', (suite) => {
  let testServer: TestServer;
  let knownUser: TestUser;
  let emailCount = 0;

  beforeAll(async () => {
    // The limits count what arrives within seconds, and a busy machine takes a minute for it.
    testServer = await openTestServer(CHEAPEST_DATABASE, {
      env: { TRUST_PROXY: 'on' },
      isClockStopped: true,
    });
    knownUser = await testServer.createUser('Bud');
  }, TEST_TIMEOUT_MS);
  afterAll(() => testServer?.close());

  const newEmail = () => {
    emailCount += 1;
    // As long as the known address, because the size of an answer could reveal it.
    return `nobody-${String(emailCount).padStart(Math.max(1, knownUser.user.email.indexOf('@') - 7), '0')}@rubadub.test`;
  };
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    sendRequest(testServer.apiUrl, 'POST', path, { body, headers });
  const signUp = (email: string, emailOtp: string) =>
    post('/auth/signUp', {
      email,
      emailOtp,
      fullname: 'Eve Guess',
      password: PASSWORD,
      role: 'Bud',
      address: { label: 'Default', address: '1 Guess Lane', ...pointAt(0, 0) },
    });
  const countWithStatus = (replies: readonly Reply[], status: number) =>
    replies.filter((one) => one.status === status).length;

  test('rejects all of a thousand guesses at a code, and the right code after them', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    suite.expectCases(1_000);
    const email = newEmail();
    await post('/auth/send-otp-for-email', { email });
    const code = /\d{6}/.exec((await testServer.waitForMail(email)).text)?.[0] ?? '';
    const guess = (index: number) => signUp(email, String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0'));
    const replies: Reply[] = [];
    for (let first = 0; first < 999; first += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, 999 - first) }, (_, index) => guess(first + index));
      replies.push(...(await Promise.all(some)));
    }
    replies.push(await signUp(email, code));
    expect(countWithStatus(replies, 400)).toBe(1_000);
    suite.countCases(replies.length);
  });

  test('answers only the first few of 300 password guesses, and then refuses even the right password', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    suite.expectCases(300);
    const { email } = (await testServer.createUser('Bud')).user;
    const wrong = await Promise.all(
      Array.from({ length: 299 }, (_, index) => post('/auth/login', { email, password: `Wrong-Pass${index}` })),
    );
    const right = await post('/auth/login', { email, password: PASSWORD });
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(countWithStatus(wrong, 401)).toBeLessThanOrEqual(5);
    expect(countWithStatus(wrong, 429)).toBeGreaterThanOrEqual(294);
    suite.countCases(300);
  });

  test('answers only the first 100 of 150 guesses from as many networks, and lets the owner in meanwhile', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    suite.expectCases(150);
    const { email } = (await testServer.createUser('Bud')).user;
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const phone = { [DEVICE_HEADER]: 'a'.repeat(32) };
    const signIn = async (headers = {}) => (await post('/auth/login', { email, password: PASSWORD }, headers)).status;
    expect(await signIn(phone)).toBe(200);
    const guessFrom = (address: string) => post('/auth/login', { email, password: 'Wrong-Pass1' }, from(address));
    const wrong = await Promise.all(Array.from({ length: 150 }, (_, index) => guessFrom(`203.0.113.${index}`)));
    expect(countWithStatus(wrong, 401)).toBeLessThanOrEqual(100);
    expect(countWithStatus(wrong, 429)).toBeGreaterThanOrEqual(45);
    expect(await signIn(from('198.51.100.1'))).toBe(429);
    expect([await signIn(), await signIn({ ...phone, ...from('198.51.100.2') })]).toEqual([200, 200]);
    suite.countCases(150);
  });

  test('answers only the first 20 of 60 guesses from as many IPv6 networks of one /48', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    suite.expectCases(60);
    const { email } = (await testServer.createUser('Bud')).user;
    const wrong = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        post('/auth/login', { email, password: 'Wrong-Pass1' }, { 'x-forwarded-for': `2001:db8:7:${index}::1` }),
      ),
    );
    expect(countWithStatus(wrong, 401)).toBeLessThanOrEqual(20);
    expect(countWithStatus(wrong, 429)).toBeGreaterThanOrEqual(35);
    suite.countCases(60);
  });

  test('rejects tokens and reset links that differ from a valid one in a single character', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    await post('/auth/forgot-password', { email: knownUser.user.email });
    const { text } = await testServer.waitForMail(knownUser.user.email, 'password');
    const resetToken = /token=([\w-]+)/.exec(text)?.[1] ?? '';
    const resetTokens = [...variationsOf(resetToken)];
    const tokens = [...variationsOf(knownUser.token)];
    suite.expectCases(resetTokens.length + tokens.length);
    expect(resetTokens.length).toBeGreaterThan(80);
    for (const token of resetTokens) {
      const { status } = await post('/auth/reset-password', { token, newPassword: 'Rubadub2!' });
      expect([400, 401], token).toContain(status);
      suite.countCases();
    }
    for (const token of tokens) {
      const { status } = await sendRequest(testServer.apiUrl, 'GET', '/auth/session', {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(status, token).toBe(401);
      suite.countCases();
    }
    expect((await sendRequest(testServer.apiUrl, 'GET', '/auth/session', { token: knownUser.token })).status).toBe(200);
  });

  function* variationsOf(secret: string): Generator<string> {
    expect(secret).toHaveLength(43);
    yield secret.slice(0, -1);
    yield `${secret}A`;
    yield secret.toLowerCase();
    yield `${secret}=`;
    for (let index = 0; index < secret.length; index += 1) {
      for (const character of [suite.random() < 0.5 ? 'q' : 'Q', '*']) {
        const variation = secret.slice(0, index) + character + secret.slice(index + 1);
        if (variation !== secret) yield variation;
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

  // Known and unknown addresses alternate, so that whatever else the process does affects both alike.
  test.each(PROBES)(
    '$path gives the same answer for the same work whether the account exists or not',
    { timeout: TEST_TIMEOUT_MS },
    async ({ path, body }) => {
      suite.expectCases(2 * PAIRS);
      const works = { known: [] as number[], unknown: [] as number[] };
      const unknownEmail = newEmail();
      const measure = async (who: keyof typeof works, email: string) => {
        const before = workedUs();
        const reply = await post(path, body(email));
        works[who].push(workedUs() - before);
        suite.countCases();
        return observableParts(reply);
      };
      for (const email of [knownUser.user.email, unknownEmail]) await post('/auth/send-otp-for-email', { email });
      for (let pair = 0; pair < PAIRS; pair += 1) {
        // A day later the limits on codes and wrong passwords have expired.
        testServer.advanceClock(DAY_MS + 60_000);
        if (path === '/auth/signUp') {
          for (const email of [knownUser.user.email, unknownEmail]) await post('/auth/send-otp-for-email', { email });
        }
        const knownFirst = pair % 2 === 0;
        const first = await measure(knownFirst ? 'known' : 'unknown', knownFirst ? knownUser.user.email : unknownEmail);
        const second = await measure(
          knownFirst ? 'unknown' : 'known',
          knownFirst ? unknownEmail : knownUser.user.email,
        );
        expect(second).toEqual(first);
      }
      const ratio = firstQuartile(works.known) / firstQuartile(works.unknown);
      suite.recordFigure(`work of ${path}, ratio of known to unknown`, Math.round(ratio * 100) / 100);
      expect(Math.max(ratio, 1 / ratio)).toBeLessThan(MAX_WORK_RATIO);
    },
  );
});
