import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listenToEvents } from '../../testing/eventListener.ts';
import { createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { waitUntil } from '../../testing/waits.ts';
import { readTownMark } from '../operator/todayChanges.sql.ts';

const INSERT = `insert into live_events (people, entity, entity_id, status, at) values ($1::uuid[], 'order', $2, $3, now())`;

describe.runIf(DATABASE_KINDS.includes('postgres'))('events of transactions that overlap', () => {
  let server: TestServer;
  let people: Participants;
  beforeAll(async () => {
    server = await openTestServer('postgres');
    people = await createParticipants(server);
  });
  afterAll(() => server?.close());

  /** A transaction that is open and has an id, like a request that has stored its idempotency key. */
  async function beginTransaction(): Promise<pg.Client> {
    const client = new pg.Client(server.databaseUrl);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    await client.query('select pg_current_xact_id()');
    return client;
  }

  test('come in the order of the steps, although the transaction of the later step has begun first', async () => {
    const { bud, scrub } = people;
    const listener = await listenToEvents(server.apiUrl, bud.token);
    const cursor = String(listener.headers['x-events-cursor']);
    const { id } = await placeOrder(people);
    const later = await beginTransaction();
    await scrub.api['accept-order']({ params: { id } });
    // Only now does it get the lock of the order.
    await later.query(INSERT, [[bud.user.id], id, 'Cancelled']);
    await later.query('commit');
    const statuses = () => listener.events.filter((event) => event.id === id).map(({ status }) => status);
    await waitUntil(() => statuses().length >= 3);
    listener.disconnect();
    expect(statuses()).toEqual(['Requested', 'Accepted', 'Cancelled']);
    const resumed = await listenToEvents(server.apiUrl, bud.token, { lastId: cursor });
    await waitUntil(() => resumed.events.length >= listener.events.length);
    resumed.disconnect();
    expect(resumed.events).toEqual(listener.events);
  });

  test('change what Today shows once, when their transaction has ended', async () => {
    const { db } = server.server;
    const { id } = await placeOrder(people);
    // Keeps every later transaction among those that may still be open.
    const oldest = await beginTransaction();
    const slow = await beginTransaction();
    await placeOrder(people);
    await slow.query(INSERT, [[], id, 'Cancelled']);
    const { mark: before } = await readTownMark(db, undefined);
    await slow.query('commit');
    const after = await readTownMark(db, before);
    expect(after.hasChanged).toBe(true);
    expect((await readTownMark(db, after.mark)).hasChanged).toBe(false);
    await oldest.query('rollback');
  });
});
