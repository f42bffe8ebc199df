import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explained } from '../testing/explained.ts';
import { createOrderInStatus, findDeliveryId, type Participants, placeOrder } from '../testing/orderSteps.ts';
import type { TestUser } from '../testing/testServer.ts';
import { type CallOutcome, captureOutcome, isOverloaded, throwIfOverloaded } from './callOutcome.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { openServerPair, type ServerPair } from './serverPair.ts';

const REQUESTS_PER_RACE = 8;
const LANES = 3;

/** Users and deliveries of one lane. Lanes run in parallel; the races of a lane run one after the other. */
type Lane = Pick<Participants, 'bud' | 'scrub'> & {
  readonly dubers: readonly TestUser[];
  readonly deliveries: readonly string[];
};

describePromise('races', (suite) => {
  let pair: ServerPair;
  let pool: pg.Pool;
  let lanes: readonly Lane[];
  const raceCounts: Record<string, number> = {};

  beforeAll(async () => {
    pair = await openServerPair();
    pool = new pg.Pool({ connectionString: pair.databaseUrl, max: LANES });
    lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await pool?.end();
    await pair?.close();
  });

  async function openLane(): Promise<Lane> {
    const [bud, scrub, ...dubers] = await Promise.all([
      pair.createUser('Bud'),
      pair.createUser('Scrub'),
      ...Array.from({ length: REQUESTS_PER_RACE }, () => pair.createUser('Duber')),
    ]);
    const orders = await Promise.all(
      Array.from({ length: REQUESTS_PER_RACE }, () => createOrderInStatus({ bud, scrub }, 'Accepted')),
    );
    return { bud, scrub, dubers, deliveries: orders.map((order) => findDeliveryId(order, 'Bud_To_Scrub')) };
  }

  /** Sends all requests at once, half of them to each process, and expects exactly one to succeed. */
  async function race(requests: readonly ((process: 0 | 1) => Promise<unknown>)[]): Promise<CallOutcome<unknown>[]> {
    const outcomes = await Promise.all(
      requests.map((request, index) => captureOutcome(() => request(index % 2 ? 1 : 0))),
    );
    throwIfOverloaded(outcomes);
    expect(
      outcomes.filter(({ status }) => status === 200),
      JSON.stringify(outcomes),
    ).toHaveLength(1);
    return outcomes;
  }

  const apiOf = (user: TestUser, process: 0 | 1) => (process ? pair.atSecond(user) : user).api;
  const refusals = (outcomes: readonly CallOutcome<unknown>[]) =>
    [...new Set(outcomes.map(({ status, message }) => `${status} ${message}`))].toSorted().slice(1).join('; ');

  // Resets the delivery in the database, so that the next race needs no new order.
  async function undo(id: string): Promise<void> {
    await pool.query(
      `set local session_replication_role = 'replica'; delete from steps where subject_id = '${id}' and position > 0`,
    );
    await pool.query(`update deliveries set status = 'Pending', duber_id = null where id = $1`, [id]);
  }

  async function manyDubersOneDelivery({ dubers, deliveries, bud }: Lane): Promise<void> {
    const id = deliveries[Math.floor(suite.random() * REQUESTS_PER_RACE)] ?? '';
    const params = { id };
    const outcomes = await race(
      dubers.map((duber) => (process) => apiOf(duber, process)['accept-delivery']({ params })),
    );
    expect(refusals(outcomes)).toBe('409 This delivery has already been accepted');
    const winner = dubers[outcomes.findIndex(({ status }) => status === 200)];
    const { duberId, statusHistory } = await bud.api.readDelivery({ params });
    expect(duberId).toBe(winner?.user.id);
    expect(statusHistory.map(({ status }) => status)).toEqual(['Pending', 'Accepted']);
    await undo(id);
  }

  async function oneDuberManyDeliveries({ dubers, deliveries }: Lane): Promise<void> {
    const duber = dubers[Math.floor(suite.random() * REQUESTS_PER_RACE)] as TestUser;
    const outcomes = await race(
      deliveries.map((id) => (process) => apiOf(duber, process)['accept-delivery']({ params: { id } })),
    );
    expect(refusals(outcomes)).toBe('409 You already have an active delivery');
    const won = deliveries[outcomes.findIndex(({ status }) => status === 200)] ?? '';
    const { rows } = await pool.query('select id from deliveries where duber_id = $1', [duber.user.id]);
    expect(rows).toEqual([{ id: won }]);
    expect((await duber.api.duberDashboard()).activeDelivery?.id).toBe(won);
    await undo(won);
  }

  async function oneOrderAcceptedOnce(lane: Lane): Promise<void> {
    const { id } = await placeOrder(lane);
    const params = { id };
    const requests = Array.from(
      { length: REQUESTS_PER_RACE },
      () => (process: 0 | 1) => apiOf(lane.scrub, process)['accept-order']({ params }),
    );
    expect(refusals(await race(requests))).toBe('409 This order is Accepted');
    const { statusHistory, deliveries } = await lane.bud.api.readOrder({ params });
    expect(statusHistory.map(({ status }) => status)).toEqual(['Requested', 'Accepted']);
    expect(deliveries).toHaveLength(1);
  }

  const ORDER_RACE = 'one order accepted once';
  function pickRace(): readonly [string, (lane: Lane) => Promise<void>] {
    const dice = suite.random();
    // Each order needs a payment, so these races are rarer.
    if (dice < 0.1) return [ORDER_RACE, oneOrderAcceptedOnce];
    return dice < 0.55
      ? ['many Dubers, one delivery', manyDubersOneDelivery]
      : ['one Duber, many deliveries', oneDuberManyDeliveries];
  }

  test('exactly one of eight simultaneous requests succeeds, and the others are refused with the reason', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    let remaining = suite.cases;
    await Promise.all(
      lanes.map(async (lane) => {
        while (remaining > 0) {
          const [kind, run] = pickRace();
          await suite.attempt(async () => {
            await explained(
              () => `${kind}: ${JSON.stringify(raceCounts)} held before`,
              () => run(lane),
            ).catch(async (error: unknown) => {
              if (isOverloaded(error)) for (const id of lane.deliveries) await undo(id);
              throw error;
            });
            raceCounts[kind] = (raceCounts[kind] ?? 0) + 1;
            remaining -= 1;
          });
        }
      }),
    );
    for (const [name, count] of Object.entries(raceCounts)) suite.recordFigure(name, count);
  });

  test('each accepted order is charged once at the card network', async () => {
    const countOrders = async () => {
      const { rows } = await pool.query<{ orders: number; chargedOnce: number }>(
        `select count(*)::int as orders, count(*) filter (where p.states = array['captured'])::int as "chargedOnce"
          from orders o left join lateral (select array_agg(state) as states from payments where order_id = o.id) p on true
          where o.status = 'Accepted'`,
      );
      return rows[0] ?? { orders: 0, chargedOnce: 0 };
    };
    const { orders } = await countOrders();
    // Races that a busy machine refused may have accepted orders, too.
    expect(orders).toBeGreaterThanOrEqual(LANES * REQUESTS_PER_RACE + (raceCounts[ORDER_RACE] ?? 0));
    await expect.poll(countOrders).toEqual({ orders, chargedOnce: orders });
  });
});
