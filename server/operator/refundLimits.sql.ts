import { sql } from 'kysely';
import type { ActName } from '../../contract/operator/api.ts';
import type { RefundLimits } from '../../domain/approvals.ts';
import { queryRow, type Tx } from '../db/database.ts';

/** The acts that refund, and count towards the limits. */
const GIVING_BACK: readonly ActName[] = ['refundOrder', 'decideCase'];

const isTakenAlone = (actions: readonly ActName[]) =>
  sql`a.action = any(${actions}::text[]) and a.cents is not null and a.approved_by_name is null`;

type Alone = {
  readonly actions: readonly ActName[];
  readonly operatorId: string;
  readonly timeZone: string;
  readonly now: Date;
};

const sumOfToday = ({ actions, operatorId, timeZone, now }: Alone) =>
  sql`coalesce(sum(a.cents), 0)::float8 from audit a where a.operator_id = ${operatorId}::uuid and ${isTakenAlone(actions)}
    and a.at >= date_trunc('day', ${now}::timestamptz at time zone ${timeZone}::text) at time zone ${timeZone}::text`;

/** What an operator has put at stake with some acts without approval, since the day began where the town is. In cents. */
export async function sumAloneToday(tx: Tx, alone: Alone): Promise<number> {
  return (
    (await queryRow<{ cents: number }>(tx, sql`select s.cents from (select ${sumOfToday(alone)}) s (cents)`))?.cents ??
    0
  );
}

/**
 * The sums that were refunded without approval: of an order by all operators, and by one operator since the day began in the
 * town's time zone. Within an act they stay correct, because acts run one at a time.
 */
export async function sumUnapprovedRefunds(
  tx: Tx,
  { orderId, operatorId, timeZone, now }: { orderId: string; operatorId: string; timeZone: string; now: Date },
): Promise<RefundLimits> {
  const isAlone = isTakenAlone(GIVING_BACK);
  const sums = await queryRow<RefundLimits>(
    tx,
    sql`select
      (select coalesce(sum(a.cents), 0)::float8 from audit a
        where a.subject_id in (select ${orderId}::text union all select c.id::text from cases c where c.order_id = ${orderId}::uuid)
          and ${isAlone}) as "order",
      (select ${sumOfToday({ actions: GIVING_BACK, operatorId, timeZone, now })}) as "day"`,
  );
  return sums ?? { order: 0, day: 0 };
}
