import { sql } from 'kysely';
import type { OrderStatus } from '../../../domain/orders.ts';
import { orderNumber } from '../../db/columns.sql.ts';
import type { Tx } from '../../db/database.ts';
import { HOLD_IS_OVER } from '../card/cards.ts';
import { SLOW_AFTER_TRIES } from '../card/retry.ts';

/** A payment or refund that needs a person. */
export type PaymentProblem = {
  readonly about: 'payment' | 'refund';
  readonly id: string;
  readonly orderId: string;
  /** Null for an order that was never placed. */
  readonly orderNumber: string | null;
  readonly orderStatus: OrderStatus | null;
  readonly cents: number;
  readonly squareId: string | null;
  readonly why: string;
  readonly since: Date;
  readonly kind: 'capture' | 'hold-over' | 'release' | 'refund' | 'discrepancy' | 'slow';
};

/**
 * Whether the card of the payment `p` must be charged: a Scrub has accepted its order, which was not called off, and it costs
 * something. One that was given back waits for another Scrub, and stays charged.
 */
const MUST_BE_CHARGED = sql<boolean>`(p.amount > p.reduced and exists (select from orders c where c.id = p.order_id
  and (c.status in ('Accepted', 'In_Progress', 'Completed') or c.status = 'Requested'
    and exists (select from steps s where s.subject_id = c.id and s.status = 'Accepted'))))`;

/** Whether the hold of the payment `p` is over, so that only another card, or calling the order off, helps. */
const IS_HOLD_OVER = sql<boolean>`(${MUST_BE_CHARGED} and p.failure like ${sql.lit(`${HOLD_IS_OVER}%`)})`;

/** The oldest of what retrying cannot finish or has not finished for a long time. */
export function listProblems(tx: Tx, limit: number): Promise<PaymentProblem[]> {
  return selectPaymentProblems(tx)
    .unionAll(selectRefundProblems(tx))
    .orderBy('since')
    .orderBy('id')
    .limit(limit)
    .execute();
}

function selectPaymentProblems(tx: Tx) {
  return tx
    .selectFrom('payments as p')
    .leftJoin('orders as o', 'o.id', 'p.order_id')
    .where((eb) =>
      eb.or([
        eb('p.state', '=', 'stuck'),
        eb('p.concern', 'is not', null),
        eb.and([eb('p.state', 'in', ['capturing', 'voiding']), eb('p.tries', '>', SLOW_AFTER_TRIES)]),
      ]),
    )
    .select((eb) => [
      sql<PaymentProblem['about']>`'payment'`.as('about'),
      'p.order_id as id',
      'p.order_id as orderId',
      orderNumber.as('orderNumber'),
      'o.status as orderStatus',
      'p.amount as cents',
      'p.square_id as squareId',
      eb.fn.coalesce('p.concern', 'p.failure', sql.lit('')).as('why'),
      'p.updated_at as since',
      sql<PaymentProblem['kind']>`case when p.concern is not null then 'discrepancy' when p.state <> 'stuck' then 'slow'
        when ${IS_HOLD_OVER} then 'hold-over' when ${MUST_BE_CHARGED} then 'capture' else 'release' end`.as('kind'),
    ]);
}

function selectRefundProblems(tx: Tx) {
  return tx
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.order_id', 'r.order_id')
    .leftJoin('orders as o', 'o.id', 'r.order_id')
    .where((eb) =>
      eb.or([
        eb('r.state', '=', 'stuck'),
        eb.and([eb('r.state', '=', 'asking'), eb('r.tries', '>', SLOW_AFTER_TRIES)]),
      ]),
    )
    .select((eb) => [
      sql<PaymentProblem['about']>`'refund'`.as('about'),
      'r.id',
      'r.order_id as orderId',
      orderNumber.as('orderNumber'),
      'o.status as orderStatus',
      'r.amount as cents',
      'p.square_id as squareId',
      eb.fn.coalesce('r.failure', sql.lit('')).as('why'),
      'r.updated_at as since',
      sql<PaymentProblem['kind']>`case when r.state = 'stuck' then 'refund' else 'slow' end`.as('kind'),
    ]);
}

/** Makes a stuck payment or refund due again; false when nothing stuck has that id that another try may finish. */
export async function retryProblem(tx: Tx, id: string, now: Date): Promise<boolean> {
  const due = { tries: 0, due_at: now, updated_at: now };
  const payment = await tx
    .updateTable('payments as p')
    .set((eb) => ({
      ...due,
      state: eb
        .case()
        .when(MUST_BE_CHARGED)
        .then('capturing' as const)
        .else('voiding' as const)
        .end(),
    }))
    .where('p.order_id', '=', id)
    .where('p.state', '=', 'stuck')
    .where(({ not }) => not(sql<boolean>`coalesce(${IS_HOLD_OVER}, false)`))
    .executeTakeFirst();
  const refund = await tx
    .updateTable('refunds')
    .set((eb) => ({
      ...due,
      state: eb
        .case()
        .when('square_refund_id', 'is', null)
        .then('asking' as const)
        .else('pending' as const)
        .end(),
    }))
    .where('id', '=', id)
    .where('state', '=', 'stuck')
    .executeTakeFirst();
  return payment.numUpdatedRows + refund.numUpdatedRows > 0n;
}

/** An order whose card must be charged and cannot be, because its hold is over: what it costs, and its Bud. */
export function findHoldOver(tx: Tx, orderId: string) {
  return tx
    .selectFrom('payments as p')
    .innerJoin('orders as o', 'o.id', 'p.order_id')
    .where('p.order_id', '=', orderId)
    .where('p.state', '=', 'stuck')
    .where(IS_HOLD_OVER)
    .select(['o.bud_id as budId', orderNumber.as('order'), 'p.amount as cents'])
    .executeTakeFirst();
}
