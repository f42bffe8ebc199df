import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type SeedTarget, signInEveryone } from './accounts.ts';
import { createDemoOrder } from './createDemoOrder.ts';
import { DEMO_ORDERS } from './orders.ts';

/** Adds the demo data through the API. A second run only adds what is missing. */
export async function seedDemo(target: SeedTarget): Promise<{ people: number; orders: number }> {
  const users = await signInEveryone(target);
  // Sequential, because a Duber has one active delivery at a time.
  for (const [i, order] of DEMO_ORDERS.entries()) await createDemoOrder(users, order, `demo-${i + 1}`);
  return { people: users.size, orders: DEMO_ORDERS.length };
}

export type SeedState = 'none' | 'begun' | 'done';

const statePathOf = (dataDir: string) => join(dataDir, 'demo.json');

/** How far seeding got in this data directory. The next start continues an interrupted run. */
export function readSeedState(dataDir: string): SeedState {
  try {
    const { state } = JSON.parse(readFileSync(statePathOf(dataDir), 'utf8')) as { state?: SeedState };
    return state === 'begun' || state === 'done' ? state : 'none';
  } catch {
    return 'none';
  }
}

export function writeSeedState(dataDir: string, state: SeedState): void {
  mkdirSync(dirname(statePathOf(dataDir)), { recursive: true });
  writeFileSync(statePathOf(dataDir), `${JSON.stringify({ state })}\n`);
}
