import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API, type CallName } from '../../contract/api.ts';
import type { Call } from '../../contract/call.ts';
import { buildUrl } from '../../contract/callClient.ts';
import { expectValidationErrors, sendRequest } from '../../testing/checkedClient.ts';
import {
  HOSTILE_VALUES,
  INVALID_INPUTS,
  LOCATION_MESSAGE,
  UNKNOWN_ID,
  validAddress,
  validSignUp,
} from '../../testing/invalidInputs.ts';
import { createParticipants, orderBody, type Participants, placeOrder, REVIEW } from '../../testing/orderSteps.ts';
import {
  CHEAPEST_DATABASE,
  openTestServer,
  PASSWORD,
  type TestServer,
  type TestUser,
} from '../../testing/testServer.ts';

describe('the validation of requests', () => {
  let testServer: TestServer;
  let participants: Participants;
  let orderId: string;

  beforeAll(async () => {
    testServer = await openTestServer(CHEAPEST_DATABASE);
    participants = await createParticipants(testServer);
    orderId = (await placeOrder(participants)).id;
  });
  afterAll(() => testServer?.close());

  const post = (path: string, body: unknown, user: TestUser | undefined = participants.bud, headers = {}) =>
    sendRequest(testServer.apiUrl, 'POST', path.replace(':order', orderId), { token: user?.token, body, headers });

  test.each(INVALID_INPUTS)(
    'a request to %s with %j gets a 400 when %s is %j',
    async (path, base, property, value, message) => {
      expect(expectValidationErrors(await post(path, { ...base, [property]: value }))).toEqual([[property, message]]);
    },
  );

  test('a 400 lists all bad properties, each with its first broken rule, in the order of the contract', async () => {
    const badSignUp = { address: { latitude: 'x', label: '' }, zeal: 1, phone: 'x', role: 3, email: 'x', more: null };
    expect(expectValidationErrors(await post('/auth/signUp', badSignUp))).toEqual([
      ['email', 'Email is invalid'],
      ['emailOtp', 'OTP code is required'],
      ['fullname', 'Full Name is required'],
      ['password', 'Password is required'],
      ['role', 'Please select your role'],
      ['phone', 'Please enter a valid phone'],
      ['address.address', 'Address is required'],
      ['address.label', 'Label is required'],
      ['address.latitude', 'Latitude must be a number'],
      ['address.longitude', LOCATION_MESSAGE],
      ['zeal', 'Unknown property zeal'],
      ['more', 'Unknown property more'],
    ]);
    expect(expectValidationErrors(await post('/scrub-orders', {})).map(([property]) => property)).toEqual([
      'budAddressId',
      'loadSize',
      'scrubId',
      'paymentSourceId',
    ]);
    expect(
      expectValidationErrors(await post('/scrub-orders/x/review-to-scrub', { rating: 9 })).map(([one]) => one),
    ).toEqual(['id', 'message', 'rating', 'scrubId']);
    expect(expectValidationErrors(await post('/deliveries/x/review-to-duber', {})).map(([one]) => one)).toEqual([
      'id',
      'duberId',
      'message',
      'rating',
    ]);
  });

  test('a client cannot set a price, a status, a role or an owner: they are unknown properties', async () => {
    for (const extra of [{ price: 1 }, { totalPrice: 0 }, { status: 'Completed' }, { budId: UNKNOWN_ID }]) {
      const [name = ''] = Object.keys(extra);
      expect(expectValidationErrors(await post('/scrub-orders', orderBody(participants, extra)))).toEqual([
        [name, `Unknown property ${name}`],
      ]);
    }
    expect(expectValidationErrors(await post('/profile', { role: 'Duber' }))).toEqual([
      ['role', 'Unknown property role'],
    ]);
    expect(expectValidationErrors(await post('/profile', { email: 'x@y.zz' }))).toEqual([
      ['email', 'Unknown property email'],
    ]);
    expect(
      expectValidationErrors(await post('/auth/signUp', { ...validSignUp, address: { ...validAddress, id: 'x' } })),
    ).toEqual([['address.id', 'Unknown property address.id']]);
  });

  test('a text is trimmed, except for a password', async () => {
    const { body } = await post('/profile', { fullname: '  Ada  Bud \n' });
    expect(body.fullname).toBe('Ada  Bud');
    const reply = await post('/auth/login', {
      email: ` ${participants.bud.user.email.toUpperCase()} `,
      password: ` ${PASSWORD}`,
    });
    expect(reply.status).toBe(401);
    expect((await post('/auth/login', { email: ` ${participants.bud.user.email} `, password: PASSWORD })).status).toBe(
      200,
    );
  });

  test.each(['+10000000000', '+15555555555', '+999123456789', '+1202', '+120255501234567'])(
    'the phone number %s, which no phone can have, is refused with the text of its form',
    async (phone) => {
      expect(expectValidationErrors(await post('/profile', { phone }))).toEqual([['phone', 'Invalid phone number']]);
      const signUp = expectValidationErrors(await post('/auth/signUp', { phone }));
      expect(signUp).toContainEqual(['phone', 'Please enter a valid phone']);
    },
  );

  test('a phone number may be missing, empty or removed', async () => {
    expect((await post('/profile', { phone: '+442079460958' })).body.phone).toBe('+442079460958');
    expect((await post('/profile', {})).body.phone).toBe('+442079460958');
    expect((await post('/profile', { phone: '' })).body.phone).toBeNull();
    expect((await post('/profile', { phone: null })).body.phone).toBeNull();
  });

  const withBody = (Object.entries(API) as [CallName, Call][]).filter(([, call]) => call.body);

  test.each(withBody)('%s never answers 5xx, whatever value any property has', async (_name, call) => {
    const user = { Bud: participants.bud, Scrub: participants.scrub, Duber: participants.duber }[
      call.who === 'anyone' ? 'Bud' : (call.who[0] ?? 'Bud')
    ];
    const path = buildUrl(call, { params: { id: UNKNOWN_ID } });
    const base = call.example?.body as Record<string, unknown>;
    for (const property of Object.keys(base)) {
      for (const value of HOSTILE_VALUES) {
        const { status } = await post(path, { ...base, [property]: value }, user);
        expect(status, `${property} ${JSON.stringify(value)}`).toBeLessThan(500);
      }
    }
    for (const value of HOSTILE_VALUES) {
      const reply = await post(path, JSON.stringify(value) ?? '', user);
      if (value !== null && typeof value !== 'object') expect([400], JSON.stringify(value)).toContain(reply.status);
      expect(reply.status).toBeLessThan(500);
    }
    const all = Object.fromEntries(Object.keys(base).map((name) => [name, '\u0000']));
    expect(
      expectValidationErrors(await post(path, { ...all, [`x${'y'.repeat(100)}`]: 1 }, user)).length,
    ).toBeGreaterThan(0);
  });

  test('control characters and lone surrogates are refused with the name of the property', async () => {
    const message = 'Full Name must not contain control characters';
    for (const fullname of ['a\u0000b', 'a\u0007', 'a\ud800b', '\u007f']) {
      expect(expectValidationErrors(await post('/profile', { fullname }))).toEqual([['fullname', message]]);
    }
    expect((await post('/profile', { fullname: 'Ada 😀 بود' })).body.fullname).toBe('Ada 😀 بود');
    const instructions = await post('/scrub-orders', orderBody(participants, { orderInstructions: 'x\udfff' }));
    expect(expectValidationErrors(instructions)).toEqual([
      ['orderInstructions', 'Special Instructions must not contain control characters'],
    ]);
  });

  test.each(['x', '1', UNKNOWN_ID.slice(1), `${UNKNOWN_ID}0`, '%00', 'a'.repeat(3000), 'null', "1'or'1'='1"])(
    'the id %j gets a 400 that names it',
    async (id) => {
      for (const path of [`/scrub-orders/${id}`, `/scrub-orders/${id}/cancel-order`, `/deliveries/${id}`]) {
        const reply = await sendRequest(testServer.apiUrl, 'GET', path, { token: participants.bud.token });
        expect(expectValidationErrors(reply)).toEqual([['id', 'id must be an id']]);
      }
    },
  );

  test('an id in capital letters is the same id', async () => {
    const path = `/scrub-orders/${orderId.toUpperCase()}`;
    expect((await sendRequest(testServer.apiUrl, 'GET', path, { token: participants.bud.token })).body.id).toBe(
      orderId,
    );
  });

  test('a URL with a broken escape gets a 400', async () => {
    const reply = await sendRequest(testServer.apiUrl, 'GET', '/scrub-orders/%E0%A4%A', {
      token: participants.bud.token,
    });
    expect(reply.status).toBe(400);
  });

  test.each([
    ['addressId=x', 'addressId'],
    ['', 'addressId'],
    [`addressId=${UNKNOWN_ID}&addressId=${UNKNOWN_ID}`, 'addressId'],
    [`addressId=${UNKNOWN_ID}&maxDistanceMeters=0`, 'maxDistanceMeters'],
    [`addressId=${UNKNOWN_ID}&maxDistanceMeters=50001`, 'maxDistanceMeters'],
    [`addressId=${UNKNOWN_ID}&maxDistanceMeters=-5`, 'maxDistanceMeters'],
    [`addressId=${UNKNOWN_ID}&maxDistanceMeters=abc`, 'maxDistanceMeters'],
    [`addressId=${UNKNOWN_ID}&maxDistanceMeters=1e3`, 'maxDistanceMeters'],
    [`addressId=${UNKNOWN_ID}&maxDistanceMeters=${'9'.repeat(400)}`, 'maxDistanceMeters'],
    [`addressId=${UNKNOWN_ID}&maxDistanceMeters=`, 'maxDistanceMeters'],
    [`addressId=${UNKNOWN_ID}&latitude=91&longitude=0`, 'latitude'],
    [`addressId=${UNKNOWN_ID}&latitude=0&longitude=181`, 'longitude'],
    [`addressId=${UNKNOWN_ID}&latitude=NaN&longitude=0`, 'latitude'],
    [`addressId=${UNKNOWN_ID}&colour=red`, 'colour'],
  ])('find-deliveries-nearby?%s gets a 400 about %s', async (query, property) => {
    const reply = await sendRequest(testServer.apiUrl, 'GET', `/deliveries/find-deliveries-nearby?${query}`, {
      token: participants.duber.token,
    });
    expect(expectValidationErrors(reply).map(([one]) => one)).toEqual([property]);
  });

  test('a body over 64 KB gets a 413, and one of exactly 64 KB is read', async () => {
    const body = (size: number) => JSON.stringify({ email: 'a'.repeat(size - 12) });
    expect(body(64 * 1024)).toHaveLength(64 * 1024);
    expect((await post('/auth/login', body(64 * 1024))).status).toBe(400);
    expect((await post('/auth/login', body(64 * 1024 + 1))).status).toBe(413);
    expect((await post('/auth/login', `"${'x'.repeat(1_000_000)}"`)).status).toBe(413);
    expect((await post('/profile', `"${'x'.repeat(100_000)}"`)).status).toBe(413);
  });

  test.each([
    '{',
    '{"email":}',
    'undefined',
    '{"a":1,}',
    "{'a':1}",
    '\u0000',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":1}}',
  ])('the body %j gets a 400, because it is not JSON', async (text) => {
    expect((await post('/auth/login', text)).body.message).toBe('The body is not valid JSON');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    ';',
  ])('a body of type %s gets a 415', async (type) => {
    const reply = await post('/auth/login', 'email=a', participants.bud, { 'content-type': type });
    expect(reply.status).toBe(415);
  });

  test('a JSON body may name its charset, and an empty body counts as an empty object', async () => {
    const type = { 'content-type': 'application/json; charset=utf-8' };
    expect((await post('/profile', { phone: null }, participants.bud, type)).status).toBe(200);
    const empty = await post('/auth/login', '', participants.bud, type);
    expect(expectValidationErrors(empty).map(([property]) => property)).toEqual(['email', 'password']);
    const { authToken } = await testServer
      .api()
      .login({ body: { email: participants.duber.user.email, password: PASSWORD } });
    const logout = await sendRequest(testServer.apiUrl, 'POST', '/auth/logout', { token: authToken, headers: type });
    expect(logout.status).toBe(204);
  });

  test.each(['', ' ', 'a b', 'ключ', 'x'.repeat(201)])('the Idempotency-Key %j gets a 400', async (key) => {
    const status = await placeWithKey(testServer, participants, key);
    expect(status).toBe(400);
  });

  test('the checks run in this order: 401, 403, 400, 404, 409', async () => {
    const path = `/scrub-orders/${UNKNOWN_ID}/review-to-scrub`;
    expect((await sendRequest(testServer.apiUrl, 'POST', path, { body: '{' })).status).toBe(401);
    expect((await post(path, '{', participants.scrub)).status).toBe(403);
    expect((await post(path, '{')).status).toBe(400);
    expect((await post(path, { rating: 9 })).status).toBe(400);
    expect((await post(path, { ...REVIEW, scrubId: UNKNOWN_ID })).status).toBe(404);
    const own = `/scrub-orders/${orderId}/review-to-scrub`;
    expect(expectValidationErrors(await post(own, { ...REVIEW, scrubId: UNKNOWN_ID }))).toEqual([
      ['scrubId', 'scrubId is not the Scrub of this order'],
    ]);
    expect((await post(own, { ...REVIEW, scrubId: participants.scrub.user.id })).status).toBe(409);
  });
});

/** Sends a header with any bytes. `fetch` refuses to send some of them. */
function placeWithKey(testServer: TestServer, participants: Participants, key: string): Promise<number | undefined> {
  const body = JSON.stringify(orderBody(participants));
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${participants.bud.token}`,
      'content-type': 'application/json',
      'idempotency-key': Buffer.from(key).toString('latin1'),
    };
    const sent = request(`${testServer.apiUrl}/scrub-orders`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
