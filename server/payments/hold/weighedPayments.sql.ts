import { sql } from 'kysely';
import type { BudId } from '../../../domain/accounts.ts';
import { discountOn } from '../../../domain/promos.ts';
import { queryRow, type Tx } from '../../db/database.ts';
import type { Hold } from '../card/cards.ts';

/** The payment of an order that is weighed. Lock it before. */
export function findWeighed(tx: Tx, orderId: string) {
  return tx
    .selectFrom('payments as p')
    .where('p.order_id', '=', orderId)
    .where('p.held', 'is not', null)
    .select(['p.state', 'p.held'])
    .select([
      sql<number>`p.amount - p.reduced + p.discount - p.discount_reduced`.as('price'),
      sql<number>`p.discount - p.discount_reduced`.as('discount'),
    ])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('ledger_entries as e')
          .whereRef('e.order_id', '=', 'p.order_id')
          .where('e.kind', '=', 'completed')
          .select('e.id'),
      ).as('isEarned'),
    )
    .executeTakeFirst();
}

/** Schedules the capture of what an order costs, without what a promo code takes off; by default of what it was estimated at. False when nothing is held. */
export async function scheduleWeighedCapture(
  tx: Tx,
  orderId: string,
  price: { readonly amount: number; readonly discount: number } | undefined,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payments')
    .set({ state: 'capturing', ...price, due_at: now, tries: 0, updated_at: now })
    .where('order_id', '=', orderId)
    .where('state', '=', 'held')
    .where('held', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What a promo code takes off an order whose price has fallen. */
export async function lowerDiscount(tx: Tx, orderId: string, discount: number): Promise<void> {
  await tx.updateTable('orders').set({ discount }).where('id', '=', orderId).execute();
}

/** Schedules the release of a hold of which nothing is charged: the order costs nothing. */
export async function releaseWholeHold(tx: Tx, orderId: string, now: Date): Promise<void> {
  await tx
    .updateTable('payments')
    .set(({ ref }) => ({
      state: 'voiding',
      reduced: ref('amount'),
      discount_reduced: ref('discount'),
      due_at: now,
      tries: 0,
      updated_at: now,
    }))
    .where('order_id', '=', orderId)
    .where('state', '=', 'held')
    .execute();
}

/**
 * Charges a part of a hold that was to be released in this transaction: of it, the platform pays what a promo code takes off.
 * False when the order is not weighed.
 */
export async function captureInstead(tx: Tx, orderId: string, cents: number, now: Date): Promise<boolean> {
  const payment = await tx
    .selectFrom('payments')
    .select(['amount', 'discount'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  const discount = discountOn(cents, { ...payment, total: payment.amount + payment.discount });
  // Nothing of the new amount goes back, whatever its price was.
  const charged = { amount: cents - discount, discount, reduced: 0, discount_reduced: 0 };
  const { numUpdatedRows } = await tx
    .updateTable('payments')
    .set({ state: 'capturing', ...charged, due_at: now, tries: 0, updated_at: now })
    .where('order_id', '=', orderId)
    .where('state', '=', 'voiding')
    .where('held', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type Reduction = { readonly amount: number; readonly discount: number };

/** The price of an order whose card is charged, or being charged, falls by so many cents, and so does what a promo code takes off. */
export async function reducePayment(
  tx: Tx,
  orderId: string,
  { amount, discount }: Reduction,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('payments')
    .set((eb) => ({
      reduced: eb('reduced', '+', amount),
      discount_reduced: eb('discount_reduced', '+', discount),
      updated_at: now,
    }))
    .where('order_id', '=', orderId)
    .execute();
}

/**
 * The difference between the charge and the order's price, as far as it is not refunded yet, in cents: of the card, and of the
 * platform for a promo code. Never more than is left of the charge after other refunds. 0 until the card is charged.
 */
export async function findReductionLeft(tx: Tx, orderId: string): Promise<Reduction> {
  // Raw SQL: one row of sums with their own conditions. A dropped refund is not asked for again.
  const row = await queryRow<Reduction>(
    tx,
    sql`select greatest(0, least(p.reduced - r.given, p.amount - r.taken)) as amount,
        greatest(0, least(p.discount_reduced - r.given_discount, p.discount - r.taken_discount)) as discount
      from payments p cross join lateral (
        select coalesce(sum(amount) filter (where liable = 'nobody'), 0)::int as given,
          coalesce(sum(amount) filter (where state <> 'dropped'), 0)::int as taken,
          coalesce(sum(discount) filter (where liable = 'nobody'), 0)::int as given_discount,
          coalesce(sum(discount) filter (where state <> 'dropped'), 0)::int as taken_discount
        from refunds where order_id = p.order_id) r
      where p.order_id = ${orderId} and p.state = 'captured'`,
  );
  return row ?? { amount: 0, discount: 0 };
}

export type ReplacementIntent = {
  readonly id: string;
  readonly orderId: string;
  readonly bud: BudId;
  readonly amount: number;
  readonly sourceId: string;
  readonly customerId: string | null;
  readonly verificationToken: string | null;
  /** Kept when it has taken the earlier hold's place: an intent that ends otherwise loses it. */
  readonly key: string;
  readonly abandonedAt: Date;
};

/**
 * Records that a hold is about to be requested, which takes the place of the order's. False when nothing is held for it. Fails
 * with `payments_idempotency` when the Bud has used the key.
 */
export async function writeReplacementIntent(tx: Tx, intent: ReplacementIntent, now: Date): Promise<boolean> {
  const { id, orderId, bud, amount, sourceId, customerId, verificationToken, key, abandonedAt } = intent;
  // Raw SQL: an insert from the payment that it is about.
  const written = await queryRow(
    tx,
    sql`insert into payments (order_id, bud_id, state, amount, held, replaces, source_id, customer_id, verification_token, idempotency_key,
        due_at, created_at, updated_at)
      select ${id}::uuid, p.bud_id, 'holding', ${amount}::int, ${amount}::int, p.order_id, ${sourceId}::text, ${customerId}::text,
        ${verificationToken}::text, ${key}::text, ${abandonedAt}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from payments p where p.order_id = ${orderId} and p.bud_id = ${bud} and p.state = 'held' and p.held is not null
      returning order_id`,
  );
  return written !== undefined;
}

/** Whether an order is a Scrub's, and has a hold that another one can take the place of. */
export async function hasHoldToReplace(tx: Tx, orderId: string): Promise<boolean> {
  const payment = await tx
    .selectFrom('payments as p')
    .innerJoin('orders as o', 'o.id', 'p.order_id')
    .where('p.order_id', '=', orderId)
    .where('p.state', '=', 'held')
    .where('p.held', 'is not', null)
    .where('o.status', 'in', ['Accepted', 'In_Progress'])
    .select('p.order_id')
    .executeTakeFirst();
  return payment !== undefined;
}

/** Locks an order until the transaction ends, before its payment. */
export async function lockOrderOfPayment(tx: Tx, orderId: string): Promise<void> {
  await tx.selectFrom('orders').select('id').where('id', '=', orderId).forNoKeyUpdate().execute();
}

/**
 * The new hold becomes the order's, and the row of the intent gets the earlier one, which the worker releases. False when the
 * order has no hold any more, or the intent has ended. Lock the order's payment before.
 */
export async function takeNewHold(
  tx: Tx,
  { id, orderId, hold }: { id: string; orderId: string; hold: Hold },
  now: Date,
): Promise<boolean> {
  const { squareId, versionToken, cardBrand, cardLast4 } = hold;
  // Raw SQL: both rows in one statement, so that no hold is in neither.
  const taken = await queryRow(
    tx,
    sql`with intent as materialized (
        select p.order_id, p.amount from payments p where p.order_id = ${id} and p.state = 'holding' for update),
      before as materialized (
        select p.* from payments p where p.order_id = ${orderId} and p.state = 'held' and p.held is not null),
      taken as (
        update payments p set square_id = ${squareId}, version_token = ${versionToken}, card_brand = ${cardBrand},
            card_last4 = ${cardLast4}, held = intent.amount, updated_at = ${now}::timestamptz
          from intent, before where p.order_id = before.order_id returning p.order_id),
      passed as (
        update payments p set state = 'voiding', amount = before.held, held = before.held, square_id = before.square_id,
            version_token = before.version_token, card_brand = before.card_brand, card_last4 = before.card_last4,
            source_id = null, customer_id = null, verification_token = null, tries = 0, due_at = ${now}::timestamptz,
            updated_at = ${now}::timestamptz
          from taken, before where p.order_id = ${id})
      select order_id from taken`,
  );
  return taken !== undefined;
}

/** The state of an intent, and whether its order still has a hold that can be replaced. */
export function findEndedIntent(tx: Tx, { id, orderId }: { id: string; orderId: string }) {
  return tx
    .selectFrom('payments as p')
    .where('p.order_id', '=', id)
    .select(['p.state', 'p.failure'])
    .select(({ and, eb, exists, selectFrom }) => [
      and([eb('p.state', '<>', 'holding'), eb('p.idempotency_key', 'is not', null)]).as('isTaken'),
      exists(
        selectFrom('payments as o')
          .select('o.order_id')
          .where('o.order_id', '=', orderId)
          .where('o.state', '=', 'held'),
      ).as('isOrderHeld'),
    ])
    .executeTakeFirst();
}
