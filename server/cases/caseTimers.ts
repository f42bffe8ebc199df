import { contestableUntil } from '../../domain/cases.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { CASE_TIMER_ROWS } from '../../domain/process/case.ts';
import type { Tx } from '../db/database.ts';
import { startTimers } from '../jobs/timers.sql.ts';
import type { TimerContext, TimerKind } from '../jobs/timers.ts';
import { SYSTEM } from '../process/takeStep.ts';
import type { CleaningAgain } from './caseMoney.ts';
import { type CaseRow, hasOpenRefund, listOtherReports, lockCase } from './cases.sql.ts';
import { tryCaseStep } from './steps.ts';

/** The System rows of CASE_ROWS. */
export const caseTimers = (cleaning: CleaningAgain): TimerKind<TimerContext> => ({
  subject: 'case',
  rows: CASE_TIMER_ROWS,
  wakes: ['payments', 'events'],
  lock: async ({ db: tx, now }, { subjectId: id, action: due, startedByStep: step }) => {
    const row = await lockCase(tx, SYSTEM, id);
    if (!row) return undefined;
    return async () => {
      const later = due === 'close' ? await mustStayOpenUntil(tx, row, now()) : undefined;
      if (later) return startTimers(tx, 'case', { id, step }, [{ action: due, dueAt: later }]);
      const action = CASE_TIMER_ROWS.find((one) => one.action === due)?.action;
      if (!action) throw new Error(`${due} is no timer of a case`);
      const isClosed = action === 'stale' && (await tryCaseStep(tx, row, 'close', now())).ok;
      if (!isClosed) await tryCaseStep(tx, row, action, now(), cleaning);
    };
  },
});

/** Until when a decided case waits before it is closed: for its refund, or because it can still be contested. */
async function mustStayOpenUntil(tx: Tx, row: CaseRow, now: Date): Promise<Date | undefined> {
  const tomorrow = now.getTime() + DAY_MS;
  if (await hasOpenRefund(tx, row.id)) return new Date(tomorrow);
  if (row.decidedAt === null) return undefined;
  const until = contestableUntil(row.decidedAt, await listOtherReports(tx, row));
  return until > now.getTime() ? new Date(Math.min(until, tomorrow)) : undefined;
}
