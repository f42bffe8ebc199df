import { sql } from 'kysely';
import type { BudId } from '../../domain/accounts.ts';
import type { LiableParty } from '../../domain/ledger.ts';
import type { PaymentState } from '../../domain/payments.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

export type RefundRow = {
  readonly id: string;
  readonly orderId: string;
  readonly budId: BudId;
  /** Cents. */
  readonly amount: number;
  readonly taxes: number;
  readonly liable: LiableParty;
  readonly liableUser: string | null;
  readonly reason: string;
  readonly state: 'asking' | 'pending' | 'refunded' | 'stuck' | 'dropped';
  readonly squareId: string;
  readonly squareRefundId: string | null;
  readonly failure: string | null;
  readonly tries: number;
};

const columns = sql`r.id, r.order_id as "orderId", p.bud_id as "budId", r.amount, r.taxes, r.liable,
  r.liable_user as "liableUser", r.reason, r.state, p.square_id as "squareId",
  r.square_refund_id as "squareRefundId", r.failure, r.tries`;

export type Refundable = {
  readonly state: PaymentState;
  readonly amount: number;
  readonly taxes: number;
  readonly scrubId: string;
  /** What earlier refunds give back, those under way included. */
  readonly refunded: number;
  readonly refundedTaxes: number;
  readonly legs: readonly { readonly id: string; readonly duberId: string }[];
};

/** What can be given back of an order, its payment locked until the transaction ends. */
export async function lockRefundable(tx: Tx, orderId: string): Promise<Refundable | undefined> {
  await queryRows(tx, sql`select 1 from payments where order_id = ${orderId} for update`);
  return queryRow(
    tx,
    sql`select p.state, p.amount, o.taxes, o.scrub_id as "scrubId",
        coalesce((select sum(amount) from refunds r where r.order_id = p.order_id and r.state <> 'dropped'), 0)::int
          as refunded,
        coalesce((select sum(r.taxes) from refunds r where r.order_id = p.order_id and r.state <> 'dropped'), 0)::int
          as "refundedTaxes",
        coalesce((select json_agg(json_build_object('id', d.id, 'duberId', d.duber_id) order by d.created_at)
          from deliveries d where d.order_id = o.id and d.duber_id is not null), '[]') as legs
      from payments p join orders o on o.id = p.order_id where p.order_id = ${orderId}`,
  );
}

export type NewRefund = Pick<RefundRow, 'id' | 'orderId' | 'amount' | 'taxes' | 'liable' | 'liableUser' | 'reason'>;

export async function insertRefund(tx: Tx, refund: NewRefund, now: Date): Promise<void> {
  const { id, orderId, amount, taxes, liable, liableUser, reason } = refund;
  await queryRows(
    tx,
    sql`insert into refunds (id, order_id, amount, taxes, liable, liable_user, reason, state, due_at, created_at,
        updated_at)
      values (${id}, ${orderId}, ${amount}, ${taxes}, ${liable}, ${liableUser}, ${reason}, 'asking', ${now}, ${now},
        ${now})`,
  );
}

/** Takes a refund that is due for `leaseS` seconds. */
export async function takeDueRefund(tx: Tx, now: Date, leaseS: number): Promise<RefundRow | undefined> {
  const until = new Date(now.getTime() + leaseS * 1000);
  return queryRow(
    tx,
    sql`update refunds r set due_at = ${until}, tries = r.tries + 1, updated_at = ${now} from payments p
      where p.order_id = r.order_id and r.id = (select id from refunds where due_at <= ${now}
        order by due_at limit 1 for update skip locked)
      returning ${columns}`,
  );
}

/** Marks a refund as made, also on its payment; false when it was already. */
export async function markRefunded(tx: Tx, refund: RefundRow, squareRefundId: string, now: Date): Promise<boolean> {
  const marked = await queryRow(
    tx,
    sql`with made as (update refunds set state = 'refunded', square_refund_id = ${squareRefundId}, failure = null,
          due_at = null, updated_at = ${now}
        where id = ${refund.id} and state in ('asking', 'pending', 'stuck') returning order_id, amount)
      update payments p set refunded = p.refunded + made.amount, updated_at = ${now} from made
        where p.order_id = made.order_id returning p.order_id`,
  );
  return marked !== undefined;
}

/** Notes what came of a try: pending or away are tried again at `dueAt`, stuck waits for a person. */
export async function recordRefundAttempt(
  tx: Tx,
  id: string,
  note: { state: 'asking' | 'pending' | 'stuck'; squareRefundId?: string; failure: string | null; dueAt: Date | null },
  now: Date,
): Promise<void> {
  await queryRows(
    tx,
    sql`update refunds set state = ${note.state}, failure = ${note.failure}, due_at = ${note.dueAt},
        square_refund_id = coalesce(${note.squareRefundId ?? null}, square_refund_id), updated_at = ${now}
      where id = ${id} and state in ('asking', 'pending')`,
  );
}
