import { sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

/** Something about money that needs a person, with what to do. */
export type PaymentProblem = {
  readonly about: 'payment' | 'refund';
  readonly id: string;
  readonly orderId: string;
  readonly orderStatus: string | null;
  readonly cents: number;
  readonly squareId: string | null;
  readonly why: string;
  readonly since: Date;
  readonly kind: 'capture' | 'release' | 'refund' | 'concern' | 'slow';
};

const SLOW_AFTER_TRIES = 24;

/** Everything that retrying cannot finish, or that has been tried for a long time, oldest first. */
export function listProblems(tx: Tx): Promise<PaymentProblem[]> {
  return queryRows(
    tx,
    sql`select 'payment' as about, p.order_id as id, p.order_id as "orderId", o.status as "orderStatus",
        p.amount as cents, p.square_id as "squareId", coalesce(p.concern, p.failure, '') as why,
        p.updated_at as since, case when p.concern is not null then 'concern' when p.state <> 'stuck' then 'slow'
          when o.status in ('Accepted', 'In_Progress', 'Completed') then 'capture' else 'release' end as kind
      from payments p left join orders o on o.id = p.order_id
      where p.state = 'stuck' or p.concern is not null
        or (p.state in ('capturing', 'voiding') and p.tries > ${SLOW_AFTER_TRIES})
      union all
      select 'refund', r.id, r.order_id, o.status, r.amount, p.square_id, coalesce(r.failure, ''), r.updated_at,
        case when r.state = 'stuck' then 'refund' else 'slow' end
      from refunds r join payments p on p.order_id = r.order_id join orders o on o.id = r.order_id
      where r.state = 'stuck' or (r.state = 'asking' and r.tries > ${SLOW_AFTER_TRIES})
      order by since`,
  );
}

const ADVICE: Record<PaymentProblem['kind'], string> = {
  capture:
    'The order goes on, but its card was not charged. Look at the payment at Square; when it can be captured after all, ' +
    '`retry` it. Otherwise ask the Bud to pay in another way: the Scrub and the Dubers are owed their share all the same.',
  release:
    'The order is off, but the card is still held or was charged. Void it (or refund it) at Square, then `retry`: it ' +
    'ends as soon as Square says that nothing is held.',
  refund:
    'Square refuses to give this back. Look at the payment there; `retry` it, or `drop` it and pay the Bud in another way.',
  concern:
    'Square tells another story than our books. Mend it at Square; it is looked at again every ten minutes, and goes from ' +
    'this list by itself.',
  slow: 'Square has not answered for a long time. Nothing to do while it is away; if it is not, check SQUARE_ACCESS_TOKEN.',
};

export function adviceFor({ kind }: Pick<PaymentProblem, 'kind'>): string {
  return ADVICE[kind];
}

/** Makes what waits for a person due again; false when nothing under that id does. */
export async function retryProblem(tx: Tx, id: string, now: Date): Promise<boolean> {
  const payment = await queryRow(
    tx,
    sql`update payments p set tries = 0, due_at = ${now}, updated_at = ${now}, state = case when exists (
          select 1 from orders o where o.id = p.order_id and o.status in ('Accepted', 'In_Progress', 'Completed'))
          then 'capturing' else 'voiding' end
      where p.order_id = ${id} and p.state = 'stuck' returning order_id`,
  );
  const refund = await queryRow(
    tx,
    sql`update refunds set tries = 0, due_at = ${now}, updated_at = ${now},
        state = case when square_refund_id is null then 'asking' else 'pending' end
      where id = ${id} and state = 'stuck' returning id`,
  );
  return payment !== undefined || refund !== undefined;
}

/** Gives up a refund that Square refuses; false when there is no such refund. */
export async function dropRefund(tx: Tx, id: string, now: Date): Promise<boolean> {
  const dropped = await queryRow(
    tx,
    sql`update refunds set state = 'dropped', due_at = null, updated_at = ${now}
      where id = ${id} and state = 'stuck' returning id`,
  );
  return dropped !== undefined;
}
