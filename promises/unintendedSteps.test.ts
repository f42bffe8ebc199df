import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELIVERY_FLOW, type DeliveryAction } from '../domain/deliveries.ts';
import { ORDER_FLOW, type OrderAction } from '../domain/orders.ts';
import { createOrderInStatus, createParticipants, DELIVERY_STEPS, type Participants } from '../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../testing/testServer.ts';
import { createDelivery } from '../testing/validCalls.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';

type Step = {
  readonly path: string;
  /** Who may take it now. */
  readonly permittedUser: TestUser;
  /** Of the other two roles. */
  readonly others: readonly TestUser[];
  /** Everything about it that a step would change. */
  readonly read: () => Promise<unknown>;
};

type Attempt = {
  readonly name: string;
  /** Sends the request, and gives the statuses of its answers. */
  readonly send: (step: Step) => Promise<readonly number[]>;
  readonly statuses: readonly number[];
};

describePromise('steps', (suite) => {
  let world: TestServer;
  let cast: Participants;

  beforeAll(async () => {
    world = await openTestServer(DATABASE_KINDS.at(-1) ?? 'embedded');
    cast = await createParticipants(world);
  }, TEST_TIMEOUT_MS);
  afterAll(() => world?.close());

  // Node's own fetch writes some of these headers itself, so the requests are made one floor below.
  const send = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const asked = request(`${world.apiUrl}${path}`, { method, headers, agent: false });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'close');
    // Nothing tells another site that it may read this, or send a header of its own.
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    return answer.statusCode ?? 0;
  };
  const cookie = ({ token }: TestUser) => ({ cookie: `auth-token=${token}` });
  const bearer = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` });

  // What browsers add by themselves, as Chromium and Firefox send it.
  const CROSS_SITE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: 'https://evil.example' };
  const IMAGE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  const NAVIGATION = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const PREFETCHES = [
    { 'sec-purpose': 'prefetch', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' },
    { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ];
  const each = <T>(of: readonly T[], ask: (one: T) => Promise<number>) => Promise.all(of.map(ask));

  const WAYS: readonly Attempt[] = [
    {
      name: 'the cookie alone',
      send: ({ path, permittedUser: rightful }) => each([cookie(rightful)], (it) => send(path, it)),
      statuses: [401],
    },
    {
      name: 'another site, with the cookie',
      send: ({ path, permittedUser: rightful }) =>
        each([CROSS_SITE, IMAGE], (headers) => send(path, { ...cookie(rightful), ...headers })),
      statuses: [401],
    },
    {
      name: 'another site, with the token',
      send: ({ path, permittedUser: rightful }) =>
        each([CROSS_SITE, IMAGE], (headers) => send(path, { ...bearer(rightful), ...headers })),
      statuses: [403],
    },
    {
      name: 'another site’s question beforehand',
      send: ({ path }) =>
        each(['GET', 'POST'], (wanted) =>
          send(
            path,
            {
              ...CROSS_SITE,
              'access-control-request-method': wanted,
              'access-control-request-headers': 'authorization',
            },
            'OPTIONS',
          ),
        ),
      statuses: [405],
    },
    {
      name: 'a navigation',
      send: ({ path, permittedUser: rightful }) =>
        each([cookie(rightful)], (it) => send(path, { ...it, ...NAVIGATION })),
      statuses: [401],
    },
    {
      name: 'a navigation, with the token',
      send: ({ path, permittedUser: rightful }) =>
        each([bearer(rightful)], (it) => send(path, { ...it, ...NAVIGATION })),
      statuses: [403],
    },
    {
      name: 'a prefetch, with both',
      send: ({ path, permittedUser: rightful }) =>
        each(PREFETCHES, (headers) => send(path, { ...cookie(rightful), ...bearer(rightful), ...headers })),
      statuses: [403],
    },
    {
      name: 'HEAD and other methods, with the token',
      send: ({ path, permittedUser: rightful }) =>
        each(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], (method) =>
          send(path, { ...bearer(rightful), 'x-http-method-override': 'GET' }, method),
        ),
      statuses: [405],
    },
    {
      name: 'the token in the address',
      send: ({ path, permittedUser: rightful }) =>
        each(['token', 'authToken', 'auth-token', 'access_token', 'authorization'], (name) =>
          send(`${path}?${name}=${rightful.token}`, cookie(rightful)),
        ),
      statuses: [401],
    },
    {
      name: 'the other roles, with their tokens',
      send: ({ path, others }) => each(others, (other) => send(path, bearer(other))),
      statuses: [403],
    },
  ];

  async function orderStep(action: OrderAction): Promise<Step> {
    const row = ORDER_FLOW.find((one) => one.action === action);
    if (!row) throw new Error(`no row for ${action}`);
    const { id } = await createOrderInStatus(cast, row.from);
    const [rightful, other] = row.by === 'Bud' ? [cast.bud, cast.scrub] : [cast.scrub, cast.bud];
    const read = () => cast.bud.api.readOrder({ params: { id } });
    return { path: `/scrub-orders/${id}/${action}`, permittedUser: rightful, others: [other, cast.duber], read };
  }

  async function deliveryStep(action: DeliveryAction): Promise<Step> {
    const steps = DELIVERY_STEPS.indexOf(action);
    const { id, duber } = await createDelivery({ testServer: world, participants: cast }, steps);
    const read = () => cast.bud.api.readDelivery({ params: { id } });
    return { path: `/deliveries/${id}/${action}`, permittedUser: duber, others: [cast.bud, cast.scrub], read };
  }

  const STEPS = [
    ...ORDER_FLOW.map(({ action }) => ({ action, open: () => orderStep(action) })),
    ...DELIVERY_FLOW.map(({ action }) => ({ action, open: () => deliveryStep(action) })),
  ];

  test('ten steps, asked for in ten ways that nobody meant, change nothing', { timeout: TEST_TIMEOUT_MS }, async () => {
    suite.expectCases(STEPS.length * WAYS.length);
    for (const { action, open } of STEPS) {
      const step = await open();
      const before = await step.read();
      for (const { name, send: ask, statuses } of WAYS) {
        const answered = await ask(step);
        expect(new Set(answered), `${action} by ${name}`).toEqual(new Set(statuses));
        expect(await step.read(), `${action} by ${name}`).toEqual(before);
        suite.countCases();
      }
    }
    expect([STEPS.length, WAYS.length]).toEqual([10, 10]);
  });

  test('each step acts once when it is meant, and sent twice at once it still acts once', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    suite.expectCases(STEPS.length);
    const meant = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    for (const { action, open } of STEPS) {
      const { path, permittedUser: rightful, read } = await open();
      const before = (await read()) as { statusHistory: unknown[] };
      const answered = await each([1, 2], () => send(path, { ...bearer(rightful), ...meant }));
      expect(answered.toSorted(), action).toEqual([200, 409]);
      const after = (await read()) as { statusHistory: unknown[] };
      expect(after.statusHistory, action).toHaveLength(before.statusHistory.length + 1);
      suite.countCases();
    }
  });
});
