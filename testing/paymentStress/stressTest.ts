import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { HOUR_MS } from '../../domain/durations.ts';
import { DOOR_WAIT_MS } from '../../domain/needs.ts';
import { openSandbox } from '../../sandbox/sandbox.ts';
import type { Context } from '../../server/context.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, queryRows } from '../../server/db/database.ts';
import { ensureSchema } from '../../server/db/ensureSchema.ts';
import { runTimers } from '../../server/jobs/timers.ts';
import { runPaymentJobs } from '../../server/payments/paymentJobs.ts';
import { runPayouts } from '../../server/payments/payouts/payouts.ts';
import { withTraces } from '../orderTrace.ts';
import { createRandom, type Random } from '../random.ts';
import { WORK_TIMERS } from '../workTimers.ts';
import { audit } from './audit.ts';
import { auditCases, countCaseSteps } from './caseAudit.ts';
import { findDifferingDays, findMissedDifferences, startComparingDays } from './daySimulation.ts';
import { closeCases, simulateDays, workBeside } from './daysSimulation.ts';
import { contestPayments } from './disputeSimulation.ts';
import { correctAfterPayout } from './exceptionSimulation.ts';
import { type FaultyNetwork, openFaultyNetwork } from './faultyNetwork.ts';
import { createContext, createFastSquareCards, type KillableServer, startKillableServer } from './killableServer.ts';
import { simulateOrder } from './orderSimulation.ts';
import { sendAndReturnPayouts } from './payoutSimulation.ts';
import { createPromos, findOverused } from './promoSimulation.ts';
import type { Simulation } from './simulation.ts';
import { insertUsers } from './users.ts';
import { startWeighing } from './weighedSimulation.ts';

type Options = {
  /** Undefined for the embedded database. Servers are only killed on PostgreSQL. */
  readonly databaseUrl: string | undefined;
  readonly orders: number;
  readonly seed: number;
};

export type StressTestResult = {
  readonly problems: string[];
  readonly orders: number;
  /** Payments and refunds that need a person or are unfinished. */
  readonly stuck: string[];
  readonly kills: number;
  /** How often each kind of exception and each step of cases happened. */
  readonly unplanned: Record<string, number>;
  readonly networkOutcomes: FaultyNetwork['outcomeCounts'];
  readonly statuses: Record<string, number>;
};

const CONCURRENT_ORDERS = 10;
const STEP_HOURS = 4;
const DOOR_WAIT_GAP_MS = 2_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

