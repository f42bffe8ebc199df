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
  const { headers: replyHeaders, rawPayload } = await app.inject({ url: '/', headers });
  await app.close();
  const isCompressed = replyHeaders['content-encoding'] === 'gzip';
  return {
    replyHeaders,
    isCompressed,
    bytes: rawPayload.length,
    text: (isCompressed ? gunzipSync(rawPayload) : rawPayload).toString('utf8'),
  };
}

describe('a JSON answer', () => {
  test.each(['gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.8', 'gzip;q=0.5'])(
    'is compressed when the client accepts %s',
    async (encoding) => {
      const { replyHeaders, isCompressed, bytes, text } = await requestJson(LONG_JSON, encoding);
      expect([isCompressed, text, replyHeaders.vary, replyHeaders['content-type']]).toEqual([
        true,
        LONG_JSON,
        'accept-encoding',
        'application/json; charset=utf-8',
      ]);
      expect(bytes).toBeLessThan(Buffer.byteLength(LONG_JSON) / 5);
    },
  );

  test.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br'])(
    'is not compressed when the client accepts %s',
    async (encoding) => {
      const { replyHeaders, isCompressed, text } = await requestJson(LONG_JSON, encoding);
      expect([isCompressed, text, replyHeaders.vary]).toEqual([false, LONG_JSON, 'accept-encoding']);
    },
  );

  test('is not compressed when it is short', async () => {
    const { isCompressed, text } = await requestJson('{"short":true}', 'gzip');
    expect([isCompressed, text]).toEqual([false, '{"short":true}']);
  });
});
