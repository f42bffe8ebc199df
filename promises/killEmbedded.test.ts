import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedDatabase } from '../server/db/database.ts';
import { BASE_ENV, NODE_FLAGS } from '../testing/childProcesses.ts';
import { withTraces } from '../testing/orderTrace.ts';
import { audit } from '../testing/paymentStress/audit.ts';
import type { TestUser } from '../testing/testServer.ts';
import { launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';
import { describePromise, isNight, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { createTestUserAt } from './serverPair.ts';
import { createWritingClients, type WritingClients } from './writingClients.ts';

const LANES = 4;
const MAX_LIFETIME_MS = 300;
const WRITES_BETWEEN_KILLS = 3;
/** One kill in so many hits a server that is still starting. */
const EARLY_KILL_EVERY = 5;

type Lane = { readonly clients: WritingClients; readonly bud: TestUser; readonly scrub: TestUser };

describePromise('kill-embedded', (suite) => {
  const folders: string[] = [];
  let standIns: StandIns;
  let server: ServerProcess;
  let lanes: Lane[];
  let startupMs = 0;
  let earlyKills = 0;

  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'rubadub-kill-'));
    folders.push(folder);
    return folder;
  };
  const envOf = (dataDir: string) => ({ DATA_DIR: dataDir, ...standIns.env });
  const apisOf = ({ bud, scrub }: Lane) => ({ bud: server.api(bud.token), scrub: server.api(scrub.token) });

  beforeAll(async () => {
    standIns = await launchStandIns();
    const startedAt = performance.now();
    server = await launchServer(envOf(newFolder()));
    startupMs = performance.now() - startedAt;
    lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await server?.end('SIGKILL');
    await standIns?.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  async function openLane(): Promise<Lane> {
    const createUser = (role: 'Bud' | 'Scrub') => createTestUserAt(server, standIns.url, role);
    const [bud, scrub] = await Promise.all([createUser('Bud'), createUser('Scrub')]);
    return { bud, scrub, clients: createWritingClients({ bud, scrub, random: suite.random }) };
  }

  const acknowledged = () => lanes.reduce((sum, { clients }) => sum + clients.acknowledged(), 0);

  async function killUnderLoad(): Promise<void> {
    let isKilled = false;
    const before = acknowledged();
    const running = lanes.map(async (lane) => {
      const apis = apisOf(lane);
      while (!isKilled) await lane.clients.writeOnce(apis);
    });
    while (acknowledged() < before + WRITES_BETWEEN_KILLS) await setTimeout(1);
    await setTimeout(suite.random() * MAX_LIFETIME_MS);
    await server.end('SIGKILL');
    isKilled = true;
    await Promise.all(running);
    server = await launchServer(envOf(folders[0] ?? ''));
    const lost = await Promise.all(lanes.map((lane) => lane.clients.findLost(apisOf(lane))));
    expect(lost.flat()).toEqual([]);
  }

  /** Kills a server while it starts, usually while it creates its database. */
  async function killDuringStartup(): Promise<void> {
    const folder = newFolder();
    const main = join(import.meta.dirname, '..', 'scripts', 'start.ts');
    const env = { ...BASE_ENV, PORT: '0', DEMO: 'off', ...envOf(folder) };
    const child = spawn(process.execPath, [...NODE_FLAGS, main, '--api'], { env, stdio: 'ignore' });
    const exited = once(child, 'exit');
    await setTimeout(startupMs * (0.3 + suite.random() * 0.8));
    child.kill('SIGKILL');
    await exited;
    const next = await launchServer(envOf(folder));
    const { fullname } = (await createTestUserAt(next, standIns.url, 'Bud', { fullname: 'Ada Early' })).user;
    expect(fullname).toBe('Ada Early');
    await next.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    earlyKills += 1;
  }

  test('every acknowledged write is still there after each kill', { timeout: TEST_TIMEOUT_MS }, async () => {
    for (let kills = 0; kills < suite.cases; kills += 1) {
      if (kills % EARLY_KILL_EVERY === EARLY_KILL_EVERY - 1) await killDuringStartup();
      else await killUnderLoad();
      suite.countCases();
    }
    suite.recordFigure('acknowledged writes', acknowledged());
    suite.recordFigure('kills during the first start', earlyKills);
  });

  // Payments that failed during a kill are retried after 30 seconds, which is too long for CI.
  test.runIf(isNight)(
    'both ledgers agree once all payments have been retried',
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      await Promise.all(lanes.map((lane) => lane.clients.finishPending(apisOf(lane))));
      // The server's worker retries the payments. It has to stop for the audit: the database serves one process.
      let problems: string[] = [];
      for (let tries = 0; tries < 20; tries += 1) {
        await setTimeout(1_000);
        await server.end();
        const { db, close } = await openEmbeddedDatabase(folders[0] ?? '');
        problems = await audit(db, standIns.env.SQUARE_BASE_URL ?? '')
          .then((found) => withTraces(db, found))
          .finally(close);
        if (problems.length === 0) break;
        server = await launchServer(envOf(folders[0] ?? ''));
      }
      expect(problems, problems.join('\n')).toEqual([]);
    },
  );
});
