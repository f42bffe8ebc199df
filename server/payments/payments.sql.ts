import { sql } from 'kysely';
import type { BudId } from '../../domain/accounts.ts';
import type { PaymentState } from '../../domain/payments.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { prepare } from '../db/prepared.ts';
import type { OrderDraft } from '../orders/orderDraft.ts';
import type { Hold } from './cards.ts';

export type PaymentRow = {
  readonly orderId: string;
  readonly budId: BudId;
  readonly state: PaymentState;
  readonly amount: number;
  readonly draft: OrderDraft | null;
  readonly sourceId: string | null;
  readonly verificationToken: string | null;
  readonly bodyHash: Buffer | null;
  readonly squareId: string | null;
  readonly versionToken: string | null;
  readonly tries: number;
};

const columns = sql`order_id as "orderId", bud_id as "budId", state, amount, draft, source_id as "sourceId",
  verification_token as "verificationToken", body_hash as "bodyHash", square_id as "squareId",
  version_token as "versionToken", tries`;

export type PaymentIntent = {
  readonly draft: OrderDraft;
  readonly budId: BudId;
  readonly sourceId: string;
  readonly verificationToken: string | null;
  readonly idempotencyKey: string | null;
  readonly bodyHash: Buffer;
  /** When nobody has finished it by then, it is given up and released. */
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
];

const insertIntent = prepare<IntentParams, PaymentRow>(
  (id, bud, amount, draft, source, token, key, hash, abandonedAt, now) =>
    sql`insert into payments (order_id, bud_id, state, amount, draft, source_id, verification_token, idempotency_key,
        body_hash, due_at, created_at, updated_at)
      values (${id}, ${bud}, 'holding', ${amount}, ${draft}::jsonb, ${source}, ${token}, ${key}, ${hash}, ${abandonedAt},
        ${now}, ${now})
      returning ${columns}`,
);

/** Writes down that a hold will be asked for. Breaks `payments_idempotency` when the Bud used the key already. */
export async function writeIntent(tx: Tx, intent: PaymentIntent, now: Date): Promise<PaymentRow> {
  const { draft, budId, sourceId, verificationToken, idempotencyKey, bodyHash, abandonedAt } = intent;
  const [card, key, text] = [[sourceId, verificationToken] as const, idempotencyKey, JSON.stringify(draft)];
  const amount = draft.price.totalPrice;
  const written = await insertIntent.one(tx, draft.id, budId, amount, text, ...card, key, bodyHash, abandonedAt, now);
  if (!written) throw new Error('a payment was inserted and did not come back');
  return written;
}

export function findPaymentByKey(tx: Tx, budId: BudId, key: string): Promise<PaymentRow | undefined> {
  return queryRow(tx, sql`select ${columns} from payments where bud_id = ${budId} and idempotency_key = ${key}`);
}

/** Keeps an unfinished intent from being given up while it is tried once more; false when that has happened already. */
export async function extendIntentDeadline(tx: Tx, orderId: string, abandonedAt: Date, now: Date): Promise<boolean> {
  const renewed = await queryRow(
    tx,
    sql`update payments set due_at = ${abandonedAt}, updated_at = ${now}
      where order_id = ${orderId} and state = 'holding' returning order_id`,
  );
  return renewed !== undefined;
}

/** A hold that arrived after it was given up: it is released, by its own id now. */
export async function releaseLateHold(tx: Tx, orderId: string, hold: Hold, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`update payments set state = 'voiding', square_id = ${hold.squareId}, version_token = ${hold.versionToken},
        tries = 0, due_at = ${now}, updated_at = ${now}
      where order_id = ${orderId} and state in ('voiding', 'voided', 'declined')`,
  );
}

/** Ends an intent that the card network declined, and frees its key. */
export async function markDeclined(tx: Tx, orderId: string, reason: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`update payments set state = 'declined', failure = ${reason}, draft = null, source_id = null,
        verification_token = null, idempotency_key = null, due_at = null, updated_at = ${now}
      where order_id = ${orderId} and state = 'holding'`,
  );
}

/** Moves the payment of an order on, in the transaction of the step that causes it: captured or voided next. */
export async function schedulePayment(
  tx: Tx,
  orderId: string,
  state: 'capturing' | 'voiding',
  now: Date,
): Promise<void> {
  await queryRows(
    tx,
    sql`update payments set state = ${state}, due_at = ${now}, tries = 0, updated_at = ${now}
      where order_id = ${orderId} and state = 'held'`,
  );
}

/**
 * Takes a due payment for `leaseS` seconds: the given one, or whichever waits longest. An intent that was abandoned
 * becomes a release here.
 */
export function takeDuePayment(tx: Tx, now: Date, leaseS: number, orderId?: string): Promise<PaymentRow | undefined> {
  const until = new Date(now.getTime() + leaseS * 1000);
  const which = orderId === undefined ? sql`true` : sql`order_id = ${orderId}::uuid and state <> 'holding'`;
  return queryRow(
    tx,
    sql`update payments set due_at = ${until}, tries = tries + 1,
        state = case when state = 'holding' then 'voiding' else state end,
        idempotency_key = case when state = 'holding' then null else idempotency_key end,
        updated_at = ${now}
      where order_id = (select order_id from payments where due_at <= ${now} and ${which}
        order by due_at limit 1 for update skip locked)
      returning ${columns}`,
  );
}

/** What a worker acted on: when the hold's id changed meanwhile, what it learnt is about something else. */
type PaymentRef = Pick<PaymentRow, 'orderId' | 'squareId'>;
const isSamePayment = ({ orderId, squareId }: PaymentRef) =>
  sql`order_id = ${orderId} and square_id is not distinct from ${squareId}::text`;

/** Marks a capture as done; false when it was already. What the card network did also ends a row that waits for a person. */
export async function markCaptured(tx: Tx, payment: PaymentRef, now: Date): Promise<boolean> {
  const marked = await queryRow(
    tx,
    sql`update payments set state = 'captured', failure = null, due_at = null, updated_at = ${now}
      where ${isSamePayment(payment)} and state in ('capturing', 'stuck') returning order_id`,
  );
  return marked !== undefined;
}

/** Marks a release as done. `lookAgainAt` is for a hold that may still arrive: it is released once more then. */
export async function markVoided(tx: Tx, payment: PaymentRef, lookAgainAt: Date | null, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`update payments set state = 'voided', draft = null, source_id = null, verification_token = null,
        failure = null, tries = 0, due_at = ${lookAgainAt}, updated_at = ${now}
      where ${isSamePayment(payment)} and state in ('voiding', 'voided')`,
  );
}

/** What retrying cannot finish waits for a person, with the reason. */
export async function markStuck(tx: Tx, payment: PaymentRef, failure: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`update payments set state = 'stuck', failure = ${failure}, due_at = null, updated_at = ${now}
      where ${isSamePayment(payment)} and state in ('capturing', 'voiding', 'voided')`,
  );
}

export async function reschedulePayment(tx: Tx, orderId: string, dueAt: Date, failure: string): Promise<void> {
  await queryRows(
    tx,
    sql`update payments set due_at = ${dueAt}, failure = ${failure}
      where order_id = ${orderId} and due_at is not null`,
  );
}
