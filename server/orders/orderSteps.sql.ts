import { type RawBuilder, sql } from 'kysely';
import type { OrderStep } from '../../contract/orders.ts';
import type { OrderStatus, OrderStepAction } from '../../domain/orders.ts';
import type { OrderColumns } from '../../domain/process/order.ts';
import { isoTime } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { makePinsSql } from '../handovers/pins.ts';
import { insertStepSql } from '../process/steps.sql.ts';
import type { OrderTaker } from './orders.sql.ts';

/** A row of ORDER_ROWS or WEIGHING_ROWS, for one order. */
export type OrderMove = {
  readonly id: string;
  readonly action: OrderStepAction;
  readonly from: OrderStatus;
  readonly to: OrderStatus;
  /** Its step ends the round. */
  readonly startsOver?: true | undefined;
  /** The columns that it sets besides the status. */
  readonly sets?: Partial<OrderColumns>;
  /** It begins a round with new PINs. */
  readonly makesPins?: true | undefined;
  readonly reason?: string | undefined;
  readonly words?: string | undefined;
};

const COLUMNS: Record<keyof OrderColumns, string> = {
  completedAt: 'completed_at',
  givenBackAt: 'given_back_at',
  handedOverAt: 'handed_over_at',
  closedAt: 'closed_at',
  waysPaidBy: 'ways_paid_by',
  wayHome: 'way_home',
  pickupFrom: 'pickup_from',
  pickupUntil: 'pickup_until',
  returnFrom: 'return_from',
  returnUntil: 'return_until',
  turnaround: 'turnaround',
  promisedAt: 'promised_at',
};

const assignments = (sets: Partial<OrderColumns>) =>
  Object.entries(sets).map(([name, value]) => sql`, ${sql.ref(COLUMNS[name as keyof OrderColumns])} = ${value}`);

/**
 * When a step of an order is taken: now, but not before its last step. `now` was read before the step waited for its turn, and the
 * clock of the server that took the last step may be ahead.
 */
const notBeforeLastStep = (orderId: RawBuilder<unknown>, now: Date) =>
  sql`(select greatest(${now}::timestamptz, max(p.at)) from steps p where p.subject_id = ${orderId})`;

/**
 * Moves an order whose status is `from`, and writes the step. The caller has locked the order. Raw SQL: the move, its history and its
 * PINs are one statement, so that none exists without the others.
 */
export async function moveOrder(tx: Tx, by: OrderTaker, move: OrderMove, now: Date): Promise<OrderStep> {
  const { id, action, from, to, startsOver, sets = {}, makesPins, reason = null, words = null } = move;
  const rounds = sql.lit(startsOver ? 1 : 0);
  const pins = makesPins ? sql`, pins_of_round as (${makePinsSql(now)})` : sql``;
  const step = insertStepSql('order', sql`moved`, {
    attempt: sql`m.round`,
    action: sql`${action}::text`,
    status: sql`${to}::text`,
    actor_id: sql`${by.id}::uuid`,
    actor_role: sql`${by.role}::text`,
    reason: sql`${reason}::text`,
    words: sql`${words}::text`,
    at: notBeforeLastStep(sql`m.id`, now),
  });
  const moved = await queryRow<OrderStep>(
    tx,
    sql`with moved as (update orders o set status = ${to}, round = o.round + ${rounds} ${sql.join(assignments(sets), sql``)}
        where o.id = ${id} and o.status = ${from} returning o.id, o.round - ${rounds} as round),
      step as (${step} returning *)${pins}
      select t.status, ${isoTime('t.at')} as "createdAt", t.subject_id as "orderId" from step t`,
  );
  if (!moved) throw new Error(`order ${id} changed although it was locked`);
  return moved;
}
