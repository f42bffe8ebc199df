import { DELIVERY_TIMER_ROWS } from '../../domain/process/delivery.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { type DueTimer, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { DELIVERIES, startSilenceTimer } from './effects/startSilence.ts';
import { lockDelivery } from './facts.sql.ts';
import { tryDeliveryStep } from './steps.ts';

/** Takes the rows of the System whose time is over. Returns how many timers were due. */
export async function runDeliveryTimers(context: Pick<Context, 'db' | 'now' | 'wake' | 'log'>): Promise<number> {
  const due = await runDueTimers(context, DELIVERIES, DELIVERY_TIMER_ROWS, (timer) =>
    fireDeliveryTimer(context, timer),
  );
  if (due > 0) context.wake('events');
  return due;
}

/** Takes the delivery off a Duber who has said nothing. One who was heard of since gets the full time from then. */
export async function fireDeliveryTimer({ db, now }: Pick<Context, 'db' | 'now'>, timer: DueTimer): Promise<void> {
  await transact(db, async (tx) => {
    const { subjectId: id } = timer;
    // Before its timer, as the steps do that start it: otherwise each could wait for the other.
    await lockDelivery(tx, id);
    if (!(await takeTimer(tx, timer))) return;
    const outcome = await tryDeliveryStep(tx, { id, action: 'silent' }, now());
    if (outcome.ok || outcome.why.why !== 'need' || outcome.why.need !== 'no-sign') return;
    const heardAt = outcome.facts?.heardAt;
    if (heardAt) await startSilenceTimer(tx, id, heardAt);
  });
}
