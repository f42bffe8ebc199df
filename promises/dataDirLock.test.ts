import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LaunchFailed, launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';

describePromise('data-directory', (suite) => {
  let standIns: StandIns;
  let folder: string;
  const endedBy: Record<string, number> = {};

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

  function expectRefusal(refused: LaunchFailed, holder: ServerProcess): void {
    expect(refused.message).toMatch(
      /^rubadub: DATA_DIR \S+ is in use by process \d+: stop that process or set DATA_DIR/,
    );
    expect(refused.message).toContain(`process ${holder.pid}`);
    expect(refused.message.split('\n')).toHaveLength(1);
  }

  /** Starts several servers at once on a folder whose last holder has ended or was killed, then another one. */
  async function startSeveral(): Promise<void> {
    const count = suite.random() < 0.7 ? 2 : 3;
    const all = await Promise.all(Array.from({ length: count }, start));
    const started = all.filter((one): one is ServerProcess => !(one instanceof LaunchFailed));
    try {
      expect(started, 'servers that started').toHaveLength(1);
      const holder = started[0] as ServerProcess;
      for (const one of all) if (one instanceof LaunchFailed) expectRefusal(one, holder);
      const late = await start();
      expect(late, 'a later start').toBeInstanceOf(LaunchFailed);
      expectRefusal(late as LaunchFailed, holder);
      expect((await fetch(`${holder.url}/api/health/ready`)).status).toBe(200);
      const signal = suite.random() < 0.5 ? 'SIGKILL' : 'SIGTERM';
      await holder.end(signal);
      endedBy[signal] = (endedBy[signal] ?? 0) + 1;
    } finally {
      for (const server of started) await server.end('SIGKILL');
    }
  }

  test('one server starts, the others name the process that holds the directory, and it is free once that one ends', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    for (let run = 0; run < suite.cases; run += 1) {
      await startSeveral();
      suite.countCases();
    }
    for (const [signal, count] of Object.entries(endedBy)) suite.recordFigure(`ended by ${signal}`, count);
  });
});
