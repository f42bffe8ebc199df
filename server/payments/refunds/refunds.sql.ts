import { type NotNull, sql } from 'kysely';
import type { Cents } from '../../../domain/payments.ts';
import type { Tx } from '../../db/database.ts';
import { centsOf } from '../../db/orderLines.sql.ts';
import { addMs, FEE_AFTER_MS, LEASE_MS } from '../card/retry.ts';
import { takenByBank } from './disputeMoney.sql.ts';

export type Refundable = NonNullable<Awaited<ReturnType<typeof lockRefundable>>>;

/** What of a payment has gone back neither by refunds nor by a bank. */
export const leftOf = (order: Pick<Refundable, 'amount' | 'refunded' | 'takenByBank'>): Cents =>
  Math.max(0, order.amount - order.refunded - order.takenByBank);

/** What can be refunded of an order. Its payment stays locked until the transaction ends. */
export const lockRefundable = (tx: Tx, orderId: string) => selectRefundable(tx, orderId, true);

/** The same, without locking it: to show it. */
export const findRefundable = (tx: Tx, orderId: string) => selectRefundable(tx, orderId, false);

async function selectRefundable(tx: Tx, orderId: string, isLocked: boolean) {
  const order = await tx
    .selectFrom('payments as p')
    .innerJoin('orders as o', 'o.id', 'p.order_id')
    .where('p.order_id', '=', orderId)
    .select([
      'p.state',
      'p.amount',
      'p.reduced',
      'p.discount',
      'p.discount_reduced as discountReduced',
      centsOf('state').as('taxes'),
      'o.scrub_id as scrubId',
      'p.bud_id as budId',
    ])
    .select(['p.card_brand as cardBrand', 'p.card_last4 as cardLast4'])
    .$if(isLocked, (query) => query.forUpdate('p'))
    .executeTakeFirst();
  if (!order) return undefined;
  /** Earlier refunds, those in progress included. */
  const earlier = await tx
    .selectFrom('refunds')
    .where('order_id', '=', orderId)
    .where('state', '<>', 'dropped')
    .select([
      sql<number>`coalesce(sum(amount), 0)::int`.as('refunded'),
      sql<number>`coalesce(sum(discount), 0)::int`.as('discountRefunded'),
      sql<number>`coalesce(sum(taxes), 0)::int`.as('refundedTaxes'),
      // Without taxes: nobody had earned it.
      sql<number>`coalesce(sum(amount) filter (where liable = 'nobody'), 0)::int`.as('released'),
      sql<number>`coalesce(sum(discount) filter (where liable = 'nobody'), 0)::int`.as('discountReleased'),
      takenByBank(sql`${orderId}::uuid`).as('takenByBank'),
    ])
    .executeTakeFirstOrThrow();
  const deliveries = await tx
    .selectFrom('deliveries')
    .where('order_id', '=', orderId)
    .where('duber_id', 'is not', null)
    .select(['id', 'duber_id as duberId'])
    .$narrowType<{ duberId: NotNull }>()
    .orderBy('created_at')
    .execute();
  return { ...order, ...earlier, deliveries };
}

/** What of an order's captured payment has not gone back yet, without locking it. Undefined unless it is captured. */
export async function findRefundableCents(tx: Tx, orderId: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('payments as p')
    .where('p.order_id', '=', orderId)
    .where('p.state', '=', 'captured')
    .select(({ selectFrom }) => [
      'p.amount',
      selectFrom('refunds as r')
        .whereRef('r.order_id', '=', 'p.order_id')
        .where('r.state', '<>', 'dropped')
        .select(sql<number>`coalesce(sum(r.amount), 0)::int`.as('cents'))
        .as('refunded'),
      takenByBank(sql`p.order_id`).as('takenByBank'),
    ])
    .executeTakeFirst();
  return row && leftOf({ ...row, refunded: row.refunded ?? 0 });
}

export type NewRefund = Pick<
  RefundRow,
  'id' | 'orderId' | 'amount' | 'discount' | 'taxes' | 'liable' | 'liableUser' | 'reason'
> & {
  /** What of the liable party's part the platform bears. */
  readonly forgiven?: number;
};

/** What the refunds of unearned money share: nobody bears them, and they have no taxes. */
export const NO_LIABLE_PARTY = { taxes: 0, liable: 'nobody', liableUser: null } as const;

export async function insertRefund(tx: Tx, refund: NewRefund, now: Date): Promise<void> {
  const { id, orderId: order_id, amount, discount, taxes, liable, liableUser: liable_user, reason } = refund;
  const { forgiven = 0 } = refund;
  const times = { due_at: now, created_at: now, updated_at: now };
  await tx
    .insertInto('refunds')
    .values({ id, order_id, amount, discount, taxes, liable, liable_user, reason, forgiven, state: 'asking', ...times })
    .execute();
}

