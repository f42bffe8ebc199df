import { WEIGHING_TIMER_ROWS } from '../../domain/process/weighing.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { type DueTimer, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { SYSTEM } from '../process/takeStep.ts';
import { lockOrder } from './orders.sql.ts';
import { ORDER_TIMER_ROWS, ORDERS } from './orderTimers.sql.ts';
import { tryOrderStep } from './steps.ts';
import { tryWeighingStep } from './weighingSteps.ts';

type Timers = Pick<Context, 'db' | 'now' | 'wake' | 'log'>;

/** Takes the System rows of orders whose time is over. Returns how many timers were due. */
export async function runOrderTimers(context: Timers): Promise<number> {
  const due = await runDueTimers(context, ORDERS, ORDER_TIMER_ROWS, (timer) => fireOrderTimer(context, timer));
  if (due > 0) context.wake('payments', 'events');
  return due;
}

/** Takes the row of a leased timer. When no row fits any more, nothing changes. */
export async function fireOrderTimer({ db, now }: Pick<Context, 'db' | 'now'>, timer: DueTimer): Promise<void> {
  const action = ORDER_TIMER_ROWS.find((row) => row.action === timer.action)?.action;
  if (!action) throw new Error(`${timer.action} is no timer of an order`);
  await transact(db, async (tx) => {
    // Before its timer, as the steps do that end timers: otherwise each could wait for the other.
    const order = await lockOrder(tx, SYSTEM, timer.subjectId);
    if (!order || !(await takeTimer(tx, timer))) return;
    if (isOfWeighing(action)) await tryWeighingStep(tx, order, action, now());
    else await tryOrderStep(tx, order, action, now());
  });
}

const isOfWeighing = (action: string): action is (typeof WEIGHING_TIMER_ROWS)[number]['action'] =>
  WEIGHING_TIMER_ROWS.some((row) => row.action === action);
