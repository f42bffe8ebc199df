import { ADMISSION_TIMER_ROWS } from '../../domain/process/admission.ts';
import type { Context } from '../context.ts';
import type { TimerContext, TimerKind } from '../jobs/timers.ts';
import { lockAdmission } from './admissions.sql.ts';
import { applyAdmissionEverywhere } from './applyAdmission.ts';
import { tryAdmissionStep } from './steps.ts';

/** Warns workers whose documents expire, and keeps them from new work once they have. */
export const ADMISSION_TIMERS: TimerKind<TimerContext & Pick<Context, 'newId' | 'config'>> = {
  subject: 'admission',
  rows: ADMISSION_TIMER_ROWS,
  wakes: ['mail'],
  lock: async (inside, timer) => {
    const admission = await lockAdmission(inside.db, timer.subjectId);
    const action = ADMISSION_TIMER_ROWS.find((row) => row.action === timer.action)?.action;
    if (!admission || !action) return undefined;
    return async () => {
      const outcome = await tryAdmissionStep(inside, admission, action);
      if (outcome.ok || outcome.why.why !== 'need') return;
      // The requirements or the accepted documents have changed since the timer started.
      if (outcome.why.need === 'end-reached' || outcome.why.need === 'warning-due')
        await applyAdmissionEverywhere(inside, admission, null);
    };
  },
};
