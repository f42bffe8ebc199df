import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectValidationErrors, type Reply, sendRequest } from '../../testing/checkedClient.ts';
import { DATABASE_KINDS, openTestServer, PASSWORD, type TestServer } from '../../testing/testServer.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAIL_WAIT = { timeout: 15_000, interval: 20 };

describe.each(DATABASE_KINDS)('accounts on %s', (kind) => {
  let world: TestServer;
  let second: TestServer;
  let count = 0;

  beforeAll(async () => {
    world = await openTestServer(kind);
    // On PostgreSQL whatever one server says is asked of another one as well.
    second = kind === 'postgres' ? await openTestServer(kind, { beside: world }) : world;
  });
  afterAll(async () => {
    if (second && second !== world) await second.close();
    await world?.close();
  });

  const newEmail = () => {
    count += 1;
    return `person-${count}@rubadub.test`;
  };
  const post = (path: string, body: object, token?: string) => sendRequest(world.apiUrl, 'POST', path, { body, token });
  const mailsTo = async (email: string) => {
    const response = await fetch(`${world.sandboxUrl}/sandbox/mail/messages?to=${encodeURIComponent(email)}`);
    return (await response.json()) as { subject: string; text: string; html: string }[];
  };
  const signIn = (email: string, password = PASSWORD) => post('/auth/login', { email, password });
  const isAlive = async (token: string) => {
    const replies = await Promise.all(
      [world, second].map(({ apiUrl: host }) => sendRequest(host, 'GET', '/auth/session', { token })),
    );
    const statuses = replies.map(({ status }) => status);
    expect(new Set(statuses).size, 'both servers say the same').toBe(1);
    return statuses[0] === 200;
  };
  const waitOf = ({ status, headers }: Reply) => {
    expect(status).toBe(429);
    return Number(headers.get('retry-after'));
  };

  describe('signing in', () => {
    test('asks for the right password of an account, whatever the case of its address', async () => {
      const { user } = await world.createUser('Scrub');
      const { status, body } = await signIn(user.email.toUpperCase());
      expect([status, body.user.id]).toEqual([200, user.id]);
      const [wrong, nobody] = [await signIn(user.email, 'Rubadub2!'), await signIn(newEmail())];
      expect([wrong.status, wrong.body]).toEqual([401, nobody.body]);
      expect(wrong.body.message).toBe('Invalid email or password');
      expect((await signIn(user.email, PASSWORD.toLowerCase())).status).toBe(401);
    });

    test('waits after five wrong tries in a row, longer each time, until a right one', async () => {
      const { user } = await world.createUser('Bud');
      for (let wrong = 0; wrong < 5; wrong += 1) expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
      const first = waitOf(await signIn(user.email));
      expect(first).toBeGreaterThan(20);
      expect(first).toBeLessThanOrEqual(30);
      world.advanceClock(31_000);
      expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
      const longer = waitOf(await signIn(user.email.toUpperCase(), 'Wrong1!a'));
      expect(longer).toBeGreaterThan(40);
      expect(longer).toBeLessThanOrEqual(60);
      world.advanceClock(61_000);
      expect((await signIn(user.email)).status).toBe(200);
      for (let wrong = 0; wrong < 4; wrong += 1) expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
      expect((await signIn(user.email)).status).toBe(200);
      expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
    });

    test('is as slow for an address without an account', async () => {
      const email = newEmail();
      for (let wrong = 0; wrong < 5; wrong += 1) expect((await signIn(email)).status).toBe(401);
      expect(waitOf(await signIn(email))).toBeGreaterThan(20);
    });

    test('counts guesses that come all at once, the right one among them', async () => {
      const { user } = await world.createUser('Bud');
      // Hashes are made four at a time and in order: when the right one's turn comes, five wrong ones have been told.
      const guesses = Array.from({ length: 30 }, (_, index) => signIn(user.email, `Wrong1!${index}`));
      const statuses = (await Promise.all([...guesses, signIn(user.email)])).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(26);
      expect((await signIn(user.email)).status).toBe(429);
    });

    test('on many devices at once is not taken for guessing', async () => {
      const { user } = await world.createUser('Bud');
      const replies = await Promise.all(Array.from({ length: 12 }, () => signIn(user.email)));
      expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
      expect(new Set(replies.map(({ body }) => body.authToken)).size).toBe(12);
    });
  });

  describe('a session', () => {
    test('lives while it is used, and dies after thirty days without', async () => {
      const { token } = await world.createUser('Bud');
      world.advanceClock(29 * DAY);
      expect(await isAlive(token)).toBe(true);
      world.advanceClock(29 * DAY);
      expect(await isAlive(token)).toBe(true);
      world.advanceClock(30 * DAY + 1000);
      expect(await isAlive(token)).toBe(false);
    });

    test('ends at logout, on every server, and no other one with it', async () => {
      const { user, token } = await world.createUser('Duber');
      const other = (await signIn(user.email)).body.authToken;
      expect((await sendRequest(second.apiUrl, 'POST', '/auth/logout', { token })).status).toBe(204);
      expect([await isAlive(token), await isAlive(other)]).toEqual([false, true]);
      expect((await sendRequest(world.apiUrl, 'POST', '/auth/logout', { token })).status).toBe(401);
    });

    test('reads nothing more once it has ended, however well it was known before', async () => {
      const { token } = await world.createUser('Bud');
      const read = (path: string) => sendRequest(world.apiUrl, 'GET', path, { token });
      const paths = [
        '/auth/session',
        '/dashboards/bud',
        '/dashboards/duber',
        '/scrub-orders?pageNumber=none',
        `/scrub-orders/${crypto.randomUUID()}`,
      ];
      const statuses = async () => (await Promise.all(paths.map(read))).map(({ status }) => status);
      // The second time, the server knows whose the token is.
      for (let times = 0; times < 2; times += 1) expect(await statuses()).toEqual([200, 200, 403, 400, 404]);
      expect((await sendRequest(second.apiUrl, 'POST', '/auth/logout', { token })).status).toBe(204);
      for (let times = 0; times < 2; times += 1) expect(await statuses()).toEqual(Array(5).fill(401));
    });

    test('has a token that cannot be guessed', async () => {
      const { user, token } = await world.createUser('Bud');
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
        const { text, html } = await world.waitForMail(email, 'Set a new');
        const [, token = ''] = /#\/auth\/reset-password\?token=([\w-]+)/.exec(text) ?? [];
        expect(html).toContain(token);
        if (token === after) throw new Error('the newer link is not there yet');
        return token;
      }, MAIL_WAIT);
    const DEAD = [401, 'Invalid or expired reset token'];
    const outcome = ({ status, body }: Reply) => [status, body.message];

    test('answers the same whether or not there is an account, and writes only to one', async () => {
      const { user } = await world.createUser('Bud');
      const stranger = newEmail();
      const [known, unknown] = [await forget(user.email.toUpperCase()), await forget(stranger)];
      expect([known.status, known.body]).toEqual([200, {}]);
      expect([unknown.status, unknown.body]).toEqual([200, {}]);
      await linkOf(user.email);
      expect(await mailsTo(stranger)).toEqual([]);
    });

    test('is set anew once, ends every session on every server, and says so by mail', async () => {
      const { user, token: before } = await world.createUser('Scrub');
      const other = (await signIn(user.email)).body.authToken;
      await forget(user.email);
      const link = await linkOf(user.email);
      expect(Buffer.from(link, 'base64url').length).toBeGreaterThanOrEqual(16);
      expect(expectValidationErrors(await reset(link, 'weak'))).toEqual([
        ['newPassword', 'Password must be at least 8 characters'],
      ]);
      expect(await isAlive(before)).toBe(true);
      const done = await sendRequest(second.apiUrl, 'POST', '/auth/reset-password', {
        body: { token: link, newPassword: 'Rubadub2!' },
      });
      expect([done.status, done.body]).toEqual([200, {}]);
      expect([await isAlive(before), await isAlive(other)]).toEqual([false, false]);
      expect((await signIn(user.email)).status).toBe(401);
      expect((await signIn(user.email, 'Rubadub2!')).status).toBe(200);
      expect(outcome(await reset(link))).toEqual(DEAD);
      await world.waitForMail(user.email, 'was changed');
    });

    test('has a link for one hour', async () => {
      const { user } = await world.createUser('Bud');
      await forget(user.email);
      const link = await linkOf(user.email);
      world.advanceClock(HOUR - 5_000);
      expect((await reset(link)).status).toBe(200);
      await forget(user.email);
      const next = await linkOf(user.email, link);
      world.advanceClock(HOUR + 1_000);
      expect(outcome(await reset(next))).toEqual(DEAD);
    });

    test('has one link at a time: a newer one ends the older ones', async () => {
      const { user } = await world.createUser('Bud');
      await forget(user.email);
      const old = await linkOf(user.email);
      await forget(user.email);
      const fresh = await linkOf(user.email, old);
      expect(outcome(await reset(old))).toEqual(DEAD);
      expect((await reset(fresh)).status).toBe(200);
    });

    test('is not reset by a made-up link, and by several at once only once', async () => {
      for (const made of ['x', 'A'.repeat(43), "' or 1=1 --"]) expect(outcome(await reset(made))).toEqual(DEAD);
      const { user } = await world.createUser('Bud');
      await forget(user.email);
      const link = await linkOf(user.email);
      const replies = await Promise.all([1, 2, 3].map((index) => reset(link, `Rubadub${index}!`)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    });

    test('lets somebody who guessed wrong too often in again', async () => {
      const { user } = await world.createUser('Bud');
      for (let wrong = 0; wrong < 5; wrong += 1) await signIn(user.email, 'Wrong1!a');
      expect((await signIn(user.email)).status).toBe(429);
      await forget(user.email);
      await reset(await linkOf(user.email));
      expect((await signIn(user.email, 'Rubadub2!')).status).toBe(200);
    });
  });

  describe('a profile', () => {
    test('reads what was written, on every server', async () => {
      const { user, token } = await world.createUser('Bud');
      const { body } = await post('/profile', { fullname: 'Countess Ada', phone: '+442079460958' }, token);
      expect(body).toEqual({ ...user, fullname: 'Countess Ada', phone: '+442079460958' });
      expect((await sendRequest(second.apiUrl, 'GET', '/profile', { token })).body).toEqual(body);
      expect((await sendRequest(second.apiUrl, 'GET', '/auth/session', { token })).body).toEqual({ user: body });
    });

    test('keeps addresses in the order they were added, and changes them in place', async () => {
      const { user, token } = await world.createUser('Bud');
      const [home] = user.addresses;
      const work = { label: 'Work', address: '1 Weir Street', latitude: -33.5, longitude: 179.999 };
      const added = await post('/profile/create-address', work, token);
      expect(added.body).toEqual({ id: expect.any(String), ...work });
      const moved = await post('/profile/update-address', { ...work, label: 'Home', id: home?.id }, token);
      expect(moved.body).toEqual({ ...work, label: 'Home', id: home?.id });
      const { body } = await sendRequest(world.apiUrl, 'GET', '/profile', { token });
      expect(body.addresses).toEqual([moved.body, added.body]);
    });
  });
});
