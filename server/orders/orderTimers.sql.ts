import { type RawBuilder, sql } from 'kysely';
import { ENDED_STATUSES } from '../../domain/deliveries.ts';
import {
  ORDER_EXCEPTION_TIMER_ROWS,
  ORDER_TIMER_ROWS,
  type OrderStepAction,
  type WeighingTimer,
} from '../../domain/orders.ts';
import { WEIGHING_TIMER_ROWS } from '../../domain/weighing.ts';
import { literals } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { prepare } from '../db/prepared.ts';
import { armTimersSql, type TimerSubject } from '../jobs/timers.sql.ts';

export const ORDERS: TimerSubject = { kind: 'order', table: 'orders' };
export const ALL_ORDER_TIMER_ROWS = [
  ...ORDER_TIMER_ROWS,
  ...ORDER_EXCEPTION_TIMER_ROWS,
  ...WEIGHING_TIMER_ROWS,
] as const;
export type AnyOrderTimer = (typeof ALL_ORDER_TIMER_ROWS)[number]['action'];

/** One row of each action: those of an action differ in their status only. */
const rowsOf = (...actions: readonly AnyOrderTimer[]) =>
  actions.flatMap((action) => ALL_ORDER_TIMER_ROWS.find((row) => row.action === action) ?? []);

/** The timers that each step starts. A delivery that arrives starts the others: see laundryEvents.ts. */
const STARTED_BY: Partial<Record<OrderStepAction, readonly AnyOrderTimer[]>> = {
  'place-order': ['expire-request'],
  'start-order': ['late'],
  'give-back': ['expire-given-back'],
  // The new Scrub has as long as the first one.
  'choose-scrub': ['expire-request'],
  reopen: ['late'],
};

/** Part of the `with` that inserts an order as `placed`: starts its timers. */
export const armPlacedOrderSql = armTimersSql(
  ORDERS,
  rowsOf('expire-request'),
  sql`select id, 0, created_at from placed`,
);

/** Part of the `with` that inserts a `step`: starts its timers, if it has any. */
export function startedTimersSql(action: OrderStepAction): RawBuilder<unknown> {
  const started = STARTED_BY[action];
  if (!started) return sql``;
  return sql`, timers_of_step as (${armTimersSql(
    ORDERS,
    rowsOf(...started),
    sql`select order_id, position, created_at from step`,
  )})`;
}

/** The hold of an order that is weighed expires, whatever happens to the order. */
const KEPT_TIMER: WeighingTimer = 'charge-estimate';

/** Ends all timers of an order. Lock the order before, as workers do before they take one of its timers. */
export async function endTimers(tx: Tx, orderId: string): Promise<void> {
  await timersOf(tx, orderId).where('action', '<>', KEPT_TIMER).execute();
}

/** Ends one of an order's timers. */
export async function endTimer(tx: Tx, orderId: string, action: AnyOrderTimer): Promise<void> {
  await timersOf(tx, orderId).where('action', '=', action).execute();
}

const timersOf = (tx: Tx, orderId: string) =>
  tx.deleteFrom('timers').where('subject_kind', '=', 'order').where('subject_id', '=', orderId);

/** Whether all deliveries of the order `o` have ended. */
export const HAVE_DELIVERIES_ENDED = sql`not exists (select from deliveries d where d.order_id = o.id
  and d.status not in (${literals(ENDED_STATUSES)}))`;

type Start = { readonly holds: RawBuilder<unknown>; readonly from?: RawBuilder<unknown> };

/** The condition under which an order `o` starts each timer that none of its steps starts, and its start time, by default now. */
const STARTS = {
  remind: { holds: sql`o.status = 'Accepted'` },
  'scrub-silent': { holds: sql`o.status = 'Accepted'` },
  close: { holds: sql`o.status = 'Completed' and ${HAVE_DELIVERIES_ENDED}` },
  unanswered: { holds: sql`true` },
  // Its hold is as old as the order.
  'charge-estimate': { holds: sql`true`, from: sql`o.created_at` },
} as const satisfies Partial<Record<AnyOrderTimer, Start>>;

/**
 * Starts the timers of an order whose condition is met, in one statement. Each step of the System is taken once a round, so a
 * corrected step that happens again does not restart its timer.
 */
function prepareStart(...actions: (keyof typeof STARTS)[]) {
  return prepare<[orderId: string, at: Date], unknown>((id, at) => {
    const parts = actions.map((action) => {
      const { holds, from = at }: Start = STARTS[action];
      const steps = sql`select o.id, o.position, ${from}::timestamptz from present o
        where ${holds} and not exists (select from order_steps t
          where t.order_id = o.id and t.round = o.round and t.action = ${sql.lit(action)})`;
      return sql`${sql.id(action)} as (${armTimersSql(ORDERS, rowsOf(action), steps)})`;
    });
    return sql`with present as materialized (select o.id, o.status, o.round, o.created_at,
        (select max(t.position) from order_steps t where t.order_id = o.id) as position from orders o where o.id = ${id}),
      ${sql.join(parts)} select`;
  });
}

const startAtScrub = prepareStart('remind', 'scrub-silent');
const startAtEnd = prepareStart('close');
const startAtQuestion = prepareStart('unanswered');
const startAtAcceptance = prepareStart('charge-estimate');
const startAfterDelivery = prepareStart('remind', 'scrub-silent', 'close');

/** The Bud must answer a correction within a limited time. */
export async function startAnswerTimer(tx: Tx, orderId: string, at: Date): Promise<void> {
  await startAtQuestion.all(tx, orderId, at);
}

/** An order that is weighed was accepted: its estimate is charged before the hold ends, unless it is weighed by then. */
export async function startCharging(tx: Tx, orderId: string, at: Date): Promise<void> {
  await startAtAcceptance.all(tx, orderId, at);
}

/** The laundry is at the Scrub's: the Scrub is reminded unless they start, and later the town looks. */
export async function startReminder(tx: Tx, orderId: string, at: Date): Promise<void> {
  await startAtScrub.all(tx, orderId, at);
}

/** The last delivery of a completed order has ended: it is closed after a while. Does nothing while one is open. */
export async function startClosing(tx: Tx, orderId: string, at: Date): Promise<void> {
  await startAtEnd.all(tx, orderId, at);
}

/** A delivery has ended: whichever of the two it is time for. Lock the order's payment before, as its completion does. */
export async function startReminderOrClosing(tx: Tx, orderId: string, at: Date): Promise<void> {
  await startAfterDelivery.all(tx, orderId, at);
}
