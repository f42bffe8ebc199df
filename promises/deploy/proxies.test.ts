import { once } from 'node:events';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrderInStatus, createParticipants, type Participants } from '../../testing/orderSteps.ts';
import { findTestPort } from '../../testing/ports.ts';
import { CHEAPEST_DATABASE, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { DOMAIN, PROXIES, type ProxyName, type RunningProxy, startProxy } from './proxies.ts';

const TOWN = { host: '127.0.0.1', servername: DOMAIN, rejectUnauthorized: false };

const names = Object.keys(PROXIES) as ProxyName[];

let server: TestServer;
let people: Participants;
beforeAll(async () => {
  server = await openTestServer(CHEAPEST_DATABASE, {
    env: { TRUST_PROXY: '1', PUBLIC_URL: `https://${DOMAIN}`, SANDBOX: 'on' },
    extend: async (app) => {
      app.get('/api/test-address', (asked) => ({ address: asked.ip, host: asked.headers.host }));
    },
  });
  people = await createParticipants(server);
});
afterAll(() => server?.close());

describe.each(names)('%s with the file of deploy/', (name) => {
  const program = PROXIES[name].find();
  if (program === undefined) {
    test.skip('is not on this machine, and Debian cannot be reached');
    return;
  }
  let proxy: RunningProxy;
  beforeAll(async () => {
    // The other server is away.
    proxy = await startProxy(name, program, [Number(new URL(server.apiUrl).port), await findTestPort()]);
    await waitFor(async () => expect((await ask('/api/health/ready')).status, proxy.log()).toBe(200));
  });
  afterAll(() => proxy?.stop());

  const open = async (path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> => {
    const call = request({ ...TOWN, path, port: proxy.https, headers: { host: DOMAIN, ...headers } });
    call.end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return response.setEncoding('utf8');
  };
  const ask = async (path: string, headers?: Record<string, string>) => {
    const response = await open(path, headers);
    let body = '';
    for await (const chunk of response) body += chunk;
    return { status: response.statusCode, body };
  };

  test('answers requests, none of which meets the server that is away', async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await ask('/api/health/live')).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('tells the server the address of the client, whatever the client has written', async () => {
    const { body } = await ask('/api/test-address', { 'x-forwarded-for': '203.0.113.9' });
    expect(JSON.parse(body)).toEqual({ address: '127.0.0.1', host: DOMAIN });
  });

  test('sends each live event on at once', async () => {
    const stream = await open('/api/events', { authorization: `Bearer ${people.scrub.token}` });
    expect(stream.headers['content-type']).toContain('text/event-stream');
    let text = '';
    stream.on('data', (chunk: string) => (text += chunk));
    await waitFor(() => expect(text).toContain(': welcome\n\n'));
    await createOrderInStatus(people, 'Accepted');
    await waitFor(() => expect(text).toContain('\ndata: {'));
    stream.destroy();
  });

  test('leads from http to https', async () => {
    const call = plainRequest({ host: '127.0.0.1', port: proxy.http, path: '/help', headers: { host: DOMAIN } });
    call.end();
    const [{ statusCode, headers }] = (await once(call, 'response')) as [IncomingMessage];
    expect(statusCode).toBe(308);
    expect(headers.location).toMatch(/^https:\/\/laundry\.example\.org(?::\d+)?\/help$/);
  });
});
