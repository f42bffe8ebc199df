import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pointAt, type TestUser } from '../testing/testServer.ts';
import { waitUntil } from '../testing/waits.ts';
import { type CallOutcome, captureOutcome } from './callOutcome.ts';
import { type KillablePostgres, startKillablePostgres } from './killablePostgres.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { openServerPair, type ServerPair } from './serverPair.ts';
import { openSmallDisk, type SmallDisk } from './smallDisk.ts';

const LANES = 8;
/** A request that takes longer than this counts as hanging. */
const REQUEST_TIMEOUT_MS = 12_000;
// Longer than REQUEST_TIMEOUT_MS.
const PAUSED_MS = 14_000;
// Longer than a statement may take.
const SLOW_MS = 6_000;
const HEALTHY_AFTER_SUCCESSES = 5;
const WAL_SWITCHES = 20;
/** With this many addresses a lane deletes the oldest one: a Bud may have 20. */
const KEPT_ADDRESSES = 8;

type Lane = {
  readonly user: TestUser;
  /** The ids of addresses that the server acknowledged, oldest first. */
  readonly acknowledged: Set<string>;
  /** Since the last outage. */
  outcomes: CallOutcome<unknown>[];
};
type Outage = 'killed' | 'paused' | 'slow' | 'full';

describePromise('database-outage', (suite) => {
  let disk: SmallDisk | undefined;
  let postgres: KillablePostgres;
  let databaseUrl: string;
  let pair: ServerPair;
  let lanes: Lane[];
  const figures: Record<string, number> = {};

  beforeAll(async () => {
    disk = openSmallDisk(256);
    const settings = { min_wal_size: '32MB', max_wal_size: '32MB', shared_buffers: '16MB' };
    postgres = await startKillablePostgres({ ...(disk ? { folder: disk.folder } : {}), settings });
    databaseUrl = await postgres.createDatabase('rubadub');
    pair = await openServerPair({ databaseUrl });
    const users = await Promise.all(Array.from({ length: LANES }, () => pair.createUser('Bud')));
    lanes = users.map((user, index) => ({
      user: index % 2 ? pair.atSecond(user) : user,
      acknowledged: new Set<string>(),
      outcomes: [],
    }));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await pair?.close();
    await postgres?.stop();
    disk?.close();
  });

  /** Makes one call: a write that needs disk space, or a read. */
  async function callOnce(lane: Lane): Promise<void> {
    const options = { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
    const { api } = lane.user;
    const dice = suite.random();
    if (dice < 0.3) return void lane.outcomes.push(await captureOutcome(() => api.profile(undefined, options)));
    if (dice < 0.4) return void lane.outcomes.push(await captureOutcome(() => api.listOrders(undefined, options)));
    if (lane.acknowledged.size >= KEPT_ADDRESSES) return deleteOldest(lane, options);
    const body = { label: 'Place', address: 'A long street '.repeat(20), ...pointAt(10, 10) };
    const outcome = await captureOutcome(() => api.createAddress({ body }, options));
    if (outcome.answer) lane.acknowledged.add(outcome.answer.id);
    // Writes that were stored although their answer was lost have used up the Bud's 20 addresses.
    if (outcome.status === 409) await deleteUnacknowledged(lane);
    else lane.outcomes.push(outcome);
  }

  async function deleteOldest({ user, acknowledged, outcomes }: Lane, options: { signal: AbortSignal }): Promise<void> {
    const [id = ''] = acknowledged;
    acknowledged.delete(id);
    outcomes.push(await captureOutcome(() => user.api.deleteAddress({ body: { id } }, options)));
  }

  async function deleteUnacknowledged({ user, acknowledged }: Lane): Promise<void> {
    const { addresses } = await user.api.profile();
    for (const { id } of addresses.slice(1)) if (!acknowledged.has(id)) await user.api.deleteAddress({ body: { id } });
  }

  /** All lanes make calls until `stop`. */
  function startLoad(): { stop(): Promise<void> } {
    let isStopped = false;
    const run = async (lane: Lane) => {
      while (!isStopped) {
        await callOnce(lane);
        // A refused client waits a moment: less than Retry-After asks, so that the load goes on.
        if (lane.outcomes.at(-1)?.status !== 200) await setTimeout(20);
      }
    };
    const running = Promise.all(lanes.map(run));
    return {
      async stop() {
        isStopped = true;
        await running;
      },
    };
  }

  const allOutcomes = () => lanes.flatMap(({ outcomes }) => outcomes);
  const isHealthy = ({ outcomes }: Lane) =>
    outcomes.length >= HEALTHY_AFTER_SUCCESSES &&
    outcomes.slice(-HEALTHY_AFTER_SUCCESSES).every(({ status }) => status === 200);

  async function waitFor(what: string, condition: () => boolean): Promise<void> {
    await waitUntil(condition).catch(() => {
      const last = lanes.map(({ outcomes }) => outcomes.at(-1));
      expect.fail(`no ${what}; the last answers were ${JSON.stringify(last)}`);
    });
  }

  const countRefused = () => allOutcomes().filter(({ status }) => status === 503).length;

  async function fillDisk(): Promise<void> {
    // Connects first: once the disk is full nobody can.
    const admin = new pg.Client(postgres.url);
    admin.on('error', () => undefined);
    await admin.connect();
    disk?.fill();
    await waitFor('refusals', () => countRefused() >= LANES);
    const isWalFull = suite.random() < 0.5;
    // Without room for its write-ahead log PostgreSQL crashes.
    if (isWalFull)
      figures['full disks without room for the write-ahead log'] =
        (figures['full disks without room for the write-ahead log'] ?? 0) + 1;
    for (let run = 0; isWalFull && run < WAL_SWITCHES; run += 1) {
      await admin.query('create temporary table if not exists t as select 1').catch(() => undefined);
      await admin.query('select pg_switch_wal()').catch(() => undefined);
    }
    await admin.end().catch(() => undefined);
  }

  let blocker: pg.Client;

  /** Locks a table that every call needs, so that statements wait for it. */
  async function lockTable(): Promise<void> {
    blocker = new pg.Client(databaseUrl);
    blocker.on('error', () => undefined);
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('lock table addresses in access exclusive mode');
    await setTimeout(SLOW_MS);
  }

  const OUTAGES: Record<Outage, { begin(): Promise<void>; end(): Promise<void> }> = {
    killed: {
      async begin() {
        await postgres.kill();
        await waitFor('refusals', () => countRefused() >= LANES);
      },
      end: () => postgres.restart(),
    },
    paused: {
      async begin() {
        postgres.pause();
        await setTimeout(PAUSED_MS);
      },
      end: async () => postgres.resume(),
    },
    slow: { begin: lockTable, end: () => blocker.end() },
    full: {
      begin: fillDisk,
      async end() {
        disk?.clear();
        await postgres.restartIfDead();
      },
    },
  };

  async function surviveOutage(outage: Outage): Promise<void> {
    for (const lane of lanes) lane.outcomes = [];
    const load = startLoad();
    await waitFor('healthy load', () => lanes.every(isHealthy));
    await OUTAGES[outage].begin();
    const refused = countRefused();
    await OUTAGES[outage].end();
    // Not an answer: a mark after which a lane must be healthy again.
    for (const lane of lanes)
      lane.outcomes.push({ status: 503, message: 'outage over', answer: undefined, ms: 0, retryAfter: 1 });
    await waitFor('recovery', () => lanes.every(isHealthy));
    await load.stop();
    expect(refused, `refusals while PostgreSQL was ${outage}`).toBeGreaterThan(0);
    const unexpected = allOutcomes().filter(
      ({ status, retryAfter }) => status !== 200 && !(status === 503 && retryAfter),
    );
    expect(unexpected.slice(0, 3), `answers while PostgreSQL was ${outage}`).toEqual([]);
    for (const { url } of [pair.first, pair.second]) expect((await fetch(`${url}/api/health/ready`)).status).toBe(200);
    await expectNothingLost();
    figures[`refusals while ${outage}`] = (figures[`refusals while ${outage}`] ?? 0) + refused;
    const slowest = Math.max(...allOutcomes().map(({ ms }) => ms));
    figures[`slowest answer while ${outage}, ms`] = Math.max(
      slowest,
      figures[`slowest answer while ${outage}, ms`] ?? 0,
    );
  }

  async function expectNothingLost(): Promise<void> {
    for (const { user, acknowledged } of lanes) {
      const stored = new Set((await user.api.profile()).addresses.map(({ id }) => id));
      expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    }
  }

  test('refuses requests with 503 in time, keeps every acknowledged write, and recovers after each outage', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const outages: Outage[] = ['killed', 'paused', 'slow', 'full'];
    for (let run = 0; run < suite.cases; run += 1) {
      const outage = outages[run % outages.length] as Outage;
      if (outage === 'full' && !disk) {
        suite.skipCases('a full disk: this process cannot mount a file system in memory', 1);
        continue;
      }
      await surviveOutage(outage);
      suite.countCases();
    }
    for (const [name, count] of Object.entries(figures)) suite.recordFigure(name, count);
  });
});
