import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateCity } from '../city.ts';
import { servePlaces } from '../places.ts';

const app = Fastify();
const BASE = '/sandbox/places/search/searchbox/v1';
const KEYS = { access_token: 'pk.test', session_token: 'a-session' };
const suggest = (query: Record<string, string>) => app.inject({ url: `${BASE}/suggest`, query });

beforeAll(async () => {
  await app.register(servePlaces({ city: generateCity(1) }));
});
afterAll(() => app.close());

test('browsers on other origins may read answers and errors', async () => {
  for (const path of ['/suggest?q=x&access_token=t&session_token=s', '/suggest']) {
    const answer = await app.inject({ url: `${BASE}${path}`, headers: { origin: 'http://127.0.0.1:3000' } });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  }
  const preflight = await app.inject({ method: 'OPTIONS', url: `${BASE}/suggest` });
  expect(preflight).toMatchObject({ statusCode: 204, headers: { 'access-control-allow-origin': '*' } });
});

test('the page shows requests without their tokens, and has a form to try the API', async () => {
  await suggest({
    q: '<b>bold</b>',
    access_token: 'pk.very-secret-token',
    session_token: 'session-0123456789',
  });
  const { body, headers } = await app.inject({ url: '/sandbox/places', query: { q: '12 Heron Street' } });
  expect(headers['content-type']).toContain('text/html');
  expect(body).toContain('q=&#60;b&#62;bold&#60;/b&#62;');
  expect(body).not.toContain('very-secret-token');
  expect(body).not.toContain('0123456789');
  expect(body).toMatch(/12 Heron Street, Soapwick \d{5}, Lavandia/);
  for (let i = 0; i < 205; i += 1) await suggest({ ...KEYS, q: `word${i}` });
  const later = (await app.inject({ url: '/sandbox/places' })).body;
  expect(later.match(/<time /g)).toHaveLength(200);
  expect(later).toContain('q=word204<');
  expect(later).not.toContain('q=word4<');
});
