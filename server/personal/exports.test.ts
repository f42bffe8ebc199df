import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.ts';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { readZip } from '../../testing/readZip.ts';
import { CHEAPEST_DATABASE } from '../../testing/testServer.ts';
import { findExport, insertExport } from './exports.sql.ts';
import { makeExports, readArchive } from './exports.ts';

class Crash extends Error {}

describe('the copy of the data of a person', () => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    harness = await openPaymentHarness(CHEAPEST_DATABASE);
  });
  afterAll(() => harness?.close());

  const ask = async () => {
    const { context, users } = harness;
    const bud = users.buds[0]?.id ?? '';
    const asked = { id: context.newId(), userId: bud, at: context.now(), after: context.now() };
    expect(await insertExport(context.db, asked)).toBe(true);
    return bud;
  };
  const statusOf = (userId: string) =>
    findExport(harness.context.db, userId, new Date(harness.context.now().getTime() - DAY_MS));
  const filesOf = async (userId: string) => {
    const { content, bytes } = await readArchive(harness.context, userId);
    const pieces: Buffer[] = [];
    for await (const piece of content) pieces.push(piece);
    const archive = Buffer.concat(pieces);
    expect(archive).toHaveLength(bytes);
    return readZip(archive);
  };

  /** Makes a slice whose server stops when it reads the clock for the nth time. Returns how often it has stopped. */
  const makeSlice = async (stopsAt?: number): Promise<number> => {
    let reads = 0;
    const now = () => {
      reads += 1;
      if (reads === stopsAt) throw new Crash();
      return harness.context.now();
    };
    try {
      const config = { ...harness.context.config, mailFrom: 'town@rubadub.test' };
      await makeExports({ ...harness.context, config, now, storage: undefined });
      return 0;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      return 1;
    }
  };
  /** Other servers take it then. */
  const passLease = () => harness.setClock(new Date(harness.context.now().getTime() + 6 * MINUTE_MS).toISOString());

  test('is whole although its server stops between and within its slices', async () => {
    await harness.createOrder('Delivered');
    const userId = await ask();
    let crashes = 0;
    for (let slice = 0; !(await statusOf(userId))?.readyAt; slice += 1) {
      // Every second slice stops: before it begins, while it is leased, or before what it has made is committed.
      crashes += await makeSlice(slice % 2 === 0 ? 1 + ((slice / 2) % 3) : undefined);
      passLease();
    }
    expect(crashes).toBeGreaterThan(3);
    const names = [...(await filesOf(userId)).keys()];
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(['README.txt', 'data/orders.json', 'data/ledger_lines.json']));
    expect(names.filter((name) => name.startsWith('receipts/'))).toHaveLength(1);
  });

  test('is given up after several failures, and can be asked for again', async () => {
    const { context } = harness;
    harness.setClock(new Date(context.now().getTime() + 8 * DAY_MS).toISOString());
    const userId = await ask();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await makeSlice(3)).toBe(1);
      passLease();
    }
    expect((await statusOf(userId))?.failedAt).toBeNull();
    await makeSlice();
    expect((await statusOf(userId))?.failedAt).toEqual(expect.any(Date));
    await ask();
  });
});
