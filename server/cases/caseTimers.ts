import { CASE_TIMER_ROWS, type CaseTimer, contestableUntil } from '../../domain/cases.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { isFinishedCase } from '../db/finishedCases.sql.ts';
import { type DueTimer, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { CASES, postponeTimer } from './caseSteps.sql.ts';
import { type CaseRow, hasOpenRefund, listOtherReports, lockCase } from './cases.sql.ts';
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
    const later = timer.action === 'close' ? await mustStayOpenUntil(tx, row, now()) : undefined;
    if (later) return postponeTimer(tx, row.id, timer.action, later);
    if (!(await takeTimer(tx, timer))) return;
    const isOver = timer.action === 'stale' && (await isFinishedCase(tx, row.id));
    const action = isOver ? 'close' : (timer.action as CaseTimer);
    await takeCaseStep(tx, { newId, at: now() }, { row, action, by: { role: 'System' } });
  });
}

/** Until when a decided case waits before it is closed: for its refund, or because it can still be contested. */
async function mustStayOpenUntil(tx: Tx, row: CaseRow, now: Date): Promise<Date | undefined> {
  const tomorrow = now.getTime() + DAY_MS;
  if (await hasOpenRefund(tx, row.id)) return new Date(tomorrow);
  if (row.decidedAt === null) return undefined;
  const until = contestableUntil(row.decidedAt, await listOtherReports(tx, row));
  return until > now.getTime() ? new Date(Math.min(until, tomorrow)) : undefined;
}
