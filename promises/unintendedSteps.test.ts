import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API } from '../contract/api.ts';
import type { DeliveryAction } from '../domain/deliveries.ts';
import type { OrderAction } from '../domain/orders.ts';
import { DELIVERY_FLOW } from '../domain/process/delivery.ts';
import { ORDER_CALL_ROWS } from '../domain/process/order.ts';
import { createDelivery } from '../testing/deliveryExceptionCalls.ts';
import { createOrderInStatus, createParticipants, DELIVERY_STEPS, type Participants } from '../testing/orderSteps.ts';
import { CHEAPEST_DATABASE, openTestServer, type TestServer, type TestUser } from '../testing/testServer.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';

type Step = {
  readonly path: string;
  /** The user who may take the step now. */
  readonly permittedUser: TestUser;
  /** Users of the other two roles. */
  readonly others: readonly TestUser[];
  /** Reads everything that the step would change. */
  readonly read: () => Promise<unknown>;
};

type Attempt = {
  readonly name: string;
  /** Sends the requests and returns the statuses of their answers. */
  readonly send: (step: Step) => Promise<readonly number[]>;
  readonly statuses: readonly number[];
};

describePromise('unintended-steps', (suite) => {
  let testServer: TestServer;
  let participants: Participants;

  beforeAll(async () => {
    testServer = await openTestServer(CHEAPEST_DATABASE);
    participants = await createParticipants(testServer);
  }, TEST_TIMEOUT_MS);
  afterAll(() => testServer?.close());

  // Node's fetch sets some of these headers itself, so the requests use node:http.
  const send = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const outgoing = request(`${testServer.apiUrl}${path}`, { method, headers, agent: false });
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'close');
    // No CORS header allows another site to read the answer or to send custom headers.
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    return response.statusCode ?? 0;
  };
  const cookie = ({ token }: TestUser) => ({ cookie: `auth-token=${token}` });
  const bearer = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` });

  // Headers that Chromium and Firefox add themselves.
  const CROSS_SITE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: 'https://evil.example' };
  const IMAGE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  const NAVIGATION = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const PREFETCHES = [
    { 'sec-purpose': 'prefetch', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' },
    { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ];
  const sendEach = <T>(variants: readonly T[], sendOne: (variant: T) => Promise<number>) =>
    Promise.all(variants.map(sendOne));

  /** Some steps are also a POST, with a proof. Other sites cannot send it: its body is JSON. */
  const isCall = (method: string, path: string) =>
    Object.values(API).some((call) => call.method === method && path.endsWith(`/${call.path.split('/').at(-1)}`));

  const ATTEMPTS: readonly Attempt[] = [
    {
      name: 'the cookie alone',
      send: ({ path, permittedUser }) => sendEach([cookie(permittedUser)], (headers) => send(path, headers)),
      statuses: [401],
    },
    {
      name: 'another site, with the cookie',
      send: ({ path, permittedUser }) =>
        sendEach([CROSS_SITE, IMAGE], (headers) => send(path, { ...cookie(permittedUser), ...headers })),
      statuses: [401],
    },
    {
      name: 'another site, with the token',
      send: ({ path, permittedUser }) =>
        sendEach([CROSS_SITE, IMAGE], (headers) => send(path, { ...bearer(permittedUser), ...headers })),
      statuses: [403],
    },
    {
      name: 'a page whose own name leads to this server, with the token',
      send: ({ path, permittedUser }) =>
        sendEach(['rebound.example.org', 'localhost.example.org:80'], (host) =>
          send(path, { ...bearer(permittedUser), host }),
        ),
      statuses: [400],
    },
    {
      name: 'a CORS preflight of another site',
      send: ({ path }) =>
        sendEach(['GET', 'POST'], (method) =>
          send(
            path,
            {
              ...CROSS_SITE,
              'access-control-request-method': method,
              'access-control-request-headers': 'authorization',
            },
            'OPTIONS',
          ),
        ),
      statuses: [405],
    },
    {
      name: 'a navigation',
      send: ({ path, permittedUser }) =>
        sendEach([cookie(permittedUser)], (headers) => send(path, { ...headers, ...NAVIGATION })),
      statuses: [401],
    },
    {
      name: 'a navigation, with the token',
      send: ({ path, permittedUser }) =>
        sendEach([bearer(permittedUser)], (headers) => send(path, { ...headers, ...NAVIGATION })),
      statuses: [403],
    },
    {
      name: 'a prefetch, with cookie and token',
      send: ({ path, permittedUser }) =>
        sendEach(PREFETCHES, (headers) =>
          send(path, { ...cookie(permittedUser), ...bearer(permittedUser), ...headers }),
        ),
      statuses: [403],
    },
    {
      name: 'HEAD and other methods, with the token',
      send: ({ path, permittedUser }) =>
        sendEach(
          ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !isCall(method, path)),
          (method) => send(path, { ...bearer(permittedUser), 'x-http-method-override': 'GET' }, method),
        ),
      statuses: [405],
    },
    {
      name: 'the token in the URL',
      send: ({ path, permittedUser }) =>
        sendEach(['token', 'authToken', 'auth-token', 'access_token', 'authorization'], (name) =>
          send(`${path}?${name}=${permittedUser.token}`, cookie(permittedUser)),
        ),
      statuses: [401],
    },
    {
      name: 'the other roles, with their tokens',
      send: ({ path, others }) => sendEach(others, (other) => send(path, bearer(other))),
      statuses: [403],
    },
  ];

  async function orderStep(action: OrderAction): Promise<Step> {
    const row = ORDER_CALL_ROWS.find((one) => one.action === action);
    if (!row) throw new Error(`no call takes ${action}`);
    const { id } = await createOrderInStatus(participants, row.from);
    const { bud, scrub, duber } = participants;
    const [permittedUser, other] = row.by === 'Bud' ? [bud, scrub] : [scrub, bud];
    const read = () => bud.api.readOrder({ params: { id } });
    return { path: `/scrub-orders/${id}/${action}`, permittedUser, others: [other, duber], read };
  }

  async function deliveryStep(action: DeliveryAction): Promise<Step> {
    const steps = DELIVERY_STEPS.indexOf(action);
    const { id, duber } = await createDelivery({ testServer, participants }, steps);
    const { bud, scrub } = participants;
    const read = () => bud.api.readDelivery({ params: { id } });
    return { path: `/deliveries/${id}/${action}`, permittedUser: duber, others: [bud, scrub], read };
  }

  const STEPS = [
    ...ORDER_CALL_ROWS.map(({ action }) => ({ action, open: () => orderStep(action) })),
    ...DELIVERY_FLOW.map(({ action }) => ({ action, open: () => deliveryStep(action) })),
  ];

  test('none of ten steps, sent in eleven ways that are no user action in the app, changes anything', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    suite.expectCases(STEPS.length * ATTEMPTS.length);
    for (const { action, open } of STEPS) {
      const step = await open();
      const before = await step.read();
      for (const { name, send: sendAttempt, statuses } of ATTEMPTS) {
        const answered = await sendAttempt(step);
        expect(new Set(answered), `${action} by ${name}`).toEqual(new Set(statuses));
        expect(await step.read(), `${action} by ${name}`).toEqual(before);
        suite.countCases();
      }
    }
    expect([STEPS.length, ATTEMPTS.length]).toEqual([10, 11]);
  });

  test('a step that the user takes in the app acts once, even when it is sent twice at once', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    suite.expectCases(STEPS.length);
    const appHeaders = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    for (const { action, open } of STEPS) {
      const { path, permittedUser, read } = await open();
      const before = (await read()) as { statusHistory: unknown[] };
      const answered = await sendEach([1, 2], () => send(path, { ...bearer(permittedUser), ...appHeaders }));
      expect(answered.toSorted(), action).toEqual([200, 409]);
      const after = (await read()) as { statusHistory: unknown[] };
      expect(after.statusHistory, action).toHaveLength(before.statusHistory.length + 1);
      suite.countCases();
    }
  });
});
