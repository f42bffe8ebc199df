import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createClaimForTown } from '../../testing/caseCalls.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createOrderInStatus, createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { openTextStream, type TextStreamListener } from '../../testing/textStream.ts';
import { waitUntil } from '../../testing/waits.ts';
import { CHANGE_GAP_MS } from './todayHub.ts';

const REASON = 'They have telephoned';
const EVENT = /^id: (\d+-\d+)\ndata: \{"entity":"today"\}$/;

describe.each(RULE_DATABASES)('the stream of Today, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let ada: TestOperator;
  const listeners: TextStreamListener[] = [];

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    ada = await createOperator(testServer, { caps: ['see', 'admin'] });
  });
  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.disconnect();
  });
  afterAll(() => testServer?.close());

  const listen = async (headers: Record<string, string>) => {
    const listener = await openTextStream(`${testServer.apiUrl}/operator/events`, headers);
    listeners.push(listener);
    return listener;
  };
  const listenAs = ({ token }: Pick<TestOperator, 'token'>, lastId?: string) =>
    listen({ authorization: `Bearer ${token}`, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) });
  const idsOf = ({ blocks }: TextStreamListener) =>
    blocks
      .filter((block) => !block.startsWith(':'))
      .map((block) => {
        // Nothing else may be in it: no name, no contact, no id of a person.
        expect(block).toMatch(EVENT);
        return EVENT.exec(block)?.[1] ?? '';
      });
  /** Waits until the stream has told more than before. */
  const waitForMore = async (listener: TextStreamListener, act: () => Promise<unknown>) => {
    const before = idsOf(listener).length;
    await act();
    await waitUntil(() => idsOf(listener).length > before);
  };

  test('tells of a new order, of a step, of a case and of an act', async () => {
    const listener = await listenAs(ada);
    expect(listener.headers['x-events-resumed']).toBe('no');
    await waitForMore(listener, () => placeOrder(people));
    await waitForMore(listener, () => createOrderInStatus(people, 'Accepted'));
    await waitForMore(listener, () => createClaimForTown({ testServer, participants: people }));
    await waitForMore(listener, () => ada.api.setTimeZone({ body: { timeZone: 'Europe/Paris', reason: REASON } }));
  });

  test('tells every console, each at most once in a second, however much happens', async () => {
    const startedAt = performance.now();
    const consoles = [await listenAs(ada), await listenAs(ada), await listenAs(ada)];
    for (let n = 0; n < 12; n += 1) await placeOrder(people);
    await waitUntil(() => consoles.every((listener) => idsOf(listener).length > 0));
    const atMost = 1 + (performance.now() - startedAt) / CHANGE_GAP_MS;
    for (const listener of consoles) expect(idsOf(listener).length).toBeLessThanOrEqual(atMost);
  });

  test('resumes after what was told, and says so when it cannot', async () => {
    const first = await listenAs(ada);
    await waitForMore(first, () => placeOrder(people));
    first.disconnect();
    const lastId = idsOf(first).at(-1) ?? '';
    await placeOrder(people);
    const resumed = await listenAs(ada, lastId);
    expect(resumed.headers['x-events-resumed']).toBe('yes');
    await waitUntil(() => idsOf(resumed).length > 0);
    // Events from before it have been deleted.
    await sql`update events_cleared set tx = ${lastId.split('-')[0]}::xid8`.execute(testServer.server.db);
    for (const unknown of [lastId, 'x', `${'9'.repeat(18)}-1`, '']) {
      const other = await listenAs(ada, unknown);
      expect(other.headers['x-events-resumed'], unknown).toBe('no');
    }
  });

  test('takes the cookie of the console, and refuses everybody else', async () => {
    const cookie = { cookie: `rubadub-operator=${ada.token}` };
    expect((await listen({ ...cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).status).toBe(200);
    expect((await listen({ ...cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })).status).toBe(401);
    const noRight = await createOperator(testServer, { caps: ['money'] });
    expect((await listenAs(noRight)).status).toBe(403);
    expect((await listen({})).status).toBe(401);
    for (const { token } of [people.bud, people.scrub, people.duber])
      expect((await listenAs({ token })).status).toBe(401);
  });

  test('ends when the operator signs out, loses the right, or is ended', async () => {
    const [leaves, loses, ends] = [
      await createOperator(testServer, { caps: ['see'] }),
      await createOperator(testServer, { caps: ['see', 'money'] }),
      await createOperator(testServer, { caps: ['see'] }),
    ];
    const streams = await Promise.all([leaves, loses, ends].map((operator) => listenAs(operator)));
    const stays = await listenAs(ada);
    await leaves.api.operatorSignOut({ body: {} });
    const { db } = testServer.server;
    await db
      .deleteFrom('operator_caps')
      .where('operator_id', '=', loses.session.operator.id)
      .where('cap', '=', 'see')
      .execute();
    await db
      .updateTable('operators')
      .set({ ended_at: testServer.now() })
      .where('id', '=', ends.session.operator.id)
      .execute();
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(['ended', 'ended', 'ended']);
    await waitForMore(stays, () => placeOrder(people));
  });
});
