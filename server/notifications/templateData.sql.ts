import { sql } from 'kysely';
import type { DeliveryStatus, DeliveryType } from '../../domain/deliveries.ts';
import type { LoadSize, OrderStatus } from '../../domain/orders.ts';
import type { Price } from '../../domain/payments.ts';
import { row, type Tx } from '../db/database.ts';

/** What a message about an order says of it. Names only: nobody's e-mail or phone goes into another's mail. */
export type OrderSubject = {
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

export type DeliverySubject = {
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

export type PayoutSubject = { readonly id: string; readonly amount: number; readonly periodEnd: Date };

export function readOrderSubject(tx: Tx, id: string): Promise<OrderSubject | undefined> {
  return row(
    tx,
    sql`select o.id, o.status, b.fullname as "budName", s.fullname as "scrubName",
        o.scrub_address ->> 'address' as "scrubAddress", o.load_size as "loadSize",
        o.self_delivery as "selfDelivery", o.self_pickup as "selfPickup",
        json_build_object('loadPrice', o.load_price, 'pickup', o.pickup_price, 'delivery', o.delivery_price,
          'platformFee', o.platform_fee, 'taxes', o.taxes, 'totalPrice', o.total_price) as price
      from orders o join users b on b.id = o.bud_id join users s on s.id = o.scrub_id where o.id = ${id}`,
  );
}

export function readDeliverySubject(tx: Tx, id: string): Promise<DeliverySubject | undefined> {
  return row(
    tx,
    sql`select d.id, d.status, d.delivery_type as type, b.fullname as "budName", s.fullname as "scrubName",
        r.fullname as "duberName", d.distance_m as "distanceM", d.price
      from deliveries d join users b on b.id = d.bud_id join users s on s.id = d.scrub_id
        left join users r on r.id = d.duber_id where d.id = ${id}`,
  );
}

export function readPayoutSubject(tx: Tx, id: string): Promise<PayoutSubject | undefined> {
  return row(tx, sql`select w.id, w.amount, w.period_end as "periodEnd" from payouts w where w.id = ${id}`);
}
