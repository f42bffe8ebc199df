import { contestableUntil } from '../../domain/cases.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { CASE_TIMER_ROWS } from '../../domain/process/case.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { type DueTimer, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { SYSTEM } from '../process/takeStep.ts';
import { CASES, postponeTimer } from './caseSteps.sql.ts';
import { type CaseRow, hasOpenRefund, listOtherReports, lockCase } from './cases.sql.ts';
import { tryCaseStep } from './steps.ts';

type Timers = Pick<Context, 'db' | 'now' | 'wake' | 'log'>;

/** Takes the rows of CASE_ROWS whose time is over. Returns how many timers were due. */
export async function runCaseTimers(context: Timers): Promise<number> {
  const due = await runDueTimers(context, CASES, CASE_TIMER_ROWS, (timer) => fireCaseTimer(context, timer));
  if (due > 0) context.wake('payments', 'events');
  return due;
}

/** Takes the row of a leased timer. A timer whose `from` no longer holds changes nothing. */
export async function fireCaseTimer({ db, now }: Pick<Context, 'db' | 'now'>, timer: DueTimer): Promise<void> {
  await transact(db, async (tx) => {
    // The case before the timer, in the order in which the steps of people lock them.
    const row = await lockCase(tx, SYSTEM, timer.subjectId);
    if (!row) return;
    const later = timer.action === 'close' ? await mustStayOpenUntil(tx, row, now()) : undefined;
    if (later) return postponeTimer(tx, row.id, timer.action, later);
    if (!(await takeTimer(tx, timer))) return;
    const action = CASE_TIMER_ROWS.find((one) => one.action === timer.action)?.action;
    if (!action) throw new Error(`${timer.action} is no timer of a case`);
    const isClosed = action === 'stale' && (await tryCaseStep(tx, row, 'close', now())).ok;
    if (!isClosed) await tryCaseStep(tx, row, action, now());
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
