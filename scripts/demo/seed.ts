import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type SeedTarget, signInEveryone } from './accounts.ts';
import { createDemoOrder } from './createDemoOrder.ts';
import { DEMO_ORDERS } from './orders.ts';

/** Fills an installation with the demo, through its own calls; run again it only adds what is missing. */
export async function seedDemo(place: SeedTarget): Promise<{ people: number; orders: number }> {
  const residents = await signInEveryone(place);
  // One after another: a Duber carries one delivery at a time.
  for (const [i, tale] of DEMO_ORDERS.entries()) await createDemoOrder(residents, tale, `demo-${i + 1}`);
  return { people: residents.size, orders: DEMO_ORDERS.length };
}

export type SeedState = 'none' | 'begun' | 'done';

const statePathOf = (dataDir: string) => join(dataDir, 'demo.json');

/** How far the demo got in this folder: one that was cut short is continued at the next start. */
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
