import { sql } from 'kysely';
import type { DeliveryStatus, DeliveryType } from '../../domain/deliveries.ts';
import type { LoadSize, OrderStatus } from '../../domain/orders.ts';
import type { Price } from '../../domain/payments.ts';
import { queryRow, type Tx } from '../db/database.ts';

/** What a message about an order says of it. Names only: nobody's e-mail or phone goes into another's mail. */
export type OrderTemplateData = {
  readonly id: string;
  readonly status: OrderStatus;
  readonly budName: string;
  readonly scrubName: string;
  readonly scrubAddress: string;
  readonly loadSize: LoadSize;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly price: Price;
};

export type DeliveryTemplateData = {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly type: DeliveryType;
  readonly budName: string;
  readonly scrubName: string;
  readonly duberName: string | null;
  readonly distanceM: number;
  /** Cents. */
  readonly price: number;
};

export type PayoutTemplateData = { readonly id: string; readonly amount: number; readonly periodEnd: Date };

export function readOrderTemplateData(tx: Tx, id: string): Promise<OrderTemplateData | undefined> {
  return queryRow(
    tx,
    sql`select o.id, o.status, b.fullname as "budName", s.fullname as "scrubName",
        o.scrub_address ->> 'address' as "scrubAddress", o.load_size as "loadSize",
        o.self_delivery as "selfDelivery", o.self_pickup as "selfPickup",
        json_build_object('loadPrice', o.load_price, 'pickup', o.pickup_price, 'delivery', o.delivery_price,
          'platformFee', o.platform_fee, 'taxes', o.taxes, 'totalPrice', o.total_price) as price
      from orders o join users b on b.id = o.bud_id join users s on s.id = o.scrub_id where o.id = ${id}`,
  );
}

export function readDeliveryTemplateData(tx: Tx, id: string): Promise<DeliveryTemplateData | undefined> {
  return queryRow(
    tx,
    sql`select d.id, d.status, d.delivery_type as type, b.fullname as "budName", s.fullname as "scrubName",
        r.fullname as "duberName", d.distance_m as "distanceM", d.price
      from deliveries d join users b on b.id = d.bud_id join users s on s.id = d.scrub_id
        left join users r on r.id = d.duber_id where d.id = ${id}`,
  );
}

export function readPayoutTemplateData(tx: Tx, id: string): Promise<PayoutTemplateData | undefined> {
  return queryRow(tx, sql`select w.id, w.amount, w.period_end as "periodEnd" from payouts w where w.id = ${id}`);
}
