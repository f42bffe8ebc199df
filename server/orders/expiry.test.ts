import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOrderInStatus, createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import type { Context } from '../context.ts';
import { type Database, openServerDatabase } from '../db/database.ts';
import { expireRequests } from './orders.ts';

const HOUR = 60 * 60 * 1000;

// The worker looks every half minute; here its round is made at once, by a second hand on the same database.
describe.runIf(DATABASE_KINDS.includes('postgres'))('a request that nobody answers', () => {
  let world: TestServer;
  let database: Database;
  let cast: Participants;
  beforeAll(async () => {
    world = await openTestServer('postgres');
    database = openServerDatabase(world.databaseUrl ?? '', 2);
    cast = await createParticipants(world);
  });
  afterAll(async () => {
    await database?.close();
    await world?.close();
  });

  const round = () => expireRequests({ db: database.db, now: world.now, nudge: () => {} } as unknown as Context);
  const holdOf = async (orderId: string) => {
    const response = await fetch(`${world.sandboxUrl}/sandbox/square/v2/payments?limit=100`, {
      headers: { authorization: 'Bearer sandbox' },
    });
    const { payments } = (await response.json()) as { payments: { reference_id: string; status: string }[] };
    return payments.find((payment) => payment.reference_id === orderId)?.status;
  };

  test('is cancelled by the system after a day, and its card let go; what was answered stays', async () => {
    const [left, accepted] = [await placeOrder(cast), await createOrderInStatus(cast, 'Accepted')];
    world.advanceClock(24 * HOUR - 60_000);
    await round();
    const params = { id: left.id };
    expect((await cast.bud.api.readOrder({ params })).status).toBe('Requested');
    expect(await holdOf(left.id)).toBe('APPROVED');
    world.advanceClock(60_000);
    await round();
    const after = await cast.bud.api.readOrder({ params });
    expect(after.statusHistory.map(({ status }) => status)).toEqual(['Requested', 'Cancelled']);
    expect(after.deliveries).toEqual([]);
    expect(await expectFailure(cast.scrub.api['accept-order']({ params }))).toEqual({
      status: 409,
      message: 'This order is Cancelled',
    });
    await vi.waitFor(async () => expect(await holdOf(left.id)).toBe('CANCELED'), { timeout: 15_000, interval: 50 });
    expect((await cast.bud.api.readOrder({ params: { id: accepted.id } })).status).toBe('Accepted');
  });
});
