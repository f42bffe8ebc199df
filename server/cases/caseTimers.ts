import { CASE_TIMER_ROWS, type CaseTimer } from '../../domain/cases.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { type DueTimer, leaseDueTimers, takeTimer } from '../jobs/timers.sql.ts';
import { CASES, postponeTimer } from './caseSteps.sql.ts';
import { hasOpenRefund, lockCase } from './cases.sql.ts';
import { takeCaseStep } from './takeCaseStep.ts';

type Timers = Pick<Context, 'db' | 'now' | 'newId' | 'wake' | 'log'>;

const DAY_MS = 24 * 60 * 60_000;

/** Takes the rows of CASE_FLOW whose time is over. Returns how many timers were due. */
export async function runCaseTimers(context: Timers): Promise<number> {
  const { db, now, wake, log } = context;
  const due = await leaseDueTimers(db, CASES, CASE_TIMER_ROWS, now());
  for (const timer of due.filter(({ holds }) => holds)) {
    // The others do not wait for one that fails. It is due again after its lease.
    await fireCaseTimer(context, timer).catch((error: unknown) => {
      log.error({ err: error, case: timer.subjectId, action: timer.action }, 'a timer failed and will be tried again');
    });
  }
  if (due.length > 0) for (const work of ['payments', 'events'] as const) wake(work);
  return due.length;
}

/** Takes the row of a leased timer. A timer whose `from` no longer holds changes nothing. */
export async function fireCaseTimer(
  { db, now, newId }: Pick<Context, 'db' | 'now' | 'newId'>,
  timer: DueTimer,
): Promise<void> {
  await transact(db, async (tx) => {
    // The case before the timer, in the order in which the steps of people lock them.
    const row = await lockCase(tx, timer.subjectId);
    if (!row) return;
    if (timer.action === 'close' && (await hasOpenRefund(tx, row.id)))
      return postponeTimer(tx, row.id, timer.action, new Date(now().getTime() + DAY_MS));
    if (!(await takeTimer(tx, timer))) return;
    const action = timer.action as CaseTimer;
    await takeCaseStep(tx, { newId, at: now() }, { row, action, by: { role: 'System' } });
  });
}
