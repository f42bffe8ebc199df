import { expect, test } from 'vitest';
import { PATIENCE_MS, promised } from '../../promises/promiseSuite.ts';
import type { Plant } from '../../testing/paymentStress/orderLife.ts';
import { storm } from '../../testing/paymentStress/run.ts';
import { newDatabase } from '../../testing/testServer.ts';

const seed = Number(process.env.STORM_SEED ?? Math.floor(Math.random() * 1e9));
const onServer = process.env.TEST_DATABASE_URL !== undefined;

if (onServer) {
  promised('money', (suite) => {
    test('a failing card network and servers that are killed never cost anybody a cent', {
      timeout: PATIENCE_MS,
    }, async () => {
      const { cases: orders, seed } = suite;
      const { faults, stuck, ...rest } = await storm({ databaseUrl: await newDatabase(), orders, seed });
      expect(faults).toEqual([]);
      expect(stuck).toEqual([]);
      expect(rest.orders).toBeGreaterThan(orders / 2);
      expect(rest.kills).toBeGreaterThan(orders / 50);
      suite.ran(orders);
      suite.figure('orders', rest.orders);
      suite.figure('servers killed', rest.kills);
      for (const [name, count] of Object.entries(rest.network)) suite.figure(`network: ${name}`, count);
    });
  });
}

test('a failing card network costs nobody a cent on the embedded database either', { timeout: 120_000 }, async () => {
  console.log(`STORM_SEED=${seed}`);
  const { faults, stuck, orders } = await storm({ databaseUrl: undefined, orders: 100, seed });
  expect(faults).toEqual([]);
  expect(stuck).toEqual([]);
  // On a busy machine the network is late more often than it is meant to be.
  expect(orders).toBeGreaterThan(15);
});

const PLANTS: readonly Plant[] = ['no key', 'a new key for a retry', 'capture before commit'];

test.runIf(onServer).each(PLANTS)('the planted bug "%s" is caught', { timeout: 120_000 }, async (plant) => {
  console.log(`STORM_SEED=${seed}`);
  const { faults, stuck } = await storm({ databaseUrl: await newDatabase(), orders: 150, seed, plant });
  expect([...faults, ...stuck].length).toBeGreaterThan(0);
});
