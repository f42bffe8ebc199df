import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LaunchFailed, launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';

describePromise('directory', (suite) => {
  let standIns: StandIns;
  let folder: string;
  const ends: Record<string, number> = {};

  beforeAll(async () => {
    standIns = await launchStandIns();
    folder = mkdtempSync(join(tmpdir(), 'rubadub-directory-'));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await standIns?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (): Promise<ServerProcess | LaunchFailed> =>
    launchServer({ DATA_DIR: folder, ...standIns.env }).catch((error: unknown) => {
      if (error instanceof LaunchFailed) return error;
      throw error;
    });

  async function refuse(refused: LaunchFailed, holder: ServerProcess): Promise<void> {
    expect(refused.message).toMatch(/^rubadub: DATA_DIR \S+ is in use by process \d+: stop that process or set DATA_DIR/);
    expect(refused.message).toContain(`process ${holder.pid}`);
    expect(refused.message.split('\n')).toHaveLength(1);
  }

  /** Several at once on a folder whose last holder has ended or was killed; a late one while the winner holds it. */
  async function startSeveral(): Promise<void> {
    const many = suite.random() < 0.7 ? 2 : 3;
    const all = await Promise.all(Array.from({ length: many }, start));
    const up = all.filter((one): one is ServerProcess => !(one instanceof LaunchFailed));
    try {
      expect(up, 'servers that came up').toHaveLength(1);
      const holder = up[0] as ServerProcess;
      for (const one of all) if (one instanceof LaunchFailed) await refuse(one, holder);
      const late = await start();
      expect(late, 'a late one').toBeInstanceOf(LaunchFailed);
      await refuse(late as LaunchFailed, holder);
      expect((await fetch(`${holder.url}/api/health/ready`)).status).toBe(200);
      const signal = suite.random() < 0.5 ? 'SIGKILL' : 'SIGTERM';
      await holder.end(signal);
      ends[signal] = (ends[signal] ?? 0) + 1;
    } finally {
      for (const server of up) await server.end('SIGKILL');
    }
  }

  test('one comes up, the others say who has it; and it is free when that one is gone', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    for (let times = 0; times < suite.cases; times += 1) {
      await startSeveral();
      suite.countCases();
    }
    for (const [signal, count] of Object.entries(ends)) suite.recordFigure(`ended by ${signal}`, count);
  });
});
