import type { Context } from '../context.ts';
import { type DueTimer, leaseDueTimers, type TimerRow, type TimerSubject } from './timers.sql.ts';

/** Leases the timers of `rows` that are due, and fires each. Returns how many were due. */
export async function runDueTimers(
  { db, now, log }: Pick<Context, 'db' | 'now' | 'log'>,
  subject: TimerSubject,
  rows: readonly TimerRow[],
  fire: (timer: DueTimer) => Promise<void>,
): Promise<number> {
  const due = await leaseDueTimers(db, subject, rows, now());
  for (const timer of due.filter(({ holds }) => holds)) {
    // The others do not wait for one that fails. It is due again after its lease.
    await fire(timer).catch((error: unknown) => {
      const { subjectId, action } = timer;
      log.error({ err: error, [subject.kind]: subjectId, action }, 'a timer failed and will be tried again');
    });
  }
  return due.length;
}