/** Simulates many orders while the network fails and servers are killed, finishes all due work, and audits the result. */
export async function runStressTest(options: Options): Promise<StressTestResult> {
  const random = createRandom(options.seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-payment-stress-'));
  const sandbox = await openSquareSandbox(dataDir);
  const network = await openFaultyNetwork(sandbox.url, random);
  const database = options.databaseUrl
    ? openServerDatabase(options.databaseUrl)
    : await openEmbeddedDatabase(undefined);
  try {
    await ensureSchema(database.db);
    let [offsetMs, isWeighing] = [0, false];
    const now = () => new Date(Date.now() + offsetMs);
    await startComparingDays(database.db, now());
    // A Bud may place only so many orders that nobody accepts, and use only so many cards that are declined.
    const users = await insertUsers(database.db, Math.max(12, Math.ceil(options.orders / 8)), now());
    const servers = startServerPool({ options, database, squareUrl: network.url, now, random });
    const advanceClock = (ms: number) => {
      offsetMs += ms;
    };
    const promoCodes = await createPromos(database.db, now, options.orders);
    const simulation: Simulation = {
      random,
      users,
      promoCodes,
      now,
      isWeighing: () => isWeighing,
      advanceClock,
      waitAtDoor: createDoorWait(advanceClock),
      context: servers.context,
    };
    // The second half is placed under the other policy.
    await simulateOrders(simulation, Math.ceil(options.orders / 2));
    await startWeighing(database.db, now());
    isWeighing = true;
    await simulateOrders(simulation, options.orders, Math.ceil(options.orders / 2));
    await simulateDays(simulation, network.settle);
    await servers.end();
    await network.stopFailing();
    const context = createContext(database.db, createFastSquareCards(sandbox.url), now);
    await runUntilNothingIsDue(context, advanceClock, 3);
    const differing = await findDifferingDays(context);
    const passDay = () => runUntilNothingIsDue(context, advanceClock, 1);
    await closeCases(context, random, passDay);
    await contestPayments(context, sandbox.url, random);
    // Those of the chargebacks.
    await closeCases(context, random, passDay);
    for (let weeks = 0; weeks < 3; weeks += 1) {
      advanceClock(WEEK_MS);
      await runPayouts(context);
      await sendAndReturnPayouts(context, random);
      if (weeks === 0) await correctAfterPayout(context, random);
    }
    await passDay();
    // The days of what was done last are over by then.
    advanceClock(3 * 24 * HOUR_MS);
    differing.push(...(await findDifferingDays(context)), ...(await findMissedDifferences(context, random)));
    differing.push(...(await findDifferingDays(context)));
    const result = await summarize(context, sandbox.url, network, servers.kills());
    return { ...result, problems: await withTraces(database.db, [...result.problems, ...differing]) };
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

type ServerPoolOptions = { options: Options; database: Database; squareUrl: string; now: () => Date; random: Random };

/** Two servers on PostgreSQL, each killed after some steps and replaced, or one lasting server on the embedded database. */
function startServerPool({ options, database, squareUrl, now, random }: ServerPoolOptions) {
  const { databaseUrl } = options;
  let kills = 0;
  if (databaseUrl === undefined) {
    const context = createContext(database.db, createFastSquareCards(squareUrl), now);
    return { context: () => context, kills: () => 0, end: async () => {} };
  }
  const start = () => {
    const killAfterSteps = 20 + Math.floor(random() * 600);
    return startKillableServer({ databaseUrl, squareUrl, now, random, killAfterSteps });
  };
  const servers: KillableServer[] = [start(), start()];
  return {
    context() {
      const index = random() < 0.5 ? 0 : 1;
      if (servers[index]?.isKilled()) {
        kills += 1;
        void servers[index].stop();
        servers[index] = start();
      }
      return (servers[index] as KillableServer).context;
    },
    kills: () => kills,
    async end() {
      for (const server of servers) server.disableKill();
      await Promise.all(servers.filter((server) => !server.isKilled()).map((server) => server.stop()));
    },
  };
}

/** Simulates the orders from the number `first` to before `end`. */
async function simulateOrders(simulation: Simulation, end: number, first = 0): Promise<void> {
  const waiting = Array.from({ length: end - first }, (_, index) => first + index);
  const placeOrders = async () => {
    for (let order = waiting.pop(); order !== undefined; order = waiting.pop()) {
      await simulateOrder(simulation, `order ${order}`);
    }
  };
  await workBeside(simulation, () => Promise.all(Array.from({ length: CONCURRENT_ORDERS }, placeOrders)));
}

function createDoorWait(advanceClock: (ms: number) => void): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - last < DOOR_WAIT_GAP_MS) return false;
    last = performance.now();
    advanceClock(DOOR_WAIT_MS);
    return true;
  };
}

/** Runs some days of jobs without failures, so that nothing is due afterwards. */
async function runUntilNothingIsDue(context: Context, advanceClock: (ms: number) => void, days: number): Promise<void> {
  for (let hours = 0; hours < days * 24; hours += STEP_HOURS) {
    advanceClock(STEP_HOURS * HOUR_MS);
    for (let run = 0; run < 10_000 && (await runPaymentJobs(context)); run += 1) {}
    for (let run = 0; run < 1_000 && (await runTimers(context, WORK_TIMERS)) > 0; run += 1) {}
  }
}

async function summarize(
  { db }: Context,
  squareUrl: string,
  network: FaultyNetwork,
  kills: number,
): Promise<StressTestResult> {
  const statuses = await db
    .selectFrom('orders')
    .select(['status', sql<number>`count(*)::int`.as('count')])
    .groupBy('status')
    .orderBy('status')
    .execute();
  // Raw SQL: each row becomes one line of text.
  const stuck = await queryRows<{ what: string }>(
    db,
    sql`select concat_ws(' ', 'order', order_id, state, failure, concern, due_at) as what from payments
      where state = 'stuck' or concern is not null or due_at is not null
      union all select concat_ws(' ', 'refund', id, state, failure, due_at) from refunds where state <> 'refunded'`,
  );
  // Everything is older than a day by now. A case that waits for the town keeps its timer until somebody decides.
  const timers = await db
    .selectFrom('timers')
    .select(['action', 'subject_id'])
    .where('subject_kind', '=', 'order')
    .execute();
  const leftTimers = timers.map(({ action, subject_id }) => `the timer ${action} of order ${subject_id} is left`);
  return {
    problems: [
      ...(await audit(db, squareUrl, { knowsFees: true })),
      ...(await auditCases(db)),
      ...(await findOverused(db)),
      ...leftTimers,
    ],
    orders: statuses.reduce((sum, { count }) => sum + count, 0),
    stuck: stuck.map(({ what }) => what),
    kills,
    unplanned: await countCaseSteps(db),
    networkOutcomes: network.outcomeCounts,
    statuses: Object.fromEntries(statuses.map(({ status, count }) => [status, count])),
  };
}
