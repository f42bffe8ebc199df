import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { openSandbox } from '../../sandbox/sandbox.ts';
import type { Context } from '../../server/context.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, queryRows } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrate.ts';
import { expireRequests } from '../../server/orders/orders.ts';
import { runPaymentJobs } from '../../server/payments/paymentJobs.ts';
import { createRandom, type Random } from '../random.ts';
import { audit } from './audit.ts';
import { type FaultyNetwork, openFaultyNetwork } from './faultyNetwork.ts';
import { createContext, createFastSquareCards, type KillableServer, startKillableServer } from './killableServer.ts';
import { type PlantedPaymentBug, type Simulation, simulateOrder, tryCall } from './orderSimulation.ts';
import { insertUsers } from './users.ts';

type Options = {
  /** Undefined: the embedded database, whose process is not killed. */
  readonly databaseUrl: string | undefined;
  readonly orders: number;
  readonly seed: number;
  readonly plantedBug?: PlantedPaymentBug;
};

export type StressTestResult = {
  readonly problems: string[];
  readonly orders: number;
  /** What waits for a person, or is not finished. */
  readonly stuck: string[];
  readonly kills: number;
  readonly networkOutcomes: FaultyNetwork['outcomeCounts'];
  readonly statuses: Record<string, number>;
};

const LANES = 10;
const HOUR_MS = 60 * 60 * 1000;

/** Lets many people order while the network fails and servers are killed, waits for the dust to settle, and audits. */
export async function runStressTest(options: Options): Promise<StressTestResult> {
  const random = createRandom(options.seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-storm-'));
  const sandbox = await openSquareSandbox(dataDir);
  const network = await openFaultyNetwork(sandbox.url, random, createRequestRewriter(options.plantedBug));
  const database = options.databaseUrl
    ? openServerDatabase(options.databaseUrl)
    : await openEmbeddedDatabase(undefined);
  try {
    await migrate(database.db);
    let ahead = 0;
    const now = () => new Date(Date.now() + ahead);
    const people = await insertUsers(database.db, 12, now());
    const servers = startServerPool({ options, database, squareUrl: network.url, now, random });
    const wait = (ms: number) => {
      ahead += ms;
    };
    const world: Simulation = {
      plantedBug: options.plantedBug,
      random,
      users: people,
      now,
      advanceClock: wait,
      context: servers.deps,
    };
    await simulateOrders(world, options.orders);
    await servers.end();
    await network.stopFailing();
    const calm = createContext(database.db, createFastSquareCards(sandbox.url), now);
    await runUntilNothingIsDue(calm, wait);
    return await summarize(calm, sandbox.url, network, servers.kills());
  } finally {
    await database.close();
    await network.close();
    await sandbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function openSquareSandbox(dataDir: string) {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  let base = '';
  const parts = { square: true, places: false, map: false, mail: false };
  const sandbox = await openSandbox({ dataDir, parts, publicUrl: () => base });
  await sandbox.register(app);
  base = await app.listen({ host: '127.0.0.1', port: 0 });
  const close = async () => {
    await app.close();
    await sandbox.close();
  };
  return { url: `${base}/sandbox/square`, close };
}

// What the product would send had it the bug.
function createRequestRewriter(plant: PlantedPaymentBug | undefined) {
  const tries = new Map<string, number>();
  return (path: string, body: string): string => {
    if (path !== '/v2/payments' || body === '' || (plant !== 'no key' && plant !== 'a new key for a retry'))
      return body;
    const request = JSON.parse(body) as { idempotency_key: string };
    const count = (tries.get(request.idempotency_key) ?? 0) + 1;
    tries.set(request.idempotency_key, count);
    const first = plant === 'a new key for a retry' && count === 1;
    return first ? body : JSON.stringify({ ...request, idempotency_key: newId() });
  };
}

type ServerPoolOptions = { options: Options; database: Database; squareUrl: string; now: () => Date; random: Random };

/** Two servers at a time on PostgreSQL, each killed after a while and replaced; one that lives on otherwise. */
function startServerPool({ options, database, squareUrl, now, random }: ServerPoolOptions) {
  const { databaseUrl } = options;
  let kills = 0;
  if (databaseUrl === undefined) {
    const deps = createContext(database.db, createFastSquareCards(squareUrl), now);
    return { deps: () => deps, kills: () => 0, end: async () => {} };
  }
  const start = () => {
    const livesFor = 20 + Math.floor(random() * 400);
    return startKillableServer({ databaseUrl, squareUrl, now, random, killAfterSteps: livesFor });
  };
  const alive: KillableServer[] = [start(), start()];
  return {
    deps() {
      const index = random() < 0.5 ? 0 : 1;
      if (alive[index]?.isDead()) {
        kills += 1;
        void alive[index].stop();
        alive[index] = start();
      }
      return (alive[index] as KillableServer).context;
    },
    kills: () => kills,
    async end() {
      for (const server of alive) server.disableKill();
      await Promise.all(alive.filter((server) => !server.isDead()).map((server) => server.stop()));
    },
  };
}

async function simulateOrders(world: Simulation, orders: number): Promise<void> {
  const wishes = Array.from({ length: orders }, (_, index) => index);
  let open = LANES;
  const lane = async () => {
    for (let wish = wishes.pop(); wish !== undefined; wish = wishes.pop()) await simulateOrder(world, `wish ${wish}`);
    open -= 1;
  };
  const worker = async () => {
    while (open > 0) {
      await tryCall(() => runPaymentJobs(world.context()));
      await tryCall(() => expireRequests(world.context()));
      world.advanceClock(500);
      await new Promise((go) => setImmediate(go));
    }
  };
  await Promise.all([...Array.from({ length: LANES }, lane), worker(), worker()]);
}

/** Days pass without anything failing, until nothing is due any more. */
async function runUntilNothingIsDue(deps: Context, wait: (ms: number) => void): Promise<void> {
  for (let hours = 0; hours < 72; hours += 1) {
    wait(HOUR_MS);
    for (let round = 0; round < 10_000 && (await runPaymentJobs(deps)); round += 1) {}
    for (let round = 0; round < 1_000 && (await expireRequests(deps)) > 0; round += 1) {}
  }
}

async function summarize(
  deps: Context,
  squareUrl: string,
  network: FaultyNetwork,
  kills: number,
): Promise<StressTestResult> {
  const found = await queryRows<{ status: string; many: number }>(
    deps.db,
    sql`select status, count(*)::int as many from orders group by status order by status`,
  );
  const stuck = await queryRows<{ what: string }>(
    deps.db,
    sql`select concat_ws(' ', 'order', order_id, state, failure, concern, due_at) as what from payments
      where state = 'stuck' or concern is not null or due_at is not null
      union all select concat_ws(' ', 'refund', id, state, failure, due_at) from refunds where state <> 'refunded'`,
  );
  return {
    problems: await audit(deps.db, squareUrl),
    orders: found.reduce((sum, { many }) => sum + many, 0),
    stuck: stuck.map(({ what }) => what),
    kills,
    networkOutcomes: network.outcomeCounts,
    statuses: Object.fromEntries(found.map(({ status, many }) => [status, many])),
  };
}
