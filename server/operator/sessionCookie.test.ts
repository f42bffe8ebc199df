import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperator } from '../../testing/operators.ts';
import { openTestServer, PASSWORD, type TestServer } from '../../testing/testServer.ts';
import { renderSessionCookie } from './sessionCookie.ts';

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer('embedded');
});
afterAll(() => testServer?.close());

test('the session of a browser is in a cookie that no script can read, and that counts only for our own pages', async () => {
  const ada = await createOperator(testServer);
  const body = JSON.stringify({ email: ada.email, password: PASSWORD, code: ada.nextCode() });
  const url = `${testServer.apiUrl}/operator/session`;
  const signedIn = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const cookie = signedIn.headers.get('set-cookie') ?? '';
  expect(cookie.split('; ').slice(1)).toEqual(['Path=/api/operator', 'Max-Age=43200', 'HttpOnly', 'SameSite=Strict']);
  const sent = { cookie: `other=1; ${cookie.split(';')[0]}` };
  const statusOf = async (headers: Record<string, string>) => (await fetch(url, { headers })).status;
  expect(await statusOf(sent)).toBe(200);
  expect(await statusOf({ ...sent, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).toBe(200);
  expect(await statusOf({ ...sent, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })).toBe(401);
  expect(await statusOf({ ...sent, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' })).toBe(401);
  expect(await statusOf({ ...sent, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(401);
  expect(await statusOf({ ...sent, authorization: 'Bearer wrong' })).toBe(401);
  const end = { method: 'POST', body: '{}', headers: { ...sent, 'content-type': 'application/json' } };
  const ended = await fetch(`${url}/end`, end);
  expect(ended.headers.get('set-cookie')).toMatch(/^rubadub-operator=; .*Max-Age=0/);
  expect(await statusOf(sent)).toBe(401);
});

test('the cookie is sent only over TLS where there is TLS', () => {
  expect(renderSessionCookie('token', { publicUrl: 'https://wash.example.org' })).toMatch(/; Secure$/);
  expect(renderSessionCookie('token', { publicUrl: 'http://127.0.0.1:3000' })).not.toContain('Secure');
});
