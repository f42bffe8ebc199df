import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectValidationErrors, type Reply, sendRequest } from '../../testing/checkedClient.ts';
import { requestEmailChange } from '../../testing/credentialCalls.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { digest } from '../auth/secrets.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NEW_PASSWORD = 'Lantern-Moss-41';
const WRONG_CODE = 'This code is wrong or no longer valid';

describe.each(RULE_DATABASES)('what a user signs in with, on %s', (kind) => {
  let server: TestServer;
  let secondServer: TestServer;

  beforeAll(async () => {
    server = await openTestServer(kind);
    // On PostgreSQL, a second server on the same database must give the same answers.
    secondServer = kind === 'postgres' ? await openTestServer(kind, { beside: server }) : server;
  });
  afterAll(async () => {
    if (secondServer && secondServer !== server) await secondServer.close();
    await server?.close();
  });

  const post = (path: string, body: object | undefined, token: string, apiUrl = server.apiUrl) =>
    sendRequest(apiUrl, 'POST', path, { body, token });
  const signIn = (email: string, password = PASSWORD) =>
    sendRequest(server.apiUrl, 'POST', '/auth/login', { body: { email, password } });
  const signInAgain = async ({ user }: TestUser): Promise<string> => (await signIn(user.email)).body.authToken;
  const isSignedIn = async (token: string) =>
    (await sendRequest(secondServer.apiUrl, 'GET', '/auth/session', { token })).status === 200;
  const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status).toSorted();
  const mailCount = async (email: string) => {
    const response = await fetch(`${server.sandboxUrl}/sandbox/mail/messages?to=${encodeURIComponent(email)}`);
    return ((await response.json()) as unknown[]).length;
  };

  describe('the list of sessions', () => {
    test('shows the newest use first, marks this device, and each can be ended from any other', async () => {
      const user = await server.createUser('Duber');
      server.advanceClock(2 * MINUTE);
      const phone = await signInAgain(user);
      server.advanceClock(2 * MINUTE);
      const { items } = await user.api.listSessions();
      expect(items.map(({ current }) => current)).toEqual([true, false]);
      const times = items.map(({ createdAt, lastUsedAt }) => Date.parse(lastUsedAt) - Date.parse(createdAt));
      expect(times[0]).toBeGreaterThanOrEqual(4 * MINUTE);
      expect(times[1]).toBe(0);
      // The id does not help to use the session.
      for (const token of items.map(({ id }) => id)) expect(await isSignedIn(token)).toBe(false);

      const other = items[1]?.id ?? '';
      const stranger = await server.createUser('Duber');
      const end = (token: string) => sendRequest(server.apiUrl, 'DELETE', `/profile/sessions/${other}`, { token });
      expect((await end(stranger.token)).status).toBe(404);
      expect(await isSignedIn(phone)).toBe(true);
      expect((await end(user.token)).status).toBe(204);
      expect([await isSignedIn(phone), await isSignedIn(user.token)]).toEqual([false, true]);
      expect((await end(user.token)).status).toBe(404);
      // Ending this one is a sign-out.
      await user.api.endSession({ params: { id: items[0]?.id ?? '' } });
      expect(await isSignedIn(user.token)).toBe(false);
    });

    test('can end all others at once, and of two devices that end each other one stays', async () => {
      const user = await server.createUser('Bud');
      const tokens = [user.token, await signInAgain(user), await signInAgain(user)];
      const endOthers = (token: string, apiUrl?: string) =>
        post('/profile/sessions/end-others', undefined, token, apiUrl);
      expect((await endOthers(tokens[1] ?? '')).body).toEqual({ ended: 2 });
      expect(await Promise.all(tokens.map(isSignedIn))).toEqual([false, true, false]);
      for (let round = 0; round < 20; round += 1) {
        const pair = [await signInAgain(user), tokens[1] ?? ''];
        const replies = await Promise.all([endOthers(pair[0] ?? ''), endOthers(pair[1] ?? '', secondServer.apiUrl)]);
        expect(statusesOf(replies)).toEqual([200, 401]);
        const left = await Promise.all(pair.map(isSignedIn));
        expect(left.filter(Boolean)).toHaveLength(1);
        tokens[1] = pair[left.indexOf(true)] ?? '';
      }
    });

    test('has at most 500, of which the list shows 50: a new one ends the one that was not used for the longest time', async () => {
      const user = await server.createUser('Scrub');
      const earlier = Array.from({ length: 499 }, (_, index) => `session-${index}-${user.user.id}`);
      const usedAt = (index: number) => new Date(server.now().getTime() - (500 - index) * MINUTE);
      const rows = earlier.map((token, index) => ({
        token_hash: digest(token),
        user_id: user.user.id,
        created_at: usedAt(index),
        last_used_at: usedAt(index),
      }));
      await server.server.db.insertInto('sessions').values(rows).execute();
      expect((await user.api.listSessions()).items).toHaveLength(50);
      const [first = '', second = ''] = earlier;
      expect(await isSignedIn(second)).toBe(true);
      const last = await signInAgain(user);
      const states = await Promise.all([first, second, user.token, last].map(isSignedIn));
      expect(states).toEqual([false, true, true, true]);
    });

    test('has none that is older than 180 days, however often it is used', async () => {
      const { token, api } = await server.createUser('Bud');
      const paths = ['/auth/session', '/profile', '/dashboards/bud', '/events'];
      for (let days = 0; days < 180; days += 20) {
        expect(await isSignedIn(token), `after ${days} days`).toBe(true);
        if (days < 160) server.advanceClock(20 * DAY);
      }
      server.advanceClock(20 * DAY - MINUTE);
      expect((await api.listSessions()).items).toHaveLength(1);
      server.advanceClock(2 * MINUTE);
      for (const path of paths) {
        const { status, body } = await sendRequest(server.apiUrl, 'GET', path, { token });
        expect([path, status, body.message]).toEqual([path, 401, 'User not authenticated']);
      }
    });
  });

  describe('a change of password', () => {
    const change = (token: string, currentPassword: string, newPassword = NEW_PASSWORD) =>
      post('/profile/change-password', { currentPassword, newPassword }, token);

    test('needs the current one, ends the other sessions, and says so in a mail', async () => {
      const user = await server.createUser('Scrub');
      const other = await signInAgain(user);
      expect(expectValidationErrors(await change(user.token, 'Wrong1!a'))).toEqual([
        ['currentPassword', 'The current password is wrong'],
      ]);
      expect(expectValidationErrors(await change(user.token, PASSWORD, 'weak'))).toEqual([
        ['newPassword', 'Password must be at least 8 characters'],
      ]);
      expect(await isSignedIn(other)).toBe(true);
      const done = await change(user.token, PASSWORD);
      expect([done.status, done.body]).toEqual([200, {}]);
      expect([await isSignedIn(user.token), await isSignedIn(other)]).toEqual([true, false]);
      expect([(await signIn(user.user.email)).status, (await signIn(user.user.email, NEW_PASSWORD)).status]).toEqual([
        401, 200,
      ]);
      expect((await server.waitForMail(user.user.email, 'was changed')).text).toContain('every other device');
    });

    test('ends a reset link that was mailed before', async () => {
      const { user, token } = await server.createUser('Bud');
      await server.api().forgotPassword({ body: { email: user.email } });
      const [, link] = /token=([\w-]+)/.exec((await server.waitForMail(user.email, 'Set a new')).text) ?? [];
      expect((await change(token, PASSWORD)).status).toBe(200);
      const body = { token: link, newPassword: 'Rubadub3!' };
      expect((await sendRequest(server.apiUrl, 'POST', '/auth/reset-password', { body })).status).toBe(401);
    });

    test('is refused after five wrong passwords, also in parallel, and signing in is not', async () => {
      const { user, token } = await server.createUser('Bud');
      const guesses = Array.from({ length: 12 }, (_, index) => change(token, `Wrong1!${index}`));
      const replies = await Promise.all(guesses);
      expect(statusesOf(replies)).toEqual([...Array(5).fill(400), ...Array(7).fill(429)]);
      const refused = await change(token, PASSWORD);
      expect([refused.status, refused.body.message]).toEqual([
        429,
        expect.stringContaining('Too many wrong passwords'),
      ]);
      expect((await signIn(user.email)).status).toBe(200);
      server.advanceClock(Number(refused.headers.get('retry-after')) * 1000);
      expect((await change(token, PASSWORD)).status).toBe(200);
    });

    test('happens once when it is asked for several times at once, and each asker learns which', async () => {
      const user = await server.createUser('Bud');
      const passwords = ['Lantern-Moss-1', 'Lantern-Moss-2', 'Lantern-Moss-3'];
      const replies = await Promise.all(passwords.map((password) => change(user.token, PASSWORD, password)));
      expect(statusesOf(replies)).toEqual([200, 400, 400]);
      for (const reply of replies.filter(({ status }) => status === 400)) {
        expect(expectValidationErrors(reply)).toEqual([
          ['currentPassword', expect.stringMatching(/is wrong|was just changed/)],
        ]);
      }
      const winner = passwords[replies.findIndex(({ status }) => status === 200)];
      const statuses = await Promise.all(passwords.map((password) => signIn(user.user.email, password)));
      expect(statuses.map(({ status }) => status)).toEqual(passwords.map((one) => (one === winner ? 200 : 401)));
    });
  });

  describe('a change of e-mail address', () => {
    const change = (token: string, body: object) => post('/profile/change-email', body, token);
    const sendCodes = (token: string, newEmail: string, password = PASSWORD) =>
      post('/profile/change-email/send-codes', { newEmail, password }, token);
    const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

    test('needs the password and a code from both addresses, and the old one gets a mail about it', async () => {
      const user = await server.createUser('Scrub');
      const other = await signInAgain(user);
      await server.api().forgotPassword({ body: { email: user.user.email } });
      const [, link] = /token=([\w-]+)/.exec((await server.waitForMail(user.user.email, 'Set a new')).text) ?? [];
      expect(expectValidationErrors(await sendCodes(user.token, 'x@rubadub.test', 'Wrong1!a'))).toEqual([
        ['password', 'The current password is wrong'],
      ]);
      expect(expectValidationErrors(await sendCodes(user.token, user.user.email.toUpperCase()))).toEqual([
        ['newEmail', 'This is already your email address'],
      ]);
      const codes = await requestEmailChange(server, user);
      const half = await change(user.token, { ...codes, newCode: wrong(codes.newCode) });
      expect(expectValidationErrors(half)).toEqual([['newCode', WRONG_CODE]]);
      const elsewhere = await change(user.token, { ...codes, newEmail: 'else@rubadub.test' });
      expect(expectValidationErrors(elsewhere).map(([property]) => property)).toEqual(['oldCode', 'newCode']);

      const { status, body } = await change(user.token, codes);
      expect([status, body]).toEqual([200, { ...user.user, email: codes.newEmail }]);
      expect((await user.api.session()).user.email).toBe(codes.newEmail);
      expect([await isSignedIn(user.token), await isSignedIn(other)]).toEqual([true, false]);
      const [old, fresh] = [await signIn(user.user.email), await signIn(codes.newEmail)];
      expect([old.status, fresh.status]).toEqual([401, 200]);
      const reset = { token: link, newPassword: NEW_PASSWORD };
      expect((await sendRequest(server.apiUrl, 'POST', '/auth/reset-password', { body: reset })).status).toBe(401);
      const mail = await server.waitForMail(user.user.email, 'address was changed');
      expect(mail.text).not.toContain(codes.newEmail);
      expect(mail.text).toContain('If this was not you');
      expect((await change(user.token, codes)).status).toBe(400);
    });

    test('answers the same for an address with an account, whose owner gets a mail without a code', async () => {
      const [user, owner] = [await server.createUser('Bud'), await server.createUser('Bud')];
      const [taken, free] = [
        await sendCodes(user.token, owner.user.email),
        await sendCodes((await server.createUser('Bud')).token, 'free@rubadub.test'),
      ];
      expect([taken.status, taken.body]).toEqual([free.status, free.body]);
      const mail = await server.waitForMail(owner.user.email, 'already has');
      expect(mail.text).not.toMatch(/\d{6}/);
      const { text } = await server.waitForMail(user.user.email, 'to change your email');
      const oldCode = /\d{6}/.exec(text)?.[0] ?? '';
      const reply = await change(user.token, { newEmail: owner.user.email, oldCode, newCode: '000000' });
      expect(expectValidationErrors(reply)).toEqual([['newCode', WRONG_CODE]]);
    });

    test('is refused with 409 when another account got the address meanwhile', async () => {
      const [user, faster] = [await server.createUser('Bud'), await server.createUser('Bud')];
      const codes = await requestEmailChange(server, user);
      const { text } = await server.waitForMail(codes.newEmail);
      await sendCodes(faster.token, codes.newEmail);
      const newCode = await waitFor(async () => {
        const mail = await server.waitForMail(codes.newEmail);
        if (mail.text === text) throw new Error('the newer mail has not arrived yet');
        return /\d{6}/.exec(mail.text)?.[0] ?? '';
      });
      const { text: oldText } = await server.waitForMail(faster.user.email, 'to change your email');
      const oldCode = /\d{6}/.exec(oldText)?.[0] ?? '';
      expect((await change(faster.token, { newEmail: codes.newEmail, oldCode, newCode })).status).toBe(200);
      const { status, body } = await change(user.token, codes);
      expect([status, body.message]).toEqual([409, 'Email is already registered']);
      expect((await user.api.session()).user.email).toBe(user.user.email);
    });

    test('takes five wrong tries in all, also in parallel, and works for ten minutes', async () => {
      const [guessed, late] = [await server.createUser('Bud'), await server.createUser('Bud')];
      const codes = await requestEmailChange(server, guessed);
      const lateCodes = await requestEmailChange(server, late);
      const guesses = Array.from({ length: 8 }, () =>
        change(guessed.token, { ...codes, oldCode: wrong(codes.oldCode) }),
      );
      const properties = (await Promise.all(guesses)).map((reply) => expectValidationErrors(reply).length);
      // With tries left, the answer says which code is wrong; without, both are.
      expect(properties.toSorted()).toEqual([1, 1, 1, 1, 1, 2, 2, 2]);
      expect((await change(guessed.token, codes)).status).toBe(400);
      server.advanceClock(10 * MINUTE + 1_000);
      expect((await change(late.token, lateCodes)).status).toBe(400);
    });

    test('has its codes mailed no more than once a minute and ten times a day', async () => {
      const { token, user } = await server.createUser('Bud');
      for (let sent = 1; sent <= 10; sent += 1) {
        expect((await sendCodes(token, `many-${sent}-${user.email}`)).status, `number ${sent}`).toBe(200);
        expect((await sendCodes(token, `more-${sent}-${user.email}`)).status).toBe(429);
        server.advanceClock(MINUTE);
      }
      const refused = await sendCodes(token, `last-${user.email}`);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600);
      expect(await mailCount(`more-1-${user.email}`)).toBe(0);
    });

    test('happens once when it is asked for several times at once, on any server', async () => {
      const user = await server.createUser('Bud');
      const codes = await requestEmailChange(server, user);
      const replies = await Promise.all(
        [server, secondServer, server, secondServer].map(({ apiUrl }) =>
          post('/profile/change-email', codes, user.token, apiUrl),
        ),
      );
      expect(statusesOf(replies)).toEqual([200, 400, 400, 400]);
    });
  });
});
