import { expect, test } from 'vitest';
import { describePromise, TEST_TIMEOUT_MS } from '../../promises/promiseSuite.ts';
import type { PlantedPaymentBug } from '../../testing/paymentStress/orderSimulation.ts';
import { runStressTest } from '../../testing/paymentStress/stressTest.ts';
import { createTestDatabase } from '../../testing/testServer.ts';

const seed = Number(process.env.STORM_SEED ?? Math.floor(Math.random() * 1e9));
const hasPostgres = process.env.TEST_DATABASE_URL !== undefined;

if (hasPostgres) {
  describePromise('payments', (suite) => {
    test('a failing card network and servers that are killed never cost anybody a cent', {
      timeout: TEST_TIMEOUT_MS,
    }, async () => {
      const { cases: orders, seed } = suite;
      const {
        problems: faults,
        stuck,
        ...rest
      } = await runStressTest({ databaseUrl: await createTestDatabase(), orders, seed });
      expect(faults).toEqual([]);
      expect(stuck).toEqual([]);
      expect(rest.orders).toBeGreaterThan(orders / 2);
      expect(rest.kills).toBeGreaterThan(orders / 50);
      suite.countCases(orders);
      suite.recordFigure('orders', rest.orders);
      suite.recordFigure('servers killed', rest.kills);
      for (const [name, count] of Object.entries(rest.networkOutcomes)) suite.recordFigure(`network: ${name}`, count);
    });
  });
}

test('a failing card network costs nobody a cent on the embedded database either', { timeout: 120_000 }, async () => {
  console.log(`STORM_SEED=${seed}`);
  const { problems: faults, stuck, orders } = await runStressTest({ databaseUrl: undefined, orders: 100, seed });
  expect(faults).toEqual([]);
  expect(stuck).toEqual([]);
  // On a busy machine the network is late more often than it is meant to be.
  expect(orders).toBeGreaterThan(15);
});

const PLANTED_BUGS: readonly PlantedPaymentBug[] = ['no key', 'a new key for a retry', 'capture before commit'];

test.runIf(hasPostgres).each(PLANTED_BUGS)('the planted bug "%s" is caught', { timeout: 120_000 }, async (plant) => {
  console.log(`STORM_SEED=${seed}`);
  const { problems: faults, stuck } = await runStressTest({
    databaseUrl: await createTestDatabase(),
    orders: 150,
    seed,
    plantedBug: plant,
  });
  expect([...faults, ...stuck].length).toBeGreaterThan(0);
});
