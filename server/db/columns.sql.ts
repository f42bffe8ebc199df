import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { AddressSnapshotShape } from '../../contract/places.ts';
import type { Role } from '../../domain/accounts.ts';
import {
  ACTIVE_STATUSES,
  type DeliveryStatus,
  LET_OTHERS_FIRST_MS,
  WITH_LAUNDRY,
  WITHOUT_NEXT_DUBER,
} from '../../domain/deliveries.ts';
import { ORDER_NUMBER_PREFIX, type OrderSize, type OrderStatus, type TripPayer } from '../../domain/orders.ts';
import { EXACT_WITHIN_M } from '../../domain/positions.ts';
import type { Turnaround } from '../../domain/windows.ts';
import type { Schema } from './schema.ts';

export type AddressSnapshot = (typeof AddressSnapshotShape)['_output'];

/** What the steps of an order read of it, money in cents. What people see of an order is in visibility.sql.ts. */
export type OrderRow = {
  readonly id: string;
  readonly status: OrderStatus;
  readonly round: number;
  readonly budId: string;
  readonly scrubId: string;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  /** Before a promo code. */
  readonly totalPrice: number;
  /** What a promo code takes off what the card pays. Null without a code. */
  readonly discount: number | null;
  readonly budAddress: AddressSnapshot;
  readonly scrubAddress: AddressSnapshot;
  readonly distanceInMeters: number;
  /** Since when it waits for another Scrub. */
  readonly givenBackAt: Date | null;
  /** When its Bud handed the laundry to the Scrub, without a Duber. */
  readonly handedOverAt: Date | null;
  /** Who has the laundry. */
  readonly holderRole: Role;
  readonly closedAt: Date | null;
  /** Who pays the deliveries of an order that is cleaned again. */
  readonly waysPaidBy: TripPayer | null;
  /** The highest size that is charged without asking. Null for an order that is not weighed. */
  readonly ceilingSize: OrderSize | null;
  /** Its windows and what their speed costs; all null for as soon as possible. */
  readonly heldSince: Date | null;
  readonly promisedAt: Date | null;
  readonly pickupFrom: Date | null;
  readonly pickupUntil: Date | null;
  readonly returnFrom: Date | null;
  readonly returnUntil: Date | null;
  readonly turnaround: Turnaround | null;
};

/** What the steps and reviews of a delivery read of it. */
export type DeliveryRow = {
  readonly id: string;
  readonly orderId: string;
  readonly status: DeliveryStatus;
  readonly duberId: string | null;
};

/** The columns of a table under an alias, typed from the schema: with `order = columnsOf('orders', 'o')`, `order('status')`. */
export const columnsOf =
  <T extends keyof Schema>(_table: T, alias: string) =>
  <C extends keyof Selectable<Schema[T]> & string>(column: C): RawBuilder<Selectable<Schema[T]>[C]> =>
    sql.ref(`${alias}.${column}`);

/** Whether the phone of `delivery_positions p` knew where it was; one that did not say is believed. */
export const isExactPosition = sql<boolean>`coalesce(p.accuracy, 0) <= ${sql.lit(EXACT_WITHIN_M)}`;

/** Words for `in (…)`. */
export const literals = (words: readonly string[]): RawBuilder<unknown> => sql.join(words.map((word) => sql.lit(word)));

/** The number of an order `o` as people read it, as formatOrderNumber writes it. */
export const orderNumber = sql<string>`${sql.lit(ORDER_NUMBER_PREFIX)} || o.number`;

