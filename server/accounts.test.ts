import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ask, faultsIn, type Reply } from './testing.checked.ts';
import { KINDS, openWorld, PASSWORD, pointAt, type World } from './testing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAIL_WITHIN = { timeout: 15_000, interval: 20 };
const STALE: [string, string][] = [['emailOtp', 'OTP code is invalid or expired']];

describe.each(KINDS)('accounts on %s', (kind) => {
  let world: World;
  let second: World;
  let count = 0;

  beforeAll(async () => {
    world = await openWorld(kind);
    // On PostgreSQL whatever one server says is asked of another one as well.
    second = kind === 'postgres' ? await openWorld(kind, { beside: world }) : world;
  });
  afterAll(async () => {
    if (second && second !== world) await second.close();
    await world?.close();
  });

  const newEmail = () => {
    count += 1;
    return `person-${count}@rubadub.test`;
  };
  const post = (path: string, body: object, token?: string) => ask(world.host, 'POST', path, { body, token });
  const sendCode = (email: string) => post('/auth/send-otp-for-email', { email });
  const codeOf = async (email: string) => /\d{6}/.exec((await world.mailTo(email)).text)?.[0] ?? '';
  const mailsTo = async (email: string) => {
    const response = await fetch(`${world.sandboxUrl}/sandbox/mail/messages?to=${encodeURIComponent(email)}`);
    return (await response.json()) as { subject: string; text: string; html: string }[];
  };
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
  const signIn = (email: string, password = PASSWORD) => post('/auth/login', { email, password });
  const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const isAlive = async (token: string) => {
    const replies = await Promise.all([world, second].map(({ host }) => ask(host, 'GET', '/auth/session', { token })));
    const statuses = replies.map(({ status }) => status);
    expect(new Set(statuses).size, 'both servers say the same').toBe(1);
    return statuses[0] === 200;
  };
  const waitOf = ({ status, headers }: Reply) => {
    expect(status).toBe(429);
    return Number(headers.get('retry-after'));
  };

  describe('a sign-up code', () => {
    test('is the only six digits in a mail that is text and HTML, and makes an account', async () => {
      const email = newEmail();
      expect((await sendCode(email)).body).toEqual({});
      const mail = await world.mailTo(email);
      expect(mail.text.match(/\d{6}/g)).toHaveLength(1);
      const code = await codeOf(email);
      expect(mail.html).toContain(code);
      const { status, body } = await signUp(email, code);
      expect(status).toBe(201);
      expect(body.user).toMatchObject({ email, fullname: 'Ada Byron', role: 'Bud', isActive: true });
      expect(body.user.addresses).toEqual([expect.objectContaining({ label: 'Default', address: '7 Otter Lane' })]);
      expect(await isAlive(body.authToken)).toBe(true);
    });

    test('is answered the same, and limited the same, for an address that has an account; only the mail differs', async () => {
      const { user } = await world.join('Bud');
      world.wait(MINUTE);
      const stranger = newEmail();
      const [known, unknown] = [await sendCode(user.email.toUpperCase()), await sendCode(stranger)];
      expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
      const [again, againUnknown] = [await sendCode(user.email), await sendCode(stranger)];
      expect([again.status, again.body]).toEqual([againUnknown.status, againUnknown.body]);
      expect(waitOf(again)).toBe(waitOf(againUnknown));
      const mail = await world.mailTo(user.email, 'already have');
      expect(mail.text).not.toMatch(/\d{6}/);
      expect(mail.text).toContain('/#/login');
      // Whatever code one guesses for it, there is none.
      expect(faultsIn(await signUp(user.email, '000000'))).toEqual(STALE);
    });

    test('is good for ten minutes', async () => {
      const [early, late] = [newEmail(), newEmail()];
      await sendCode(early);
      await sendCode(late);
      const [earlyCode, lateCode] = [await codeOf(early), await codeOf(late)];
      world.wait(10 * MINUTE - 5_000);
      expect((await signUp(early, earlyCode)).status).toBe(201);
      world.wait(6_000);
      expect(faultsIn(await signUp(late, lateCode))).toEqual(STALE);
    });

    test('takes five wrong tries, then a new one is needed', async () => {
      const email = newEmail();
      await sendCode(email);
      const code = await codeOf(email);
      for (let wrong = 0; wrong < 5; wrong += 1) expect(faultsIn(await signUp(email, wrongCode(code)))).toEqual(STALE);
      expect(faultsIn(await signUp(email, code))).toEqual(STALE);
      world.wait(MINUTE);
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
      for (const guess of guesses) expect(faultsIn(guess)).toEqual(STALE);
      expect(faultsIn(await signUp(email, code))).toEqual(STALE);
    });

    test('a newer one ends the older one', async () => {
      const email = newEmail();
      await sendCode(email);
      const old = await codeOf(email);
      world.wait(MINUTE);
      await sendCode(email);
      const fresh = await newestCodeBut(email, old);
      expect(faultsIn(await signUp(email, old))).toEqual(STALE);
      expect((await signUp(email, fresh)).status).toBe(201);
    });

    test('is one address’s own', async () => {
      const [mine, theirs] = [newEmail(), newEmail()];
      await sendCode(mine);
      await sendCode(theirs);
      const [own, other] = [await codeOf(mine), await codeOf(theirs)];
      if (own !== other) expect(faultsIn(await signUp(theirs, own))).toEqual(STALE);
      expect(faultsIn(await signUp('nobody-asked@rubadub.test', own))).toEqual(STALE);
      expect((await signUp(mine.toUpperCase(), own)).status).toBe(201);
    });

    test('is sent once a minute and ten times a day', async () => {
      const email = newEmail();
      for (let sent = 1; sent <= 10; sent += 1) {
        expect((await sendCode(email)).status, `number ${sent}`).toBe(200);
        const wait = waitOf(await sendCode(email.toUpperCase()));
        if (sent < 10) expect(wait).toBeGreaterThan(50);
        if (sent < 10) expect(wait).toBeLessThanOrEqual(60);
        world.wait(MINUTE);
      }
      const wait = waitOf(await sendCode(email));
      expect(wait).toBeGreaterThan(23 * 3600);
      expect(wait).toBeLessThanOrEqual(DAY / 1000);
      world.wait(wait * 1000);
      expect((await sendCode(email)).status).toBe(200);
    });

    test('of an address that got its account since is a 409', async () => {
      const email = newEmail();
      await sendCode(email);
      const code = await codeOf(email);
      expect((await signUp(email, code)).status).toBe(201);
      const again = await signUp(email.toUpperCase(), code, { fullname: 'Eve' });
      expect([again.status, again.body.message]).toEqual([409, 'Email is already registered']);
      expect(faultsIn(await signUp(email, wrongCode(code)))).toEqual(STALE);
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
      }, MAIL_WITHIN);
    }
  });

  describe('signing in', () => {
    test('asks for the right password of an account, whatever the case of its address', async () => {
      const { user } = await world.join('Scrub');
      const { status, body } = await signIn(user.email.toUpperCase());
      expect([status, body.user.id]).toEqual([200, user.id]);
      const [wrong, nobody] = [await signIn(user.email, 'Rubadub2!'), await signIn(newEmail())];
      expect([wrong.status, wrong.body]).toEqual([401, nobody.body]);
      expect(wrong.body.message).toBe('Invalid email or password');
      expect((await signIn(user.email, PASSWORD.toLowerCase())).status).toBe(401);
    });

    test('waits after five wrong tries in a row, longer each time, until a right one', async () => {
      const { user } = await world.join('Bud');
      for (let wrong = 0; wrong < 5; wrong += 1) expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
      expect(waitOf(await signIn(user.email))).toBe(30);
      world.wait(31_000);
      expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
      const longer = waitOf(await signIn(user.email.toUpperCase(), 'Wrong1!a'));
      expect(longer).toBeGreaterThan(50);
      expect(longer).toBeLessThanOrEqual(60);
      world.wait(61_000);
      expect((await signIn(user.email)).status).toBe(200);
      for (let wrong = 0; wrong < 4; wrong += 1) expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
      expect((await signIn(user.email)).status).toBe(200);
      expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
    });

    test('is as slow for an address without an account', async () => {
      const email = newEmail();
      for (let wrong = 0; wrong < 5; wrong += 1) expect((await signIn(email)).status).toBe(401);
      expect(waitOf(await signIn(email))).toBe(30);
    });

    test('counts guesses that come all at once, the right one among them', async () => {
      const { user } = await world.join('Bud');
      const guesses = Array.from({ length: 20 }, (_, index) => signIn(user.email, `Wrong1!${index}`));
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(15);
      expect((await signIn(user.email)).status).toBe(429);
    });

    test('on many devices at once is not taken for guessing', async () => {
      const { user } = await world.join('Bud');
      const replies = await Promise.all(Array.from({ length: 12 }, () => signIn(user.email)));
      expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
      expect(new Set(replies.map(({ body }) => body.authToken)).size).toBe(12);
    });
  });

  describe('a session', () => {
    test('lives while it is used, and dies after thirty days without', async () => {
      const { token } = await world.join('Bud');
      world.wait(29 * DAY);
      expect(await isAlive(token)).toBe(true);
      world.wait(29 * DAY);
      expect(await isAlive(token)).toBe(true);
      world.wait(30 * DAY + 1000);
      expect(await isAlive(token)).toBe(false);
    });

    test('ends at logout, on every server, and no other one with it', async () => {
      const { user, token } = await world.join('Duber');
      const other = (await signIn(user.email)).body.authToken;
      expect((await ask(second.host, 'POST', '/auth/logout', { token })).status).toBe(204);
      expect([await isAlive(token), await isAlive(other)]).toEqual([false, true]);
      expect((await ask(world.host, 'POST', '/auth/logout', { token })).status).toBe(401);
    });

    test('has a token that cannot be guessed', async () => {
      const { user, token } = await world.join('Bud');
      const other = (await signIn(user.email)).body.authToken as string;
      for (const one of [token, other]) expect(Buffer.from(one, 'base64url')).toHaveLength(32);
      expect(other).not.toBe(token);
      expect(await isAlive(token.slice(0, -1))).toBe(false);
      expect(await isAlive(token.toLowerCase())).toBe(false);
    });
  });

  describe('a forgotten password', () => {
    const forget = (email: string) => post('/auth/forgot-password', { email });
    const reset = (token: string, newPassword = 'Rubadub2!') => post('/auth/reset-password', { token, newPassword });
    const linkOf = (email: string, after = '') =>
      vi.waitFor(async () => {
        const { text, html } = await world.mailTo(email, 'Set a new');
        const [, token = ''] = /#\/auth\/reset-password\?token=([\w-]+)/.exec(text) ?? [];
        expect(html).toContain(token);
        if (token === after) throw new Error('the newer link is not there yet');
        return token;
      }, MAIL_WITHIN);
    const DEAD = [401, 'Invalid or expired reset token'];
    const outcome = ({ status, body }: Reply) => [status, body.message];

    test('answers the same whether or not there is an account, and writes only to one', async () => {
      const { user } = await world.join('Bud');
      const stranger = newEmail();
      const [known, unknown] = [await forget(user.email.toUpperCase()), await forget(stranger)];
      expect([known.status, known.body]).toEqual([200, {}]);
      expect([unknown.status, unknown.body]).toEqual([200, {}]);
      await linkOf(user.email);
      expect(await mailsTo(stranger)).toEqual([]);
    });

    test('is set anew once, ends every session on every server, and says so by mail', async () => {
      const { user, token: before } = await world.join('Scrub');
      const other = (await signIn(user.email)).body.authToken;
      await forget(user.email);
      const link = await linkOf(user.email);
      expect(Buffer.from(link, 'base64url').length).toBeGreaterThanOrEqual(16);
      expect(faultsIn(await reset(link, 'weak'))).toEqual([['newPassword', 'Password must be at least 8 characters']]);
      expect(await isAlive(before)).toBe(true);
      const done = await ask(second.host, 'POST', '/auth/reset-password', {
        body: { token: link, newPassword: 'Rubadub2!' },
      });
      expect([done.status, done.body]).toEqual([200, {}]);
      expect([await isAlive(before), await isAlive(other)]).toEqual([false, false]);
      expect((await signIn(user.email)).status).toBe(401);
      expect((await signIn(user.email, 'Rubadub2!')).status).toBe(200);
      expect(outcome(await reset(link))).toEqual(DEAD);
      await world.mailTo(user.email, 'was changed');
    });

    test('has a link for one hour', async () => {
      const { user } = await world.join('Bud');
      await forget(user.email);
      const link = await linkOf(user.email);
      world.wait(HOUR - 5_000);
      expect((await reset(link)).status).toBe(200);
      await forget(user.email);
      const next = await linkOf(user.email, link);
      world.wait(HOUR + 1_000);
      expect(outcome(await reset(next))).toEqual(DEAD);
    });

    test('has one link at a time: a newer one ends the older ones', async () => {
      const { user } = await world.join('Bud');
      await forget(user.email);
      const old = await linkOf(user.email);
      await forget(user.email);
      const fresh = await linkOf(user.email, old);
      expect(outcome(await reset(old))).toEqual(DEAD);
      expect((await reset(fresh)).status).toBe(200);
    });

    test('is not reset by a made-up link, and by several at once only once', async () => {
      for (const made of ['x', 'A'.repeat(43), "' or 1=1 --"]) expect(outcome(await reset(made))).toEqual(DEAD);
      const { user } = await world.join('Bud');
      await forget(user.email);
      const link = await linkOf(user.email);
      const replies = await Promise.all([1, 2, 3].map((index) => reset(link, `Rubadub${index}!`)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    });

    test('lets somebody who guessed wrong too often in again', async () => {
      const { user } = await world.join('Bud');
      for (let wrong = 0; wrong < 5; wrong += 1) await signIn(user.email, 'Wrong1!a');
      expect((await signIn(user.email)).status).toBe(429);
      await forget(user.email);
      await reset(await linkOf(user.email));
      expect((await signIn(user.email, 'Rubadub2!')).status).toBe(200);
    });
  });

  describe('a profile', () => {
    test('reads what was written, on every server', async () => {
      const { user, token } = await world.join('Bud');
      const { body } = await post('/profile', { fullname: 'Countess Ada', phone: '+442079460958' }, token);
      expect(body).toEqual({ ...user, fullname: 'Countess Ada', phone: '+442079460958' });
      expect((await ask(second.host, 'GET', '/profile', { token })).body).toEqual(body);
      expect((await ask(second.host, 'GET', '/auth/session', { token })).body).toEqual({ user: body });
    });

    test('keeps addresses in the order they were added, and changes them in place', async () => {
      const { user, token } = await world.join('Bud');
      const [home] = user.addresses;
      const work = { label: 'Work', address: '1 Weir Street', latitude: -33.5, longitude: 179.999 };
      const added = await post('/profile/create-address', work, token);
      expect(added.body).toEqual({ id: expect.any(String), ...work });
      const moved = await post('/profile/update-address', { ...work, label: 'Home', id: home?.id }, token);
      expect(moved.body).toEqual({ ...work, label: 'Home', id: home?.id });
      const { body } = await ask(world.host, 'GET', '/profile', { token });
      expect(body.addresses).toEqual([moved.body, added.body]);
    });
  });
});

describe('limits by network address', () => {
  test('count per address, are scaled by RATE_LIMIT_SCALE, and say when to come back', async () => {
    const world = await openWorld('embedded', { env: { RATE_LIMIT_SCALE: '0.1', TRUST_PROXY: 'on' } });
    try {
      const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
      const config = (address: string) => ask(world.host, 'GET', '/config', from(address));
      const statuses = [];
      for (let asked = 0; asked < 11; asked += 1) statuses.push((await config('198.51.100.1')).status);
      expect(statuses).toEqual([...Array(10).fill(200), 429]);
      const refused = await config('198.51.100.1');
      expect(refused.headers.get('retry-after')).toBe('1');
      expect((await config('198.51.100.2')).status).toBe(200);
      world.wait(1000);
      expect((await config('198.51.100.1')).status).toBe(200);

      const code = (index: number, address: string) =>
        ask(world.host, 'POST', '/auth/send-otp-for-email', {
          ...from(address),
          body: { email: `limit-${address.replaceAll(':', '')}-${index}@rubadub.test` },
        });
      // Twelve codes a minute at this scale, over the whole network of an IPv6 address.
      for (let sent = 0; sent < 12; sent += 1) {
        world.wait(1000);
        expect((await code(sent, `2001:db8::${sent}`)).status).toBe(200);
      }
      const last = await code(13, '2001:db8::ffff');
      expect(last.status).toBe(429);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(40);
      expect((await code(14, '2001:db8:0:1::1')).status).toBe(200);
      world.wait(MINUTE);
      expect((await code(15, '2001:db8::1')).status).toBe(200);
    } finally {
      await world.close();
    }
  });
});
