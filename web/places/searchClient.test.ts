import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateCity } from '../../sandbox/city.ts';
import { servePlaces } from '../../sandbox/places.ts';
import { createSearchClient, type SearchClient, type Suggestion } from './searchClient.ts';

const PLACES_PATH = '/sandbox/places';
const SESSION = { id: '5f0c1a52-6a53-4a33-9f3a-0a2f6b1c7d10' };

let app: FastifyInstance;
let origin: string;
let client: SearchClient;
const requestedUrls: URL[] = [];

beforeAll(async () => {
  app = Fastify();
  app.addHook('onRequest', async (request) => {
    requestedUrls.push(new URL(request.url, 'http://sandbox'));
  });
  app.get('/broken/search/searchbox/v1/suggest', (_request, reply) => reply.code(502).send('no json here'));
  await app.register(servePlaces({ city: generateCity() }));
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
  client = createSearchClient({ baseUrl: `${origin}${PLACES_PATH}/`, token: 'sandbox' });
});
afterAll(() => app.close());

async function firstSuggestion(text: string): Promise<Suggestion> {
  const [first] = await client.suggest(text, SESSION);
  if (!first) throw new Error(`Nothing is suggested for ${text}`);
  return first;
}

test('at most five addresses are suggested, and the first is found again with its coordinates', async () => {
  const suggestions = await client.suggest('12 Avenue', SESSION);
  expect(suggestions).toHaveLength(5);
  const [place] = await client.retrieve(await firstSuggestion('12 Avenue'), SESSION);
  expect(place?.properties.full_address).toBe(suggestions[0]?.full_address);
  expect(place?.geometry.coordinates[0]).toBeCloseTo(67, 0);
  expect(place?.geometry.coordinates[1]).toBeCloseTo(24, 0);
});

test('every option is sent under its API name', async () => {
  await client.suggest(' 1 Walnut ', SESSION, {
    language: 'de',
    country: ['la', 'us'],
    types: ['address', 'poi'],
    proximity: { lng: 67, lat: 24 },
    bbox: [66, 23, 68, 25],
    origin: { lng: 67.01, lat: 24.01 },
    limit: 3,
  });
  const query = Object.fromEntries(requestedUrls.at(-1)?.searchParams ?? []);
  expect(query).toEqual({
    access_token: 'sandbox',
    q: '1 Walnut',
    session_token: SESSION.id,
    limit: '3',
    language: 'de',
    country: 'la,us',
    types: 'address,poi',
    proximity: '67,24',
    bbox: '66,23,68,25',
    origin: '67.01,24.01',
  });
});

test('unset options are left out, and the language defaults to English', async () => {
  await client.suggest('Walnut', SESSION);
  const query = Object.fromEntries(requestedUrls.at(-1)?.searchParams ?? []);
  expect(query).toEqual({
    access_token: 'sandbox',
    q: 'Walnut',
    session_token: SESSION.id,
    limit: '5',
    language: 'en',
  });
});

test('reverse lookup sends the point as longitude and latitude', async () => {
  const [place] = await client.retrieve(await firstSuggestion('12 Walnut Avenue'), SESSION);
  const [lng, lat] = place?.geometry.coordinates ?? [0, 0];
  const [named] = await client.reverse({ lng, lat });
  expect(named?.properties.full_address).toBe(place?.properties.full_address);
});

test('a category is looked up by its name', async () => {
  const places = await client.category('cafe', { proximity: { lng: 67, lat: 24 } });
  expect(places.length).toBeGreaterThan(0);
});

test('a missing argument is rejected before any request', async () => {
  const before = requestedUrls.length;
  await expect(client.suggest('  ', SESSION)).rejects.toThrow('searchText is required');
  await expect(client.retrieve(undefined as never, SESSION)).rejects.toThrow('suggestion is required');
  await expect(client.category('')).rejects.toThrow('category is required');
  await expect(client.reverse(undefined as never)).rejects.toThrow('lngLat is required');
  expect(requestedUrls).toHaveLength(before);
});

test("the service's error has its status and message", async () => {
  const strange = createSearchClient({ baseUrl: `${origin}${PLACES_PATH}`, token: '' });
  await expect(strange.suggest('Walnut', SESSION)).rejects.toMatchObject({
    statusCode: 401,
    message: expect.stringContaining('Not Authorized'),
  });
});

test('an error without a message reads Unknown error', async () => {
  const broken = createSearchClient({ baseUrl: `${origin}/broken`, token: 'sandbox' });
  await expect(broken.suggest('Walnut', SESSION)).rejects.toThrow('502: Unknown error');
});
