import { CASE_TIMER_ROWS, type CaseTimer } from '../../domain/cases.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { type DueTimer, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { CASES, postponeTimer } from './caseSteps.sql.ts';
import { hasOpenRefund, lockCase } from './cases.sql.ts';
import { takeCaseStep } from './takeCaseStep.ts';

type Timers = Pick<Context, 'db' | 'now' | 'newId' | 'wake' | 'log'>;

/** Takes the rows of CASE_FLOW whose time is over. Returns how many timers were due. */
export async function runCaseTimers(context: Timers): Promise<number> {
  const due = await runDueTimers(context, CASES, CASE_TIMER_ROWS, (timer) => fireCaseTimer(context, timer));
  if (due > 0) context.wake('payments', 'events');
  return due;
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
