import { sql } from 'kysely';
import type { ActName } from '../../contract/operator/api.ts';
import type { RefundLimits } from '../../domain/approvals.ts';
import { queryRow, type Tx } from '../db/database.ts';

/** The acts that refund, and count towards the limits. */
const GIVING_BACK: readonly ActName[] = ['refundOrder', 'decideCase'];

/**
 * The sums that were refunded without approval: of an order by all operators, and by one operator since the day began in the
 * town's time zone. Within an act they stay correct, because acts run one at a time.
 */
export async function sumUnapprovedRefunds(
  tx: Tx,
  { orderId, operatorId, timeZone, now }: { orderId: string; operatorId: string; timeZone: string; now: Date },
): Promise<RefundLimits> {
  const isAlone = sql`a.action = any(${GIVING_BACK}::text[]) and a.cents is not null and a.approved_by_name is null`;
  const sums = await queryRow<RefundLimits>(
    tx,
    sql`select
      (select coalesce(sum(a.cents), 0)::float8 from audit a
        where a.subject_id in (select ${orderId}::text union all select c.id::text from cases c where c.order_id = ${orderId}::uuid)
          and ${isAlone}) as "order",
      (select coalesce(sum(a.cents), 0)::float8 from audit a where a.operator_id = ${operatorId}::uuid and ${isAlone}
        and a.at >= date_trunc('day', ${now}::timestamptz at time zone ${timeZone}::text) at time zone ${timeZone}::text) as "day"`,
  );
  return sums ?? { order: 0, day: 0 };
}
