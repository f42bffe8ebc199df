import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { CardNetworkUnavailableError } from './cards.ts';
import { createSquareCards, type SquareCards } from './square.ts';

type Received = { readonly request: string; readonly body: string; readonly version: string | undefined };

let received: Received[] = [];
let reply: (response: ServerResponse, path: string) => void;
let baseUrl: string;
let cards: SquareCards;
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { method, url = '', headers } = request;
  received.push({ request: `${method} ${url}`, body, version: headers['square-version']?.toString() });
  reply(response, url);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received = [];
  reply = answerWell;
  const config = { accessToken: 'token', applicationId: 'a', locationId: 'L1', baseUrl, webSdkUrl: '' };
  cards = createSquareCards(() => config, { holdTimeoutS: 600, timeoutS: 600 });
});
afterEach(() => cards.circuit.stop());

const sendJson = (response: ServerResponse, body: object, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
function answerWell(response: ServerResponse, path: string) {
  if (path.includes('refunds')) return sendJson(response, { refund: { id: 'r1', status: 'PENDING' } });
  const status = path.endsWith('/complete') ? 'COMPLETED' : path.endsWith('/cancel') ? 'CANCELED' : 'APPROVED';
  return sendJson(response, { payment: { id: 'p1', status, total_money: { amount: 2683, currency: 'USD' } } });
}

const request = { orderId: 'o1', amount: 2683, sourceId: 'cnon:x', verificationToken: null, customerId: null };
const held = { orderId: 'o1', amount: 2683, squareId: 'p1', versionToken: 'v1' };
const refund = { refundId: 'f1', squareId: 'p1', amount: 1000, reason: 'a torn shirt', squareRefundId: null };

const HOLD = '"source_id":"cnon:x","amount_money":{"amount":2683,"currency":"USD"},"autocomplete":false';

// What Square's own SDK (npm square 46.0.0) sent for the same calls, recorded before it was replaced.
test.each<[name: string, call: () => Promise<unknown>, request: string, body: string]>([
  [
    'a hold',
    () => cards.hold(request),
    'POST /base/v2/payments',
    `{"idempotency_key":"hold-o1",${HOLD},"reference_id":"o1","location_id":"L1"}`,
  ],
  [
    'a hold of a verified buyer',
    () => cards.hold({ ...request, verificationToken: 'verf:1' }),
    'POST /base/v2/payments',
    `{"idempotency_key":"hold-o1",${HOLD},"reference_id":"o1","location_id":"L1","verification_token":"verf:1"}`,
  ],
  ['a capture', () => cards.capture(held), 'POST /base/v2/payments/p1/complete', '{"version_token":"v1"}'],
  [
    'a capture of any version',
    () => cards.capture({ ...held, versionToken: null }),
    'POST /base/v2/payments/p1/complete',
    '{}',
  ],
  ['a release', () => cards.release(held), 'POST /base/v2/payments/p1/cancel', ''],
  [
    'a release by key',
    () => cards.release({ ...held, squareId: null }),
    'POST /base/v2/payments/cancel',
    '{"idempotency_key":"hold-o1"}',
  ],
  [
    'a refund',
    () => cards.refund(refund),
    'POST /base/v2/refunds',
    '{"idempotency_key":"refund-f1","payment_id":"p1","amount_money":{"amount":1000,"currency":"USD"},"reason":"a torn shirt"}',
  ],
  [
    'a look at a refund',
    () => cards.refund({ ...refund, squareRefundId: 'p1_r/1 é' }),
    'GET /base/v2/refunds/p1_r%2F1%20%C3%A9',
    '',
  ],
  ['a look at a payment', () => cards.findPayment('p/1 ?'), 'GET /base/v2/payments/p%2F1%20%3F', ''],
])("%s is sent as Square's SDK sends it", async (_name, call, expected, body) => {
  await call();
  expect(received).toEqual([{ request: expected, body, version: '2026-09-16' }]);
});

const DAY = { begin: new Date('2026-11-23T00:00:00Z'), end: new Date('2026-11-24T00:00:00Z') };
const until = 'end_time=2026-11-24T00%3A00%3A00.000Z';

test.each<[name: string, call: () => Promise<{ items: readonly object[] }>, request: string]>([
  [
    'the charges of a day, with the holds of the week before',
    () => cards.lists.charges(DAY),
    `/payments?location_id=L1&begin_time=2026-11-15T00%3A00%3A00.000Z&${until}`,
  ],
  [
    'the next page of the refunds of a day',
    () => cards.lists.refunds(DAY, 'next/1'),
    `/refunds?location_id=L1&begin_time=2026-11-23T00%3A00%3A00.000Z&${until}&cursor=next%2F1`,
  ],
])('%s', async (_name, call, expected) => {
  reply = (response) => sendJson(response, {});
  expect((await call()).items).toEqual([]);
  expect(received.map(({ request }) => request)).toEqual([`GET /base/v2${expected}`]);
});

test.each<[name: string, answer: typeof reply]>([
  ['a page of a proxy', (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found')],
  ['a 404 without an error of Square', (response) => sendJson(response, { message: 'no such route' }, 404)],
  ['a redirect', (response) => response.writeHead(302, { location: '/base/v2/payments' }).end()],
  [
    'half of an answer',
    (response) => {
      response.writeHead(200, { 'content-length': '90' }).write('{"payment":{"id":"p1"', () => response.destroy());
    },
  ],
  ['an answer that ends early', (response) => response.writeHead(200).end('{"payment":{"id":"p1"')],
  ['a payment without a status', (response) => sendJson(response, { payment: { id: 'p1' } })],
  ['a payment that still runs', (response) => sendJson(response, { payment: { id: 'p1', status: 'PENDING' } })],
  [
    'an amount that is no number of cents',
    (response) =>
      sendJson(response, {
        payment: { id: 'p1', status: 'APPROVED', total_money: { amount: '26.83', currency: 'USD' } },
      }),
  ],
  [
    'an answer without end',
    (response) => {
      response.writeHead(200);
      const more = () => response.write('x'.repeat(100_000), (error) => error ?? more());
      more();
    },
  ],
])('%s proves nothing, neither a hold nor that there is none', async (_name, answer) => {
  reply = answer;
  await expect(cards.hold(request)).rejects.toBeInstanceOf(CardNetworkUnavailableError);
});

test('a request on a kept connection that was just closed is sent again, once', async () => {
  await cards.hold(request);
  let drops = 1;
  reply = (response, path) => {
    drops -= 1;
    if (drops >= 0) response.socket?.resetAndDestroy();
    else answerWell(response, path);
  };
  await expect(cards.capture(held)).resolves.toBeDefined();
  expect(received.map((one) => one.request)).toEqual([
    'POST /base/v2/payments',
    'POST /base/v2/payments/p1/complete',
    'POST /base/v2/payments/p1/complete',
  ]);
  drops = Number.POSITIVE_INFINITY;
  await expect(cards.capture(held)).rejects.toThrow(CardNetworkUnavailableError);
});
