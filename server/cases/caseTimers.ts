import { CASE_TIMER_ROWS, type CaseTimer, contestableUntil } from '../../domain/cases.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { type DueTimer, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { CASES, postponeTimer } from './caseSteps.sql.ts';
import { type CaseRow, hasOpenRefund, listOtherReports, lockCase } from './cases.sql.ts';
import { isFinishedCase, listFinishedCases } from './finishedCases.sql.ts';
import { takeCaseStep } from './takeCaseStep.ts';

type Timers = Pick<Context, 'db' | 'now' | 'newId' | 'wake' | 'log'>;

/** Takes the rows of CASE_FLOW whose time is over. Returns how many timers were due. */
export async function runCaseTimers(context: Timers): Promise<number> {
  // Before the timers, which would make them urgent.
  await closeFinishedCases(context);
  const due = await runDueTimers(context, CASES, CASE_TIMER_ROWS, (timer) => fireCaseTimer(context, timer));
  if (due > 0) context.wake('payments', 'events');
  return due;
}

const MAX_CLOSED_AT_ONCE = 50;

/** Closes the cases of the town whose matter is over. */
async function closeFinishedCases({ db, now, newId, wake }: Timers): Promise<void> {
  for (const id of await listFinishedCases(db, MAX_CLOSED_AT_ONCE)) {
    await transact(db, async (tx) => {
      const row = await lockCase(tx, id);
      // It may have begun again before the lock.
      if (!row || !(await isFinishedCase(tx, id))) return;
      await takeCaseStep(tx, { newId, at: now() }, { row, action: 'close', by: { role: 'System' } });
    });
    wake('events');
  }
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
    const action = timer.action as CaseTimer;
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
