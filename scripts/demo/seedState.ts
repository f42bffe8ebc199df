import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Seed = {
  readonly state: 'none' | 'begun' | 'done';
  /** The password of the demo people, if it is recorded. Earlier releases did not, and used `DEMO_PASSWORD`. */
  readonly password?: string;
  /** When the seeding began, as an ISO date: a continued one has the same times. */
  readonly startedAt?: string;
  /** When it was complete, as an ISO date. Earlier releases did not record it. */
  readonly doneAt?: string;
  /** Whether the Dubers of a live demo have accounts. */
  readonly liveDubers?: 'begun' | 'done';
};

const pathOf = (dataDir: string) => join(dataDir, 'demo.json');

const isDate = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** How far seeding got in this data directory. The next start continues an interrupted run. */
export function readSeed(dataDir: string): Seed {
  try {
    const { state, password, startedAt, doneAt, liveDubers } = JSON.parse(
      readFileSync(pathOf(dataDir), 'utf8'),
    ) as Partial<Seed>;
    return {
      state: state === 'begun' || state === 'done' ? state : 'none',
      ...(typeof password === 'string' ? { password } : {}),
      ...(isDate(startedAt) ? { startedAt } : {}),
      ...(isDate(doneAt) ? { doneAt } : {}),
      ...(liveDubers === 'begun' || liveDubers === 'done' ? { liveDubers } : {}),
    };
  } catch {
    return { state: 'none' };
  }
}

export function writeSeed(dataDir: string, seed: Seed): void {
  writeFileSync(pathOf(dataDir), `${JSON.stringify(seed)}\n`, { mode: 0o600 });
}
