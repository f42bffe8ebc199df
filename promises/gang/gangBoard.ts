// What a gang knows of an order that it can try something with.

import { sql } from 'kysely';
import type { CaseKind, CaseStatus } from '../../domain/cases.ts';
import type { DeliveryStatus, DeliveryType } from '../../domain/deliveries.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { Point } from '../../domain/places.ts';
import { queryRow, type Tx } from '../../server/db/database.ts';

export type BoardDelivery = {
  readonly id: string;
  readonly type: DeliveryType;
  readonly status: DeliveryStatus;
  readonly duberId: string | null;
  readonly pickup: Point;
};

export type BoardCase = {
  readonly id: string;
  readonly kind: CaseKind;
  readonly status: CaseStatus;
};

export type BoardOrder = {
  readonly id: string;
  readonly status: OrderStatus;
  readonly budId: string;
  readonly scrubId: string;
  readonly budPlace: Point;
  readonly scrubPlace: Point;
  readonly isWeighed: boolean;
  /** The Dubers who have an active delivery of any order. */
  readonly busy: readonly string[];
  /** Oldest first. */
  readonly deliveries: readonly BoardDelivery[];
  readonly cases: readonly BoardCase[];
};

const placeOf = (address: string) =>
  sql.raw(`json_build_object('latitude', (${address} ->> 'latitude')::float8,
  'longitude', (${address} ->> 'longitude')::float8)`);

/** Reads an order as the people of it know it together. */
export async function readBoard(db: Tx, id: string): Promise<BoardOrder> {
  const order = await queryRow<BoardOrder>(
    db,
    sql`select o.id, o.status, o.bud_id as "budId", o.scrub_id as "scrubId", o.ceiling_size is not null as "isWeighed",
        ${placeOf('o.bud_address')} as "budPlace", ${placeOf('o.scrub_address')} as "scrubPlace",
        (select coalesce(json_agg(json_build_object('id', d.id, 'type', d.delivery_type, 'status', d.status, 'duberId', d.duber_id,
            'pickup', json_build_object('latitude', d.pickup_latitude, 'longitude', d.pickup_longitude))
            order by d.created_at, d.id), '[]') from deliveries d where d.order_id = o.id) as deliveries,
        (select coalesce(json_agg(distinct b.duber_id), '[]') from deliveries b where b.bud_id = o.bud_id
          and (b.status in ('Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Way_Back')
            or (b.status = 'Failed' and b.has_laundry))) as busy,
        (select coalesce(json_agg(json_build_object('id', c.id, 'kind', c.kind, 'status', c.status) order by c.no), '[]')
          from cases c where c.order_id = o.id) as cases
      from orders o where o.id = ${id}`,
  );
  if (!order) throw new Error(`there is no order ${id}`);
  return order;
}

/** Where the Duber of a delivery belongs now. */
export function placeOfDelivery({ budPlace, scrubPlace }: BoardOrder, { type, status, pickup }: BoardDelivery): Point {
  if (status !== 'Way_To_Drop') return pickup;
  return type === 'Bud_To_Scrub' ? scrubPlace : budPlace;
}
