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
const MAX_TRIES = 2_000;

type Lane = { readonly bud: TestUser; readonly scrub: TestUser; readonly duber: TestUser; readonly orders: string[] };

describePromise('live', (suite) => {
  let postgres: KillablePostgres;
  let pair: ServerPair;
  let servers: ServerProcess[];
  let lanes: Lane[];
  let strangers: TestUser[];
  const followers = new Map<string, StreamClient>();
  let [steps, kills, restarts] = [0, 0, 0];

  beforeAll(async () => {
    postgres = await startKillablePostgres();
    pair = await openServerPair({ databaseUrl: await postgres.createDatabase('rubadub') });
    servers = [pair.first, pair.second];
    const open = async (): Promise<Lane> => {
      const [bud, scrub, duber] = await Promise.all([
        pair.createUser('Bud'),
        pair.createUser('Scrub'),
        pair.createUser('Duber'),
      ]);
      return { bud, scrub, duber, orders: [] };
    };
    lanes = await Promise.all(Array.from({ length: LANES }, open));
    // Somebody of each role who has nothing to do with it, the Duber too far away.
    strangers = await Promise.all([
      pair.createUser('Bud'),
      pair.createUser('Scrub'),
      pair.createUser('Duber', { east: 9_000 }),
    ]);
    for (const { user, token } of [...lanes.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]), ...strangers]) {
      followers.set(
        user.id,
        startStreamClient(() => servers.map(({ apiUrl: host }) => host), token, suite.random),
      );
    }
    await Promise.all([...followers.values()].map(({ connected }) => connected));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all([...followers.values()].map((one) => one.stop()));
    await Promise.all(servers?.map((server) => server.end('SIGKILL')) ?? []);
    await pair?.close();
    await postgres?.stop();
  });

  /** A call at a random server, again and again until it is known what came of it; a 409 says that it was done before. */
  async function surely<T>(someone: TestUser, call: (api: Client) => Promise<T>): Promise<T | undefined> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const server = servers[Math.floor(suite.random() * servers.length)] as ServerProcess;
      const { status, answer, message } = await captureOutcome(() => call(server.api(someone.token)));
      if (status === 200) return answer;
      if (status === 409 && tries > 0) return undefined;
      expect([0, 503], `${status} ${message}`).toContain(status);
      await setTimeout(15);
    }
    throw new Error('no answer came');
  }

  async function liveOnce(lane: Lane): Promise<void> {
    const { bud, scrub, duber, orders } = lane;
    const given = { body: orderBody(lane), idempotencyKey: `live-${orders.length}` };
    const order = await surely(bud, (api) => api.placeOrder(given));
    if (!order) throw new Error('an order with a key is always answered');
    orders.push(order.id);
    steps += 1;
    const params = { id: order.id };
    const course = suite.random();
    if (course < 0.2) {
      await surely(bud, (api) => api['cancel-order']({ params }));
      steps += 1;
      return;
    }
    for (const action of ['accept-order', 'start-order', 'complete-order'] as const) {
      await surely(scrub, (api) => api[action]({ params }));
      steps += 1;
      if (action !== 'start-order') await carryAll(lane, order.id, duber);
    }
  }

  async function carryAll({ scrub }: Lane, id: string, duber: TestUser): Promise<void> {
    const order = (await surely(scrub, (api) => api.readOrder({ params: { id } }))) as Order;
    for (const leg of order.deliveries.filter(({ status }) => status === 'Pending')) {
      for (const action of DELIVERY_STEPS) {
        await surely(duber, (api) => api[action]({ params: { id: leg.id } }));
        steps += 1;
      }
    }
  }

  async function makeTrouble(): Promise<void> {
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

  /** What a person has heard of each order and delivery, in the order it came. */
  function heardBy({ user }: TestUser): Map<string, string[]> {
    const byThing = new Map<string, string[]>();
    for (const event of followers.get(user.id)?.events ?? []) {
      if (event.entity === 'position') continue;
      const key = `${event.entity} ${event.id}`;
      byThing.set(key, [...(byThing.get(key) ?? []), event.status]);
    }
    return byThing;
  }

  /** What the Bud and the Scrub of a lane are to be told, each thing in the order it happened. */
  async function tellable({ bud, orders }: Lane): Promise<Map<string, string[]>> {
    const wanted = new Map<string, string[]>();
    for (const id of orders) {
      const order = (await surely(bud, (api) => api.readOrder({ params: { id } }))) as Order;
      wanted.set(
        `order ${id}`,
        order.statusHistory.map(({ status }) => status),
      );
      for (const leg of order.deliveries)
        wanted.set(
          `delivery ${leg.id}`,
          leg.statusHistory.map(({ status }) => status),
        );
    }
    return wanted;
  }

  const sizeOf = (map: Map<string, string[]>) => [...map.values()].reduce((sum, list) => sum + list.length, 0);

  test('none is missed, none comes twice, and a stranger hears none', { timeout: TEST_TIMEOUT_MS }, async () => {
    const isOver = () => steps >= suite.cases && kills > 0 && restarts > 0;
    const running = lanes.map(async (lane) => {
      while (!isOver()) await liveOnce(lane);
    });
    while (!isOver()) {
      await setTimeout(suite.random() * 1_000);
      await makeTrouble();
    }
    await Promise.all(running);
    let told = 0;
    for (const lane of lanes) {
      const wanted = await tellable(lane);
      for (const someone of [lane.bud, lane.scrub]) {
        await expect.poll(() => heardBy(someone), { timeout: 30_000 }).toEqual(wanted);
        told += sizeOf(wanted);
      }
      told += await checkDuber(lane, wanted);
    }
    for (const { user } of strangers) expect(followers.get(user.id)?.events).toEqual([]);
    const all = [...followers.values()];
    expect(all.map((one) => one.failedResumes())).toEqual(all.map(() => 0));
    suite.countCases(steps);
    suite.recordFigure('events told to those concerned', told);
    suite.recordFigure('servers killed', kills);
    suite.recordFigure('PostgreSQL killed and restarted', restarts);
    suite.recordFigure(
      'streams cut by their client',
      all.reduce((sum, one) => sum + one.disconnects(), 0),
    );
    suite.recordFigure(
      'streams that broke',
      all.reduce((sum, one) => sum + one.unexpectedEnds(), 0),
    );
  });

  /** A Duber hears everything of their own, and of others at most that there is one and that it is gone. */
  async function checkDuber({ duber }: Lane, wanted: Map<string, string[]>): Promise<number> {
    const legs = [...wanted].filter(([key]) => key.startsWith('delivery'));
    const own = new Map(legs.map(([key, statuses]) => [key, statuses.slice(1)]));
    const heardOfOwn = () => {
      const heard = heardBy(duber);
      return new Map([...own.keys()].map((key) => [key, (heard.get(key) ?? []).filter((one) => one !== 'Pending')]));
    };
    await expect.poll(heardOfOwn, { timeout: 30_000 }).toEqual(own);
    for (const [key, statuses] of heardBy(duber)) {
      expect(key.startsWith('delivery'), `a Duber heard of ${key}`).toBe(true);
      expect(new Set(statuses).size, `${key} ${statuses}`).toBe(statuses.length);
      if (!own.has(key)) expect(['Pending', 'Accepted'], key).toEqual(expect.arrayContaining(statuses));
    }
    return sizeOf(own);
  }
});
