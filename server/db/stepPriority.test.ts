import { PostgresDriver, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  DELIVERY_STEPS,
  findLegId,
  firstAddressId,
  type Participants,
  placeOrder,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { createRequestLog } from '../log.ts';
import { openServerDatabase, poolSizeFor, queryRow, type Tx, transact } from './database.ts';

const READERS = 256;

describe.runIf(DATABASE_KINDS.includes('postgres'))('while 256 readers wait for a locked table', () => {
  let server: TestServer;
  let people: Participants;
  let orderId: string;
  beforeAll(async () => {
    server = await openTestServer('postgres');
    people = await createParticipants(server);
    orderId = (await placeOrder(people)).id;
  });
  afterAll(() => server?.close());

  /** Runs `work` while readers wait for the lock of `table`, in as many connections as they get. */
  async function besideReaders(
    { table, connections }: { table: string; connections: number },
    read: () => Promise<unknown>,
    work: () => Promise<void>,
  ): Promise<void> {
    const other = openServerDatabase(server.databaseUrl ?? '', 2);
    let readers: Promise<unknown>[] = [];
    try {
      await transact(other.db, async (tx) => {
        await queryRow(tx, sql`lock table ${sql.table(table)} in access exclusive mode`);
        readers = Array.from({ length: READERS }, () => read().catch(() => undefined));
        // Not in the transaction, which would see the same activity each time.
        await expect.poll(() => countBlocked(other.db)).toBe(connections);
        await work();
      });
    } finally {
      await Promise.all(readers);
      await other.close();
    }
  }

  test('every step of an order is taken', async () => {
    const { bud, scrub, duber } = people;
    const query = { addressId: firstAddressId(bud), maxDistanceMeters: '5000' };
    const connections = poolSizeFor(server.databaseUrl ?? '') - 2;
    const search = () => bud.api.findScrubsNearby({ query });
    await besideReaders({ table: 'scrub_places', connections }, search, async () => {
      const { id } = await placeOrder(people);
      await scrub.api['accept-order']({ params: { id } });
      const leg = findLegId(await scrub.api.readOrder({ params: { id } }), 'Bud_To_Scrub');
      await advanceDelivery(duber, leg);
      await bud.api.reviewToDuber({ params: { id: leg }, body: { ...REVIEW, duberId: duber.user.id } });
      await bud.api.updateProfile({ body: { fullname: 'Ada Lovelace' } });
    });
  });

  test('a step does not wait behind quick reads either', async () => {
    const read = () => people.bud.api.readOrder({ params: { id: orderId } });
    let isReadAnswered = false;
    const readFirst = () =>
      read().finally(() => {
        isReadAnswered = true;
      });
    await besideReaders({ table: 'reviews', connections: 1 }, readFirst, async () => {
      await people.bud.api.updateProfile({ body: { fullname: 'Ada King' } });
      expect(isReadAnswered).toBe(false);
      await people.bud.api['cancel-order']({ params: { id: orderId } });
    });
  });
});

/** How many statements wait for a lock. */
async function countBlocked(tx: Tx): Promise<number> {
  const row = await queryRow<{ count: number }>(
    tx,
    sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

describe('the connections of a step', () => {
  let server: TestServer;
  let people: Participants;
  /** How often each request took a connection, by its id. */
  const taken = new Map<string, number>();
  beforeAll(async () => {
    server = await openTestServer('embedded');
    people = await createParticipants(server);
    countConnections(taken);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await server?.close();
  });

  async function countOf(step: () => Promise<unknown>): Promise<number> {
    taken.clear();
    await step();
    expect(taken.size).toBe(1);
    return [...taken.values()][0] ?? 0;
  }

  test('a step takes one connection, however many statements it has, and placing one before and two around the card', async () => {
    const { bud, scrub, duber } = people;
    expect(await countOf(() => placeOrder(people))).toBe(3);
    expect(await countOf(() => bud.api.updateProfile({ body: { fullname: 'Ada King' } }))).toBe(1);
    const { id } = await createOrderInStatus(people, 'Accepted');
    const leg = findLegId(await scrub.api.readOrder({ params: { id } }), 'Bud_To_Scrub');
    for (const action of DELIVERY_STEPS) {
      expect(await countOf(() => duber.api[action]({ params: { id: leg } })), action).toBe(1);
    }
    for (const action of ['start-order', 'complete-order'] as const) {
      expect(await countOf(() => scrub.api[action]({ params: { id } })), action).toBe(1);
    }
    const review = { ...REVIEW, scrubId: scrub.user.id };
    expect(await countOf(() => bud.api.reviewToScrub({ params: { id }, body: review }))).toBe(1);
  });
});

/** Counts the real connections that requests take, by the id that their log lines would carry. */
function countConnections(taken: Map<string, number>): void {
  let requestId: string | undefined;
  const note = (details: { reqId?: string }) => {
    requestId = details.reqId;
  };
  const log = createRequestLog({ info: note, warn: note, error: note });
  const acquire = PostgresDriver.prototype.acquireConnection;
  vi.spyOn(PostgresDriver.prototype, 'acquireConnection').mockImplementation(function (this: PostgresDriver, ...all) {
    requestId = undefined;
    log.info({}, '');
    if (requestId !== undefined) taken.set(requestId, (taken.get(requestId) ?? 0) + 1);
    return acquire.apply(this, all);
  });
}
