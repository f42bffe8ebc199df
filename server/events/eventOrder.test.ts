import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listenToEvents } from '../../testing/eventListener.ts';
import { waitForLockWaits } from '../../testing/lockWaits.ts';
import {
  createOrderInStatus,
  createParticipants,
  type Participants,
  placeOrder,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { openTestServer, type TestServer } from '../../testing/testServer.ts';
import { waitUntil } from '../../testing/waits.ts';
import { readTownMark } from '../operator/todayChanges.sql.ts';

const INSERT = 'insert into live_events (people, entity, entity_id, status, at)';

describe('events of transactions that overlap', () => {
  let server: TestServer;
  let people: Participants;
  beforeAll(async () => {
    server = await openTestServer('postgres');
    people = await createParticipants(server);
  });
  afterAll(() => server?.close());

  const waitForLock = () => waitForLockWaits(server.server.db);

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
    const { bud } = people;
    const listener = await listenToEvents(server.apiUrl, bud.token);
    const cursor = String(listener.headers['x-events-cursor']);
    const { id } = await placeOrder(people);
    const [later, earlier] = [await beginTransaction(), await beginTransaction()];
    await earlier.query('select from orders where id = $1 for update', [id]);
    // One statement, as in steps of deliveries: its snapshot is from before the wait for the lock.
    const waiting = later.query(
      `with o as (update orders set leave_at_door = leave_at_door where id = $1 returning id, bud_id)
        ${INSERT} select array[o.bud_id], 'order', o.id, 'Cancelled', now() from o`,
      [id],
    );
    await waitForLock();
    await earlier.query(`${INSERT} values ($1::uuid[], 'order', $2, 'Accepted', now())`, [[bud.user.id], id]);
    await earlier.query('commit');
    await waiting;
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

  test('have the status that is stored, although another step changes it meanwhile', async () => {
    const { bud, scrub, duber } = people;
    const { id, deliveries } = await createOrderInStatus(people, 'Accepted');
    const deliveryId = deliveries[0]?.id ?? '';
    await duber.api['accept-delivery']({ params: { id: deliveryId } });
    await duber.api['way-to-pickup']({ params: { id: deliveryId } });
    await duber.api.sharePosition({ params: { id: deliveryId }, body: { latitude: 24, longitude: 67 } });
    const done = await createOrderInStatus(people, 'Completed', { selfDelivery: true, selfPickup: true });
    const { api } = bud;
    const changes = [
      {
        thing: done.id,
        table: 'orders',
        to: 'In_Progress',
        act: () => api.reviewToScrub({ params: { id: done.id }, body: { ...REVIEW, scrubId: scrub.user.id } }),
      },
      {
        thing: id,
        table: 'orders',
        to: 'In_Progress',
        act: () => api.chooseLeaveAtDoor({ params: { id }, body: { leaveAtDoor: true } }),
      },
      {
        thing: deliveryId,
        table: 'deliveries',
        to: 'Collected',
        act: () => duber.api.forgetPosition({ params: { id: deliveryId } }),
      },
    ];
    for (const { thing, table, to, act } of changes) {
      const listener = await listenToEvents(server.apiUrl, scrub.token);
      const step = await beginTransaction();
      await step.query(`update ${table} set status = $2 where id = $1`, [thing, to]);
      const acting = act();
      await waitForLock();
      await step.query('commit');
      await acting;
      await waitUntil(() => listener.events.some((event) => event.id === thing));
      listener.disconnect();
      expect(listener.events.filter((event) => event.id === thing).at(-1)).toMatchObject({ status: to });
    }
  });

  test('change what Today shows once, when their transaction has ended', async () => {
    const { db } = server.server;
    const { id } = await placeOrder(people);
    // Keeps every later transaction among those that may still be open.
    const oldest = await beginTransaction();
    const slow = await beginTransaction();
    await placeOrder(people);
    await slow.query(`${INSERT} values ('{}', 'order', $1, 'Cancelled', now())`, [id]);
    const { mark: before } = await readTownMark(db, undefined);
    await slow.query('commit');
    const after = await readTownMark(db, before);
    expect(after.hasChanged).toBe(true);
    expect((await readTownMark(db, after.mark)).hasChanged).toBe(false);
    await oldest.query('rollback');
  });
});