/**
 * The price of an order has fallen before anybody has earned its taxes: its refunds have no more of them than their share of what is
 * left. Write the new price before.
 */
export async function lowerTaxesInRefunds(tx: Tx, orderId: string): Promise<void> {
  await tx
    .updateTable('refunds as r')
    .from('orders as o')
    .whereRef('o.id', '=', 'r.order_id')
    .where('r.order_id', '=', orderId)
    .where('r.taxes', '>', 0)
    .set({
      taxes: sql`least(r.taxes, (r.amount + r.discount)::bigint * ${centsOf('state')} / greatest(o.total_price, 1))`,
    })
    .execute();
}

export type RefundRow = NonNullable<Awaited<ReturnType<typeof takeDueRefund>>>;

/**
 * Leases the refund that is due longest. `amount` goes back to the card, and `discount` to the platform for a promo code. `tries`
 * counts its requests to the card network so far.
 */
export function takeDueRefund(tx: Tx, now: Date) {
  return (
    tx
      .updateTable('refunds as r')
      .from('payments as p')
      .set({ due_at: addMs(now, LEASE_MS), updated_at: now })
      .whereRef('p.order_id', '=', 'r.order_id')
      .where('r.id', '=', ({ selectFrom }) =>
        selectFrom('refunds')
          .select('id')
          .where('due_at', '<=', now)
          .orderBy('due_at')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returning([
        'r.id',
        'r.order_id as orderId',
        'p.bud_id as budId',
        'r.amount',
        'r.discount',
        'r.taxes',
        'r.liable',
        'r.liable_user as liableUser',
        'r.reason',
        'p.square_id as squareId',
        'r.square_refund_id as squareRefundId',
        'r.tries',
      ])
      // Only captured payments are refunded, and those have a Square id.
      .$narrowType<{ squareId: NotNull }>()
      .executeTakeFirst()
  );
}

/**
 * The payment of a refund, to know what is left for it: `refunded` is what comes before it, the refunds that were asked for before
 * and those that may be at the card network.
 */
export function readPaymentOfRefund(tx: Tx, id: string) {
  return tx
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.order_id', 'r.order_id')
    .where('r.id', '=', id)
    .select(['p.amount', takenByBank(sql`r.order_id`).as('takenByBank')])
    .select(
      sql<number>`(select coalesce(sum(o.amount), 0)::int from refunds o where o.order_id = r.order_id and o.id <> r.id
        and (o.state in ('pending', 'refunded') or o.state = 'asking' and o.tries > 0
          or o.state <> 'dropped' and (o.created_at, o.id) < (r.created_at, r.id)))`.as('refunded'),
    )
    .executeTakeFirstOrThrow();
}

/** Counts a request to the card network, before it is sent; false when the refund waits for none any more. */
export async function countRefundRequest(tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('refunds')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .where('state', 'in', ['asking', 'pending'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Marks a refund as made and adds it to its payment, which stays locked; false when it already is. Call it in a transaction.
 */
export async function markRefunded(
  tx: Tx,
  refund: RefundRow,
  squareRefundId: string | null,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('refunds')
    .set({ state: 'refunded', square_refund_id: squareRefundId, failure: null, due_at: null, updated_at: now })
    .where('id', '=', refund.id)
    .where('state', 'in', ['asking', 'pending', 'stuck'])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tx
    .updateTable('payments')
    .set((eb) => ({
      refunded: eb('refunded', '+', refund.amount),
      // A refund may cost a fee, or give one back.
      look_at: eb.fn.coalesce('look_at', sql<Date>`${addMs(now, FEE_AFTER_MS)}::timestamptz`),
      updated_at: now,
    }))
    .where('order_id', '=', refund.orderId)
    .execute();
  return true;
}

/** Records a try that did not finish the refund. One with `dueAt` is tried again then, a stuck one needs a person. */
export async function recordRefundAttempt(
  tx: Tx,
  id: string,
  attempt: {
    state: 'asking' | 'pending' | 'stuck';
    squareRefundId?: string;
    failure: string | null;
    dueAt: Date | null;
  },
  now: Date,
): Promise<void> {
  const { state, squareRefundId, failure, dueAt } = attempt;
  await tx
    .updateTable('refunds')
    .set({ state, failure, due_at: dueAt, square_refund_id: squareRefundId, updated_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['asking', 'pending'])
    .execute();
}

/** Abandons a refund that Square refuses. Undefined when no stuck refund has that id. */
export function markDropped(tx: Tx, id: string, now: Date) {
  return tx
    .updateTable('refunds')
    .set({ state: 'dropped', due_at: null, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'stuck')
    .returning(['order_id as orderId', 'amount', 'discount', 'taxes', 'liable', 'liable_user as liableUser'])
    .executeTakeFirst();
}
