import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServerDatabase } from '../../server/db/database.ts';
import { withTraces } from '../../testing/orderTrace.ts';
import { audit } from '../../testing/paymentStress/audit.ts';
import { launchServer, launchStandIns, type ServerProcess, type StandIns } from '../processes.ts';
import { describePromise, isNight, TEST_TIMEOUT_MS } from '../promiseSuite.ts';
import { createTestUserAt, forgetPlacements } from '../serverPair.ts';
import {
  expectReceived,
  findDuplicates,
  type Lane,
  openLane,
  queryPrimary,
  startWriting,
  watchReadiness,
  writeUntilAnswered,
} from './failoverClients.ts';
import { findPatroni, type PatroniCluster, patroniVersionOf, startPatroni } from './patroni.ts';
import type { PatroniNode } from './patroniNode.ts';

const LANES = 3;
const WRITES_BEFORE = 5;

/** How a primary is lost. `begin` returns when it is; `end` gives the cluster its node back. */
type Failover = { begin(primary: PatroniNode): Promise<void>; end(primary: PatroniNode): Promise<void> };

describePromise('failover', (suite) => {
  const programs = findPatroni();
  let cluster: PatroniCluster;
  let standIns: StandIns;
  let server: ServerProcess;
  let lanes: Lane[];
  const figures: Record<string, number> = {};

  beforeAll(async () => {
    if (!programs) return;
    [cluster, standIns] = await Promise.all([startPatroni(programs), launchStandIns()]);
    await cluster.createDatabase('rubadub');
    const databaseUrl = cluster.databaseUrl('rubadub');
    server = await launchServer({ ...standIns.env, DATABASE_URL: databaseUrl });
    const primary = await cluster.waitUntilWhole();
    await forgetPlacements(cluster.urlAt(primary, 'rubadub'));
    await queryPrimary(cluster.urlAt(primary, 'postgres'), 'create table thawed (written int)');
    const createUser = (role: 'Bud' | 'Scrub') => createTestUserAt(server, standIns.url, role);
    lanes = await Promise.all(
      Array.from({ length: LANES }, async () =>
        openLane({ bud: await createUser('Bud'), scrub: await createUser('Scrub') }, server, suite.random),
      ),
    );
    suite.recordFigure('Patroni', patroniVersionOf(programs));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all((lanes ?? []).map(({ stream }) => stream.stop()));
    await server?.end();
    await standIns?.close();
    await cluster?.stop();
  }, TEST_TIMEOUT_MS);

  const acknowledged = () => lanes.reduce((sum, { clients }) => sum + clients.acknowledged(), 0);
  const canWrite = (node: PatroniNode) =>
    queryPrimary<{ yes: boolean }>(cluster.urlAt(node, 'postgres'), 'select not pg_is_in_recovery() as yes').then(
      ([row]) => row?.yes === true,
      () => false,
    );
  const hasPrimary = async () => (await Promise.all(cluster.nodes.map(canWrite))).includes(true);

  /** A client that keeps its connection to the primary that is frozen. */
  let patient: pg.Client;
  let thaws = 0;

  async function freeze(primary: PatroniNode, stop: () => void): Promise<void> {
    patient = new pg.Client(cluster.urlAt(primary, 'postgres'));
    patient.on('error', () => undefined);
    await patient.connect();
    stop();
    // The key is gone at once, instead of after its time.
    await cluster.deleteLeaderKey();
  }

  async function thaw(primary: PatroniNode): Promise<void> {
    thaws += 1;
    // A frozen PostgreSQL runs it first when it thaws, before anybody tells it that it is not the primary.
    const written = patient
      .query(`insert into thawed values (${thaws}) returning current_setting('synchronous_standby_names') as names`)
      .then(
        ({ rows }) => `acknowledged with ${rows[0]?.names}`,
        () => undefined,
      );
    primary.thaw();
    const acknowledgement = await written;
    await patient.end().catch(() => undefined);
    if (acknowledgement === undefined) return;
    const url = cluster.urlAt(await cluster.waitUntilWhole(), 'postgres');
    const rows = await queryPrimary(url, `select from thawed where written = ${thaws}`);
    expect(rows, `a write to a thawed primary, ${acknowledgement}`).toHaveLength(1);
  }

  /** In this order, of which CI has time for the first ones. After the last one nobody has to wait for a node to be back. */
  const FAILOVERS: Readonly<Record<string, Failover>> = {
    frozen: { begin: (primary) => freeze(primary, primary.freeze), end: thaw },
    'left alone by a frozen Patroni': { begin: (primary) => freeze(primary, primary.freezePatroni), end: thaw },
    killed: { begin: (primary) => primary.kill(), end: async (primary) => primary.start() },
    'cut off from etcd': {
      begin: async ({ etcdLink }) => etcdLink.cut(),
      end: async ({ etcdLink }) => etcdLink.heal(),
    },
    'switched over': { begin: (primary) => cluster.switchOver(primary), end: async () => {} },
  };

  async function failOver(how: string): Promise<void> {
    const { begin, end } = FAILOVERS[how] as Failover;
    const primary = await cluster.waitUntilWhole();
    const before = acknowledged();
    const writing = startWriting(lanes);
    await expect.poll(() => acknowledged() - before).toBeGreaterThanOrEqual(WRITES_BEFORE);
    await begin(primary);
    const readiness = watchReadiness(server, hasPrimary);
    let promoted: PatroniNode;
    let seconds: number[];
    try {
      promoted = await cluster.waitForPromotion(primary);
      seconds = await Promise.all(lanes.map(writeUntilAnswered));
      await end(primary);
    } finally {
      await Promise.all([writing.stop(), readiness.stop()]);
    }
    const { refused, untrue } = await readiness.stop();
    expect(untrue, 'answers that the server is ready while no node could write').toBe(0);
    if (how === 'killed') expect(refused, 'answers that the server is not ready').toBeGreaterThan(0);
    const name = `writes back after the primary was ${how}, s`;
    figures[name] = Math.max(figures[name] ?? 0, Math.round(Math.max(...seconds) * 10) / 10);
    await expectNothingLost(promoted);
  }

  async function expectNothingLost(primary: PatroniNode): Promise<void> {
    const url = cluster.urlAt(primary, 'rubadub');
    const lost = await Promise.all(lanes.map(({ clients, servers }) => clients.findLost(servers)));
    expect(lost.flat()).toEqual([]);
    expect(await findDuplicates(url)).toEqual([]);
    await expectReceived(lanes, url);
  }

  test('loses no acknowledged write, does none twice, and answers writes again ten seconds after the promotion', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    if (!programs) return suite.skipCases('this machine has no Patroni and etcd, and cannot install them', suite.cases);
    const kinds = Object.keys(FAILOVERS);
    for (let run = 0; run < suite.cases; run += 1) {
      await failOver(kinds[run % kinds.length] ?? '');
      suite.countCases();
    }
    for (const [name, count] of Object.entries(figures)) suite.recordFigure(name, count);
    suite.recordFigure('acknowledged writes', acknowledged());
  });

  // Payments that failed meanwhile are retried after 30 seconds, which is too long for CI.
  test.runIf(isNight && programs)(
    'both ledgers agree once all payments have been retried',
    {
      timeout: TEST_TIMEOUT_MS,
    },
    async () => {
      await Promise.all(lanes.map(({ clients, servers }) => clients.finishPending(servers)));
      const { db, close } = openServerDatabase(cluster.urlAt(await cluster.waitUntilWhole(), 'rubadub'));
      try {
        const findProblems = async () => withTraces(db, await audit(db, standIns.env.SQUARE_BASE_URL ?? ''));
        await expect.poll(findProblems).toEqual([]);
      } finally {
        await close();
      }
    },
  );
});
