import { type RawBuilder, sql } from 'kysely';
import type { OrderStep } from '../../contract/orders.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { openCase } from '../cases/openCase.ts';
import type { Context } from '../context.ts';
import { queryRow, type Tx, transact } from '../db/database.ts';
import { publishOrderStep, publishOrderUpdate } from '../events/publish.ts';
import { type DueTimer, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { releaseOrder, settleOrder } from '../payments/pays.ts';
import { moveOrderBySystem } from './orderSteps.sql.ts';
import { ALL_ORDER_TIMER_ROWS, type AnyOrderTimer, HAVE_DELIVERIES_ENDED, ORDERS } from './orderTimers.sql.ts';
import { chargeUnweighed, expireCorrection } from './weighingTimers.ts';

type Effect = {
  /** What the order `o` must still be, besides its status. */
  readonly holds: RawBuilder<unknown>;
  readonly apply: (tx: Tx, step: OrderStep, now: Date) => Promise<void>;
};

const IS_LAUNDRY_HERE = sql`(o.handed_over_at is not null or exists (select from deliveries d where d.order_id = o.id
  and d.round = o.round and d.delivery_type = 'Bud_To_Scrub' and d.status = 'Delivered'))`;

const expire = async (tx: Tx, step: OrderStep, now: Date) => {
  await publishOrderStep(tx, step, 'expired');
  await releaseOrder(tx, step.orderId, now);
};

/** What each row of the System causes, besides the step. */
const EFFECTS: Record<AnyOrderTimer, Effect> = {
  'expire-request': { holds: sql`o.given_back_at is null`, apply: expire },
  'expire-given-back': {
    holds: sql`o.given_back_at is not null`,
    apply: async (tx, step, now) => {
      await releaseOrder(tx, step.orderId, now);
      await publishOrderStep(tx, step, 'cancelled', ['Bud']);
    },
  },
  remind: { holds: IS_LAUNDRY_HERE, apply: (tx, step) => publishOrderStep(tx, step, 'reminder', ['Scrub']) },
  'scrub-silent': {
    holds: IS_LAUNDRY_HERE,
    apply: async (tx, step, now) => {
      await publishOrderUpdate(tx, step);
      await openCase(tx, { kind: 'scrub-silent', orderId: step.orderId }, now);
    },
  },
  late: {
    holds: sql`true`,
    apply: async (tx, step, now) => {
      await publishOrderStep(tx, step, 'late');
      await openCase(tx, { kind: 'late', orderId: step.orderId }, now);
    },
  },
  close: {
    holds: HAVE_DELIVERIES_ENDED,
    apply: async (tx, step, now) => {
      await tx.updateTable('orders').set({ closed_at: now }).where('id', '=', step.orderId).execute();
      await settleOrder(tx, step.orderId, now);
      await publishOrderUpdate(tx, step);
    },
  },
  unanswered: {
    holds: sql`exists (select from corrections c where c.order_id = o.id and c.state = 'asked')`,
    apply: expireCorrection,
  },
  'charge-estimate': {
    holds: sql`o.ceiling_size is not null
      and not exists (select from weighings w where w.order_id = o.id and w.scale = 'scrub')`,
    apply: chargeUnweighed,
  },
};

type Timers = Pick<Context, 'db' | 'now' | 'wake' | 'log'>;

/** Takes the System rows of orders whose time is over. Returns how many timers were due. */
export async function runOrderTimers(context: Timers): Promise<number> {
  const due = await runDueTimers(context, ORDERS, ALL_ORDER_TIMER_ROWS, (timer) => fireOrderTimer(context, timer));
  if (due > 0) context.wake('payments', 'events');
  return due;
}

/** Takes the row of a leased timer: compare-and-swap and effects. A timer whose `from` no longer holds changes nothing. */
export async function fireOrderTimer({ db, now }: Pick<Context, 'db' | 'now'>, timer: DueTimer): Promise<void> {
  const rows = ALL_ORDER_TIMER_ROWS.filter(({ action }) => action === timer.action);
  if (rows.length === 0) throw new Error(`${timer.action} is no timer of an order`);
  await transact(db, async (tx) => {
    // Before its timer, as the steps do that end timers: otherwise each could wait for the other.
    const order = await queryRow<{ status: OrderStatus }>(
      tx,
      sql`select o.status from orders o where o.id = ${timer.subjectId} for no key update`,
    );
    if (!(await takeTimer(tx, timer))) return;
    const row = rows.find(({ from }) => from === order?.status);
    if (!row) return;
    const { action, from, to } = row;
    const { holds, apply } = EFFECTS[action];
    const step = await moveOrderBySystem(tx, { id: timer.subjectId, action, from, to }, now(), holds);
    if (step) await apply(tx, step, now());
  });
}
