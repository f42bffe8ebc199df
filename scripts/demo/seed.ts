import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { STORY } from './orders.ts';
import { playTale } from './playOrder.ts';
import { type Place, settle } from './residents.ts';

/** Fills an installation with the demo, through its own calls; run again it only adds what is missing. */
export async function seedDemo(place: Place): Promise<{ people: number; orders: number }> {
  const residents = await settle(place);
  // One after another: a Duber carries one delivery at a time.
  for (const [i, tale] of STORY.entries()) await playTale(residents, tale, `demo-${i + 1}`);
  return { people: residents.size, orders: STORY.length };
}

export type SeedState = 'none' | 'begun' | 'done';

const pathOf = (dataDir: string) => join(dataDir, 'demo.json');

/** How far the demo got in this folder: one that was cut short is continued at the next start. */
export function seedState(dataDir: string): SeedState {
  try {
    const { state } = JSON.parse(readFileSync(pathOf(dataDir), 'utf8')) as { state?: SeedState };
    return state === 'begun' || state === 'done' ? state : 'none';
  } catch {
    return 'none';
  }
}

export function noteSeed(dataDir: string, state: SeedState): void {
  mkdirSync(dirname(pathOf(dataDir)), { recursive: true });
  writeFileSync(pathOf(dataDir), `${JSON.stringify({ state })}\n`);
}
