import { type ExpressionBuilder, type Selection, sql } from 'kysely';
import type { BudId } from '../../../domain/accounts.ts';
import { totalOfLines } from '../../../domain/prices.ts';
import { reserveBookingSql } from '../../bookings/bookings.ts';
import type { Tx } from '../../db/database.ts';
import { send } from '../../db/driver.ts';
import { prepare } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import type { Hold } from '../card/cards.ts';
import { addMs, FEE_AFTER_MS, LEASE_MS } from '../card/retry.ts';
import type { OrderDraft } from './orderDraft.ts';

const PAYMENT_COLUMNS = [
  'order_id as orderId',
  'bud_id as budId',
  'state',
  'amount',
  'source_id as sourceId',
  'customer_id as customerId',
  'verification_token as verificationToken',
  'body_hash as bodyHash',
  'square_id as squareId',
  'version_token as versionToken',
  'tries',
  'held',
  'discount',
  'replaces',
] as const;

export type PaymentRow = Readonly<Selection<Schema, 'payments', (typeof PAYMENT_COLUMNS)[number]>>;

export type PaymentIntent = {
  readonly draft: OrderDraft;
  readonly budId: BudId;
  readonly sourceId: string;
  readonly customerId: string | null;
  readonly verificationToken: string | null;
  readonly idempotencyKey: string | null;
  readonly bodyHash: Buffer;
  /** When an intent that is still unfinished is abandoned and its hold released. */
  readonly abandonedAt: Date;
};

type IntentParams = [
  orderId: string,
  budId: string,
  amount: number,
  draft: string,
  sourceId: string,
  verificationToken: string | null,
  idempotencyKey: string | null,
  bodyHash: Buffer,
  abandonedAt: Date,
  now: Date,
  held: number | null,
  discount: number,
  booking: string,
  customerId: string | null,
];

// Prepared: every order starts with this insert. It locks the Bud's address: a deletion that was first leaves no row. What the order
// reserves comes after the key, so that two requests with one key reserve once.
const insertIntent = prepare<IntentParams, { order_id: string }>(
  (id, bud, amount, draft, source, token, key, hash, abandonedAt, now, held, discount, booking, customer) =>
    sql`with written as (insert into payments (order_id, bud_id, state, amount, held, discount, draft, source_id, customer_id, verification_token, idempotency_key,
        body_hash, due_at, created_at, updated_at)
      select ${id}::uuid, a.user_id, 'holding', ${amount}::int, ${held}::int, ${discount}::int, ${draft}::jsonb, ${source}::text, ${customer}::text, ${token}::text, ${key}::text,
        ${hash}::bytea, ${abandonedAt}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from addresses a where a.id = (${draft}::jsonb #>> '{budAddress,id}')::uuid and a.user_id = ${bud} for key share
      returning order_id, bud_id)
    select w.order_id, ${reserveBookingSql(sql`w.order_id`, sql`w.bud_id`, booking)} from written w`,
);

/**
 * Records that a hold is about to be requested. Returns undefined when the Bud has deleted the address meanwhile. Fails with
 * `payments_idempotency` when the Bud has used the key.
 */
export async function writeIntent(tx: Tx, intent: PaymentIntent, now: Date): Promise<PaymentRow | undefined> {
  const { draft, budId, sourceId, customerId, verificationToken, idempotencyKey, bodyHash, abandonedAt } = intent;
  const { id: orderId, lines, holdAmount: held = null, promo: { discount } = { discount: 0 } } = draft;
  const amount = totalOfLines(lines) - discount;
  const card = [sourceId, verificationToken] as const;
  const { booking: _reserved, ...stored } = draft;
  const json = JSON.stringify(stored);
  const times = [abandonedAt, now] as const;
  if (
    !(await insertIntent.one(
      tx,
      orderId,
      budId,
      amount,
      json,
      ...card,
      idempotencyKey,
      bodyHash,
      ...times,
      held,
      discount,
      JSON.stringify(draft.booking),
      customerId,
    ))
  )
    return undefined;
  const unheld = { squareId: null, versionToken: null, tries: 0, replaces: null };
  return {
    orderId,
    budId,
    state: 'holding',
    amount,
    held,
    discount,
    sourceId,
    customerId,
    verificationToken,
    bodyHash,
    ...unheld,
  };
}

