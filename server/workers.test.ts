import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillLargeTown } from '../testing/largeTown.sql.ts';
import { type Hold, openMeasuredDatabase } from '../testing/measuredDatabase.ts';
import { createAcceptingCards } from '../testing/paymentHarness.ts';
import { createContext } from '../testing/paymentStress/killableServer.ts';
import { readConfig } from './config/config.ts';
import { ensureSchema } from './db/ensureSchema.ts';
import type { Job } from './jobs/worker.ts';
import { OUTBOX_CHANNELS } from './notifications/outbox.sql.ts';
import { createOutboxSender } from './notifications/send.ts';
import { loadNotificationKeys } from './notifications/vapidKeys.ts';
import { startWorkers } from './workers.ts';

const NOW = new Date('2026-11-18T12:00:00Z');
const MOST_RUNS = 10;
/** Pages and rows: some 20 ms of an idle machine. */
const MOST_WORK = 12_000;
/** The payout of a person is decided in one transaction. */
const MOST_WORK_OF_PAYOUT = 30_000;

describe('in a town of ten thousand people, on the embedded database', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'rubadub-workers-'));
  let database: Awaited<ReturnType<typeof openMeasuredDatabase>>;
  const jobs: Pick<Job, 'name' | 'runOnce'>[] = [];

  beforeAll(async () => {
    database = await openMeasuredDatabase();
    const { db } = database;
    await ensureSchema(db);
    await fillLargeTown(db, NOW);
    const config = readConfig({ DATA_DIR: dataDir });
    const context = { ...createContext(db, createAcceptingCards(), () => NOW), config };
    const start = (job: Job) => {
      jobs.push(job);
      return { wake() {}, stop: async () => {} };
    };
    startWorkers(context, {
      isPaused: () => false,
      cardCircuit: { isOpen: () => false } as never,
      isListening: () => true,
      logger: pino({ level: 'silent' }),
      files: { storage: undefined } as never,
      sealer: {} as never,
      start,
    });
    const keys = await loadNotificationKeys(db, NOW);
    for (const channel of OUTBOX_CHANNELS) {
      const sender = createOutboxSender(context, channel, {
        mailer: { send: async () => {}, close() {} } as never,
        push: { send: async () => ({ kind: 'sent' }), close() {} } as never,
        keys,
        onSent() {},
      });
      jobs.push({ name: `outbox: ${channel}`, runOnce: sender.startNext });
    }
  }, 300_000);
  afterAll(async () => {
    await database?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('no background job does more than a little at a time, before others get the database', async () => {
    const tooMuch: Record<string, Hold> = {};
    await database.takeHolds();
    for (const { name, runOnce } of jobs) {
      for (let runs = 0; runs < MOST_RUNS && (await runOnce()); runs += 1) {}
      const holds = await database.takeHolds();
      expect(holds, `${name} has asked the database`).not.toEqual([]);
      const [most] = holds.toSorted((a, b) => b.work - a.work);
      if (most && most.work > (name === 'payouts' ? MOST_WORK_OF_PAYOUT : MOST_WORK)) tooMuch[name] = most;
    }
    expect(tooMuch).toEqual({});
  }, 300_000);
});
