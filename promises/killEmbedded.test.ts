import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedDatabase } from '../server/db/database.ts';
import { audit } from '../testing/paymentStress/audit.ts';
import type { TestUser } from '../testing/testServer.ts';
import { launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';
import { describePromise, isNight, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { createTestUserAt } from './serverPair.ts';
import { createWritingClients, type WritingClients } from './writingClients.ts';

const LANES = 4;
const MAX_LIFETIME_MS = 300;
const WRITES_BETWEEN_KILLS = 3;
/** One kill in so many comes before there is a server. */
const EARLY_KILL_EVERY = 5;

type Lane = { readonly clients: WritingClients; readonly bud: TestUser; readonly scrub: TestUser };

describePromise('kill-embedded', (suite) => {
  const folders: string[] = [];
  let standIns: StandIns;
  let server: ServerProcess;
  let lanes: Lane[];
  let startsIn = 0;
  let early = 0;

  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'rubadub-kill-'));
    folders.push(folder);
    return folder;
  };
  const envOf = (dataDir: string) => ({ DATA_DIR: dataDir, ...standIns.env });
  const servers = ({ bud, scrub }: Lane) => ({ bud: server.api(bud.token), scrub: server.api(scrub.token) });

  beforeAll(async () => {
    standIns = await launchStandIns();
    const began = performance.now();
    server = await launchServer(envOf(newFolder()));
    startsIn = performance.now() - began;
    lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await server?.end('SIGKILL');
    await standIns?.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  async function openLane(): Promise<Lane> {
    const join = (role: 'Bud' | 'Scrub') => createTestUserAt(server, standIns.url, role);
    const [bud, scrub] = await Promise.all([join('Bud'), join('Scrub')]);
    return { bud, scrub, clients: createWritingClients({ bud, scrub, random: suite.random }) };
  }

  const written = () => lanes.reduce((sum, { clients: writers }) => sum + writers.acknowledged(), 0);

  async function killUnderLoad(): Promise<void> {
    let isDown = false;
    const before = written();
    const running = lanes.map(async (lane) => {
      const at = servers(lane);
      while (!isDown) await lane.clients.writeOnce(at);
    });
    while (written() < before + WRITES_BETWEEN_KILLS) await setTimeout(1);
    await setTimeout(suite.random() * MAX_LIFETIME_MS);
    await server.end('SIGKILL');
    isDown = true;
    await Promise.all(running);
    server = await launchServer(envOf(folders[0] ?? ''));
    const lost = await Promise.all(lanes.map((lane) => lane.clients.findLost(servers(lane))));
    expect(lost.flat()).toEqual([]);
  }

  // In the middle of making its database, above all.
  async function killBeforeItIsUp(): Promise<void> {
    const folder = newFolder();
    const main = join(import.meta.dirname, '..', 'scripts', 'start.ts');
    const env = { PATH: process.env.PATH ?? '', PORT: '0', DEMO: 'off', ...envOf(folder) };
    const child = spawn(process.execPath, [main, '--api'], { env, stdio: 'ignore' });
    const gone = once(child, 'exit');
    await setTimeout(startsIn * (0.3 + suite.random() * 0.8));
    child.kill('SIGKILL');
    await gone;
    const next = await launchServer(envOf(folder));
    const { fullname } = (await createTestUserAt(next, standIns.url, 'Bud', { fullname: 'Ada Early' })).user;
    expect(fullname).toBe('Ada Early');
    await next.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    early += 1;
  }

  test('is there after each kill', { timeout: TEST_TIMEOUT_MS }, async () => {
    for (let kills = 0; kills < suite.cases; kills += 1) {
      if (kills % EARLY_KILL_EVERY === EARLY_KILL_EVERY - 1) await killBeforeItIsUp();
      else await killUnderLoad();
      suite.countCases();
    }
    suite.recordFigure('acknowledged writes', written());
    suite.recordFigure('of the kills, before the first start was done', early);
  });

  // What failed under a kill is tried again after half a minute, for which CI has no time.
  test.runIf(isNight)('and every cent is where it belongs', { timeout: TEST_TIMEOUT_MS }, async () => {
    await Promise.all(lanes.map((lane) => lane.clients.finishPending(servers(lane))));
    // The worker does what is due; the database serves one process, so it is looked into when the server has ended.
    let faults: string[] = [];
    for (let tries = 0; tries < 20; tries += 1) {
      await setTimeout(1_000);
      await server.end();
      const { db, close } = await openEmbeddedDatabase(folders[0] ?? '');
      faults = await audit(db, standIns.env.SQUARE_BASE_URL ?? '').finally(close);
      if (faults.length === 0) break;
      server = await launchServer(envOf(folders[0] ?? ''));
    }
    expect(faults).toEqual([]);
  });
});
