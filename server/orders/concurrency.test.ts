import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallFailed } from '../../contract/client.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findLegId,
  orderBody,
  type Participants,
  placeOrder,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';

/** How often each race is run: a race that is lost once in ten is lost. */
const RACES = 5;

type Outcome = { readonly status: number; readonly message?: string };

// PGlite has one connection and hides races, so they are run on PostgreSQL, against two servers at once.
describe.runIf(DATABASE_KINDS.includes('postgres'))('two servers on one database', () => {
  let world: TestServer;
  let second: TestServer;
  let cast: Participants;

  beforeAll(async () => {
    world = await openTestServer('postgres');
    second = await openTestServer('postgres', { beside: world });
    cast = await createParticipants(world);
  });
  afterAll(async () => {
    await second?.close();
    await world?.close();
  });

  /** The same person at the other server. */
  const there = (someone: TestUser): TestUser => ({ ...someone, api: second.api(someone.token) });

  const outcomes = (calls: readonly Promise<unknown>[]): Promise<Outcome[]> =>
    Promise.all(
      calls.map((call) =>
        call.then(
          () => ({ status: 200 }),
          (error: unknown) => {
            if (error instanceof CallFailed) return { status: error.statusCode, message: error.message };
            throw error;
          },
        ),
      ),
    );
  const statuses = (all: readonly Outcome[]) => all.map(({ status }) => status).toSorted();

  const squarePayments = async () => {
    const response = await fetch(`${world.sandboxUrl}/sandbox/square/v2/payments?limit=100`, {
      headers: { authorization: 'Bearer sandbox' },
    });
    const { payments } = (await response.json()) as { payments: { reference_id: string; status: string }[] };
    return payments;
  };

  test('what one server wrote the other one reads', async () => {
    const order = await placeOrder(cast);
    const params = { id: order.id };
    expect(await there(cast.scrub).api.readOrder({ params })).toEqual(await cast.scrub.api.readOrder({ params }));
    await there(cast.scrub).api['accept-order']({ params });
    expect((await cast.bud.api.readOrder({ params })).status).toBe('Accepted');
    expect(await there(cast.bud).api.totalSpending()).toEqual(await cast.bud.api.totalSpending());
  });

  test('a bud cancels while the scrub accepts and rejects: exactly one wins, and the money follows it', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { id } = await placeOrder(cast);
      const params = { id };
      const all = await outcomes([
        cast.bud.api['cancel-order']({ params }),
        there(cast.scrub).api['accept-order']({ params }),
        cast.scrub.api['reject-order']({ params }),
        there(cast.bud).api['cancel-order']({ params }),
        cast.scrub.api['accept-order']({ params }),
      ]);
      expect(statuses(all)).toEqual([200, 409, 409, 409, 409]);
      const order = await cast.bud.api.readOrder({ params });
      expect(order.statusHistory.map(({ status }) => status)).toEqual(['Requested', order.status]);
      for (const { status, message } of all) if (status === 409) expect(message).toBe(`This order is ${order.status}`);
      expect(order.deliveries).toHaveLength(order.status === 'Accepted' ? 1 : 0);
    }
  });

  test('every later step is taken once', async () => {
    for (const [action, before] of [
      ['start-order', 'Accepted'],
      ['complete-order', 'In_Progress'],
    ] as const) {
      const { id } = await createOrderInStatus(cast, before);
      const tries = [cast.scrub, there(cast.scrub), cast.scrub, there(cast.scrub)];
      expect(statuses(await outcomes(tries.map(({ api }) => api[action]({ params: { id } }))))).toEqual([
        200, 409, 409, 409,
      ]);
      const order = await cast.scrub.api.readOrder({ params: { id } });
      expect(order.statusHistory.at(-1)?.status).toBe(order.status);
      expect(new Set(order.statusHistory.map(({ status }) => status)).size).toBe(order.statusHistory.length);
    }
  });

  test('several dubers reach for one delivery: one gets it', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const id = findLegId(await createOrderInStatus(cast, 'Accepted'), 'Bud_To_Scrub');
      const dubers = await Promise.all([1, 2, 3, 4].map(() => world.createUser('Duber')));
      const all = await outcomes(
        dubers.map((duber, index) => (index % 2 ? there(duber) : duber).api['accept-delivery']({ params: { id } })),
      );
      expect(statuses(all)).toEqual([200, 409, 409, 409]);
      for (const { status, message } of all) {
        if (status === 409) expect(message).toBe('This delivery has already been accepted');
      }
      const winner = dubers[all.findIndex(({ status }) => status === 200)];
      const delivery = await cast.bud.api.readDelivery({ params: { id } });
      expect(delivery.duberId).toBe(winner?.user.id);
      expect(delivery.statusHistory.map(({ status }) => status)).toEqual(['Pending', 'Accepted']);
    }
  });

  test('one duber reaches for several deliveries: they get one', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const duber = await world.createUser('Duber');
      const orders = await Promise.all([1, 2, 3, 4].map(() => createOrderInStatus(cast, 'Accepted')));
      const ids = orders.map((order) => findLegId(order, 'Bud_To_Scrub'));
      const all = await outcomes(
        ids.map((id, index) => (index % 2 ? there(duber) : duber).api['accept-delivery']({ params: { id } })),
      );
      expect(statuses(all)).toEqual([200, 409, 409, 409]);
      for (const { status, message } of all) {
        if (status === 409) expect(message).toBe('You already have an active delivery');
      }
      expect((await duber.api.listDeliveries()).data.totalCount).toBe(1);
      expect((await duber.api.duberDashboard()).activeDelivery?.id).toBe(
        ids[all.findIndex(({ status }) => status === 200)],
      );
    }
  });

  test('a delivery is brought a step on once, and paid once', async () => {
    const duber = await world.createUser('Duber');
    const id = findLegId(await createOrderInStatus(cast, 'Accepted'), 'Bud_To_Scrub');
    await advanceDelivery(duber, id, 4);
    const tries = [duber, there(duber), duber, there(duber)];
    expect(statuses(await outcomes(tries.map(({ api }) => api.delivered({ params: { id } }))))).toEqual([
      200, 409, 409, 409,
    ]);
    expect((await duber.api.duberDashboard()).stats).toMatchObject({ totalEarning: 5.99, totalDelivered: 1 });
  });

  test('the same review twice at once is one review, and counts once', async () => {
    const scrub = await world.createUser('Scrub', { north: 900 });
    const { id } = await createOrderInStatus({ ...cast, scrub }, 'Completed');
    const review = (bud: TestUser, rating: number) =>
      bud.api.reviewToScrub({ params: { id }, body: { ...REVIEW, rating, scrubId: scrub.user.id } });
    const all = await outcomes([1, 2, 3, 4].map((rating) => review(rating % 2 ? cast.bud : there(cast.bud), rating)));
    expect(statuses(all)).toEqual([200, 409, 409, 409]);
    for (const { status, message } of all) if (status === 409) expect(message).toBe('You have already reviewed this');
    const { reviews } = await cast.bud.api.readOrder({ params: { id } });
    expect(reviews).toHaveLength(1);
    expect((await scrub.api.scrubDashboard()).averageScrubOrdersRating).toBe(reviews[0]?.rating);
  });

  test('the same Idempotency-Key at once is one order and one payment', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const given = { body: orderBody(cast), idempotencyKey: `race-${round}` };
      const orders = await Promise.all(
        [cast.bud, there(cast.bud), cast.bud, there(cast.bud)].map(({ api }) => api.placeOrder(given)),
      );
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1);
      const [order] = orders;
      expect((await squarePayments()).filter((payment) => payment.reference_id === order?.id)).toHaveLength(1);
    }
  });

  test('the same Idempotency-Key at once with two bodies is one order and clean refusals', async () => {
    const bodies = ['Small', 'Large', 'Small', 'Large'].map((loadSize) => orderBody(cast, { loadSize }));
    const all = await outcomes(
      bodies.map((body, index) =>
        (index % 2 ? there(cast.bud) : cast.bud).api.placeOrder({ body, idempotencyKey: 'two-bodies' }),
      ),
    );
    expect(statuses(all)).toEqual([200, 200, 409, 409]);
  });

  test('one key is one bud’s own', async () => {
    const other = await world.createUser('Bud', { north: 200 });
    const given = { idempotencyKey: 'shared' };
    const mine = await cast.bud.api.placeOrder({ body: orderBody(cast), ...given });
    const theirs = await other.api.placeOrder({ body: orderBody({ ...cast, bud: other }), ...given });
    expect(theirs.id).not.toBe(mine.id);
    expect(theirs.budId).toBe(other.user.id);
  });
});
