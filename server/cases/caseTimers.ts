import { CASE_TIMER_ROWS, type CaseTimer, contestableUntil } from '../../domain/cases.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { isFinishedCase } from '../db/finishedCases.sql.ts';
import { startTimers } from '../jobs/timers.sql.ts';
import type { TimerContext, TimerKind } from '../jobs/timers.ts';
import { type CaseRow, hasOpenRefund, listOtherReports, lockCase } from './cases.sql.ts';
import { takeCaseStep } from './takeCaseStep.ts';

/** The System rows of CASE_FLOW. */
export const CASE_TIMERS: TimerKind<TimerContext & Pick<Context, 'newId'>> = {
  subject: 'case',
  actions: CASE_TIMER_ROWS.map(({ action }) => action),
  wakes: ['payments', 'events'],
  lock: async ({ db: tx, now, newId }, { subjectId: id, action: due, startedByStep: step }) => {
    const row = await lockCase(tx, id);
    if (!row) return undefined;
    return async () => {
      const later = due === 'close' ? await mustStayOpenUntil(tx, row, now()) : undefined;
      if (later) return startTimers(tx, 'case', { id, step }, [{ action: due, dueAt: later }]);
      const isOver = due === 'stale' && (await isFinishedCase(tx, id));
      const action = isOver ? 'close' : (due as CaseTimer);
      await takeCaseStep(tx, { newId, at: now() }, { row, action, by: { role: 'System' } });
    };
  },
};

/** Until when a decided case waits before it is closed: for its refund, or because it can still be contested. */
async function mustStayOpenUntil(tx: Tx, row: CaseRow, now: Date): Promise<Date | undefined> {
  const tomorrow = now.getTime() + DAY_MS;
  if (await hasOpenRefund(tx, row.id)) return new Date(tomorrow);
  if (row.decidedAt === null) return undefined;
  const until = contestableUntil(row.decidedAt, await listOtherReports(tx, row));
  return until > now.getTime() ? new Date(Math.min(until, tomorrow)) : undefined;
}
