import { sql } from 'kysely';
import type { PaymentState } from '../../domain/payments.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

/** What a webhook's event says it is about; any of it may be wrong or old. */
export type WebhookHint = {
  readonly eventId: string;
  readonly type: string;
  readonly squareId: string | null;
  readonly orderId: string | null;
};

/** Notes an event; false when it was noted before. */
export async function recordWebhookEvent(tx: Tx, { eventId, type }: WebhookHint, now: Date): Promise<boolean> {
  const noted = await queryRow(
    tx,
    sql`insert into webhook_events (id, type, received_at) values (${eventId}, ${type}, ${now})
      on conflict do nothing returning id`,
  );
  return noted !== undefined;
}

export async function deleteOldWebhookEvents(tx: Tx, before: Date): Promise<void> {
  await queryRows(tx, sql`delete from webhook_events where received_at < ${before}`);
}

/** Makes what an event is about due: unfinished work is tried, what is finished is looked at. Nothing else changes. */
export async function applyWebhookHint(tx: Tx, { squareId, orderId }: WebhookHint, now: Date): Promise<void> {
  const about = sql`(p.square_id = ${squareId}::text or p.order_id = ${orderId}::uuid)`;
  await queryRows(
    tx,
    sql`update payments p set
        due_at = case when p.state in ('capturing', 'voiding') or (p.state = 'voided' and p.square_id is null)
          then ${now}::timestamptz else p.due_at end,
        look_at = case when p.square_id is not null then ${now}::timestamptz else p.look_at end
      where ${about}`,
  );
  await queryRows(
    tx,
    sql`update refunds r set due_at = ${now} from payments p
      where p.order_id = r.order_id and r.state in ('asking', 'pending') and ${about}`,
  );
}

export type PaymentToReconcile = {
  readonly orderId: string;
  readonly state: PaymentState;
  readonly amount: number;
  readonly squareId: string;
  /** Cents that the card network has been told to give back, as far as we know. */
  readonly refunded: number;
  /** Whether a refund is under way whose answer we do not have. */
  readonly asking: boolean;
};

/** Takes a payment that is due for a look; it is due again at `until` unless the look ends well. */
export function takeDueReconciliation(tx: Tx, now: Date, until: Date): Promise<PaymentToReconcile | undefined> {
  return queryRow(
    tx,
    sql`update payments p set look_at = ${until}
      where p.order_id = (select order_id from payments where look_at <= ${now} order by look_at limit 1
        for update skip locked)
      returning p.order_id as "orderId", p.state, p.amount, p.square_id as "squareId",
        (select coalesce(sum(r.amount), 0)::int from refunds r where r.order_id = p.order_id
          and r.state in ('pending', 'refunded')) as refunded,
        exists (select 1 from refunds r where r.order_id = p.order_id and r.state = 'asking') as asking`,
  );
}

/** Ends a look that was due until `until`: with nothing, or with what a person should know and when to look again. */
export async function finishReconciliation(
  tx: Tx,
  orderId: string,
  until: Date,
  found: { concern: string; lookAt: Date } | null,
): Promise<void> {
  const lookAt = found?.lookAt ?? null;
  await queryRows(
    tx,
    sql`update payments set concern = ${found?.concern ?? null},
        look_at = case when look_at = ${until} then ${lookAt}::timestamptz else look_at end
      where order_id = ${orderId}`,
  );
}

/** A hold that the card network still has though its order is gone: it is released after all. */
export async function releaseHoldAgain(tx: Tx, orderId: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`update payments set state = 'voiding', due_at = ${now}, tries = 0, updated_at = ${now}
      where order_id = ${orderId} and state = 'voided'`,
  );
}
