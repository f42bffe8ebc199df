import { sql } from 'kysely';
import type { RefundLimits } from '../../domain/approvals.ts';
import { queryRow, type Tx } from '../db/database.ts';

/** Any act that moved money without a second operator: what was asked for, approved or declined names its approval. */
const isTakenAlone = (except: readonly string[]) =>
  sql`a.cents is not null and a.approval_id is null and a.action <> all(${[...except]}::text[])`;

/**
 * The sums that were moved without approval: of an order by all operators, and by one operator since the day began in the
 * town's time zone. Within an act they stay correct, because acts run one at a time.
 */
export async function sumMovedAlone(
  tx: Tx,
  {
    orderId,
    operatorId,
    timeZone,
    now,
    except,
  }: { orderId: string | undefined; operatorId: string; timeZone: string; now: Date; except: readonly string[] },
): Promise<RefundLimits> {
  const id = orderId ?? null;
  const sums = await queryRow<RefundLimits>(
    tx,
    sql`select
      (select coalesce(sum(a.cents), 0)::float8 from audit a
        where a.subject_id in (select ${id}::text
            union all select c.id::text from cases c where c.order_id = ${id}::uuid
            union all select d.id::text from deliveries d where d.order_id = ${id}::uuid)
          and ${isTakenAlone(except)}) as "order",
      (select coalesce(sum(a.cents), 0)::float8 from audit a where a.operator_id = ${operatorId}::uuid and ${isTakenAlone(except)}
        and a.at >= date_trunc('day', ${now}::timestamptz at time zone ${timeZone}::text) at time zone ${timeZone}::text) as "day"`,
  );
  return sums ?? { order: 0, day: 0 };
}
