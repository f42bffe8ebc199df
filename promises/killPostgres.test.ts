import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../contract/client.ts';
import { openServerDatabase } from '../server/db/database.ts';
import { audit } from '../testing/paymentStress/audit.ts';
import { type OwnPostgres, openPostgres } from './ownPostgres.ts';
import { isNight, PATIENCE_MS, promised } from './promiseSuite.ts';
import { openPair, type Pair } from './serverPair.ts';
import { makeWriters, type Writers } from './writingClients.ts';

const LANES = 4;
const LIVES_MS = 150;
const WRITES_BETWEEN = 3;

type Lane = { readonly writers: Writers; readonly servers: { bud: Client; scrub: Client } };

promised('kill-postgres', (suite) => {
  let postgres: OwnPostgres;
  let databaseUrl: string;
  let pair: Pair;
  let lanes: Lane[];

  beforeAll(async () => {
    postgres = await openPostgres();
    databaseUrl = await postgres.createDatabase('rubadub');
    pair = await openPair({ databaseUrl });
    lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  }, PATIENCE_MS);
  afterAll(async () => {
    await pair?.close();
    await postgres?.stop();
  });

  async function openLane(): Promise<Lane> {
    const [bud, scrub] = await Promise.all([pair.join('Bud'), pair.join('Scrub')]);
    const servers = { bud: bud.api, scrub: pair.atSecond(scrub).api };
    return { writers: makeWriters({ bud, scrub, random: suite.random }), servers };
  }

  async function killOnce(): Promise<void> {
    let isDown = false;
    const before = written();
    const running = lanes.map(async ({ writers, servers }) => {
      while (!isDown) await writers.writeOnce(servers);
    });
    // What is killed has done something since the last time.
    while (written() < before + WRITES_BETWEEN) await setTimeout(1);
    await setTimeout(suite.random() * LIVES_MS);
    const isWhole = suite.random() < 0.5 || !postgres.killSession();
    if (isWhole) await postgres.kill();
    isDown = true;
    await Promise.all(running);
    if (isWhole) await postgres.startAgain();
    await untilReady();
  }

  const written = () => lanes.reduce((sum, { writers }) => sum + writers.acknowledged(), 0);

  async function untilReady(): Promise<void> {
    for (const { url } of [pair.first, pair.second]) {
      for (let tries = 0; ; tries += 1) {
        if ((await fetch(`${url}/api/health/ready`)).ok) break;
        expect(tries, 'looks until a server was ready again').toBeLessThan(1_000);
        await setTimeout(10);
      }
    }
  }

  test('is there after each kill', { timeout: PATIENCE_MS }, async () => {
    for (let kills = 0; kills < suite.cases; kills += 1) {
      await killOnce();
      const lost = await Promise.all(lanes.map(({ writers, servers }) => writers.findLost(servers)));
      expect(lost.flat()).toEqual([]);
      suite.ran();
    }
    suite.figure('acknowledged writes', written());
  });

  // What failed under a kill is tried again after half a minute, for which CI has no time.
  test.runIf(isNight)('and every cent is where it belongs', { timeout: PATIENCE_MS }, async () => {
    await Promise.all(lanes.map(({ writers, servers }) => writers.settle(servers)));
    const { db, close } = openServerDatabase(databaseUrl);
    try {
      await expect.poll(() => audit(db, pair.standIns.env.SQUARE_BASE_URL ?? ''), { timeout: 60_000 }).toEqual([]);
    } finally {
      await close();
    }
  });
});
