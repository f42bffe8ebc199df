import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../../domain/setUp.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { startS3Sandbox } from '../../testing/s3Sandbox.ts';
import { CHEAPEST_DATABASE, openTestServer, type TestServer } from '../../testing/testServer.ts';

const SECRETS = ['EAAA-secret', 'pk.secret', 'smtp-secret'];

describe('the connections of a town', () => {
  describe('with stand-ins', () => {
    let testServer: TestServer;
    let ada: TestOperator;
    beforeAll(async () => {
      testServer = await openTestServer(CHEAPEST_DATABASE, { hasCity: true });
      ada = await createOperator(testServer);
      // The city is drawn with the first request, which takes some seconds.
      await fetch(`${testServer.sandboxUrl}/sandbox/map/style.json`);
      const query = 'q=Foam&access_token=sandbox&session_token=1';
      await fetch(`${testServer.sandboxUrl}/sandbox/places/search/searchbox/v1/suggest?${query}`);
    });
    afterAll(() => testServer?.close());

    test('are listed with the names of the variables that make them real', async () => {
      const { connections } = await ada.api.readSetUp();
      expect(connections.map(({ name, use }) => `${name}: ${use}`)).toEqual([
        ...['card: stand-in', 'mail: stand-in', 'search: stand-in', 'map: stand-in'],
        ...['routing: stand-in', 'files: none'],
      ]);
      expect(connections[0]?.variables).toContainEqual({ name: 'SQUARE_ACCESS_TOKEN', isSet: false });
    });

    test.each(['card', 'search', 'map', 'routing', 'files'] as const)('%s works', async (name) => {
      const { isWorking, words } = await ada.api.testConnection({ body: { name } });
      expect({ isWorking, words }).toEqual({ isWorking: true, words: expect.stringMatching(/\.$/) });
    });

    test('mail works, and is for the operator who has asked', async () => {
      const { isWorking, words } = await ada.api.testConnection({ body: { name: 'mail' } });
      expect([isWorking, words]).toEqual([true, expect.stringContaining('/sandbox/mail')]);
      await testServer.waitForMail(ada.email, 'The mail of your town works');
    });

    test('a card network that is unavailable does not', async () => {
      await fetch(`${testServer.sandboxUrl}/sandbox/square/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ on: 'location', how: 'unavailable' }),
      });
      expect(await ada.api.testConnection({ body: { name: 'card' } })).toEqual({
        isWorking: false,
        words: expect.stringContaining('does not answer'),
      });
    });
  });

  describe('with third parties that refuse', () => {
    let third: FastifyInstance;
    let testServer: TestServer;
    let ada: TestOperator;
    let location: { status: number; body: object };
    let bucket: Awaited<ReturnType<typeof startS3Sandbox>>;

    beforeAll(async () => {
      third = Fastify();
      third.get('/square/v2/locations/:id', async (_request, reply) => reply.code(location.status).send(location.body));
      third.get('/search/*', async (_request, reply) => reply.code(401).send({ message: 'Not Authorized' }));
      third.get('/style.json', async () => ({ hello: 'I am no map' }));
      third.get('/routing/*', async (_request, reply) => reply.code(404).type('text/html').send('<p>No</p>'));
      const url = await third.listen({ host: '127.0.0.1', port: 0 });
      bucket = await startS3Sandbox();
      testServer = await openTestServer(CHEAPEST_DATABASE, {
        env: {
          SQUARE_BASE_URL: `${url}/square`,
          SQUARE_ACCESS_TOKEN: 'EAAA-secret',
          SQUARE_APPLICATION_ID: 'sandbox-app',
          SQUARE_LOCATION_ID: 'L1',
          MAPBOX_BASE_URL: url,
          MAPBOX_TOKEN: 'pk.secret',
          MAP_STYLE_URL: `${url}/style.json`,
          ROUTING_URL: `${url}/routing`,
          S3_URL: bucket.config.url,
          S3_ACCESS_KEY_ID: bucket.config.accessKeyId,
          S3_SECRET_ACCESS_KEY: bucket.config.secretAccessKey,
          // Nobody listens there.
          SMTP_URL: 'smtp://town:smtp-secret@127.0.0.1:1',
        },
      });
      ada = await createOperator(testServer);
    });
    afterAll(async () => {
      await testServer?.close();
      await third?.close();
      await bucket?.stop();
    });

    const tryOne = async (name: Connection) => {
      const { isWorking, words } = await ada.api.testConnection({ body: { name } });
      for (const secret of SECRETS) expect(words).not.toContain(secret);
      return [isWorking, words];
    };

    test('are listed without the values of their variables', async () => {
      const answer = await ada.api.readSetUp();
      expect(answer.connections.filter(({ use }) => use === 'real').map(({ name }) => name)).toEqual([
        ...['card', 'mail', 'search', 'map', 'routing', 'files'],
      ]);
      for (const secret of SECRETS) expect(JSON.stringify(answer)).not.toContain(secret);
    });

    test.each([
      ['mail', 'Check the host and the port in SMTP_URL'],
      ['search', 'Check MAPBOX_TOKEN'],
      ['map', 'MAP_STYLE_URL answered 200 without a map style'],
      ['routing', 'not as an OSRM server'],
    ] as const)('%s says what to do', async (name, words) => {
      expect(await tryOne(name)).toEqual([false, expect.stringContaining(words)]);
    });

    test('a bucket that works says so, and one that does not answer says what to do', async () => {
      expect(await tryOne('files')).toEqual([true, 'The bucket stores, returns and deletes files.']);
      bucket.goAway();
      expect(await tryOne('files')).toEqual([false, expect.stringContaining('Check S3_URL')]);
    });

    const refusal = (code: string) => ({ errors: [{ category: 'ERROR', code, detail: 'No.' }] });
    test.each([
      [401, refusal('UNAUTHORIZED'), 'does not accept SQUARE_ACCESS_TOKEN'],
      [404, refusal('NOT_FOUND'), 'does not know SQUARE_LOCATION_ID'],
      [400, refusal('BAD_REQUEST'), 'answered 400'],
      [200, { location: { id: 'L1', name: 'Oslo', currency: 'NOK' } }, 'takes NOK'],
      [200, { location: { id: 'L1', status: 'INACTIVE', currency: 'USD' } }, 'does not take cards yet'],
    ])('a card network that answers %i says what to do', async (status, body, words) => {
      location = { status, body };
      expect(await tryOne('card')).toEqual([false, expect.stringContaining(words)]);
    });
  });

  test('can be tried some times a minute', async () => {
    const testServer = await openTestServer(CHEAPEST_DATABASE, {
      isClockStopped: true,
      env: { RATE_LIMIT_SCALE: '0.1' },
    });
    const ada = await createOperator(testServer);
    const tryFiles = () => ada.api.testConnection({ body: { name: 'files' } });
    await tryFiles();
    await tryFiles();
    expect((await expectFailure(tryFiles())).status).toBe(429);
    await testServer.close();
  });
});
