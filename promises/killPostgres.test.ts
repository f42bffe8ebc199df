import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../contract/client.ts';
import { openServerDatabase } from '../server/db/database.ts';
import { withTraces } from '../testing/orderTrace.ts';
import { audit } from '../testing/paymentStress/audit.ts';
import { type KillablePostgres, startKillablePostgres } from './killablePostgres.ts';
import { describePromise, isNight, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { openServerPair, type ServerPair } from './serverPair.ts';
import { createWritingClients, type WritingClients } from './writingClients.ts';

const LANES = 4;
const MAX_LIFETIME_MS = 150;
const WRITES_BETWEEN_KILLS = 3;

type Lane = { readonly clients: WritingClients; readonly servers: { bud: Client; scrub: Client } };

describePromise('kill-postgres', (suite) => {
  let postgres: KillablePostgres;
  let databaseUrl: string;
  let pair: ServerPair;
  let lanes: Lane[];

  beforeAll(async () => {
    postgres = await startKillablePostgres();
    databaseUrl = await postgres.createDatabase('rubadub');
    pair = await openServerPair({ databaseUrl });
    lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await pair?.close();
    await postgres?.stop();
  });

  async function openLane(): Promise<Lane> {
    const [bud, scrub] = await Promise.all([pair.createUser('Bud'), pair.createUser('Scrub')]);
    const servers = { bud: bud.api, scrub: pair.atSecond(scrub).api };
    return { clients: createWritingClients({ bud, scrub, random: suite.random }), servers };
  }

  async function killOnce(): Promise<void> {
    let isKilled = false;
    const before = acknowledged();
    const running = lanes.map(async ({ clients, servers }) => {
      while (!isKilled) await clients.writeOnce(servers);
    });
    // Every kill has new writes to lose.
    while (acknowledged() < before + WRITES_BETWEEN_KILLS) await setTimeout(1);
    await setTimeout(suite.random() * MAX_LIFETIME_MS);
    const isWholeServer = suite.random() < 0.5 || !postgres.killSession();
    if (isWholeServer) await postgres.kill();
    isKilled = true;
    await Promise.all(running);
    if (isWholeServer) await postgres.restart();
    await waitUntilReady();
  }

  const acknowledged = () => lanes.reduce((sum, { clients }) => sum + clients.acknowledged(), 0);

  async function waitUntilReady(): Promise<void> {
    for (const { url } of [pair.first, pair.second]) {
      await expect.poll(async () => (await fetch(`${url}/api/health/ready`)).status).toBe(200);
    }
  }

  test('every acknowledged write is still there after each kill', { timeout: TEST_TIMEOUT_MS }, async () => {
    for (let kills = 0; kills < suite.cases; kills += 1) {
      await killOnce();
      const lost = await Promise.all(lanes.map(({ clients, servers }) => clients.findLost(servers)));
      expect(lost.flat()).toEqual([]);
      suite.countCases();
    }
    suite.recordFigure('acknowledged writes', acknowledged());
  });

  // Payments that failed during a kill are retried after 30 seconds, which is too long for CI.
  test.runIf(isNight)(
    'both ledgers agree once all payments have been retried',
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      await Promise.all(lanes.map(({ clients, servers }) => clients.finishPending(servers)));
      const { db, close } = openServerDatabase(databaseUrl);
      try {
        const findProblems = async () => withTraces(db, await audit(db, pair.standIns.env.SQUARE_BASE_URL ?? ''));
        await expect.poll(findProblems).toEqual([]);
      } finally {
        await close();
      }
    },
  );
});
