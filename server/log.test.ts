import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queryAt } from '../testing/databaseConnection.ts';
import { createOrderInStatus, findDeliveryId, orderBody } from '../testing/orderSteps.ts';
import { openTestServer, pointAt, RULE_DATABASES, type TestServer, type TestUser } from '../testing/testServer.ts';
import { createLogger } from './log.ts';

type LogLine = Record<string, unknown> & { msg: string; reqId?: string; level: number };

/** A logger that collects its lines. */
function captureLog() {
  const lines: string[] = [];
  const logger = createLogger('trace', { write: (line: string) => void lines.push(line) });
  return { lines, logger, read: () => lines.map((line) => JSON.parse(line) as LogLine) };
}

const CANARY = {
  fullname: 'Canary Fullname',
  address: '99 Canary Row',
  instructions: 'the canary door code is 4711',
  message: 'This canary review is nobody’s business.',
  password: 'Canary-Passw0rd!',
  card: 'cnon:canary-card',
  cookie: 'canary-cookie-value',
  query: 'canary-query-token',
};

describe.each(RULE_DATABASES)('the log, on %s', (kind) => {
  let testServer: TestServer;
  const log = captureLog();
  const secrets = new Set(Object.values(CANARY));

  beforeAll(async () => {
    testServer = await openTestServer(kind, { logger: log.logger });
  });
  afterAll(() => testServer?.close());

  const send = (path: string, body: unknown, token = '', method = 'POST') =>
    fetch(`${testServer.apiUrl}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        cookie: `auth-token=${CANARY.cookie}`,
        'x-forwarded-for': '203.0.113.1',
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

  const address = () => ({ label: 'Canary Home', address: CANARY.address, ...pointAt(100, 100) });

  async function signUp(role: 'Bud' | 'Scrub' | 'Duber', name: string): Promise<TestUser> {
    const email = `canary-${name}@rubadub.test`;
    await send('/auth/send-otp-for-email', { email });
    const [emailOtp = ''] = /\d{6}/.exec((await testServer.waitForMail(email)).text) ?? [];
    const phone = '+12025550177';
    const body = { email, emailOtp, fullname: CANARY.fullname, password: CANARY.password, role, phone };
    const { authToken, user } = (await (await send('/auth/signUp', { ...body, address: address() })).json()) as {
      authToken: string;
      user: TestUser['user'];
    };
    for (const secret of [email, phone, authToken]) secrets.add(secret);
    return { user, token: authToken, api: testServer.api(authToken) };
  }

  async function causeFailures(bud: TestUser, scrub: TestUser): Promise<void> {
    await send('/auth/login', { email: bud.user.email, password: CANARY.message });
    await send('/auth/login', { email: 'canary-nobody@rubadub.test', password: CANARY.password });
    secrets.add('canary-nobody@rubadub.test');
    await send('/auth/login', `{"email":"canary-broken@rubadub.test",`);
    await send(`/profile?token=${CANARY.query}&email=${bud.user.email}`, undefined, CANARY.query, 'GET');
    await send(`/nowhere/${encodeURIComponent(bud.user.email)}?token=${CANARY.query}`, undefined, bud.token, 'GET');
    await send('/scrub-orders', orderBody({ bud, scrub }, { paymentSourceId: CANARY.card }), bud.token);
    await send('/scrub-orders', orderBody({ bud, scrub }, { paymentSourceId: 'cnon:card-nonce-declined' }), bud.token);
    await send('/auth/forgot-password', { email: bud.user.email });
    const { text } = await testServer.waitForMail(bud.user.email, 'password');
    const [, link = ''] = /token=([\w-]+)/.exec(text) ?? [];
    expect(link).not.toBe('');
    secrets.add(link);
    await send('/auth/reset-password', { token: `${link}x`, newPassword: CANARY.password });
  }

  test('has one line with an id for each request, and no private data anywhere', async () => {
    const [bud, scrub, duber] = [await signUp('Bud', 'b'), await signUp('Scrub', 's'), await signUp('Duber', 'd')];
    const order = await createOrderInStatus({ bud, scrub }, 'Completed', { orderInstructions: CANARY.instructions });
    await bud.api.reviewToScrub({
      params: { id: order.id },
      body: { message: CANARY.message, rating: 5, scrubId: scrub.user.id },
    });
    await duber.api['accept-delivery']({ params: { id: findDeliveryId(order, 'Bud_To_Scrub') } });
    const { url } = await scrub.api.makeCalendarFeed();
    const feed = url.slice(url.lastIndexOf('/') + 1);
    await send(`/calendar/${feed}`, undefined, '', 'GET');
    secrets.add(feed.replace('.ics', ''));
    await causeFailures(bud, scrub);
    const lines = log.read();
    const requests = lines.filter((line) => line.msg === 'answered');
    expect(requests.length).toBeGreaterThan(20);
    expect(new Set(requests.map((line) => line.reqId)).size).toBe(requests.length);
    const failed = lines.filter((line) => line.msg === 'a sign-in failed');
    expect(failed).toHaveLength(2);
    for (const { reqId } of failed) expect(requests.map((line) => line.reqId)).toContain(reqId);
    for (const secret of secrets) expect(findIn(log.lines, secret), secret).toEqual([]);
  });

  test.runIf(kind === 'postgres')('shows where a database error came from, but not the data it was about', async () => {
    const bud = await signUp('Bud', 'bug');
    const { databaseUrl } = testServer;
    await queryAt(databaseUrl, `alter table users add constraint broken check (fullname not like 'Canary%') not valid`);
    const answer = await send('/profile', { fullname: `${CANARY.fullname} again` }, bud.token);
    await queryAt(databaseUrl, 'alter table users drop constraint broken');
    expect(answer.status).toBe(500);
    const errorLine = log.read().find((line) => line.level === 50);
    expect(errorLine).toMatchObject({
      reqId: answer.headers.get('x-request-id'),
      err: { code: '23514', table: 'users' },
    });
    for (const secret of secrets) expect(findIn(log.lines, secret), secret).toEqual([]);
  });

  const findIn = (lines: readonly string[], secret: string) => lines.filter((line) => line.includes(secret));
});

test('private data that is logged by mistake is redacted by its name or by its form', () => {
  const { lines, logger } = captureLog();
  const token = 'q'.repeat(43);
  const cause = new Error('550 <ada@rubadub.test>: unknown');
  const error = Object.assign(new Error('invalid input syntax for type uuid: "9 Canary Row"', { cause }), {
    code: '22P02',
    detail: 'Key (email_key)=(ada@rubadub.test) already exists.',
    params: ['Canary-Passw0rd!'],
  });
  logger.error({ err: error }, 'broken');
  logger.info({ password: 'Canary-Passw0rd!', order: { address: '9 Canary Row', id: '12' } }, 'oh no');
  logger.info({ reason: `ada%40rubadub.test called from +12025550177 with ${token}` }, 'mailed Ada.B@sub.rubadub.test');
  const all = lines.join('');
  for (const secret of ['Canary', 'ada', 'Ada', '2025550177', token, 'Passw0rd']) expect(all).not.toContain(secret);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    err: { code: '22P02', message: 'invalid input syntax for type uuid: "…"', cause: { type: 'Error' } },
  });
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ order: { address: '[private]', id: '12' } });
});
