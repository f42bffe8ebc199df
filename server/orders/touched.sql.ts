import { type RawBuilder, sql } from 'kysely';
import type { TouchedWindows } from '../../domain/moves.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { TimeWindow } from '../../domain/windows.ts';
import { isPromiseOpen, orderNumber } from '../db/columns.sql.ts';
import { queryRows, type Tx } from '../db/database.ts';

/** An order with a window that falls into a time at which nobody comes, agreed or proposed. Money in cents. */
export type TouchedOrder = {
  readonly id: string;
  readonly number: string;
  readonly status: OrderStatus;
  readonly budName: string;
  readonly scrubName: string;
  /** Its agreed windows, or those of the open proposal if these alone are touched. */
  readonly pickupFrom: Date;
  readonly pickupUntil: Date;
  readonly returnFrom: Date;
  readonly returnUntil: Date;
  readonly isPickupTouched: boolean;
  readonly isReturnTouched: boolean;
  /** Whether the agreed windows are not touched. */
  readonly isProposal: boolean;
  /** Whether it has an open proposal that leads to another time. */
  readonly isAsked: boolean;
  readonly agreedPickupFrom: Date;
  /** Whether its Bud has the laundry, and nobody is on the way to it: then it can be cancelled at once. */
  readonly isAtBud: boolean;
  readonly totalPrice: number;
  /** Null outside of all zones. */
  readonly zoneId: string | null;
};

/** A time at which nobody comes, and whose orders: those of one Scrub, or of one zone; all of the town without either. */
export type TouchedPart = {
  readonly span: TimeWindow;
  readonly scrubId?: string | undefined;
  readonly zoneId?: string | null | undefined;
};

export const touchedOf = ({ isPickupTouched, isReturnTouched }: TouchedOrder): TouchedWindows => ({
  pickup: isPickupTouched,
  return: isReturnTouched,
});

const overlaps = (from: RawBuilder<unknown>, until: RawBuilder<unknown>, span: TimeWindow) =>
  sql<boolean>`(${from} < ${span.until} and ${until} > ${span.from})`;

const IS_AT_BUD = sql<boolean>`(o.status in ('Requested', 'Accepted') and o.holder_role = 'Bud' and o.handed_over_at is null
  and not exists (select from deliveries d where d.order_id = o.id and d.round = o.round and d.delivery_type = 'Bud_To_Scrub'
    and d.status not in ('Pending', 'Accepted', 'Failed', 'Returned', 'Called_Off')))`;

/** Windows of an order `o`, and which of them are touched. */
const windowsIn = (table: 'o' | 'p', span: TimeWindow, isAtBud: RawBuilder<boolean>) => {
  const column = (name: string) =>
    table === 'o' ? sql.ref(`o.${name}`) : sql`coalesce(${sql.ref(`p.${name}`)}, ${sql.ref(`o.${name}`)})`;
  const [from, until] = [column('pickup_from'), column('pickup_until')];
  const [backFrom, backUntil] = [column('return_from'), column('return_until')];
  return sql`select ${sql.lit(table === 'p')} as "isProposal", ${from} as "pickupFrom", ${until} as "pickupUntil",
    ${backFrom} as "returnFrom", ${backUntil} as "returnUntil",
    (${overlaps(from, until, span)} and ${isAtBud}) as "isPickupTouched", ${overlaps(backFrom, backUntil, span)} as "isReturnTouched"`;
};

/**
 * The orders with a window in a span whose pickup, or else whose return, can still move. Also those whose
 * Bud could accept such a window. By what comes first.
 */
export function listTouchedOrders(
  tx: Tx,
  { span, scrubId, zoneId }: TouchedPart,
  limit: number,
): Promise<TouchedOrder[]> {
  return queryRows(
    tx,
    sql`select t.* from (select distinct on (o.id) o.id, ${orderNumber} as number, o.status, b.fullname as "budName", s.fullname as "scrubName",
        w.*, ${IS_AT_BUD} as "isAtBud", o.total_price as "totalPrice", o.zone_id as "zoneId", o.pickup_from as "agreedPickupFrom",
        p.id is not null and not bool_or(w."isProposal") over (partition by o.id) as "isAsked"
      from orders o join users b on b.id = o.bud_id join users s on s.id = o.scrub_id
        left join proposals p on p.order_id = o.id and p.answer is null
        cross join lateral (${windowsIn('o', span, IS_AT_BUD)} union all ${windowsIn('p', span, IS_AT_BUD)} where p.id is not null) w
      where o.promised_at is not null and ${isPromiseOpen('o')} and o.status in ('Requested', 'Accepted', 'In_Progress')
        and greatest(o.promised_at, p.return_until) > ${span.from}
        and (w."isPickupTouched" or w."isReturnTouched")
        ${zoneId ? sql`and o.zone_id = ${zoneId}` : sql``}
        ${scrubId ? sql`and o.scrub_id = ${scrubId} and o.given_back_at is null` : sql``}
      order by o.id, w."isProposal") t
      order by t."pickupFrom", t.id limit ${limit}`,
  );
}
