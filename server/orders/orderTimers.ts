import type { OrderStep } from '../../contract/orders.ts';
import { ORDER_TIMER_ROWS, type OrderTimer } from '../../domain/orders.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { publishOrderStep } from '../events/publish.ts';
import { type DueTimer, leaseDueTimers, takeTimer } from '../jobs/timers.sql.ts';
import { releaseOrder } from '../payments/pays.ts';
import { moveOrderBySystem } from './orders.sql.ts';
import { armForgottenRequests, ORDERS } from './orderTimers.sql.ts';

/** What each row of the System causes, besides the step. */
const EFFECTS: Record<OrderTimer, (tx: Tx, step: OrderStep, now: Date) => Promise<void>> = {
  'expire-request': async (tx, step, now) => {
    await publishOrderStep(tx, step, 'expired');
    await releaseOrder(tx, step.orderId, now);
  },
};

type Timers = Pick<Context, 'db' | 'now' | 'wake' | 'log'>;

/** Takes the rows of ORDER_FLOW whose time is over. Returns how many timers were due. */
export async function runOrderTimers(context: Timers): Promise<number> {
  const { db, now, wake, log } = context;
  await armForgottenRequests(db, now());
  const due = await leaseDueTimers(db, ORDERS, ORDER_TIMER_ROWS, now());
  for (const timer of due.filter(({ holds }) => holds)) {
    // The others do not wait for one that fails. It is due again after its lease.
    await fireOrderTimer(context, timer).catch((error: unknown) => {
      log.error({ err: error, order: timer.subjectId, action: timer.action }, 'a timer failed and will be tried again');
    });
  }
  if (due.length > 0) for (const work of ['payments', 'events'] as const) wake(work);
  return due.length;
}

/** Takes the row of a leased timer: compare-and-swap and effects. A timer whose `from` no longer holds changes nothing. */
export async function fireOrderTimer({ db, now }: Pick<Context, 'db' | 'now'>, timer: DueTimer): Promise<void> {
  const row = ORDER_TIMER_ROWS.find(({ action }) => action === timer.action);
  if (!row) throw new Error(`${timer.action} is no timer of an order`);
  await transact(db, async (tx) => {
    if (!(await takeTimer(tx, timer))) return;
    const { action, from, to } = row;
    const step = await moveOrderBySystem(tx, { id: timer.subjectId, action, from, to }, now());
    if (step) await EFFECTS[action](tx, step, now());
  });
}