/** A timestamp column as ISO 8601 UTC with milliseconds. */
export function isoTime(column: string | RawBuilder<Date | null>): RawBuilder<string> {
  const timestamp = typeof column === 'string' ? sql.ref(column) : column;
  return sql`to_char(${timestamp} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Whether the promised time of an order still matters. In these words, which the index orders_by_promise needs. */
export function isPromiseOpen(alias: string): RawBuilder<boolean> {
  const order = columnsOf('orders', alias);
  return sql`(${order('promised_at')} is not null and ${order('closed_at')} is null
    and ${order('status')} in ('Requested', 'Accepted', 'In_Progress', 'Completed'))`;
}

/** When a hand-over took place, as far as the server believes the phone that sent it later. */
export const handedAt = (alias: string): RawBuilder<Date> => {
  const handover = columnsOf('handovers', alias);
  return sql`coalesce(${handover('taken_at')}, ${handover('at')})`;
};

/** Whether a hand-over took place: it was not taken back as a mistake, and takes none back. */
export function standsHandover(alias: string): RawBuilder<boolean> {
  const handover = columnsOf('handovers', alias);
  return sql`(${handover('takes_back')} is null and not exists (select from handovers back
    where back.order_id = ${handover('order_id')} and back.takes_back = ${handover('position')}))`;
}

/** Whether the laundry of an order is back. What never left its Bud is not, whatever its Scrub says. */
export function isBack(alias: string): RawBuilder<boolean> {
  const order = columnsOf('orders', alias);
  return sql`(${order('status')} = 'Completed' and ${order('holder_role')} = 'Bud' and ${order('held_since')} is not null)`;
}

/** Whether it was back by the promised time. */
export function isBackInTime(alias: string): RawBuilder<boolean> {
  const order = columnsOf('orders', alias);
  return sql`(${isBack(alias)} and coalesce(${order('held_since')} <= ${order('promised_at')}, false))`;
}

/** When the laundry of an order came back to its Bud from the Scrub, the first time; null while it has not. */
export const backAt = (alias: string): RawBuilder<Date | null> =>
  sql`(select min(${handedAt('h')}) from handovers h left join deliveries way on way.id = h.delivery_id
    where h.order_id = ${columnsOf('orders', alias)('id')} and h.taker_role = 'Bud' and ${standsHandover('h')}
      and (way.delivery_type = 'Scrub_To_Bud' or h.delivery_id is null))`;

/** Whether a delivery is its Duber's now. */
export function isActiveDelivery(alias: string): RawBuilder<boolean> {
  const delivery = columnsOf('deliveries', alias);
  return sql`(${delivery('status')} in (${literals(ACTIVE_STATUSES)})
    or (${delivery('status')} = 'Failed' and ${delivery('has_laundry')}))`;
}

/** Whether its Duber has accepted a delivery ahead, as isAhead in domain/deliveries.ts. */
export function isAhead(alias: string): RawBuilder<boolean> {
  const delivery = columnsOf('deliveries', alias);
  return sql`(${delivery('status')} = 'Accepted' and ${delivery('due_from')} is not null)`;
}

/** Whether a Duber is busy with a delivery. In these words, which the index deliveries_once_active needs. */
export function isUnderWay(alias: string): RawBuilder<boolean> {
  const delivery = columnsOf('deliveries', alias);
  return sql`(${delivery('status')} in (${literals(ACTIVE_STATUSES.filter((status) => status !== 'Accepted'))})
    or (${delivery('status')} = 'Accepted' and ${delivery('due_from')} is null)
    or (${delivery('status')} = 'Failed' and ${delivery('has_laundry')}))`;
}

/** Whether the Duber of a delivery has its laundry, as isOnBoard in domain/process/holder.ts. */
export function isOnBoard(alias: string): RawBuilder<boolean> {
  const delivery = columnsOf('deliveries', alias);
  return sql`(${delivery('status')} in (${literals(WITH_LAUNDRY)})
    or (${delivery('status')} = 'Failed' and ${delivery('has_laundry')}))`;
}

/** Whether an earlier Duber of a delivery has its laundry, as isRelayed in domain/process/holder.ts. */
export function isRelayed(alias: string): RawBuilder<boolean> {
  const delivery = columnsOf('deliveries', alias);
  return sql`(${delivery('carrier_id')} is not null and ${delivery('status')} in (${literals(WITHOUT_NEXT_DUBER)})
    and not ${isOnBoard(alias)})`;
}

/** Whether a Duber had a delivery until a moment ago. Others come first then. */
export function hasJustLeft(alias: string, duber: RawBuilder<unknown>, now: RawBuilder<unknown>): RawBuilder<boolean> {
  const delivery = columnsOf('deliveries', alias);
  return sql`(${delivery('left_by')} is not distinct from ${duber}
    and ${delivery('left_at')} > ${now}::timestamptz - interval '${sql.raw(String(LET_OTHERS_FIRST_MS))} milliseconds')`;
}

/** Whether a Duber has a delivery under way, besides `except`; both are a uuid. */
export const hasUnderWay = (duber: RawBuilder<unknown>, except?: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select 1 from deliveries a where a.duber_id = ${duber} and ${isUnderWay('a')}
    ${except ? sql`and a.id <> ${except}` : sql``})`;

/** What a person pays of the refunds of a case, in cents. Taxes are the platform's, and so is what was forgiven. */
export const centsBorneOfCase = (caseId: RawBuilder<unknown>, userId: string): RawBuilder<number> =>
  sql`(select coalesce(sum(r.amount + r.discount - r.taxes - r.forgiven), 0)::int
    from case_refunds cr join refunds r on r.id = cr.refund_id
    where cr.case_id = ${caseId} and r.state <> 'dropped' and r.liable_user = ${userId}::uuid)`;

/** Since when the Bud of an order has had the laundry back, by a Duber or on their own; null while they have not. */
export const budHasLaundrySince = (order: RawBuilder<unknown>): RawBuilder<Date | null> =>
  sql`case when ${order}.status <> 'Completed' then null
    when ${order}.self_pickup then coalesce(${order}.completed_at, ${order}.created_at)
    -- The Bud fetches it after the delivery was called off.
    else (select case d.status when 'Delivered' then d.delivered_at when 'Called_Off' then d.stopped_at end from deliveries d
      where d.order_id = ${order}.id and d.delivery_type = 'Scrub_To_Bud' order by d.round desc limit 1) end`;
