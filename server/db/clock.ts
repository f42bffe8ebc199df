import { sql } from 'kysely';
import type { Log } from '../log.ts';
import { queryRow, type Tx } from './database.ts';

/** The time of the database, without asking it each time. */
export type DatabaseClock = {
  now(): Date;
  /** The seconds that this machine's clock is ahead of the database's; negative when it is behind. */
  skewS(): number;
  stop(): void;
};

/** A machine whose clock differs by more than this is not ready, and runs no jobs. */
export const MAX_SKEW_S = 30;

const SYNC_EVERY_MS = 10_000;
/** Smaller differences are noise of the network, and a clock that jumps back and forth would mix up the order of events. */
const TOLERATED_MS = 100;
/** A slower answer waited for a connection, and says little about the time. */
const MAX_ROUND_TRIP_MS = 200;

/**
 * Follows the clock of the database, so that every server has the same time, and one with a wrong clock neither expires nor dates
 * anything wrongly. Between two reads it counts with the monotonic clock.
 */
export async function openDatabaseClock(db: Tx, log: Pick<Log, 'warn'>): Promise<DatabaseClock> {
  let { offset } = await measureOffset(db);
  const now = () => new Date(performance.now() + offset);
  const skewS = () => Math.round((Date.now() - now().getTime()) / 1000);
  let wasWrong = false;
  const report = () => {
    const isWrong = isSkewed(skewS());
    if (isWrong && !wasWrong) log.warn({ skewS: skewS() }, describeSkew(skewS()));
    wasWrong = isWrong;
  };
  report();
  const timer = setInterval(async () => {
    // While the database does not answer, the monotonic clock continues.
    const measured = await measureOffset(db).catch(() => undefined);
    if (measured && measured.roundTripMs <= MAX_ROUND_TRIP_MS && Math.abs(measured.offset - offset) > TOLERATED_MS)
      offset = measured.offset;
    report();
  }, SYNC_EVERY_MS);
  return { now, skewS, stop: () => clearInterval(timer) };
}

export const isSkewed = (skewS: number) => Math.abs(skewS) > MAX_SKEW_S;

/** In words for the operator. */
export function describeSkew(skewS: number): string {
  const direction = skewS > 0 ? 'ahead of' : 'behind';
  return `The clock of this server is ${Math.abs(skewS)} seconds ${direction} the database's: set it right. Until then it is not ready and runs no jobs`;
}

/** The database's time minus the monotonic clock, in milliseconds. */
async function measureOffset(db: Tx): Promise<{ offset: number; roundTripMs: number }> {
  const before = performance.now();
  const row = await queryRow<{ ms: number }>(
    db,
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  const after = performance.now();
  return { offset: (row?.ms ?? Date.now()) - (before + after) / 2, roundTripMs: after - before };
}

/** This machine's own clock, for the embedded database and for tests that bring their own. */
export const systemClock = (now: () => Date): DatabaseClock => ({ now, skewS: () => 0, stop: () => {} });
