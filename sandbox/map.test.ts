import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { distanceBetween, toPoint } from './city/geometry.ts';
import type { House, Position } from './city/types.ts';
import { generateCity } from './city.ts';
import { TILE_ZOOM, toTileCoordinates } from './map/tiles.ts';
import { serveMap } from './map.ts';

const city = generateCity(1);
const app = Fastify();
const PUBLIC_URL = 'http://127.0.0.1:4321';

beforeAll(async () => {
  await app.register(serveMap({ city, publicUrl: `${PUBLIC_URL}/` }));
});
afterAll(() => app.close());

// MapLibre's own packages are not our dependencies. Where they cannot be resolved, these tests are skipped.
function resolveFrom(owner: string, name: string): unknown {
  try {
    return createRequire(createRequire(import.meta.url).resolve(owner))(name);
  } catch {
    return undefined;
  }
}
type Validate = (style: unknown) => { message: string }[];
const spec = resolveFrom('maplibre-gl/package.json', '@maplibre/maplibre-gl-style-spec') as
  | { validateStyleMin: Validate }
  | undefined;

test.each(['light', 'dark'])('the %s style has absolute addresses and loads no fonts or icons', async (theme) => {
  const style = (await app.inject({ url: `/sandbox/map/style.json?theme=${theme}` })).json();
  expect(style.name).toContain(theme);
  expect(style).not.toHaveProperty('glyphs');
  expect(style).not.toHaveProperty('sprite');
  expect(style.sources.city.data).toMatch(new RegExp(`^${PUBLIC_URL}/sandbox/map/city\\.json`));
  expect(style.sources.houses.tiles[0]).toMatch(
    new RegExp(`^${PUBLIC_URL}/sandbox/map/houses/\\{z\\}/\\{x\\}/\\{y\\}\\.pbf`),
  );
  expect([...JSON.stringify(style).matchAll(/https?:\/\/[^/"]+/g)].every(([url]) => url === PUBLIC_URL)).toBe(true);
});

test.skipIf(!spec).each(['style.json', 'style.json?theme=dark', 'style-dark.json'])(
  '%s is a valid style',
  async (file) => {
    const style = (await app.inject({ url: `/sandbox/map/${file}` })).json();
    expect(spec?.validateStyleMin(style)).toEqual([]);
    expect(spec?.validateStyleMin({ ...style, layers: [{ id: 'x', type: 'nonsense' }] })).not.toEqual([]);
  },
);

test('without a public address the style uses the host of the request', async () => {
  const bare = Fastify();
  await bare.register(serveMap({ city }));
  const style = (await bare.inject({ url: '/sandbox/map/style.json', headers: { host: 'map.test:8080' } })).json();
  expect(style.sources.city.data).toMatch(/^http:\/\/map\.test:8080\/sandbox\/map\/city\.json/);
  await bare.close();
});

test('the data contains every named feature and stays small', async () => {
  const answer = await app.inject({ url: '/sandbox/map/city.json', headers: { 'accept-encoding': 'gzip' } });
  expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'access-control-allow-origin': '*' });
  expect(answer.rawPayload.length).toBeLessThan(200_000);
  const data = JSON.parse(gunzipSync(answer.rawPayload).toString('utf8'));
  const named = (kinds: string[]) =>
    data.features
      .filter((feature: { properties: { kind: string } }) => kinds.includes(feature.properties.kind))
      .map((feature: { properties: { name: string } }) => feature.properties.name)
      .sort();
  const names = (things: { name: string }[]) => things.map((thing) => thing.name).sort();
  expect(named(['avenue', 'street', 'road'])).toEqual(names(city.streets));
  expect(named(['park-name'])).toEqual(names(city.parks));
  expect(named(['district-name'])).toEqual(names(city.districts));
  expect(named(['bay-name', 'river-name'])).toEqual(names(city.water));
});

test('data is sent once: its versioned address is immutable, and its ETag answers 304', async () => {
  const style = (await app.inject({ url: '/sandbox/map/style.json' })).json();
  const url = new URL(style.sources.city.data);
  const first = await app.inject({ url: `${url.pathname}${url.search}` });
  expect(first.headers['cache-control']).toContain('immutable');
  expect((await app.inject({ url: url.pathname })).headers['cache-control']).toBe('no-cache');
  for (const encoding of ['gzip', 'identity']) {
    const headers = { 'accept-encoding': encoding };
    const { etag } = (await app.inject({ url: url.pathname, headers })).headers;
    const again = await app.inject({ url: url.pathname, headers: { ...headers, 'if-none-match': String(etag) } });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  }
});

test('every sampled house is in its tile, with its number, at the place that address search returns', async () => {
  for (const house of city.houses.filter((_, i) => i % 311 === 0)) {
    const [column, row] = toTileCoordinates(house.position);
    const [x, y] = [Math.floor(column), Math.floor(row)];
    const answer = await app.inject({ url: `/sandbox/map/houses/${TILE_ZOOM}/${x}/${y}.pbf` });
    expect(answer.statusCode).toBe(200);
    const door = readDoors(answer.rawPayload).find(({ id }) => id === house.id + 1);
    expect(door?.number).toBe(String(house.number));
    expect(metresOff(house, door?.at ?? [0, 0], x, y)).toBeLessThan(0.2);
  }
});

test('a tile outside the city is empty, and one at another zoom is a 404', async () => {
  const empty = await app.inject({ url: `/sandbox/map/houses/${TILE_ZOOM}/1/1.pbf` });
  expect(empty).toMatchObject({ statusCode: 200, body: '' });
  for (const path of ['14/1/1', '15/-1/1', '15/1.5/1', '15/x/y', '15/32768/1']) {
    expect((await app.inject({ url: `/sandbox/map/houses/${path}.pbf` })).statusCode).toBe(404);
  }
});

test('the page draws the city without scripts, and can place a pin', async () => {
  const { body, headers } = await app.inject({ url: '/sandbox/map' });
  expect(headers['content-type']).toContain('text/html');
  expect(body).toContain('<svg');
  expect(body).not.toContain('<script');
  for (const { name } of city.districts) expect(body).toContain(name);
  expect(body).not.toContain('class="pin"');
  expect((await app.inject({ url: '/sandbox/map?at=67.001,24.002' })).body).toContain('class="pin"');
  expect((await app.inject({ url: '/sandbox/map?at="><script>' })).body).not.toContain('<script');
});

function metresOff(house: House, [gridX, gridY]: [number, number], x: number, y: number): number {
  const count = 2 ** TILE_ZOOM;
  const longitude = ((x + gridX / 8192) / count) * 360 - 180;
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + gridY / 8192)) / count))) * 180) / Math.PI;
  return distanceBetween(toPoint([longitude, latitude] as Position), toPoint(house.position));
}

