import { DELIVERY_TIMER_ROWS } from '../../domain/process/delivery.ts';
import type { TimerContext, TimerKind } from '../jobs/timers.ts';
import { startSilenceTimer } from './effects/startSilence.ts';
import { lockDelivery } from './facts.sql.ts';
import { tryDeliveryStep } from './steps.ts';

/** Takes the delivery off a Duber who has said nothing. One who was heard of since gets the full time from then. */
export const DELIVERY_TIMERS: TimerKind<TimerContext> = {
  subject: 'delivery',
  rows: DELIVERY_TIMER_ROWS,
  wakes: ['events'],
  lock: async ({ db: tx, now }, { subjectId: id }) => {
    await lockDelivery(tx, id);
    return async () => {
      const outcome = await tryDeliveryStep(tx, { id, action: 'silent' }, now());
      if (outcome.ok || outcome.why.why !== 'need' || outcome.why.need !== 'no-sign') return;
      const heardAt = outcome.facts?.heardAt;
      if (heardAt) await startSilenceTimer(tx, id, heardAt);
    };
  },
};
