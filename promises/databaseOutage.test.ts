import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pointAt, type TestUser } from '../testing/testServer.ts';
import { type CallOutcome, captureOutcome } from './callOutcome.ts';
import { type KillablePostgres, startKillablePostgres } from './killablePostgres.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { openServerPair, type ServerPair } from './serverPair.ts';
import { openSmallDisk, type SmallDisk } from './smallDisk.ts';

const LANES = 8;
/** A request that takes longer than this hangs. */
const REQUEST_TIMEOUT_MS = 12_000;
/** Longer than that. */
const PAUSED_MS = 14_000;
const KILLED_MS = 1_500;
/** Longer than a statement may take. */
const SLOW_MS = 6_000;
const HEALTHY_AFTER_SUCCESSES = 5;
const WAL_SWITCHES = 20;

type Lane = {
  readonly user: TestUser;
  /** Labels of addresses whose writing was acknowledged. */
  readonly acknowledgedLabels: string[];
  /** Since the last trouble. */
  outcomes: CallOutcome<unknown>[];
};
type Outage = 'killed' | 'paused' | 'slow' | 'full';

describePromise('away', (suite) => {
  let disk: SmallDisk | undefined;
  let postgres: KillablePostgres;
  let databaseUrl: string;
  let pair: ServerPair;
  let lanes: Lane[];
  let written = 0;
  const seen: Record<string, number> = {};

  beforeAll(async () => {
    disk = openSmallDisk(256);
    const settings = { min_wal_size: '32MB', max_wal_size: '32MB', shared_buffers: '16MB' };
    postgres = await startKillablePostgres({ ...(disk ? { folder: disk.folder } : {}), settings });
    databaseUrl = await postgres.createDatabase('rubadub');
    pair = await openServerPair({ databaseUrl });
    const people = await Promise.all(Array.from({ length: LANES }, () => pair.createUser('Bud')));
    lanes = people.map((who, index) => ({
      user: index % 2 ? pair.atSecond(who) : who,
      acknowledgedLabels: [],
      outcomes: [],
    }));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await pair?.close();
    await postgres?.stop();
    disk?.close();
  });

  /** One call of a lane: it writes something that needs room, or reads. */
  async function callOnce(lane: Lane): Promise<void> {
    const options = { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
    const { api } = lane.user;
    const luck = suite.random();
    if (luck < 0.3) return void lane.outcomes.push(await captureOutcome(() => api.profile(undefined, options)));
    if (luck < 0.4) return void lane.outcomes.push(await captureOutcome(() => api.listOrders(undefined, options)));
    written += 1;
    const label = `place ${written}`;
    const body = { label, address: 'A long street '.repeat(20), ...pointAt(10, 10) };
    const outcome = await captureOutcome(() => api.createAddress({ body }, options));
    if (outcome.status === 200) lane.acknowledgedLabels.push(label);
    lane.outcomes.push(outcome);
  }

  /** The lanes call on until `enough`, and for at most so many calls each. */
  function load(): { end(): Promise<void> } {
    let ended = false;
    const run = async (lane: Lane) => {
      while (!ended) {
        await callOnce(lane);
        // Those who are refused wait a moment, as they are asked to.
        if (lane.outcomes.at(-1)?.status !== 200) await setTimeout(20);
      }
    };
    const running = Promise.all(lanes.map(run));
    return {
      async end() {
        ended = true;
        await running;
      },
    };
  }

  const all = () => lanes.flatMap(({ outcomes }) => outcomes);
  const isWell = ({ outcomes }: Lane) =>
    outcomes.length >= HEALTHY_AFTER_SUCCESSES &&
    outcomes.slice(-HEALTHY_AFTER_SUCCESSES).every(({ status }) => status === 200);

  async function until(what: string, condition: () => boolean): Promise<void> {
    for (let tries = 0; tries < 3_000; tries += 1) {
      if (condition()) return;
      await setTimeout(10);
    }
    const last = lanes.map(({ outcomes }) => outcomes.at(-1));
    expect.fail(`${what} did not come; the last answers were ${JSON.stringify(last)}`);
  }

  const refused = () => all().filter(({ status }) => status === 503).length;

  async function fillDisk(): Promise<void> {
    // On a full disk nobody can connect any more.
    const admin = new pg.Client(postgres.url);
    admin.on('error', () => undefined);
    await admin.connect();
    disk?.fill();
    await until('a refusal', () => refused() >= LANES);
    const isLogFilled = suite.random() < 0.5;
    // And now not even its log can grow, of which it dies.
    if (isLogFilled)
      seen['full disks that its log had filled up as well'] =
        (seen['full disks that its log had filled up as well'] ?? 0) + 1;
    for (let times = 0; isLogFilled && times < WAL_SWITCHES; times += 1) {
      await admin.query('create temporary table if not exists t as select 1').catch(() => undefined);
      await admin.query('select pg_switch_wal()').catch(() => undefined);
    }
    await admin.end().catch(() => undefined);
  }

  let holder: pg.Client;

  /** Somebody at the database holds a table that everybody needs: statements wait for it. */
  async function holdTable(): Promise<void> {
    holder = new pg.Client(databaseUrl);
    holder.on('error', () => undefined);
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table addresses in access exclusive mode');
    await setTimeout(SLOW_MS);
  }

  const TROUBLES: Record<Outage, { begin(): Promise<void>; end(): Promise<void> }> = {
    killed: {
      async begin() {
        await postgres.kill();
        await setTimeout(KILLED_MS);
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
    slow: { begin: holdTable, end: () => holder.end() },
    full: {
      begin: fillDisk,
      async end() {
        disk?.clear();
        await postgres.restartIfDead();
      },
    },
  };

  async function suffer(trouble: Outage): Promise<void> {
    for (const lane of lanes) lane.outcomes = [];
    const running = load();
    await until('the load', () => lanes.every(isWell));
    expect(all().every(({ status }) => status === 200)).toBe(true);
    await TROUBLES[trouble].begin();
    const during = refused();
    await TROUBLES[trouble].end();
    for (const lane of lanes)
      lane.outcomes.push({ status: 503, message: 'mended', answer: undefined, ms: 0, retryAfter: 1 });
    await until('the end of the trouble', () => lanes.every(isWell));
    await running.end();
    expect(during, `refusals while PostgreSQL was ${trouble}`).toBeGreaterThan(0);
    const strange = all().filter(({ status, retryAfter }) => status !== 200 && !(status === 503 && retryAfter));
    expect(strange.slice(0, 3), `answers while PostgreSQL was ${trouble}`).toEqual([]);
    for (const { url } of [pair.first, pair.second]) expect((await fetch(`${url}/api/health/ready`)).status).toBe(200);
    await readBack();
    seen[`refusals while ${trouble}`] = (seen[`refusals while ${trouble}`] ?? 0) + during;
    const slowest = Math.max(...all().map(({ ms }) => ms));
    seen[`slowest answer while ${trouble}, ms`] = Math.max(slowest, seen[`slowest answer while ${trouble}, ms`] ?? 0);
  }

  async function readBack(): Promise<void> {
    for (const { user: who, acknowledgedLabels: kept } of lanes) {
      const there = new Set((await who.api.profile()).addresses.map(({ label }) => label));
      expect(kept.filter((label) => !there.has(label))).toEqual([]);
    }
  }

  test('requests are refused with 503 in time, nothing acknowledged is lost, and all is well again', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const troubles: Outage[] = ['killed', 'paused', 'slow', 'full'];
    for (let round = 0; round < suite.cases; round += 1) {
      const trouble = troubles[round % troubles.length] as Outage;
      if (trouble === 'full' && !disk) {
        suite.skipCases('a full disk: this process may not mount one in memory', 1);
        continue;
      }
      await suffer(trouble);
      suite.countCases();
    }
    for (const [name, count] of Object.entries(seen)) suite.recordFigure(name, count);
  });
});
