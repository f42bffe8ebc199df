import { sql } from 'kysely';
import { ORDER_TIMER_ROWS, type OrderTimer, REQUEST_LIFETIME_MS } from '../../domain/orders.ts';
import type { Tx } from '../db/database.ts';
import { armForgottenTimers, armTimersSql, type TimerSubject } from '../jobs/timers.sql.ts';

export const ORDERS: TimerSubject = { kind: 'order', table: 'orders' };

/** What a new order waits for. A row at another status does not compile here: the step that leads to it has to start its timer. */
const AT_REQUESTED: readonly { action: OrderTimer; from: 'Requested'; after: number }[] = ORDER_TIMER_ROWS;

/** Part of the `with` that inserts an order as `placed`: starts its timers. */
export const armPlacedOrderSql = armTimersSql(ORDERS, AT_REQUESTED, sql`select id, 0, created_at from placed`);

const BATCH_SIZE = 50;

/**
 * Starts the timers of requests that were placed without one and are overdue: before the table existed, and by servers of
 * the previous release while they serve. A later release drops this, and the index orders_requested that it uses.
 */
export function armForgottenRequests(tx: Tx, now: Date): Promise<void> {
  const since = new Date(now.getTime() - REQUEST_LIFETIME_MS);
  return armForgottenTimers(
    tx,
    ORDERS,
    AT_REQUESTED,
    sql`select o.id, 0, o.created_at from orders o
      where o.status = 'Requested' and o.created_at <= ${since}
        and not exists (select from timers t where t.subject_id = o.id)
      order by o.created_at limit ${BATCH_SIZE}`,
  );
}
