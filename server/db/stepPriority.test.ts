import { sql } from 'kysely';
import pg from 'pg';
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
import { readRequestId } from '../log.ts';
import { NamedStatementClient } from './client.ts';
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

/** Statements of a step on each connection that it takes, and its round trips to the database. BEGIN and COMMIT are statements. */
const STATEMENTS = {
  'place-order': ['3 in 2', '3 in 2'],
  'accept-order': ['12 in 3'],
  'accept-delivery': ['6 in 3'],
  'way-to-pickup': ['5 in 3'],
  collected: ['6 in 3'],
  'way-to-drop': ['5 in 3'],
  delivered: ['12 in 6'],
  'start-order': ['8 in 5'],
  'complete-order': ['13 in 7'],
  'accept-delivery back': ['6 in 3'],
  'way-to-pickup back': ['5 in 3'],
  'collected back': ['6 in 3'],
  'way-to-drop back': ['5 in 3'],
  'delivered back': ['12 in 6'],
  // One of them asks whether a delivery home is still to be paid.
  'cancel-order': ['15 in 10'],
  reviewToScrub: ['6 in 5'],
  updateProfile: ['2 in 2'],
};

describe('the statements of a step', () => {
  let server: TestServer;
  let people: Participants;
  /** What each request sent on each connection that it took, by its id. */
  const sent = new Map<string, Sent[]>();
  beforeAll(async () => {
    server = await openTestServer('postgres');
    people = await createParticipants(server);
    countStatements(sent);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await server?.close();
  });

  const counted: Record<string, string[]> = {};
  /** The connections after those tell other servers of the step, and charge the card, which a worker may do first. */
  async function count(name: string, step: () => Promise<unknown>, connections = 1): Promise<void> {
    sent.clear();
    await step();
    // Servers may tell each other only now of an earlier step.
    const [all = []] = [...sent.values()].toSorted((one, other) => statementsOf(other) - statementsOf(one));
    counted[name] = all.slice(0, connections).map(({ statements, trips }) => `${statements} in ${trips}`);
  }

  // A number of round trips that grows is felt by everybody who takes the step.
  test('a step takes one connection and few round trips, and placing an order one connection before the card and another one after it', async () => {
    const { bud, scrub, duber } = people;
    let id = '';
    const place = async () => {
      ({ id } = await placeOrder(people));
    };
    await count('place-order', place, 2);
    await count('accept-order', () => scrub.api['accept-order']({ params: { id } }));
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
    await count('cancel-order', () => bud.api['cancel-order']({ params: { id: unwanted } }));
    const review = { ...REVIEW, scrubId: scrub.user.id };
    await count('reviewToScrub', () => bud.api.reviewToScrub({ params: { id }, body: review }));
    await count('updateProfile', () => bud.api.updateProfile({ body: { fullname: 'Ada King' } }));
    expect(counted).toEqual(STATEMENTS);
  });

  test('a step with an Idempotency-Key looks for an earlier answer and keeps its own in the same three round trips', async () => {
    const { scrub, duber } = people;
    const { id } = await placeOrder(people);
    const withKey = (name: string) => ({ idempotencyKey: `${name}-with-key` });
    await count('accept-order', () => scrub.api['accept-order']({ params: { id }, ...withKey('accept-order') }));
    const params = { id: findDeliveryId(await scrub.api.readOrder({ params: { id } }), 'Bud_To_Scrub') };
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected'] as const)
      await count(action, () => duber.api[action]({ params, ...withKey(action) }));
    expect(counted).toMatchObject({
      'accept-order': ['14 in 3'],
      'accept-delivery': ['8 in 3'],
      'way-to-pickup': ['7 in 3'],
      collected: ['8 in 3'],
    });
    await count('repeated', () => duber.api.collected({ params, ...withKey('collected') }));
    expect(counted.repeated).toEqual(['5 in 2']);
  });
});

type Sent = { statements: number; trips: number };
const statementsOf = (all: readonly Sent[]) => all.reduce((sum, { statements }) => sum + statements, 0);

/**
 * Counts what requests send on each connection of the pool that they take, by the id that their log lines would carry. A round trip begins
 * with a statement that is sent while no answer is awaited.
 */
function countStatements(sent: Map<string, Sent[]>): void {
  const counts = new WeakMap<object, Sent>();
  const awaited = new WeakMap<object, number>();
  const connect = pg.Pool.prototype.connect as () => Promise<pg.PoolClient>;
  vi.spyOn(pg.Pool.prototype as { connect: typeof connect }, 'connect').mockImplementation(async function (
    this: pg.Pool,
  ) {
    const requestId = readRequestId();
    const count = { statements: 0, trips: 0 };
    if (requestId !== undefined) sent.set(requestId, [...(sent.get(requestId) ?? []), count]);
    const client = await connect.call(this);
    counts.set(client, count);
    return client;
  });
  const { query } = NamedStatementClient.prototype;
  vi.spyOn(NamedStatementClient.prototype, 'query').mockImplementation(function (this: NamedStatementClient, ...all) {
    const count = counts.get(this);
    const others = awaited.get(this) ?? 0;
    if (count) count.statements += 1;
    if (count && others === 0) count.trips += 1;
    awaited.set(this, others + 1);
    const answer = query.apply(this, all);
    const end = () => awaited.set(this, (awaited.get(this) ?? 0) - 1);
    answer.then(end, end);
    return answer;
  });
}
