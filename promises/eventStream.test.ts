import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../contract/client.ts';
import type { Order } from '../contract/orders.ts';
import { DELIVERY_STEPS, orderBody } from '../testing/orderSteps.ts';
import type { TestUser } from '../testing/testServer.ts';
import { captureOutcome } from './callOutcome.ts';
import { type KillablePostgres, startKillablePostgres } from './killablePostgres.ts';
import { launchServer, type ServerProcess } from './processes.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { openServerPair, type ServerPair } from './serverPair.ts';
import { type StreamClient, startStreamClient } from './streamClients.ts';

const LANES = 5;
const MAX_ATTEMPTS = 2_000;

type Lane = { readonly bud: TestUser; readonly scrub: TestUser; readonly duber: TestUser; readonly orders: string[] };

describePromise('event-stream', (suite) => {
  let postgres: KillablePostgres;
  let pair: ServerPair;
  let servers: ServerProcess[];
  let lanes: Lane[];
  let strangers: TestUser[];
  const streams = new Map<string, StreamClient>();
  let [steps, kills, restarts] = [0, 0, 0];

  beforeAll(async () => {
    postgres = await startKillablePostgres();
    pair = await openServerPair({ databaseUrl: await postgres.createDatabase('rubadub') });
    servers = [pair.first, pair.second];
    const openLane = async (): Promise<Lane> => {
      const [bud, scrub, duber] = await Promise.all([
        pair.createUser('Bud'),
        pair.createUser('Scrub'),
        pair.createUser('Duber'),
      ]);
      return { bud, scrub, duber, orders: [] };
    };
    lanes = await Promise.all(Array.from({ length: LANES }, openLane));
    // One person of each role without a part in any order; the Duber is too far away to see deliveries.
    strangers = await Promise.all([
      pair.createUser('Bud'),
      pair.createUser('Scrub'),
      pair.createUser('Duber', { east: 9_000 }),
    ]);
    for (const { user, token } of [...lanes.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]), ...strangers]) {
      streams.set(
        user.id,
        startStreamClient(() => servers.map(({ apiUrl }) => apiUrl), token, suite.random),
      );
    }
    await Promise.all([...streams.values()].map(({ connected }) => connected));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all([...streams.values()].map((one) => one.stop()));
    await Promise.all(servers?.map((server) => server.end('SIGKILL')) ?? []);
    await pair?.close();
    await postgres?.stop();
  });

  /** Calls random servers until one answers; a 409 on a retry means that an earlier attempt succeeded. */
  async function callUntilAnswered<T>(user: TestUser, call: (api: Client) => Promise<T>): Promise<T | undefined> {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const server = servers[Math.floor(suite.random() * servers.length)] as ServerProcess;
      const { status, answer, message } = await captureOutcome(() => call(server.api(user.token)));
      if (status === 200) return answer;
      if (status === 409 && attempts > 0) return undefined;
      expect([0, 503], `${status} ${message}`).toContain(status);
      await setTimeout(15);
    }
    throw new Error('no answer');
  }

  async function completeOrder(lane: Lane): Promise<void> {
    const { bud, scrub, duber, orders } = lane;
    const input = { body: orderBody(lane), idempotencyKey: `order-${orders.length}` };
    const order = await callUntilAnswered(bud, (api) => api.placeOrder(input));
    if (!order) throw new Error('a retry with the same Idempotency-Key must return the order');
    orders.push(order.id);
    steps += 1;
    const params = { id: order.id };
    if (suite.random() < 0.2) {
      await callUntilAnswered(bud, (api) => api['cancel-order']({ params }));
      steps += 1;
      return;
    }
    for (const action of ['accept-order', 'start-order', 'complete-order'] as const) {
      await callUntilAnswered(scrub, (api) => api[action]({ params }));
      steps += 1;
      if (action !== 'start-order') await completeDeliveries(lane, order.id, duber);
    }
  }

  async function completeDeliveries({ scrub }: Lane, id: string, duber: TestUser): Promise<void> {
    const order = (await callUntilAnswered(scrub, (api) => api.readOrder({ params: { id } }))) as Order;
    for (const delivery of order.deliveries.filter(({ status }) => status === 'Pending')) {
      for (const action of DELIVERY_STEPS) {
        await callUntilAnswered(duber, (api) => api[action]({ params: { id: delivery.id } }));
        steps += 1;
      }
    }
  }

  async function killServerOrDatabase(): Promise<void> {
    if (kills <= restarts) {
      await servers[1]?.end('SIGKILL');
      servers[1] = await launchServer(pair.env);
      kills += 1;
    } else {
      await postgres.kill();
      await setTimeout(suite.random() * 500);
      await postgres.restart();
      restarts += 1;
    }
  }

  /** The statuses a person received, by order or delivery, in the order of their arrival. */
  function receivedBy({ user }: TestUser): Map<string, string[]> {
    const byEntity = new Map<string, string[]>();
    for (const event of streams.get(user.id)?.events ?? []) {
      if (event.entity === 'position') continue;
      const key = `${event.entity} ${event.id}`;
      byEntity.set(key, [...(byEntity.get(key) ?? []), event.status]);
    }
    return byEntity;
  }

  /** The statuses that the Bud and the Scrub of a lane must receive, by order or delivery. */
  async function expectedStatuses({ bud, orders }: Lane): Promise<Map<string, string[]>> {
    const expected = new Map<string, string[]>();
    for (const id of orders) {
      const order = (await callUntilAnswered(bud, (api) => api.readOrder({ params: { id } }))) as Order;
      expected.set(
        `order ${id}`,
        order.statusHistory.map(({ status }) => status),
      );
      for (const delivery of order.deliveries)
        expected.set(
          `delivery ${delivery.id}`,
          delivery.statusHistory.map(({ status }) => status),
        );
    }
    return expected;
  }

  const sizeOf = (map: Map<string, string[]>) => [...map.values()].reduce((sum, list) => sum + list.length, 0);

  test('everyone receives each of their events once, and strangers receive none', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const isOver = () => steps >= suite.cases && kills > 0 && restarts > 0;
    const running = lanes.map(async (lane) => {
      while (!isOver()) await completeOrder(lane);
    });
    while (!isOver()) {
      await setTimeout(suite.random() * 1_000);
      await killServerOrDatabase();
    }
    await Promise.all(running);
    let received = 0;
    for (const lane of lanes) {
      const expected = await expectedStatuses(lane);
      for (const user of [lane.bud, lane.scrub]) {
        await expect.poll(() => receivedBy(user)).toEqual(expected);
        received += sizeOf(expected);
      }
      received += await checkDuber(lane, expected);
    }
    for (const { user } of strangers) expect(streams.get(user.id)?.events).toEqual([]);
    const allStreams = [...streams.values()];
    expect(allStreams.map((stream) => stream.failedResumes())).toEqual(allStreams.map(() => 0));
    suite.countCases(steps);
    suite.recordFigure('events received by the people they concern', received);
    suite.recordFigure('servers killed', kills);
    suite.recordFigure('PostgreSQL killed and restarted', restarts);
    suite.recordFigure(
      'streams closed by their client',
      allStreams.reduce((sum, stream) => sum + stream.disconnects(), 0),
    );
    suite.recordFigure(
      'streams that ended unexpectedly',
      allStreams.reduce((sum, stream) => sum + stream.unexpectedEnds(), 0),
    );
  });

  /** Checks that a Duber receives all of their own events, and of other deliveries only `Pending` and `Accepted`. */
  async function checkDuber({ duber }: Lane, expected: Map<string, string[]>): Promise<number> {
    const deliveries = [...expected].filter(([key]) => key.startsWith('delivery'));
    const own = new Map(deliveries.map(([key, statuses]) => [key, statuses.slice(1)]));
    const receivedOwn = () => {
      const received = receivedBy(duber);
      return new Map([...own.keys()].map((key) => [key, (received.get(key) ?? []).filter((one) => one !== 'Pending')]));
    };
    await expect.poll(receivedOwn).toEqual(own);
    for (const [key, statuses] of receivedBy(duber)) {
      expect(key.startsWith('delivery'), `a Duber received ${key}`).toBe(true);
      expect(new Set(statuses).size, `${key} ${statuses}`).toBe(statuses.length);
      if (!own.has(key)) expect(['Pending', 'Accepted'], key).toEqual(expect.arrayContaining(statuses));
    }
    return sizeOf(own);
  }
});
