import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectValidationErrors, type Reply, sendRequest } from '../../testing/checkedClient.ts';
import { DATABASE_KINDS, openTestServer, PASSWORD, pointAt, type TestServer } from '../../testing/testServer.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MAIL_WAIT = { timeout: 15_000, interval: 20 };
const STALE_CODE_ERROR: [string, string][] = [['emailOtp', 'OTP code is invalid or expired']];

describe.each(DATABASE_KINDS)('a sign-up code on %s', (kind) => {
  let world: TestServer;
  let count = 0;

  beforeAll(async () => {
    world = await openTestServer(kind);
  });
  afterAll(() => world?.close());

  const newEmail = () => {
    count += 1;
    return `person-${count}@rubadub.test`;
  };
  const post = (path: string, body: object, token?: string) => sendRequest(world.apiUrl, 'POST', path, { body, token });
  const sendCode = (email: string) => post('/auth/send-otp-for-email', { email });
  const codeOf = async (email: string) => /\d{6}/.exec((await world.waitForMail(email)).text)?.[0] ?? '';
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
  const waitOf = ({ status, headers }: Reply) => {
    expect(status).toBe(429);
    return Number(headers.get('retry-after'));
  };

  test('is the only six digits in a mail that is text and HTML, and makes an account', async () => {
    const email = newEmail();
    expect((await sendCode(email)).body).toEqual({});
    const mail = await world.waitForMail(email);
    expect(mail.text.match(/\d{6}/g)).toHaveLength(1);
    const code = await codeOf(email);
    expect(mail.html).toContain(code);
    const { status, body } = await signUp(email, code);
    expect(status).toBe(201);
    expect(body.user).toMatchObject({ email, fullname: 'Ada Byron', role: 'Bud', isActive: true });
    expect(body.user.addresses).toEqual([expect.objectContaining({ label: 'Default', address: '7 Otter Lane' })]);
    expect((await sendRequest(world.apiUrl, 'GET', '/auth/session', { token: body.authToken })).body.user).toEqual(
      body.user,
    );
  });

  test('is answered the same, and limited the same, for an address that has an account; only the mail differs', async () => {
    const { user } = await world.createUser('Bud');
    world.advanceClock(MINUTE);
    const stranger = newEmail();
    const [known, unknown] = [await sendCode(user.email.toUpperCase()), await sendCode(stranger)];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    const [again, againUnknown] = [await sendCode(user.email), await sendCode(stranger)];
    expect([again.status, again.body]).toEqual([againUnknown.status, againUnknown.body]);
    expect(waitOf(again)).toBeCloseTo(waitOf(againUnknown), -1);
    const mail = await world.waitForMail(user.email, 'already have');
    expect(mail.text).not.toMatch(/\d{6}/);
    expect(mail.text).toContain('/#/login');
    // Whatever code one guesses for it, there is none.
    expect(expectValidationErrors(await signUp(user.email, '000000'))).toEqual(STALE_CODE_ERROR);
  });

  test('brings nobody else’s markup into the mail', async () => {
    const { user } = await world.createUser('Bud', { fullname: `<img src=x onerror="alert('1')"> & Co` });
    world.advanceClock(MINUTE);
    await sendCode(user.email);
    const { html, text } = await world.waitForMail(user.email, 'already have');
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; Co');
    expect(text).toContain(user.fullname);
  });

  test('is good for ten minutes', async () => {
    const [early, late] = [newEmail(), newEmail()];
    await sendCode(early);
    await sendCode(late);
    const [earlyCode, lateCode] = [await codeOf(early), await codeOf(late)];
    world.advanceClock(10 * MINUTE - 5_000);
    expect((await signUp(early, earlyCode)).status).toBe(201);
    world.advanceClock(6_000);
    expect(expectValidationErrors(await signUp(late, lateCode))).toEqual(STALE_CODE_ERROR);
  });

  test('takes five wrong tries, then a new one is needed', async () => {
    const email = newEmail();
    await sendCode(email);
    const code = await codeOf(email);
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect(expectValidationErrors(await signUp(email, wrongCode(code)))).toEqual(STALE_CODE_ERROR);
    expect(expectValidationErrors(await signUp(email, code))).toEqual(STALE_CODE_ERROR);
    world.advanceClock(MINUTE);
    await sendCode(email);
    const fresh = await newestCodeBut(email, code);
    for (let wrong = 0; wrong < 4; wrong += 1) await signUp(email, wrongCode(fresh));
    expect((await signUp(email, fresh)).status).toBe(201);
  });

  test('counts guesses that come all at once', async () => {
    const email = newEmail();
    await sendCode(email);
    const code = await codeOf(email);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => signUp(email, wrongCode(code))));
    for (const guess of guesses) expect(expectValidationErrors(guess)).toEqual(STALE_CODE_ERROR);
    expect(expectValidationErrors(await signUp(email, code))).toEqual(STALE_CODE_ERROR);
  });

  test('a newer one ends the older one', async () => {
    const email = newEmail();
    await sendCode(email);
    const old = await codeOf(email);
    world.advanceClock(MINUTE);
    await sendCode(email);
    const fresh = await newestCodeBut(email, old);
    expect(expectValidationErrors(await signUp(email, old))).toEqual(STALE_CODE_ERROR);
    expect((await signUp(email, fresh)).status).toBe(201);
  });

  test('is one address’s own', async () => {
    const [mine, theirs] = [newEmail(), newEmail()];
    await sendCode(mine);
    await sendCode(theirs);
    const [own, other] = [await codeOf(mine), await codeOf(theirs)];
    if (own !== other) expect(expectValidationErrors(await signUp(theirs, own))).toEqual(STALE_CODE_ERROR);
    expect(expectValidationErrors(await signUp('nobody-asked@rubadub.test', own))).toEqual(STALE_CODE_ERROR);
    expect((await signUp(mine.toUpperCase(), own)).status).toBe(201);
  });

  test('is sent once a minute and ten times a day', async () => {
    const email = newEmail();
    for (let sent = 1; sent <= 10; sent += 1) {
      expect((await sendCode(email)).status, `number ${sent}`).toBe(200);
      const wait = waitOf(await sendCode(email.toUpperCase()));
      if (sent < 10) expect(wait).toBeGreaterThan(40);
      if (sent < 10) expect(wait).toBeLessThanOrEqual(60);
      world.advanceClock(MINUTE);
    }
    const wait = waitOf(await sendCode(email));
    expect(wait).toBeGreaterThan(23 * 3600);
    expect(wait).toBeLessThanOrEqual(DAY / 1000);
    world.advanceClock(wait * 1000);
    expect((await sendCode(email)).status).toBe(200);
  });

  test('of an address that got its account since is a 409', async () => {
    const email = newEmail();
    await sendCode(email);
    const code = await codeOf(email);
    expect((await signUp(email, code)).status).toBe(201);
    const again = await signUp(email.toUpperCase(), code, { fullname: 'Eve' });
    expect([again.status, again.body.message]).toEqual([409, 'Email is already registered']);
    expect(expectValidationErrors(await signUp(email, wrongCode(code)))).toEqual(STALE_CODE_ERROR);
  });

  test('used by several at once makes one account', async () => {
    const email = newEmail();
    await sendCode(email);
    const code = await codeOf(email);
    const replies = await Promise.all(Array.from({ length: 4 }, () => signUp(email, code)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  });

  /** The code of a mail that was sent after the one with `old`. */
  function newestCodeBut(email: string, old: string): Promise<string> {
    return vi.waitFor(async () => {
      const code = await codeOf(email);
      if (code === old) throw new Error('the newer code is not there yet');
      return code;
    }, MAIL_WAIT);
  }
});
