import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectValidationErrors, type Reply, sendRequest } from '../../testing/checkedClient.ts';
import { openTestServer, PASSWORD, pointAt, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { openServerDatabase, queryRows } from '../db/database.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const STALE_CODE_ERROR: [string, string][] = [['emailOtp', 'OTP code is invalid or expired']];

describe.each(RULE_DATABASES)('a sign-up code on %s', (kind) => {
  let server: TestServer;
  let count = 0;

  beforeAll(async () => {
    server = await openTestServer(kind);
  });
  afterAll(() => server?.close());

  const newEmail = () => {
    count += 1;
    return `person-${count}@rubadub.test`;
  };
  const post = (path: string, body: object, token?: string) =>
    sendRequest(server.apiUrl, 'POST', path, { body, token });
  const sendCode = (email: string) => post('/auth/send-otp-for-email', { email });
  const codeOf = async (email: string) => /\d{6}/.exec((await server.waitForMail(email)).text)?.[0] ?? '';
  const signUp = (email: string, emailOtp: string, more: object = {}) =>
    post('/auth/signUp', {
      email,
      emailOtp,
      fullname: 'Ada Byron',
      password: PASSWORD,
      role: 'Bud',
      phone: '+12025550123',
      address: { label: 'Default', address: '7 Otter Lane', ...pointAt(0, 0) },
      ...more,
    });
  const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const retryAfterOf = ({ status, headers }: Reply) => {
    expect(status).toBe(429);
    return Number(headers.get('retry-after'));
  };

  test('arrives as the only six digits of a text and HTML mail, and creates an account', async () => {
    const email = newEmail();
    expect((await sendCode(email)).body).toEqual({});
    const mail = await server.waitForMail(email);
    expect(mail.text.match(/\d{6}/g)).toHaveLength(1);
    const code = await codeOf(email);
    expect(mail.html).toContain(code);
    const { status, body } = await signUp(email, code);
    expect(status).toBe(201);
    expect(body.user).toMatchObject({ email, fullname: 'Ada Byron', role: 'Bud', isActive: true });
    expect(body.user.addresses).toEqual([expect.objectContaining({ label: 'Default', address: '7 Otter Lane' })]);
    expect((await sendRequest(server.apiUrl, 'GET', '/auth/session', { token: body.authToken })).body.user).toEqual(
      body.user,
    );
  });

  test('is answered and limited in the same way for an address with an account, which gets another mail', async () => {
    const { user } = await server.createUser('Bud');
    server.advanceClock(MINUTE);
    const stranger = newEmail();
    const [known, unknown] = [await sendCode(user.email.toUpperCase()), await sendCode(stranger)];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    const [again, againUnknown] = [await sendCode(user.email), await sendCode(stranger)];
    // The two requests may fall into different seconds.
    const withoutWait = ({ status, body }: Reply) => [status, body.message.replace(/(\d+ seconds?|1 minute)\.$/, '')];
    expect(withoutWait(again)).toEqual(withoutWait(againUnknown));
    expect(again.body.message).toMatch(/try again in (\d+ seconds?|1 minute)\.$/);
    expect(retryAfterOf(again)).toBeCloseTo(retryAfterOf(againUnknown), -1);
    const mail = await server.waitForMail(user.email, 'already have');
    expect(mail.text).not.toMatch(/\d{6}/);
    expect(mail.text).toContain('/#/login');
    // No code works for that address.
    expect(expectValidationErrors(await signUp(user.email, '000000'))).toEqual(STALE_CODE_ERROR);
  });

  test('is sent in a mail that escapes HTML in the user’s name', async () => {
    const { user } = await server.createUser('Bud', { fullname: `<img src=x onerror="alert('1')"> & Co` });
    server.advanceClock(MINUTE);
    await sendCode(user.email);
    const { html, text } = await server.waitForMail(user.email, 'already have');
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; Co');
    expect(text).toContain(user.fullname);
  });

  test('is valid for ten minutes', async () => {
    const [early, late] = [newEmail(), newEmail()];
    await sendCode(early);
    await sendCode(late);
    const [earlyCode, lateCode] = [await codeOf(early), await codeOf(late)];
    server.advanceClock(10 * MINUTE - 5_000);
    expect((await signUp(early, earlyCode)).status).toBe(201);
    server.advanceClock(6_000);
    expect(expectValidationErrors(await signUp(late, lateCode))).toEqual(STALE_CODE_ERROR);
  });

  test('becomes invalid after five wrong tries', async () => {
    const email = newEmail();
    await sendCode(email);
    const code = await codeOf(email);
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect(expectValidationErrors(await signUp(email, wrongCode(code)))).toEqual(STALE_CODE_ERROR);
    expect(expectValidationErrors(await signUp(email, code))).toEqual(STALE_CODE_ERROR);
    server.advanceClock(MINUTE);
    await sendCode(email);
    const fresh = await waitForNewerCode(email, code);
    for (let wrong = 0; wrong < 4; wrong += 1) await signUp(email, wrongCode(fresh));
    expect((await signUp(email, fresh)).status).toBe(201);
  });

  test('counts parallel wrong tries', async () => {
    const email = newEmail();
    await sendCode(email);
    const code = await codeOf(email);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => signUp(email, wrongCode(code))));
    for (const guess of guesses) expect(expectValidationErrors(guess)).toEqual(STALE_CODE_ERROR);
    expect(expectValidationErrors(await signUp(email, code))).toEqual(STALE_CODE_ERROR);
  });

  test('is replaced by a newer one', async () => {
    const email = newEmail();
    await sendCode(email);
    const old = await codeOf(email);
    server.advanceClock(MINUTE);
    await sendCode(email);
    const fresh = await waitForNewerCode(email, old);
    expect(expectValidationErrors(await signUp(email, old))).toEqual(STALE_CODE_ERROR);
    expect((await signUp(email, fresh)).status).toBe(201);
  });

  test('works only for the address it was sent to', async () => {
    const [mine, theirs] = [newEmail(), newEmail()];
    await sendCode(mine);
    await sendCode(theirs);
    const [own, other] = [await codeOf(mine), await codeOf(theirs)];
    if (own !== other) expect(expectValidationErrors(await signUp(theirs, own))).toEqual(STALE_CODE_ERROR);
    expect(expectValidationErrors(await signUp('nobody-asked@rubadub.test', own))).toEqual(STALE_CODE_ERROR);
    expect((await signUp(mine.toUpperCase(), own)).status).toBe(201);
  });

  test('that was sent to a look-alike of an address does not sign up that address', async () => {
    // U+212A is the Kelvin sign, whose lower case is an ordinary k.
    for (const [index, lookalike] of ['mi\u212Ae', '\uFF4Dike', 'mike\u00AD', 'm\u0131ke'].entries()) {
      const sent = await sendCode(`${lookalike}-${index}@rubadub.test`);
      const code = sent.status === 200 ? await codeOf(`${lookalike}-${index}@rubadub.test`) : '000000';
      expect((await signUp(`mike-${index}@rubadub.test`, code)).status, lookalike).toBe(400);
      expect(expectValidationErrors(sent)).toEqual([['email', 'Please enter a valid email address']]);
    }
  });

  test('goes to one mailbox and creates one account, however the domain is written', async () => {
    const spellings = ['Rubadub.TEST.', 'r\uFF55badub.test', 'ruba\u00ADdub\u3002test'];
    const email = newEmail();
    const [name = ''] = email.split('@');
    for (const domain of spellings) {
      const waits = await sendCode(`${name}@${domain}`);
      if (domain === spellings[0]) expect(waits.status).toBe(200);
      else expect(retryAfterOf(waits), domain).toBeGreaterThan(0);
    }
    const code = await codeOf(email);
    const { status, body } = await signUp(`${name.toUpperCase()}@${spellings[1]}`, code);
    expect([status, body.user?.email]).toEqual([201, `${name.toUpperCase()}@rubadub.test`]);
    for (const domain of spellings)
      expect((await post('/auth/login', { email: `${name}@${domain}`, password: PASSWORD })).status).toBe(200);
    server.advanceClock(MINUTE);
    await sendCode(`${name}@${spellings[2]}`);
    await server.waitForMail(email, 'already have');
  });

  test.skipIf(kind === 'embedded')(
    'is not needed by accounts whose addresses are refused now: they sign in',
    async () => {
      const { user } = await server.createUser('Bud');
      const earlier = `jos\u00E9-${newEmail()}`;
      const { db, close } = openServerDatabase(server.databaseUrl ?? '', 1);
      await queryRows(db, sql`update users set email = ${earlier}, email_key = ${earlier} where id = ${user.id}`);
      await close();
      const reply = await post('/auth/login', { email: ` ${earlier.toUpperCase()} `, password: PASSWORD });
      expect([reply.status, reply.body.user?.id]).toEqual([200, user.id]);
      expect((await post('/auth/forgot-password', { email: earlier })).status).toBe(200);
      expect(expectValidationErrors(await sendCode(earlier))).toEqual([
        ['email', 'Please enter a valid email address'],
      ]);
    },
  );

  test('is sent no more than once a minute and ten times a day', async () => {
    const email = newEmail();
    for (let sent = 1; sent <= 10; sent += 1) {
      expect((await sendCode(email)).status, `number ${sent}`).toBe(200);
      const wait = retryAfterOf(await sendCode(email.toUpperCase()));
      if (sent < 10) expect(wait).toBeGreaterThan(40);
      if (sent < 10) expect(wait).toBeLessThanOrEqual(60);
      server.advanceClock(MINUTE);
    }
    const wait = retryAfterOf(await sendCode(email));
    expect(wait).toBeGreaterThan(23 * 3600);
    expect(wait).toBeLessThanOrEqual(DAY / 1000);
    server.advanceClock(wait * 1000);
    expect((await sendCode(email)).status).toBe(200);
  });

  test('is refused with 409 when the address has an account by then', async () => {
    const email = newEmail();
    await sendCode(email);
    const code = await codeOf(email);
    expect((await signUp(email, code)).status).toBe(201);
    const again = await signUp(email.toUpperCase(), code, { fullname: 'Eve' });
    expect([again.status, again.body.message]).toEqual([409, 'Email is already registered']);
    expect(expectValidationErrors(await signUp(email, wrongCode(code)))).toEqual(STALE_CODE_ERROR);
  });

  test('creates one account when used by parallel requests', async () => {
    const email = newEmail();
    await sendCode(email);
    const code = await codeOf(email);
    const replies = await Promise.all(Array.from({ length: 4 }, () => signUp(email, code)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  });

  /** The code of the mail that follows the one with `old`. */
  function waitForNewerCode(email: string, old: string): Promise<string> {
    return waitFor(async () => {
      const code = await codeOf(email);
      if (code === old) throw new Error('the newer mail has not arrived yet');
      return code;
    });
  }
});
