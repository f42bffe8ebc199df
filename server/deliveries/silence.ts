import { sql } from 'kysely';
import { SILENT_DUBER_MS } from '../../domain/deliveries.ts';
import { DELIVERY_TIMER_ROWS } from '../../domain/process/delivery.ts';
import type { Context } from '../context.ts';
import { queryRow, type Tx, transact } from '../db/database.ts';
import { armTimersSql, type DueTimer, type TimerSubject, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { lockDelivery } from './facts.sql.ts';
import { tryDeliveryStep } from './steps.ts';

export const DELIVERIES: TimerSubject = { kind: 'delivery', table: 'deliveries' };
const SILENT = { action: 'silent', from: 'Accepted', after: SILENT_DUBER_MS } as const;

/** Starts the silence timer, or starts it again, from the last step of the Duber. */
export async function startSilenceTimer(tx: Tx, id: string, heardAt: Date): Promise<void> {
  const step = sql`select t.delivery_id, t.position, ${heardAt}::timestamptz from delivery_steps t
    where t.delivery_id = ${id} order by t.position desc limit 1`;
  await queryRow(tx, armTimersSql(DELIVERIES, [SILENT], step));
}

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
