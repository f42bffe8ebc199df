import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { sendJson } from './reply.ts';

const LONG_JSON = JSON.stringify({
  items: Array.from({ length: 200 }, (_, n) => ({ id: n, name: 'Heron Street', é: '日本' })),
});

async function requestJson(json: string, encoding?: string) {
  const app = Fastify();
  app.get('/', (request, reply) => sendJson(request, reply, json));
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding };
  const { headers: got, rawPayload } = await app.inject({ url: '/', headers });
  await app.close();
  const pressed = got['content-encoding'] === 'gzip';
  return {
    got,
    pressed,
    bytes: rawPayload.length,
    text: (pressed ? gunzipSync(rawPayload) : rawPayload).toString('utf8'),
  };
}

describe('JSON that is sent', () => {
  test.each(['gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.8', 'gzip;q=0.5'])(
    'is pressed for %s',
    async (encoding) => {
      const { got, pressed, bytes, text } = await requestJson(LONG_JSON, encoding);
      expect([pressed, text, got.vary, got['content-type']]).toEqual([
        true,
        LONG_JSON,
        'accept-encoding',
        'application/json; charset=utf-8',
      ]);
      expect(bytes).toBeLessThan(Buffer.byteLength(LONG_JSON) / 5);
    },
  );

  test.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br'])(
    'is as it is for %s',
    async (encoding) => {
      const { got, pressed, text } = await requestJson(LONG_JSON, encoding);
      expect([pressed, text, got.vary]).toEqual([false, LONG_JSON, 'accept-encoding']);
    },
  );

  test('is as it is when it is short', async () => {
    const { pressed, text } = await requestJson('{"short":true}', 'gzip');
    expect([pressed, text]).toEqual([false, '{"short":true}']);
  });
});
