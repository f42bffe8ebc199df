import { sql } from 'kysely';
import type { Role } from '../../domain/accounts.ts';
import type { DeliveryStatus } from '../../domain/deliveries.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { isOpenStatus, ORDER_STATUSES, type WayHome, waysHomeFor } from '../../domain/orders.ts';
import { isActiveDelivery, literals } from '../db/columns.sql.ts';
import { queryRows, type Tx } from '../db/database.ts';

export type Worker = { readonly id: string; readonly role: Role };

/** Of an order: who has its laundry. */
type OpenOrder = { readonly kind: 'order'; readonly status: OrderStatus; readonly holder: Role };
type OpenDelivery = { readonly kind: 'delivery'; readonly status: DeliveryStatus };

/** An open order of a Bud or a Scrub, or the delivery that a Duber is busy with. */
export type OpenWorkRow = (OpenOrder | OpenDelivery) & {
  readonly id: string;
  readonly orderId: string;
  readonly orderNumber: number;
  readonly other: string;
};

/** How the laundry of an order can get home when it is cancelled. */
export const waysHomeOf = (work: OpenWorkRow): WayHome[] =>
  work.kind === 'order'
    ? waysHomeFor({ isLaundryAway: work.holder !== 'Bud', isWithScrub: work.holder === 'Scrub' })
    : [];

const OPEN_STATUSES = literals(ORDER_STATUSES.filter(isOpenStatus));

/** An order that a Scrub gave back has no Scrub until the Bud chooses another one. */
const openOrdersOf = ({ id, role }: Worker) => sql`${role === 'Bud' ? sql`o.bud_id` : sql`o.scrub_id`} = ${id}
  and o.status collate "C" in (${OPEN_STATUSES}) ${role === 'Scrub' ? sql`and o.given_back_at is null` : sql``}`;
const activeDeliveriesOf = ({ id }: Worker) => sql`d.duber_id = ${id} and ${isActiveDelivery('d')}`;

/** The open work of a person, by order number. */
export const listOpenWork = (tx: Tx, worker: Worker): Promise<OpenWorkRow[]> =>
  queryRows(
    tx,
    worker.role === 'Duber'
      ? sql`select 'delivery' as kind, d.id, o.id as "orderId", o.number::int as "orderNumber", d.status,
            bud.fullname as other
          from deliveries d join orders o on o.id = d.order_id join users bud on bud.id = d.bud_id
          where ${activeDeliveriesOf(worker)} order by o.number`
      : sql`select 'order' as kind, o.id, o.id as "orderId", o.number::int as "orderNumber", o.status,
            o.holder_role as holder, other.fullname as other
          from orders o join users other on other.id = ${worker.role === 'Bud' ? sql`o.scrub_id` : sql`o.bud_id`}
          where ${openOrdersOf(worker)} order by o.number`,
  );

/** Locks the open work of a person, in the usual order: orders, then deliveries. */
export async function lockOpenWork(tx: Tx, worker: Worker): Promise<void> {
  const ordersOfDeliveries = sql`select d.order_id from deliveries d where ${activeDeliveriesOf(worker)}`;
  const orders = await queryRows<{ id: string }>(
    tx,
    sql`select o.id from orders o where ${worker.role === 'Duber' ? sql`o.id in (${ordersOfDeliveries})` : openOrdersOf(worker)}
      order by o.id for no key update`,
  );
  await queryRows(
    tx,
    sql`select d.id from deliveries d where d.order_id = any(${orders.map(({ id }) => id)}::uuid[])
      order by d.id for no key update`,
  );
}
