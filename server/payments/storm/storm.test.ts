import { expect, test } from 'vitest';
import { newDatabase } from '../../testing.ts';
import type { Plant } from './lives.testing.ts';
import { storm } from './storm.testing.ts';

const seed = Number(process.env.STORM_SEED ?? Math.floor(Math.random() * 1e9));
const onServer = process.env.TEST_DATABASE_URL !== undefined;
const ORDERS = Number(process.env.STORM_ORDERS ?? 1_000);

test.runIf(onServer)(
  'a failing card network and servers that are killed never cost anybody a cent',
  { timeout: 300_000 },
  async () => {
    console.log(`STORM_SEED=${seed}`);
    const { faults, stuck, ...rest } = await storm({ databaseUrl: await newDatabase(), orders: ORDERS, seed });
    console.log(rest);
    expect(faults).toEqual([]);
    expect(stuck).toEqual([]);
    expect(rest.orders).toBeGreaterThan(ORDERS / 2);
    expect(rest.kills).toBeGreaterThan(ORDERS / 50);
  },
);

test('a failing card network costs nobody a cent on the embedded database either', { timeout: 120_000 }, async () => {
  console.log(`STORM_SEED=${seed}`);
  const { faults, stuck, orders } = await storm({ databaseUrl: undefined, orders: 100, seed });
  expect(faults).toEqual([]);
  expect(stuck).toEqual([]);
  expect(orders).toBeGreaterThan(50);
});

const PLANTS: readonly Plant[] = ['no key', 'a new key for a retry', 'capture before commit'];

test.runIf(onServer).each(PLANTS)('the planted bug "%s" is caught', { timeout: 120_000 }, async (plant) => {
  console.log(`STORM_SEED=${seed}`);
  const { faults, stuck } = await storm({ databaseUrl: await newDatabase(), orders: 150, seed, plant });
  expect([...faults, ...stuck].length).toBeGreaterThan(0);
});
