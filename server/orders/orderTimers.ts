import { v7 as newId } from 'uuid';
import { WEIGHING_TIMER_ROWS, type WeighingRow } from '../../domain/process/weighing.ts';
import type { Context } from '../context.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import { type Tx, transact } from '../db/database.ts';
import { type DueTimer, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { readLegs } from './orderFacts.sql.ts';
import { lockOrder } from './orders.sql.ts';
import { ORDER_TIMER_ROWS, ORDERS } from './orderTimers.sql.ts';
import { takeOrderStep } from './takeOrderStep.ts';
import { takeWeighingRow } from './takeWeighingRow.ts';
import { chooseWeighingRow, readWeighedLaundry } from './weighingView.ts';

type Timers = Pick<Context, 'db' | 'now' | 'wake' | 'log'>;
const SYSTEM = { role: 'System', id: null } as const;

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
    if (isOfWeighing(action)) await takeWeighingTimer(tx, { order, action }, now());
    else await takeOrderStep({ now, newId }, tx, { by: SYSTEM, order, request: { id: order.id, action } });
  });
}

type WeighingTimer = (typeof WEIGHING_TIMER_ROWS)[number]['action'];
const isOfWeighing = (action: string): action is WeighingTimer =>
  WEIGHING_TIMER_ROWS.some((row) => row.action === action);

async function takeWeighingTimer(
  tx: Tx,
  { order, action }: { readonly order: OrderRow; readonly action: WeighingRow['action'] },
  at: Date,
): Promise<void> {
  const laundry = await readWeighedLaundry(tx, order, await readLegs(tx, order.id), at);
  const choice = chooseWeighingRow(laundry, action, 'System');
  if (choice.ok) await takeWeighingRow(tx, { row: choice.row, laundry, by: SYSTEM }, at);
}
