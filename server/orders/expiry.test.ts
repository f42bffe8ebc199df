import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOrderInStatus, createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { type Database, openServerDatabase } from '../db/database.ts';
import { runTimers } from '../jobs/timers.ts';
import { ORDER_TIMERS } from './orderTimers.ts';

const LOG = { info() {}, warn() {}, error() {} };
const HOUR = 60 * 60 * 1000;

// Runs the job on a second connection to the same database instead of waiting for the worker.
describe('a request that no Scrub answers', () => {
  let server: TestServer;
  let database: Database;
  let participants: Participants;
  beforeAll(async () => {
    server = await openTestServer('postgres');
    database = openServerDatabase(server.databaseUrl ?? '', 2);
    participants = await createParticipants(server);
  });
  afterAll(async () => {
    await database?.close();
    await server?.close();
  });

  const runJob = () =>
    runTimers({ db: database.db, now: server.now, wake: () => {}, endStreamsOf: () => {}, log: LOG }, [ORDER_TIMERS]);
  const cardStatusOf = async (orderId: string) => {
    const response = await fetch(`${server.sandboxUrl}/sandbox/square/v2/payments?limit=100`, {
      headers: { authorization: 'Bearer sandbox' },
    });
    const { payments } = (await response.json()) as { payments: { reference_id: string; status: string }[] };
    return payments.find((payment) => payment.reference_id === orderId)?.status;
  };

  test('is cancelled after a day and its hold is voided, while an accepted order stays', async () => {
    const [unanswered, accepted] = [
      await placeOrder(participants),
      await createOrderInStatus(participants, 'Accepted'),
    ];
    server.advanceClock(24 * HOUR - 60_000);
    await runJob();
    const params = { id: unanswered.id };
    expect((await participants.bud.api.readOrder({ params })).status).toBe('Requested');
    expect(await cardStatusOf(unanswered.id)).toBe('APPROVED');
    server.advanceClock(60_000);
    await runJob();
    const after = await participants.bud.api.readOrder({ params });
    expect(after.statusHistory.map(({ status }) => status)).toEqual(['Requested', 'Cancelled']);
    expect(after.deliveries).toEqual([]);
    expect(await expectFailure(participants.scrub.api['accept-order']({ params }))).toEqual({
      status: 409,
      message: 'This order is Cancelled',
    });
    await waitFor(async () => expect(await cardStatusOf(unanswered.id)).toBe('CANCELED'));
    expect((await participants.bud.api.readOrder({ params: { id: accepted.id } })).status).toBe('Accepted');
  });
});
