import { type RawBuilder, sql } from 'kysely';
import type { AddressSnapshotShape } from '../../contract/places.ts';
import type { DeliveryStatus } from '../../domain/deliveries.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { Price } from '../../domain/payments.ts';

export type AddressSnapshot = (typeof AddressSnapshotShape)['_output'];

/** What the steps of an order need of it, money in cents; what people see of one is told in shapes.sql.ts. */
export type OrderRow = {
  readonly id: string;
  readonly status: OrderStatus;
  readonly budId: string;
  readonly scrubId: string;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly price: Price;
  readonly budAddress: AddressSnapshot;
  readonly scrubAddress: AddressSnapshot;
  readonly distanceInMeters: number;
};

/** What the steps and reviews of a delivery need of it. */
export type DeliveryRow = {
  readonly id: string;
  readonly orderId: string;
  readonly status: DeliveryStatus;
  readonly duberId: string | null;
};

/** A timestamp column as ISO 8601 UTC with milliseconds. */
export function isoTime(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
