import { expect, test } from 'vitest';
import { describePromise, TEST_TIMEOUT_MS } from '../../promises/promiseSuite.ts';
import { explained } from '../../testing/explained.ts';
import { runStressTest } from '../../testing/paymentStress/stressTest.ts';
import { createTestDatabase } from '../../testing/testServer.ts';

/** With so many orders, everything happens that is rare. */
const MANY_ORDERS = 1_000;
const seed = Number(process.env.STORM_SEED ?? Math.floor(Math.random() * 1e9));

describePromise('payments', (suite) => {
  test('the ledger stays exact while the card network fails and servers are killed', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const { cases: orders, seed } = suite;
    const databaseUrl = await createTestDatabase();
    const { problems, stuck, ...rest } = await runStressTest({ databaseUrl, orders, seed });
    expect(problems, problems.join('\n')).toEqual([]);
    expect(stuck, stuck.join('\n')).toEqual([]);
    expect(rest.orders).toBeGreaterThan(orders / 2);
    expect(rest.kills).toBeGreaterThan(orders / 50);
    suite.countCases(orders);
    suite.recordFigure('orders', rest.orders);
    suite.recordFigure('servers killed', rest.kills);
    for (const [name, count] of Object.entries(rest.unplanned)) {
      suite.recordFigure(name, count);
      if (orders >= MANY_ORDERS) expect(count, name).toBeGreaterThan(0);
    }
    for (const [name, count] of Object.entries(rest.networkOutcomes)) suite.recordFigure(`network: ${name}`, count);
  });
});

test('the ledger stays exact on the embedded database while the card network fails', async () => {
  await explained(
    () => `STORM_SEED=${seed}`,
    async () => {
      const { problems, stuck, orders } = await runStressTest({ databaseUrl: undefined, orders: 100, seed });
      expect(problems, problems.join('\n')).toEqual([]);
      expect(stuck, stuck.join('\n')).toEqual([]);
      // On a slow machine more requests time out than planned.
      expect(orders).toBeGreaterThan(15);
    },
  );
});
