import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_ADDRESSES } from '../../domain/places.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { createOrderInStatus, firstAddressId, orderBody, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, pointAt, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { openServerDatabase, queryRow } from '../db/database.ts';

const address = (label: string) => ({ label, address: '7 Otter Lane, Soapwick', ...pointAt(310, 10) });
const FULL = 'You have 20 addresses, which is the maximum. To add another, delete one you no longer use.';
const IN_USE = 'An open order uses this address. You can delete it once the order is finished.';

describe.each(RULE_DATABASES)('the addresses of a Bud, on %s', (kind) => {
  let server: TestServer;
  let scrub: TestUser;
  beforeAll(async () => {
    server = await openTestServer(kind);
    scrub = await server.createUser('Scrub', { north: 1200 });
  });
  afterAll(() => server?.close());

  const addTo = (bud: TestUser, label: string) => bud.api.createAddress({ body: address(label) });
  const deleteFrom = (bud: TestUser, id: string) => bud.api.deleteAddress({ body: { id } });
  const addressesOf = async (bud: TestUser) => (await bud.api.profile()).addresses;

  test('a Bud has 20 addresses at most, even when two are added at the same time, and can make room', async () => {
    const bud = await server.createUser('Bud', { north: 300 });
    for (let index = 2; index < MAX_ADDRESSES; index += 1) await addTo(bud, `Place ${index}`);
    expect(await addressesOf(bud)).toHaveLength(19);
    const added = await Promise.allSettled(['A', 'B', 'C', 'D', 'E', 'F'].map((label) => addTo(bud, label)));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await addressesOf(bud)).toHaveLength(MAX_ADDRESSES);
    expect(await expectFailure(addTo(bud, 'One more'))).toEqual({ status: 409, message: FULL });
    await deleteFrom(bud, firstAddressId(bud));
    await addTo(bud, 'One more');
    expect((await addressesOf(bud)).at(-1)?.label).toBe('One more');
  });

  test('an address is deletable when no open order uses it, and orders keep their copies', async () => {
    const bud = await server.createUser('Bud', { north: 300 });
    const { id } = await addTo(bud, 'Work');
    const order = await placeOrder({ bud, scrub }, { budAddressId: id });
    for (const step of ['accept-order', 'start-order', 'complete-order'] as const) {
      expect(await expectFailure(deleteFrom(bud, id))).toEqual({ status: 409, message: IN_USE });
      await scrub.api[step]({ params: { id: order.id } });
    }
    await deleteFrom(bud, id);
    expect((await addressesOf(bud)).map(({ label }) => label)).toEqual(['Default']);
    expect((await bud.api.readOrder({ params: { id: order.id } })).budAddress).toMatchObject({ id, label: 'Work' });
    expect((await expectFailure(deleteFrom(bud, id))).status).toBe(404);
    expect((await expectFailure(placeOrder({ bud, scrub }, { budAddressId: id }))).status).toBe(404);
  });

  test('an address of a cancelled order is deletable, and the only address is not', async () => {
    const bud = await server.createUser('Bud', { north: 300 });
    const other = await addTo(bud, 'Work');
    await createOrderInStatus({ bud, scrub }, 'Cancelled', { budAddressId: other.id });
    // Both at the same time: one of them stays.
    const both = await Promise.allSettled([other.id, firstAddressId(bud)].map((id) => deleteFrom(bud, id)));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [left] = await addressesOf(bud);
    expect(await expectFailure(deleteFrom(bud, left?.id ?? ''))).toEqual({
      status: 409,
      message: 'This is your only address. Add another one before you delete it.',
    });
  });

  describe.runIf(kind === 'postgres')('when requests wait for each other', () => {
    /** Makes writes to a table wait until `count` requests wait for a lock, and runs `act` before they go on. */
    async function whileWaiting(table: string, count: number, start: () => void, act = async () => {}): Promise<void> {
      const { db, close } = openServerDatabase(server.databaseUrl ?? '', 2);
      try {
        await holdTransaction(db, async (tx) => {
          await sql`lock table ${sql.table(table)} in share mode`.execute(tx);
          start();
          // Not the server's own workers, which take what is due from the same table.
          const waiting = sql`select count(*)::int as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query not ilike '%skip locked%'`;
          await waitFor(async () => expect(await queryRow(db, waiting)).toEqual({ count }));
          await act();
        });
      } finally {
        await close();
      }
    }

    test('two addresses that are added when there is room for one do not both fit', async () => {
      const bud = await server.createUser('Bud', { north: 300 });
      for (let index = 1; index < MAX_ADDRESSES - 1; index += 1) await addTo(bud, `Place ${index}`);
      let adding: Promise<PromiseSettledResult<unknown>[]> = Promise.resolve([]);
      await whileWaiting('addresses', 2, () => {
        adding = Promise.allSettled([addTo(bud, 'A'), addTo(bud, 'B')]);
      });
      expect((await adding).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await addressesOf(bud)).toHaveLength(MAX_ADDRESSES);
    });

    test('an order is not placed with an address that is deleted after it was read', async () => {
      const bud = await server.createUser('Bud', { north: 300 });
      const { id } = await addTo(bud, 'Work');
      let placing: Promise<unknown> = Promise.resolve();
      // The order waits between the reading of its address and its first row.
      await whileWaiting(
        'payments',
        1,
        () => {
          placing = placeOrder({ bud, scrub }, { budAddressId: id }).catch((error: unknown) => error);
        },
        () => deleteFrom(bud, id),
      );
      expect(await placing).toMatchObject({ message: 'Not found' });
    });
  });

  test('of placing an order and deleting its address at the same time, exactly one succeeds', async () => {
    const bud = await server.createUser('Bud', { north: 300 });
    for (let round = 0; round < 6; round += 1) {
      const { id } = await addTo(bud, `Work ${round}`);
      const place = () => bud.api.placeOrder({ body: orderBody({ bud, scrub }, { budAddressId: id }) });
      const acts = [place, () => deleteFrom(bud, id)];
      const outcomes = await Promise.allSettled((round % 2 ? acts : acts.toReversed()).map((act) => act()));
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });
});
