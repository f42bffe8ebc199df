import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRequest } from '../../testing/checkedClient.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { setPassword } from './accounts.sql.ts';

// The same keys on two systems: one letter with its dots, and a letter with dots after it.
const COMPOSED = 'P\u00e4sswort 1!';
const DECOMPOSED = 'Pa\u0308sswort\u00a01!';
const OTHER = 'Passwort 1!';

describe.each(RULE_DATABASES)('a password with an accent, on %s', (kind) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await openTestServer(kind);
  });
  afterAll(() => server?.close());

  const signIn = async (email: string, password: string) =>
    (await sendRequest(server.apiUrl, 'POST', '/auth/login', { body: { email, password } })).status;

  test.each([
    ['composed', COMPOSED],
    ['decomposed', DECOMPOSED],
  ])('that was set %s signs in from every system, and another password does not', async (_, typed) => {
    const { user, token, api } = await server.createUser('Bud');
    await api.changePassword({ body: { currentPassword: PASSWORD, newPassword: typed } });
    for (const password of [COMPOSED, DECOMPOSED]) expect(await signIn(user.email, password)).toBe(200);
    expect(await signIn(user.email, OTHER)).toBe(401);
    const body = { currentPassword: typed === COMPOSED ? DECOMPOSED : COMPOSED, newPassword: PASSWORD };
    expect((await sendRequest(server.apiUrl, 'POST', '/profile/change-password', { body, token })).status).toBe(200);
  });

  test.each([
    ['composed', COMPOSED],
    ['decomposed', DECOMPOSED],
  ])('that an earlier release stored %s still signs in', async (_, stored) => {
    const { user } = await server.createUser('Scrub');
    await setPassword(server.server.db, user.id, await hash(stored));
    expect(await signIn(user.email, stored)).toBe(200);
    expect(await signIn(user.email, OTHER)).toBe(401);
  });

  test('counts its accented letter once, however it is written', async () => {
    const { token } = await server.createUser('Duber');
    const change = async (newPassword: string) =>
      (
        await sendRequest(server.apiUrl, 'POST', '/profile/change-password', {
          body: { currentPassword: PASSWORD, newPassword },
          token,
        })
      ).body;
    expect(JSON.stringify(await change('Pa\u0308ssw1!'))).toContain('Password must be at least 8 characters');
  });
});
