import { type DatabaseConnection, PostgresDriver, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DeliveryType } from '../../domain/deliveries.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { countLockWaits } from '../../testing/lockWaits.ts';
import {
  advanceDelivery,
  createParticipants,
  DELIVERY_STEPS,
  findDeliveryId,
  firstAddressId,
  type Participants,
  placeOrder,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { openTestServer, type TestServer } from '../../testing/testServer.ts';
import { createRequestLog } from '../log.ts';
import { openServerDatabase, poolSizeFor, queryRow } from './database.ts';

const READERS = 256;

describe('while 256 readers wait for a locked table', () => {
  let server: TestServer;
  let people: Participants;
  let orderId: string;
  beforeAll(async () => {
    server = await openTestServer('postgres');
    people = await createParticipants(server);
    orderId = (await placeOrder(people)).id;
  });
  afterAll(() => server?.close());

  /**
   * Runs `work` while readers wait for the lock of `table`, in as many connections as they get. Readers who were all refused before
   * that was seen, because the machine is slow, come again.
   */
  async function besideReaders(
    { table, connections }: { table: string; connections: number },
    read: () => Promise<unknown>,
    work: () => Promise<void>,
  ): Promise<void> {
    const other = openServerDatabase(server.databaseUrl ?? '', 2);
    let readers: Promise<unknown>[] = [];
    let waiting = 0;
    const readOnce = async () => {
      waiting += 1;
      await read().catch(() => undefined);
      waiting -= 1;
    };
    try {
      await holdTransaction(other.db, async (tx) => {
        await queryRow(tx, sql`lock table ${sql.table(table)} in access exclusive mode`);
        // Not in the transaction, which would see the same activity each time.
        await expect
          .poll(() => {
            if (waiting === 0) readers = Array.from({ length: READERS }, readOnce);
            return countLockWaits(other.db);
          })
          .toBe(connections);
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
      const delivery = findDeliveryId(await scrub.api.readOrder({ params: { id } }), 'Bud_To_Scrub');
      await advanceDelivery(duber, delivery);
      await bud.api.reviewToDuber({ params: { id: delivery }, body: { ...REVIEW, duberId: duber.user.id } });
      await bud.api.updateProfile({ body: { fullname: 'Ada Lovelace' } });
    });
  });

  test('a step does not wait behind quick reads either', async () => {
    const read = () => people.bud.api.readOrder({ params: { id: orderId } });
    let isReadAnswered = false;
    // A read that is refused after waiting too long has not been before the step.
    const readFirst = () =>
      read().then(() => {
        isReadAnswered = true;
      });
    await besideReaders({ table: 'reviews', connections: 1 }, readFirst, async () => {
      await people.bud.api.updateProfile({ body: { fullname: 'Ada King' } });
      expect(isReadAnswered).toBe(false);
      await people.bud.api['cancel-order']({ params: { id: orderId } });
    });
  });
});

/** Statements on each connection that a step takes. Beginning and ending a transaction count. */
const STATEMENTS = {
  'place-order': [3, 2, 3],
  'accept-order': [11],
  'accept-delivery': [5],
  'way-to-pickup': [5],
  collected: [6],
  'way-to-drop': [5],
  delivered: [12],
  'start-order': [8],
  'complete-order': [13],
  'accept-delivery back': [5],
  'way-to-pickup back': [5],
  'collected back': [6],
  'way-to-drop back': [5],
  'delivered back': [12],
  // One of them asks whether a delivery home is still to be paid.
  'cancel-order': [14],
  reviewToScrub: [6],
  updateProfile: [2],
};

describe('the statements of a step', () => {
  let server: TestServer;
  let people: Participants;
  /** How many statements each request sent on each connection that it took, by its id. */
  const sent = new Map<string, number[]>();
  beforeAll(async () => {
    server = await openTestServer('embedded');
    people = await createParticipants(server);
    countStatements(sent);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await server?.close();
  });

  const counted: Record<string, number[]> = {};
  async function count(name: string, step: () => Promise<unknown>, connections?: number): Promise<void> {
    sent.clear();
    await step();
    expect(sent.size, name).toBe(1);
    counted[name] = [...sent.values()].flat().slice(0, connections);
  }

  // A number that grows is a round trip more for everybody who takes the step.
  test('a step takes one connection and few statements, and placing an order one connection before and two around the card', async () => {
    const { bud, scrub, duber } = people;
    let id = '';
    await count('place-order', async () => {
      ({ id } = await placeOrder(people));
    });
    // The other connections charge the card, which a worker may do first.
    await count('accept-order', () => scrub.api['accept-order']({ params: { id } }), 1);
    const deliver = async (type: DeliveryType, suffix = '') => {
      const delivery = findDeliveryId(await scrub.api.readOrder({ params: { id } }), type);
      for (const action of DELIVERY_STEPS)
        await count(`${action}${suffix}`, () => duber.api[action]({ params: { id: delivery } }));
    };
    await deliver('Bud_To_Scrub');
    for (const action of ['start-order', 'complete-order'] as const)
      await count(action, () => scrub.api[action]({ params: { id } }));
    await deliver('Scrub_To_Bud', ' back');
    const { id: unwanted } = await placeOrder(people);
    await count('cancel-order', () => bud.api['cancel-order']({ params: { id: unwanted } }), 1);
    const review = { ...REVIEW, scrubId: scrub.user.id };
    await count('reviewToScrub', () => bud.api.reviewToScrub({ params: { id }, body: review }));
    await count('updateProfile', () => bud.api.updateProfile({ body: { fullname: 'Ada King' } }));
    expect(counted).toEqual(STATEMENTS);
  });
});

/** Counts the statements of requests on each real connection that they take, by the id that their log lines would carry. */
function countStatements(sent: Map<string, number[]>): void {
  let requestId: string | undefined;
  const note = (details: { reqId?: string }) => {
    requestId = details.reqId;
  };
  const log = createRequestLog({ info: note, warn: note, error: note });
  const counting = new WeakMap<object, () => void>();
  const acquire = PostgresDriver.prototype.acquireConnection;
  vi.spyOn(PostgresDriver.prototype, 'acquireConnection').mockImplementation(async function (
    this: PostgresDriver,
    ...all
  ) {
    requestId = undefined;
    log.info({}, '');
    const connections = requestId === undefined ? undefined : (sent.get(requestId) ?? []);
    if (requestId !== undefined && connections) sent.set(requestId, connections);
    const place = connections ? connections.push(0) - 1 : 0;
    const connection = await acquire.apply(this, all);
    counting.set(connection, () => {
      if (connections) connections[place] = (connections[place] ?? 0) + 1;
    });
    spyOnStatements(connection, counting);
    return connection;
  });
}

function spyOnStatements(connection: DatabaseConnection, counting: WeakMap<object, () => void>): void {
  const ofAll = Object.getPrototypeOf(connection) as DatabaseConnection;
  if (vi.isMockFunction(ofAll.executeQuery)) return;
  const { executeQuery } = ofAll;
  vi.spyOn(ofAll, 'executeQuery').mockImplementation(function (this: DatabaseConnection, query) {
    counting.get(this)?.();
    return executeQuery.call(this, query);
  });
}
