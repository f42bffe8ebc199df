import { type RawBuilder, sql } from 'kysely';
import type { TouchedWindows } from '../../domain/moves.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { TimeWindow } from '../../domain/windows.ts';
import { columnsOf, isPromiseOpen, orderNumber } from '../db/columns.sql.ts';
import { queryRows, type Tx } from '../db/database.ts';

const order = columnsOf('orders', 'o');

/** An order with a window that falls into a time at which nobody comes. Money in cents. */
export type TouchedOrder = {
  readonly id: string;
  readonly number: string;
  readonly status: OrderStatus;
  readonly budName: string;
  readonly scrubName: string;
  readonly pickupFrom: Date;
  readonly pickupUntil: Date;
  readonly returnFrom: Date;
  readonly returnUntil: Date;
  readonly isPickupTouched: boolean;
  readonly isReturnTouched: boolean;
  /** Whether its Bud has the laundry, and nobody is on the way to it: then it can be cancelled at once. */
  readonly isAtBud: boolean;
  readonly totalPrice: number;
  /** Null outside of all zones. */
  readonly zoneId: string | null;
};

/** Whose orders: those of one Scrub, or of one zone; all of the town without either. */
export type TouchedPart = { readonly scrubId?: string | undefined; readonly zoneId?: string | null | undefined };

export const touchedOf = ({ isPickupTouched, isReturnTouched }: TouchedOrder): TouchedWindows => ({
  pickup: isPickupTouched,
  return: isReturnTouched,
});

const overlaps = (from: RawBuilder<unknown>, until: RawBuilder<unknown>, span: TimeWindow) =>
  sql<boolean>`(${from} < ${span.until} and ${until} > ${span.from})`;

const IS_AT_BUD = sql<boolean>`(o.status in ('Requested', 'Accepted') and o.holder_role = 'Bud' and o.handed_over_at is null
  and not exists (select from deliveries d where d.order_id = o.id and d.round = o.round and d.delivery_type = 'Bud_To_Scrub'
    and d.status not in ('Pending', 'Accepted', 'Failed', 'Returned', 'Called_Off')))`;

/** The orders with a window in a span whose pickup, or else whose return, can still move. By what comes first. */
export function listTouchedOrders(
  tx: Tx,
  { span, scrubId, zoneId }: TouchedPart & { readonly span: TimeWindow },
  limit: number,
): Promise<TouchedOrder[]> {
  const isPickupTouched = sql`(${overlaps(order('pickup_from'), order('pickup_until'), span)} and ${IS_AT_BUD})`;
  return queryRows(
    tx,
    sql`select t.* from (select o.id, ${orderNumber} as number, o.status, b.fullname as "budName", s.fullname as "scrubName",
        o.pickup_from as "pickupFrom", o.pickup_until as "pickupUntil", o.return_from as "returnFrom", o.return_until as "returnUntil",
        ${isPickupTouched} as "isPickupTouched", ${overlaps(order('return_from'), order('return_until'), span)} as "isReturnTouched",
        ${IS_AT_BUD} as "isAtBud", o.total_price as "totalPrice", o.zone_id as "zoneId"
      from orders o join users b on b.id = o.bud_id join users s on s.id = o.scrub_id
      where o.promised_at > ${span.from} and ${isPromiseOpen('o')} and o.status in ('Requested', 'Accepted', 'In_Progress')
        ${zoneId ? sql`and o.zone_id = ${zoneId}` : sql``}
        ${scrubId ? sql`and o.scrub_id = ${scrubId} and o.given_back_at is null` : sql``}) t
      where t."isPickupTouched" or t."isReturnTouched"
      order by t."pickupFrom", t.id limit ${limit}`,
  );
}