export function findPaymentByKey(tx: Tx, budId: BudId, key: string): Promise<PaymentRow | undefined> {
  return tx
    .selectFrom('payments')
    .select(PAYMENT_COLUMNS)
    .where('bud_id', '=', budId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
}

/** Postpones the deadline of an unfinished intent while it is tried again; false when it is already abandoned. */
export async function extendIntentDeadline(tx: Tx, orderId: string, abandonedAt: Date, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payments')
    .set({ due_at: abandonedAt, updated_at: now })
    .where('order_id', '=', orderId)
    .where('state', '=', 'holding')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Schedules the release, by its id, of a hold that arrived after its intent was abandoned. Nothing when it pays for an order. */
export async function releaseLateHold(tx: Tx, orderId: string, hold: Hold, now: Date): Promise<void> {
  const { squareId: square_id, versionToken: version_token } = hold;
  await tx
    .updateTable('payments')
    .set({ state: 'voiding', square_id, version_token, tries: 0, due_at: now, updated_at: now })
    .where('order_id', '=', orderId)
    .where('state', 'in', ['voiding', 'voided', 'declined'])
    .where(({ exists, not, selectFrom }) => {
      const others = selectFrom('payments as used').where('used.square_id', '=', square_id);
      return not(exists(others.where('used.order_id', '<>', orderId).select('used.order_id')));
    })
    .execute();
}

/**
 * Ends an intent whose hold is not wanted: schedules its release and frees its idempotency key. Without a hold, one that
 * may still arrive is released. False when the intent had ended.
 */
export async function releaseUnwantedHold(
  tx: Tx,
  orderId: string,
  hold: Hold | undefined,
  now: Date,
): Promise<boolean> {
  const { squareId: square_id = null, versionToken: version_token = null } = hold ?? {};
  const { numUpdatedRows } = await tx
    .updateTable('payments')
    .set({ state: 'voiding', square_id, version_token, idempotency_key: null, tries: 0, due_at: now, updated_at: now })
    .where('order_id', '=', orderId)
    .where('state', '=', 'holding')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Schedules the capture of an order's hold, unless there is none, or the order is weighed first. Call it in the
 * transaction of the order's step.
 */
export const scheduleCapture = (tx: Tx, orderId: string, now: Date): Promise<void> =>
  send(
    tx,
    tx
      .updateTable('payments')
      .set({ state: 'capturing', due_at: now, tries: 0, updated_at: now })
      .where('order_id', '=', orderId)
      .where('state', '=', 'held')
      .where('held', 'is', null),
  );

/**
 * Schedules the release of an order's hold. A capture that no worker has begun is not wanted any more. False
 * when there is none, or the card is charged, or is being charged at this moment.
 */
export async function scheduleVoid(tx: Tx, orderId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payments')
    .set({ state: 'voiding', due_at: now, tries: 0, failure: null, updated_at: now })
    .where('order_id', '=', orderId)
    .where((eb) => eb.or([eb('state', '=', 'held'), eb.and([eb('state', '=', 'capturing'), eb('tries', '=', 0)])]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Schedules the release of a hold that could not be captured, and is not wanted any more. */
export async function releaseStuckHold(tx: Tx, orderId: string, now: Date): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ state: 'voiding', failure: null, due_at: now, tries: 0, updated_at: now })
    .where('order_id', '=', orderId)
    .where('state', '=', 'stuck')
    .execute();
}

/** Leases a due payment: the given one, or the one due longest. An abandoned intent turns into a release. */
export function takeDuePayment(tx: Tx, now: Date, orderId?: string): Promise<PaymentRow | undefined> {
  return tx
    .updateTable('payments')
    .set((eb) => ({
      due_at: addMs(now, LEASE_MS),
      tries: eb('tries', '+', 1),
      state: eb
        .case()
        .when('state', '=', 'holding')
        .then('voiding' as const)
        .else(eb.ref('state'))
        .end(),
      idempotency_key: eb.case().when('state', '=', 'holding').then(null).else(eb.ref('idempotency_key')).end(),
      updated_at: now,
    }))
    .where('order_id', '=', ({ selectFrom }) => {
      const due = selectFrom('payments').select('order_id').where('due_at', '<=', now);
      const wanted = orderId === undefined ? due : due.where('order_id', '=', orderId).where('state', '<>', 'holding');
      return wanted.orderBy('due_at').limit(1).forUpdate().skipLocked();
    })
    .returning(PAYMENT_COLUMNS)
    .executeTakeFirst();
}

/** A payment and the hold that a worker acted on: if the hold has changed since, the result is about another one. */
type ActedOn = Pick<PaymentRow, 'orderId' | 'squareId'>;
const hasSameHold =
  ({ orderId, squareId }: ActedOn) =>
  (eb: ExpressionBuilder<Schema, 'payments'>) =>
    eb.and([eb('order_id', '=', orderId), eb('square_id', 'is not distinct from', squareId)]);

/**
 * Marks a payment as captured, a stuck one too; undefined when it already is. `settles`: the order has ended meanwhile. The
 * flag is a column of the payment, so that one of two at the same time sees the other. `isReduced`: more was charged than the
 * order costs. `discount`: what the platform pays beside it.
 */
export function markCaptured(
  tx: Tx,
  payment: ActedOn,
  amount: number,
  now: Date,
): Promise<{ settles: boolean; isReduced: boolean; isWeighed: boolean; discount: number } | undefined> {
  return tx
    .updateTable('payments')
    .set(({ ref }) => ({
      state: 'captured',
      amount,
      reduced: sql`${amount}::int - ${ref('amount')} + ${ref('reduced')}`,
      failure: null,
      due_at: null,
      // Its fee is known soon.
      look_at: addMs(now, FEE_AFTER_MS),
      updated_at: now,
    }))
    .where(hasSameHold(payment))
    .where('state', 'in', ['capturing', 'stuck'])
    .returning(['settle_when_captured as settles', 'discount'])
    .returning(({ eb, or }) =>
      or([eb('reduced', '>', 0), eb('discount_reduced', '>', 0)])
        .$castTo<boolean>()
        .as('isReduced'),
    )
    .returning(sql<boolean>`held is not null`.as('isWeighed'))
    .executeTakeFirst();
}

/** Marks a hold as released. `releaseAgainAt` is set when the hold may still arrive. */
export async function markVoided(tx: Tx, payment: ActedOn, releaseAgainAt: Date | null, now: Date): Promise<void> {
  const cleared = { draft: null, source_id: null, customer_id: null, verification_token: null, failure: null };
  await tx
    .updateTable('payments')
    .set({ state: 'voided', ...cleared, tries: 0, due_at: releaseAgainAt, updated_at: now })
    .where(hasSameHold(payment))
    .where('state', 'in', ['voiding', 'voided'])
    .execute();
}

/** Marks a payment that retrying cannot finish. The operator sees it with the reason. */
export async function markStuck(tx: Tx, payment: ActedOn, failure: string, now: Date): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ state: 'stuck', failure, due_at: null, updated_at: now })
    .where(hasSameHold(payment))
    .where('state', 'in', ['capturing', 'voiding', 'voided'])
    .execute();
}

export async function reschedulePayment(tx: Tx, orderId: string, dueAt: Date, failure: string): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ due_at: dueAt, failure })
    .where('order_id', '=', orderId)
    .where('due_at', 'is not', null)
    .execute();
}
