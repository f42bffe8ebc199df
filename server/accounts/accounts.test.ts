import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectValidationErrors, type Reply, sendRequest } from '../../testing/checkedClient.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe.each(RULE_DATABASES)('accounts on %s', (kind) => {
  let server: TestServer;
  let secondServer: TestServer;
  let count = 0;

  beforeAll(async () => {
    server = await openTestServer(kind, { isClockStopped: true });
    // On PostgreSQL, a second server on the same database must give the same answers.
    secondServer = kind === 'postgres' ? await openTestServer(kind, { beside: server }) : server;
  });
  afterAll(async () => {
    if (secondServer && secondServer !== server) await secondServer.close();
    await server?.close();
  });

  const newEmail = () => {
    count += 1;
    return `person-${count}@rubadub.test`;
  };
  const post = (path: string, body: object, token?: string) =>
    sendRequest(server.apiUrl, 'POST', path, { body, token });
  const mailsTo = async (email: string) => {
    const response = await fetch(`${server.sandboxUrl}/sandbox/mail/messages?to=${encodeURIComponent(email)}`);
    return (await response.json()) as { subject: string; text: string; html: string }[];
  };
  const signIn = (email: string, password = PASSWORD) => post('/auth/login', { email, password });
  const isSignedIn = async (token: string) => {
    const replies = await Promise.all(
      [server, secondServer].map(({ apiUrl: host }) => sendRequest(host, 'GET', '/auth/session', { token })),
    );
    const statuses = replies.map(({ status }) => status);
    expect(new Set(statuses).size, 'both servers answer the same').toBe(1);
    return statuses[0] === 200;
  };
  const retryAfterOf = ({ status, headers }: Reply) => {
    expect(status).toBe(429);
    return Number(headers.get('retry-after'));
  };

  describe('signing in', () => {
    test('needs the right password, and ignores the case of the e-mail address', async () => {
      const { user } = await server.createUser('Scrub');
      const { status, body } = await signIn(user.email.toUpperCase());
      expect([status, body.user.id]).toEqual([200, user.id]);
      const [wrong, nobody] = [await signIn(user.email, 'Rubadub2!'), await signIn(newEmail())];
      expect([wrong.status, wrong.body]).toEqual([401, nobody.body]);
      expect(wrong.body.message).toBe('Invalid email or password');
      expect((await signIn(user.email, PASSWORD.toLowerCase())).status).toBe(401);
    });

    test('is blocked after five wrong passwords in a row, each time longer, until a right one', async () => {
      const { user } = await server.createUser('Bud');
      for (let wrong = 0; wrong < 5; wrong += 1) expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
      const first = retryAfterOf(await signIn(user.email));
      expect(first).toBeGreaterThan(20);
      expect(first).toBeLessThanOrEqual(30);
      server.advanceClock(31_000);
      expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
      const longer = retryAfterOf(await signIn(user.email.toUpperCase(), 'Wrong1!a'));
      expect(longer).toBeGreaterThan(40);
      expect(longer).toBeLessThanOrEqual(60);
      server.advanceClock(61_000);
      expect((await signIn(user.email)).status).toBe(200);
      for (let wrong = 0; wrong < 4; wrong += 1) expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
      expect((await signIn(user.email)).status).toBe(200);
      expect((await signIn(user.email, 'Wrong1!a')).status).toBe(401);
    });

    test('is blocked in the same way for an address without an account', async () => {
      const email = newEmail();
      for (let wrong = 0; wrong < 5; wrong += 1) expect((await signIn(email)).status).toBe(401);
      expect(retryAfterOf(await signIn(email))).toBeGreaterThan(20);
    });

    test('counts parallel guesses, including a right one', async () => {
      const { user } = await server.createUser('Bud');
      // Four passwords are hashed at a time, in order: before the right one, five wrong ones have been answered.
      const guesses = Array.from({ length: 30 }, (_, index) => signIn(user.email, `Wrong1!${index}`));
      const statuses = (await Promise.all([...guesses, signIn(user.email)])).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(26);
      expect((await signIn(user.email)).status).toBe(429);
    });

    test('works on many devices at the same time', async () => {
      const { user } = await server.createUser('Bud');
      const replies = await Promise.all(Array.from({ length: 12 }, () => signIn(user.email)));
      expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
      expect(new Set(replies.map(({ body }) => body.authToken)).size).toBe(12);
    });
  });

  describe('a session', () => {
    test('expires after thirty days without use', async () => {
      const { token } = await server.createUser('Bud');
      server.advanceClock(29 * DAY);
      expect(await isSignedIn(token)).toBe(true);
      server.advanceClock(29 * DAY);
      expect(await isSignedIn(token)).toBe(true);
      server.advanceClock(30 * DAY + 1000);
      expect(await isSignedIn(token)).toBe(false);
    });

    test('ends at sign-out on every server, and the user’s other sessions stay', async () => {
      const { user, token } = await server.createUser('Duber');
      const other = (await signIn(user.email)).body.authToken;
      expect((await sendRequest(secondServer.apiUrl, 'POST', '/auth/logout', { token })).status).toBe(204);
      expect([await isSignedIn(token), await isSignedIn(other)]).toEqual([false, true]);
      expect((await sendRequest(server.apiUrl, 'POST', '/auth/logout', { token })).status).toBe(401);
    });

    test('cannot read anything after it has ended, even when the server has cached it', async () => {
      const { token } = await server.createUser('Bud');
      const read = (path: string) => sendRequest(server.apiUrl, 'GET', path, { token });
      const paths = [
        '/auth/session',
        '/dashboards/bud',
        '/dashboards/duber',
        '/scrub-orders?pageNumber=none',
        `/scrub-orders/${crypto.randomUUID()}`,
      ];
      const statuses = async () => (await Promise.all(paths.map(read))).map(({ status }) => status);
      // The second time, the server has cached whose token it is.
      for (let times = 0; times < 2; times += 1) expect(await statuses()).toEqual([200, 200, 403, 400, 404]);
      expect((await sendRequest(secondServer.apiUrl, 'POST', '/auth/logout', { token })).status).toBe(204);
      for (let times = 0; times < 2; times += 1) expect(await statuses()).toEqual(Array(5).fill(401));
    });

    test('has a token that cannot be guessed', async () => {
      const { user, token } = await server.createUser('Bud');
      const other = (await signIn(user.email)).body.authToken as string;
      for (const one of [token, other]) expect(Buffer.from(one, 'base64url')).toHaveLength(32);
      expect(other).not.toBe(token);
      expect(await isSignedIn(token.slice(0, -1))).toBe(false);
      expect(await isSignedIn(token.toLowerCase())).toBe(false);
    });
  });

  describe('a forgotten password', () => {
    const forget = (email: string) => post('/auth/forgot-password', { email });
    const reset = (token: string, newPassword = 'Rubadub2!') => post('/auth/reset-password', { token, newPassword });
    const linkOf = (email: string, after = '') =>
      waitFor(async () => {
        const { text, html } = await server.waitForMail(email, 'Set a new');
        const [, token = ''] = /#\/auth\/reset-password\?token=([\w-]+)/.exec(text) ?? [];
        expect(html).toContain(token);
        if (token === after) throw new Error('the newer mail has not arrived yet');
        return token;
      });
    const INVALID_LINK = [401, 'Invalid or expired reset token'];
    const outcome = ({ status, body }: Reply) => [status, body.message];

    test('answers the same for every address, and sends a mail only to an existing account', async () => {
      const { user } = await server.createUser('Bud');
      const stranger = newEmail();
      const [known, unknown] = [await forget(user.email.toUpperCase()), await forget(stranger)];
      expect([known.status, known.body]).toEqual([200, {}]);
      expect([unknown.status, unknown.body]).toEqual([200, {}]);
      await linkOf(user.email);
      expect(await mailsTo(stranger)).toEqual([]);
    });

    test('can be set once with a link, which ends every session and sends a mail', async () => {
      const { user, token: before } = await server.createUser('Scrub');
      const other = (await signIn(user.email)).body.authToken;
      await forget(user.email);
      const link = await linkOf(user.email);
      expect(Buffer.from(link, 'base64url').length).toBeGreaterThanOrEqual(16);
      expect(expectValidationErrors(await reset(link, 'weak'))).toEqual([
        ['newPassword', 'Password must be at least 8 characters'],
      ]);
      expect(await isSignedIn(before)).toBe(true);
      const done = await sendRequest(secondServer.apiUrl, 'POST', '/auth/reset-password', {
        body: { token: link, newPassword: 'Rubadub2!' },
      });
      expect([done.status, done.body]).toEqual([200, {}]);
      expect([await isSignedIn(before), await isSignedIn(other)]).toEqual([false, false]);
      expect((await signIn(user.email)).status).toBe(401);
      expect((await signIn(user.email, 'Rubadub2!')).status).toBe(200);
      expect(outcome(await reset(link))).toEqual(INVALID_LINK);
      await server.waitForMail(user.email, 'was changed');
    });

    test('has a link that is valid for one hour', async () => {
      const { user } = await server.createUser('Bud');
      await forget(user.email);
      const link = await linkOf(user.email);
      server.advanceClock(HOUR - 5_000);
      expect((await reset(link)).status).toBe(200);
      await forget(user.email);
      const next = await linkOf(user.email, link);
      server.advanceClock(HOUR + 1_000);
      expect(outcome(await reset(next))).toEqual(INVALID_LINK);
    });

    test('has one valid link at a time: a newer one replaces it', async () => {
      const { user } = await server.createUser('Bud');
      await forget(user.email);
      const old = await linkOf(user.email);
      await forget(user.email);
      const fresh = await linkOf(user.email, old);
      expect(outcome(await reset(old))).toEqual(INVALID_LINK);
      expect((await reset(fresh)).status).toBe(200);
    });

    test('is not reset by an invalid link, and only once by parallel requests', async () => {
      for (const made of ['x', 'A'.repeat(43), "' or 1=1 --"]) expect(outcome(await reset(made))).toEqual(INVALID_LINK);
      const { user } = await server.createUser('Bud');
      await forget(user.email);
      const link = await linkOf(user.email);
      const replies = await Promise.all([1, 2, 3].map((index) => reset(link, `Rubadub${index}!`)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    });

    test('can be reset while sign-ins are blocked, which ends the block', async () => {
      const { user } = await server.createUser('Bud');
      for (let wrong = 0; wrong < 5; wrong += 1) await signIn(user.email, 'Wrong1!a');
      expect((await signIn(user.email)).status).toBe(429);
      await forget(user.email);
      await reset(await linkOf(user.email));
      expect((await signIn(user.email, 'Rubadub2!')).status).toBe(200);
    });
  });

  describe('a profile', () => {
    test('shows a change on every server', async () => {
      const { user, token } = await server.createUser('Bud');
      const { body } = await post('/profile', { fullname: 'Countess Ada', phone: '+442079460958' }, token);
      expect(body).toEqual({ ...user, fullname: 'Countess Ada', phone: '+442079460958' });
      expect((await sendRequest(secondServer.apiUrl, 'GET', '/profile', { token })).body).toEqual(body);
      expect((await sendRequest(secondServer.apiUrl, 'GET', '/auth/session', { token })).body).toEqual({ user: body });
    });

    test('lists addresses in the order they were added, also after a change', async () => {
      const { user, token } = await server.createUser('Bud');
      const [home] = user.addresses;
      const work = { label: 'Work', address: '1 Weir Street', latitude: -33.5, longitude: 179.999 };
      const added = await post('/profile/create-address', work, token);
      expect(added.body).toEqual({ id: expect.any(String), ...work });
      const moved = await post('/profile/update-address', { ...work, label: 'Home', id: home?.id }, token);
      expect(moved.body).toEqual({ ...work, label: 'Home', id: home?.id });
      const { body } = await sendRequest(server.apiUrl, 'GET', '/profile', { token });
      expect(body.addresses).toEqual([moved.body, added.body]);
    });
  });
});
