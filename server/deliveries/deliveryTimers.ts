import { SILENT_DUBER_MS } from '../../domain/deliveries.ts';
import { DELIVERY_TIMER_ROWS } from '../../domain/process/delivery.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { type DueTimer, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { lockDelivery, readDeliveryWithHistory } from './deliveryExceptions.sql.ts';
import { chooseException, takeExceptionRow } from './deliveryExceptions.ts';
import { DELIVERIES, readSilence, rearmSilenceTimer } from './deliveryTimers.sql.ts';

type Timers = Pick<Context, 'db' | 'now' | 'wake' | 'log'>;
const SYSTEM = { role: 'System', id: null } as const;

/** Takes the rows of DELIVERY_EXCEPTIONS whose time is over. Returns how many timers were due. */
export async function runDeliveryTimers(context: Timers): Promise<number> {
  const due = await runDueTimers(context, DELIVERIES, DELIVERY_TIMER_ROWS, (timer) =>
    fireDeliveryTimer(context, timer),
  );
  if (due > 0) context.wake('events');
  return due;
}

/** Takes the delivery off a Duber who has said nothing. One who was heard of since gets the full time from then. */
export async function fireDeliveryTimer({ db, now }: Pick<Context, 'db' | 'now'>, timer: DueTimer): Promise<void> {
  await transact(db, async (tx) => {
    const { subjectId: id, armedByStep: position } = timer;
    // Before its timer, as the steps do that start it: otherwise each could wait for the other.
    await lockDelivery(tx, id);
    if (!(await takeTimer(tx, timer))) return;
    const silence = await readSilence(tx, id, now());
    if (!silence?.isCareful) return;
    const isHeard = now().getTime() - silence.heardAt.getTime() < SILENT_DUBER_MS;
    if (isHeard) await rearmSilenceTimer(tx, { id, position, heardAt: silence.heardAt });
    else await takeOffSilent(tx, id, now());
  });
}

async function takeOffSilent(tx: Tx, id: string, at: Date): Promise<void> {
  const delivery = await readDeliveryWithHistory(tx, SYSTEM, id);
  const request = { id, action: 'silent' } as const;
  if (delivery && chooseException(SYSTEM, delivery, request, at).ok)
    await takeExceptionRow(tx, SYSTEM, delivery, request, at);
}
