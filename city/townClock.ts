import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '../domain/durations.ts';
import type { Env } from '../promises/processes.ts';
import { followClock } from '../promises/wrongClock.ts';
import { queryAt } from '../testing/databaseConnection.ts';

/** Tells the time of an installation. */
export type Calendar = {
  /** The time of its servers, or what it was so many milliseconds ago. */
  now(agoMs?: number): Date;
  /** How many milliseconds between two times of its servers have passed at once. */
  skippedBetween(from: Date, until: Date): number;
};

export const REAL_CALENDAR: Calendar = {
  now: (agoMs = 0) => new Date(Date.now() - agoMs),
  skippedBetween: () => 0,
};

/**
 * The clock of an installation in which hours can pass at once. All servers follow the clock of the database, and each process has a clock
 * of its own, so both are shifted.
 */
export type TownClock = Calendar & {
  /** What starts a process on this clock. */
  readonly env: Env;
  /** Makes the database at a URL tell this time, in all sessions that have begun since this was called first. */
  tellDatabase(url: string): Promise<void>;
  /** Lets hours pass: for processes that start later, and for the database after its next update. */
  pass(hours: number): void;
  close(): void;
};

const TUESDAY = 2;
const FIRST_HOUR = 8;

/** The next Tuesday at eight: a run ends before payouts are made, and its windows are the same each time. */
export function findFirstMorning(now: number): number {
  const today = new Date(now).setUTCHours(FIRST_HOUR, 0, 0, 0);
  const days = (TUESDAY - new Date(today).getUTCDay() + 7) % 7;
  return today + (days === 0 && today < now ? 7 : days) * DAY_MS;
}

export function createTownClock(realNow = Date.now): TownClock {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-city-clock-'));
  const file = join(folder, 'shift');
  const shifts: { readonly at: number; readonly shiftMs: number }[] = [];
  const shift = (shiftMs: number) => {
    shifts.push({ at: realNow(), shiftMs });
    writeFileSync(file, String(shiftMs));
  };
  const shiftAt = (at: number) => (shifts.findLast((one) => one.at <= at) ?? shifts[0])?.shiftMs ?? 0;
  shift(findFirstMorning(realNow()) - realNow());
  return {
    env: { NODE_OPTIONS: followClock(file) },
    now(agoMs = 0) {
      const at = realNow() - agoMs;
      return new Date(at + shiftAt(at));
    },
    skippedBetween: (from, until) =>
      shifts.slice(1).reduce((sum, { at, shiftMs }, n) => {
        const [before, after] = [at + (shifts[n]?.shiftMs ?? 0), at + shiftMs];
        return sum + Math.max(0, Math.min(after, until.getTime()) - Math.max(before, from.getTime()));
      }, 0),
    async tellDatabase(url) {
      const tell = (clock: string, kind: string) =>
        `create or replace function public.${clock}() returns timestamptz language sql ${kind}
           as $$ select pg_catalog.${clock}() + interval '${shiftAt(realNow())} milliseconds' $$`;
      await queryAt(url, [tell('clock_timestamp', 'volatile'), tell('now', 'stable')].join(';'));
      // What is in `public` comes before what PostgreSQL has.
      await queryAt(url, `alter database ${new URL(url).pathname.slice(1)} set search_path = public, pg_catalog`);
    },
    pass: (hours) => shift(shiftAt(realNow()) + hours * HOUR_MS),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
