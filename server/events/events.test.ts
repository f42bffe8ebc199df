import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CURSOR_HEADER, RESUMED_HEADER } from '../../contract/call.ts';
import { requestEmailChange } from '../../testing/credentialCalls.ts';
import { queryAt } from '../../testing/databaseConnection.ts';
import { type EventStreamListener, listenToEvents, type ReceivedEvent } from '../../testing/eventListener.ts';
import { DATABASE_KINDS, openTestServer, PASSWORD, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { WAIT, waitUntil } from '../../testing/waits.ts';

const summarize = ({ events }: EventStreamListener) => events.map(({ entity, status }) => `${entity} ${status}`);

const NEVER_MS = 60 * 60_000;
const timeoutOf = (ms: number) => new Promise((resolve) => setTimeout(() => resolve('still open'), ms).unref());

describe.each(DATABASE_KINDS)('live events on %s', (kind) => {
  let testServer: TestServer;
  let secondServer: TestServer;
  let bud: TestUser;
  let scrub: TestUser;
  let duber: TestUser;
  const open: EventStreamListener[] = [];

  beforeAll(async () => {
    // So rarely that a stream which ends here was ended by the event.
    const options = { streamCheckMs: NEVER_MS };
    testServer = await openTestServer(kind, options);
    secondServer = kind === 'postgres' ? await openTestServer(kind, { ...options, beside: testServer }) : testServer;
    bud = await testServer.createUser('Bud', { north: 300 });
    scrub = await testServer.createUser('Scrub', { north: 1200 });
    duber = await testServer.createUser('Duber', { east: 500 });
  });
  afterEach(() => {
    for (const listener of open.splice(0)) listener.disconnect();
  });
  afterAll(async () => {
    if (secondServer && secondServer !== testServer) await secondServer.close();
    await testServer?.close();
  });

  const listen = async (user: TestUser, lastId?: string) => {
    const listener = await listenToEvents(testServer.apiUrl, user.token, lastId === undefined ? {} : { lastId });
    open.push(listener);
    return listener;
  };
  const place = () =>
    bud.api.placeOrder({
      body: {
        budAddressId: bud.user.addresses[0]?.id ?? '',
        scrubId: scrub.user.id,
        loadSize: 'Small',
        paymentSourceId: 'cnon:card-nonce-ok',
      },
    });
  const deliver = async (user: TestUser, deliveryId: string) => {
    const params = { id: deliveryId };
    await user.api['accept-delivery']({ params });
    await user.api['way-to-pickup']({ params });
    await user.api.collected({ params });
    await user.api['way-to-drop']({ params });
    await user.api.delivered({ params });
  };

  test('a stream that starts at the cursor of an earlier response misses no event in between', async () => {
    const cursorOf = async (path: string, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await fetch(testServer.apiUrl + path, { headers })).headers.get(CURSOR_HEADER) ?? undefined;
    };
    const cursors = [await cursorOf('/dashboards/scrub', scrub.token), await cursorOf('/auth/session', scrub.token)];
    const { id } = await place();
    const later = await cursorOf(`/scrub-orders/${id}`, scrub.token);
    for (const lastId of cursors) {
      expect(lastId).toBeDefined();
      const listener = await listen(scrub, lastId);
      expect(listener.headers[RESUMED_HEADER]).toBe('yes');
      await waitUntil(() => listener.events.some((event) => event.id === id));
    }
    expect(later).toMatch(/^\d+-\d+$/);
    await bud.api['cancel-order']({ params: { id } });
  });

  test('the Bud and the Scrub receive every step of their order, with the times of its history, and nobody else does', async () => {
    const far = await testServer.createUser('Duber', { north: 9000 });
    const stranger = await testServer.createUser('Bud', { north: 310 });
    const [forBud, forScrub, forDuber, forFar, forStranger] = (await Promise.all(
      [bud, scrub, duber, far, stranger].map((user) => listen(user)),
    )) as [EventStreamListener, EventStreamListener, EventStreamListener, EventStreamListener, EventStreamListener];
    const { id } = await place();
    await scrub.api['accept-order']({ params: { id } });
    const { deliveries } = await scrub.api.readOrder({ params: { id } });
    const delivery = deliveries[0]?.id ?? '';
    await deliver(duber, delivery);
    await scrub.api['start-order']({ params: { id } });
    const review = { rating: 5, message: 'Fast and friendly, thank you.', duberId: duber.user.id };
    await bud.api.reviewToDuber({ params: { id: delivery }, body: review });
    const both = [
      'order Requested',
      'order Accepted',
      'delivery Pending',
      'delivery Accepted',
      'delivery Way_To_Pick',
      'delivery Collected',
      'delivery Way_To_Drop',
      'delivery Delivered',
      'order In_Progress',
      'delivery Delivered',
    ];
    await waitUntil(() => forBud.events.length >= both.length && forScrub.events.length >= both.length);
    await waitUntil(() => forDuber.events.length >= 7);
    expect(summarize(forBud)).toEqual(both);
    expect(summarize(forScrub)).toEqual(both);
    expect(summarize(forDuber)).toEqual(both.filter((one) => one.startsWith('delivery')));
    const { statusHistory } = await bud.api.readOrder({ params: { id } });
    const times = (events: ReceivedEvent[]) => events.filter((one) => one.entity === 'order').map((one) => one.at);
    expect(times(forBud.events)).toEqual(statusHistory.map((step) => step.createdAt));
    expect([forFar.events, forStranger.events]).toEqual([[], []]);
  });

  test('free Dubers nearby receive a pending delivery and that it was taken', async () => {
    const [free, busy] = [
      await testServer.createUser('Duber', { east: 700 }),
      await testServer.createUser('Duber', { east: 900 }),
    ];
    const accept = async () => {
      const { id } = await place();
      await scrub.api['accept-order']({ params: { id } });
      return (await scrub.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '';
    };
    await busy.api['accept-delivery']({ params: { id: await accept() } });
    const [forFree, forBusy] = [await listen(free), await listen(busy)];
    const delivery = await accept();
    await duber.api['accept-delivery']({ params: { id: delivery } });
    // The delivery before may still be announced to who begins to listen now.
    const statuses = () => forFree.events.filter(({ id }) => id === delivery).map(({ status }) => status);
    await waitUntil(() => statuses().length >= 2);
    expect(statuses()).toEqual(['Pending', 'Accepted']);
    await duber.api['way-to-pickup']({ params: { id: delivery } });
    await waitUntil(() => summarize(forFree).length >= 2);
    expect(forBusy.events.filter(({ id }) => id === delivery)).toEqual([]);
    for (const step of ['collected', 'way-to-drop', 'delivered'] as const)
      await duber.api[step]({ params: { id: delivery } });
    // A Duber who moves receives what is near the new address.
    const [address] = free.user.addresses;
    if (!address) throw new Error('the Duber has no address');
    await free.api.updateAddress({ body: { ...address, latitude: 25 } });
    await accept();
    const moved = await listen(free, forFree.events.at(-1)?.cursor);
    expect(moved.events).toEqual([]);
  });

  test('a stream resumes after the last event id, and starts with new events when the id is not valid', async () => {
    const first = await listen(bud);
    expect(first.headers['x-events-resumed']).toBe('no');
    const one = await place();
    // Earlier events may arrive late.
    const firstOfOne = () => first.events.find(({ id }) => id === one.id);
    await waitUntil(() => firstOfOne() !== undefined);
    first.disconnect();
    await bud.api['cancel-order']({ params: { id: one.id } });
    const two = await place();
    const second = await listen(bud, firstOfOne()?.cursor);
    await waitUntil(() => second.events.length === 2);
    expect(second.headers['x-events-resumed']).toBe('yes');
    expect(second.events.map(({ id, status }) => [id, status])).toEqual([
      [one.id, 'Cancelled'],
      [two.id, 'Requested'],
    ]);
    const fromStart = await listen(bud, String(first.headers['x-events-cursor']));
    await waitUntil(() => fromStart.events.filter(({ id }) => [one.id, two.id].includes(id)).length === 3);
    for (const id of ['999999999999-1', 'nonsense', '0-0']) {
      const fresh = await listen(bud, id);
      expect([fresh.status, fresh.headers['x-events-resumed'], fresh.events]).toEqual([200, 'no', []]);
    }
  });

  test('the stream requires a valid token in the header, allows only GET, and must not be cached', async () => {
    for (const token of [undefined, 'nobody'])
      expect((await listenToEvents(testServer.apiUrl, token)).status).toBe(401);
    const byQuery = await fetch(`${testServer.apiUrl}/events?token=${bud.token}`);
    expect(byQuery.status).toBe(401);
    const { apiUrl: host } = testServer;
    const headers = { authorization: `Bearer ${bud.token}` };
    for (const method of ['HEAD', 'POST', 'PUT'])
      expect((await fetch(`${host}/events`, { method, headers })).status).toBe(405);
    const listener = await listen(bud);
    expect(listener.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(listener.headers['cache-control']).toContain('no-store');
    expect(listener.headers).not.toHaveProperty('transfer-encoding');
    expect(listener.headers['x-request-id']).toBeTruthy();
  });

  test.runIf(kind === 'postgres')('the Bud and the Scrub receive that an unanswered order expired', async () => {
    const order = await place();
    const [forBud, forScrub] = [await listen(bud), await listen(scrub)];
    testServer.advanceClock(24 * 60 * 60 * 1000 + 1000);
    // A server checks for expired orders when it starts.
    const beside = await openTestServer(kind, { beside: testServer });
    // That the order was placed may arrive late.
    const isExpired = (event: { id: string; status?: string }) => event.id === order.id && event.status === 'Cancelled';
    await waitUntil(() => [forBud, forScrub].every((one) => one.events.some(isExpired)));
    await beside.close();
  });

  test('a stream ends at once on every server when its session ends, whatever ended it', async () => {
    const endings: Record<string, (leaver: TestUser, other: TestUser) => Promise<unknown>> = {
      'a sign-out': ({ api }) => api.logout(),
      'a sign-out from another device': async ({ api }, other) => {
        const id = (await api.listSessions()).items.find(({ current }) => current)?.id ?? '';
        await other.api.endSession({ params: { id } });
      },
      'a sign-out of all other devices': (_, other) => other.api.endOtherSessions(),
      'a change of password': (_, { api }) =>
        api.changePassword({ body: { currentPassword: PASSWORD, newPassword: 'Rubadub2!' } }),
      'a change of e-mail address': async (_, other) =>
        other.api.changeEmail({ body: await requestEmailChange(testServer, other) }),
      'a reset of the password': async ({ user, api }) => {
        await api.forgotPassword({ body: { email: user.email } });
        const [, token = ''] =
          /token=([\w-]+)/.exec((await testServer.waitForMail(user.email, 'Set a new')).text) ?? [];
        await api.resetPassword({ body: { token, newPassword: 'Rubadub2!' } });
      },
    };
    const staying = await listen(bud);
    for (const [what, end] of Object.entries(endings)) {
      const leaver = await testServer.createUser('Bud');
      const { authToken } = await testServer.api().login({ body: { email: leaver.user.email, password: PASSWORD } });
      const streams = await Promise.all(
        [testServer, secondServer].map(({ apiUrl }) => listenToEvents(apiUrl, leaver.token)),
      );
      const own = await listenToEvents(secondServer.apiUrl, authToken);
      await end(leaver, { ...leaver, token: authToken, api: testServer.api(authToken) });
      const ended = await Promise.all(streams.map((stream) => Promise.race([stream.ended, timeoutOf(WAIT.timeout)])));
      expect(ended, what).toEqual(['ended', 'ended']);
      expect((await listenToEvents(testServer.apiUrl, leaver.token)).status).toBe(401);
      own.disconnect();
    }
    await waitUntil(() => staying.comments.includes(': beat'));
  });

  test.runIf(kind === 'postgres')(
    'a client that does not read is disconnected without effect on other streams',
    async () => {
      const victim = await testServer.createUser('Bud');
      const [stalled, forBud] = [await listen(victim), await listen(bud)];
      const resumeReading = stalled.pauseReading();
      // More than the network buffers can hold.
      const count = 120_000;
      await queryAt(
        testServer.databaseUrl,
        `insert into live_events (people, entity, entity_id, status, at)
       select array[$1::uuid], 'delivery', gen_random_uuid(), 'Pending', now() from generate_series(1, $2::int)`,
        [victim.user.id, count],
      );
      const { id } = await place();
      await waitUntil(() => forBud.events.some((event) => event.id === id));
      resumeReading();
      await stalled.ended;
      expect(stalled.events.length).toBeLessThan(count);
    },
  );

  test('a server finds streams of expired sessions, and one that stops ends its streams and does not wait for them', async () => {
    const other = await openTestServer(kind, { streamCheckMs: 50 });
    const { token } = await other.createUser('Bud');
    const expiring = await listenToEvents(other.apiUrl, token);
    other.advanceClock(31 * 24 * 60 * 60 * 1000);
    expect(await expiring.ended).toBe('ended');
    const user = await other.createUser('Bud');
    const listeners = await Promise.all(Array.from({ length: 20 }, () => listenToEvents(other.apiUrl, user.token)));
    await other.close();
    expect(new Set(await Promise.all(listeners.map((one) => one.ended)))).toEqual(new Set(['ended']));
  });
});
