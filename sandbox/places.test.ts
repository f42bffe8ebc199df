import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateCity } from './city.ts';
import type { Feature, Suggestion } from './places/responses.ts';
import { metresBetween } from './places/search.ts';
import { servePlaces } from './places.ts';

const city = generateCity(1);
const app = Fastify();
const BASE = '/sandbox/places/search/searchbox/v1';
const KEYS = { access_token: 'pk.test', session_token: 'a-session' };

beforeAll(async () => {
  await app.register(servePlaces({ city }));
});
afterAll(() => app.close());

async function get(path: string, query: Record<string, string> = {}) {
  const answer = await app.inject({ url: `${BASE}${path}`, query });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

async function suggest(q: string, more: Record<string, string> = {}): Promise<Suggestion[]> {
  const { status, body } = await get('/suggest', { ...KEYS, q, ...more });
  expect(status).toBe(200);
  return body.suggestions;
}

async function retrieve(id: string): Promise<Feature> {
  const { status, body } = await get(`/retrieve/${id}`, KEYS);
  expect(status).toBe(200);
  expect(body.type).toBe('FeatureCollection');
  expect(body.features).toHaveLength(1);
  return body.features[0];
}

async function reverse(longitude: number, latitude: number, more: Record<string, string> = {}): Promise<Feature[]> {
  const query = { access_token: 't', longitude: String(longitude), latitude: String(latitude), ...more };
  const { status, body } = await get('/reverse', query);
  expect(status).toBe(200);
  return body.features;
}

const sample = city.houses.filter((_, i) => i % 397 === 0);
const nameOf = (house: (typeof sample)[number]) => `${house.number} ${city.streets[house.street]?.name}`;

describe('an address', () => {
  test('is found by number and street, at the exact location of its house', async () => {
    expect(sample.length).toBeGreaterThan(50);
    for (const house of sample) {
      const [first] = await suggest(nameOf(house));
      expect(first).toMatchObject({ name: nameOf(house), feature_type: 'address', address: nameOf(house) });
      const feature = await retrieve(first?.mapbox_id ?? '');
      expect(feature.geometry).toEqual({ type: 'Point', coordinates: house.position });
      expect(feature.properties.coordinates).toMatchObject({
        longitude: house.position[0],
        latitude: house.position[1],
        accuracy: 'rooftop',
      });
      expect(feature.properties.mapbox_id).toBe(first?.mapbox_id);
    }
  });

  test('is the result of a reverse search at its location', async () => {
    for (const house of sample) {
      const [first] = await reverse(...house.position);
      expect(first?.properties).toMatchObject({ name: nameOf(house), feature_type: 'address' });
      expect(first?.geometry.coordinates).toEqual(house.position);
    }
  });

  test('has the shape that the vendor documents', async () => {
    const [first] = await suggest('12 Heron Street');
    expect(first).toMatchObject({
      name: '12 Heron Street',
      feature_type: 'address',
      full_address: expect.stringMatching(/^12 Heron Street, Soapwick \d{5}, Lavandia$/),
      place_formatted: expect.stringMatching(/^Soapwick \d{5}, Lavandia$/),
      context: {
        country: { name: 'Lavandia', country_code: 'XL', country_code_alpha_3: 'XLA' },
        region: { name: 'Lather Coast', region_code: 'LC', region_code_full: 'XL-LC' },
        place: { name: 'Soapwick' },
        postcode: { name: expect.stringMatching(/^\d{5}$/) },
        neighborhood: { name: expect.any(String) },
        street: { name: 'Heron Street' },
        address: { name: '12 Heron Street', address_number: '12', street_name: 'Heron Street' },
      },
      language: 'en',
      maki: 'marker',
      metadata: {},
    });
    expect(first).not.toHaveProperty('coordinates');
    expect(first).not.toHaveProperty('distance');
  });

  test('is found with its city, with abbreviations, in any letter case and word order', async () => {
    for (const q of [
      '12 Heron Street, Soapwick',
      '12 HERON ST',
      'heron street 12',
      '12 heron street soapwick lavandia',
    ]) {
      expect((await suggest(q))[0]?.name).toBe('12 Heron Street');
    }
  });

  test('that does not exist returns the nearest number on that street', async () => {
    const [first] = await suggest('9998 Heron Street');
    const last = Math.max(
      ...city.houses.filter(({ street }) => city.streets[street]?.name === 'Heron Street').map((h) => h.number),
    );
    expect(first?.name).toBe(`${last} Heron Street`);
  });
});

describe('a name', () => {
  test('is found by its first letters, with a typing mistake, and without accents', async () => {
    expect((await suggest('her')).some(({ name }) => name === 'Heron Street')).toBe(true);
    expect((await suggest('Heorn Stret'))[0]?.name).toBe('Heron Street');
    expect((await suggest('Héron Street'))[0]?.name).toBe('Heron Street');
  });

  test('of a street finds that street, for every street', async () => {
    for (const street of city.streets.filter((_, i) => i % 17 === 0)) {
      const found = await suggest(street.name, { types: 'street' });
      expect(found[0]?.name).toBe(street.name);
      const { geometry } = await retrieve(found[0]?.mapbox_id ?? '');
      expect(street.line).toContainEqual(geometry.coordinates);
    }
  });

  test('can be a district, a postcode, the city, a point of interest or its category', async () => {
    const district = city.districts[3];
    expect((await suggest(district?.name ?? ''))[0]).toMatchObject({
      feature_type: 'neighborhood',
      name: district?.name,
    });
    expect((await suggest(district?.postcode ?? '')).map((found) => found.name)).toEqual([district?.postcode]);
    expect((await suggest('soapwick'))[0]).toMatchObject({ feature_type: 'place' });
    expect((await suggest('Great Drying Park'))[0]).toMatchObject({ feature_type: 'poi', poi_category_ids: ['park'] });
    const washers = await suggest('launderette', { types: 'poi', limit: '10' });
    expect(washers).toHaveLength(10);
    expect(washers.every(({ poi_category_ids }) => /laundry/.test(String(poi_category_ids)))).toBe(true);
  });

  test('that does not exist finds nothing', async () => {
    expect(await suggest('Xyzzyqq Plugh')).toEqual([]);
    expect(await suggest('!!!')).toEqual([]);
  });
});

describe('optional parameters', () => {
  test('limit bounds the results: five by default, at most ten', async () => {
    expect(await suggest('street')).toHaveLength(5);
    expect(await suggest('street', { limit: '2' })).toHaveLength(2);
    expect(await suggest('street', { limit: '10' })).toHaveLength(10);
  });

  test('proximity returns near results first', async () => {
    const [west, , , north] = city.bounds;
    const corner: [number, number] = [west + 0.03, north - 0.02];
    const plain = await suggest('cafe', { types: 'poi', origin: corner.join(',') });
    const near = await suggest('cafe', { types: 'poi', origin: corner.join(','), proximity: corner.join(',') });
    const mean = (found: Suggestion[]) => found.reduce((sum, { distance }) => sum + (distance ?? 0), 0) / found.length;
    expect(mean(near)).toBeLessThan(mean(plain));
    expect(await suggest('cafe', { proximity: 'ip' })).toHaveLength(5);
  });

  test('bbox excludes results outside', async () => {
    const box = [67, 24, 67.02, 24.02] as const;
    const found = await suggest('street', { bbox: box.join(','), limit: '10' });
    expect(found).toHaveLength(10);
    for (const { mapbox_id } of found) {
      const [longitude, latitude] = (await retrieve(mapbox_id)).geometry.coordinates;
      expect(longitude >= box[0] && latitude >= box[1] && longitude <= box[2] && latitude <= box[3]).toBe(true);
    }
    expect(await suggest('street', { bbox: '10,10,11,11' })).toEqual([]);
  });

  test('types and country filter the results, and language sets their language', async () => {
    const found = await suggest('copper', { types: 'poi,neighborhood', limit: '10' });
    expect(new Set(found.map(({ feature_type }) => feature_type))).toEqual(new Set(['poi', 'neighborhood']));
    expect(await suggest('heron', { country: 'us,de' })).toEqual([]);
    expect(await suggest('heron', { country: 'us,XL' })).not.toEqual([]);
    expect((await suggest('heron', { language: 'fr' }))[0]?.language).toBe('fr');
  });

  test('origin adds the distance in whole metres', async () => {
    const [first] = await suggest('12 Heron Street', { origin: '67,24' });
    const { geometry } = await retrieve(first?.mapbox_id ?? '');
    expect(first?.distance).toBe(Math.round(metresBetween(geometry.coordinates, [67, 24])));
  });
});

describe('a category', () => {
  test('lists its points of interest, nearest first', async () => {
    const at = '67.01,24.01';
    const { status, body } = await get('/category/laundry', {
      access_token: 't',
      proximity: at,
      origin: at,
      limit: '25',
    });
    expect(status).toBe(200);
    const distances = body.features.map((feature: Feature) => feature.properties.distance);
    expect(distances).toHaveLength(25);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    expect(body.features[0].properties).toMatchObject({
      feature_type: 'poi',
      poi_category_ids: ['laundry'],
      maki: 'laundry',
    });
  });

  test('is one of the listed categories', async () => {
    const { body } = await get('/list/category', { access_token: 't' });
    expect(body.listItems).toContainEqual(expect.objectContaining({ canonical_id: 'laundry', icon: 'laundry' }));
    expect(await get('/category/moonbase', { access_token: 't' })).toMatchObject({ status: 404 });
    expect(await get('/category/toString', { access_token: 't' })).toMatchObject({ status: 404 });
  });
});

describe('a place on the map', () => {
  test('returns its address, street, district and city, and the requested types', async () => {
    const all = await reverse(67.004, 24.004, { limit: '10' });
    const types = all.map(({ properties }) => properties.feature_type);
    expect(types.slice(0, 2)).toEqual(['address', 'street']);
    expect(types).toEqual(expect.arrayContaining(['neighborhood', 'postcode', 'place', 'region', 'country']));
    expect(
      (await reverse(67.004, 24.004, { types: 'street' })).map(({ properties }) => properties.feature_type),
    ).toEqual(['street']);
    expect(await reverse(67.004, 24.004, { limit: '1' })).toHaveLength(1);
  });

  test('far from the city returns nothing', async () => {
    expect(await reverse(10, 10)).toEqual([]);
    expect(await reverse(-113, -24)).toEqual([]);
    expect(await reverse(66.97, 23.96)).toEqual([]);
  });
});

describe('an invalid request', () => {
  test('no token is 401, with the vendor’s message, before any other error', async () => {
    for (const path of ['/suggest', '/retrieve/x', '/category/laundry', '/reverse', '/list/category']) {
      expect(await get(path)).toMatchObject({ status: 401, body: { message: 'Not Authorized - No Token' } });
      expect(await get(path, { access_token: '' })).toMatchObject({ status: 401 });
    }
  });

  test.each([
    ['no q', { q: '' }, 'q is required'],
    ['a blank q', { q: '  ' }, 'q is required'],
    ['a long q', { q: 'a'.repeat(257) }, 'q must be at most 256 characters long'],
    ['no session', { session_token: '' }, 'session_token is required'],
    ['limit 0', { limit: '0' }, 'limit must be between 1 and 10'],
    ['limit 11', { limit: '11' }, 'limit must be between 1 and 10'],
    ['limit in words', { limit: 'five' }, 'limit must be between 1 and 10'],
    ['half a proximity', { proximity: '67' }, 'proximity must be longitude,latitude'],
    ['an impossible proximity', { proximity: '67,91' }, 'proximity must be longitude,latitude'],
    ['a wordy origin', { origin: 'here,there' }, 'origin must be longitude,latitude'],
    ['a bbox inside out', { bbox: '68,24,67,25' }, 'bbox must be minLongitude,minLatitude,maxLongitude,maxLatitude'],
    ['an unknown type', { types: 'address,castle' }, 'types: "castle" is not a known feature type'],
    ['an odd country', { country: 'lavandia' }, 'country: "lavandia" is not an ISO 3166 alpha 2 code'],
    ['an odd language', { language: '!' }, 'language "!" is not an IETF language tag'],
  ])('%s is 400', async (_what, wrong, message) => {
    expect(await get('/suggest', { ...KEYS, q: 'heron', ...wrong })).toMatchObject({ status: 400, body: { message } });
  });

  test('reverse needs both coordinates', async () => {
    expect(await get('/reverse', { access_token: 't', longitude: '67' })).toMatchObject({ status: 400 });
    expect(await get('/reverse', { access_token: 't', longitude: '67', latitude: '95' })).toMatchObject({
      status: 400,
    });
  });

  test('an unknown id or path is 404', async () => {
    const none = { status: 404, body: { message: 'Not Found' } };
    const strange = Buffer.from('urn:mbxsandbox:address.27.99999').toString('base64url');
    for (const id of ['nonsense', strange, 'x'.repeat(300)])
      expect(await get(`/retrieve/${id}`, KEYS)).toMatchObject(none);
    expect(await get('/forwards', KEYS)).toMatchObject(none);
  });
});