// A separate reader, written from the format's specification, so that the writer does not check itself.
function readDoors(tile: Buffer): { id: number; number: string | undefined; at: [number, number] }[] {
  const layers = readFields(tile).filter(({ field }) => field === 3);
  const layer = layers.map(({ bytes }) => readFields(bytes)).find((fields) => textOf(fields, 1) === 'doors') ?? [];
  const values = layer.filter(({ field }) => field === 4).map(({ bytes }) => textOf(readFields(bytes), 1));
  return layer
    .filter(({ field }) => field === 2)
    .map(({ bytes }) => {
      const feature = readFields(bytes);
      const packed = (field: number) =>
        readVarints(feature.find((part) => part.field === field)?.bytes ?? Buffer.alloc(0));
      const [, place] = packed(2);
      const [, x, y] = packed(4).map((value, i) => (i === 0 ? value : value % 2 === 0 ? value / 2 : -(value + 1) / 2));
      const id = feature.find((part) => part.field === 1)?.value ?? 0;
      return { id, number: values[place ?? -1], at: [x ?? 0, y ?? 0] };
    });
}

type Field = { field: number; value: number; bytes: Buffer };

function readFields(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const next = () => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  while (at < bytes.length) {
    const key = next();
    const value = next();
    const isBytes = (key & 7) === 2;
    fields.push({ field: key >> 3, value, bytes: isBytes ? bytes.subarray(at, at + value) : Buffer.alloc(0) });
    if (isBytes) at += value;
  }
  return fields;
}

function readVarints(bytes: Buffer): number[] {
  const values: number[] = [];
  let [value, scale] = [0, 1];
  for (const byte of bytes) {
    value += (byte & 127) * scale;
    scale *= 128;
    if (byte < 128) {
      values.push(value);
      [value, scale] = [0, 1];
    }
  }
  return values;
}

function textOf(fields: Field[], wanted: number): string | undefined {
  return fields.find(({ field }) => field === wanted)?.bytes.toString('utf8');
}
