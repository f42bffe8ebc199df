import { type RawBuilder, sql } from 'kysely';
import type { ListQuery } from '../contract/lists.ts';
import type { OrderStep } from '../contract/orders.ts';
import type { BudId, ScrubId } from '../domain/accounts.ts';
import type { LoadSize, OrderStatus } from '../domain/orders.ts';
import type { Price } from '../domain/payments.ts';
import { row, rows, type Tx } from './database.ts';
import { type Columns, pageOf, whereOf } from './lists.sql.ts';
import { deliveryJson, iso, type Kept, orderJson, type WholeOrder } from './rows.sql.ts';

const tables = sql`orders o join users b on b.id = o.bud_id join users s on s.id = o.scrub_id`;

const wholeOrder = sql`${orderJson} as "order", coalesce((select json_agg(${deliveryJson} order by d.created_at, d.id)
  from deliveries d left join users du on du.id = d.duber_id where d.order_id = o.id), '[]') as deliveries`;

type Owner = { role: 'Bud'; id: BudId } | { role: 'Scrub'; id: ScrubId };

const ownedBy = (caller: Owner) =>
  caller.role === 'Bud' ? sql`o.bud_id = ${caller.id}::uuid` : sql`o.scrub_id = ${caller.id}::uuid`;

export function readOrder(tx: Tx, caller: Owner, id: string): Promise<WholeOrder | undefined> {
  return row(tx, sql`select ${wholeOrder} from ${tables} where o.id = ${id} and ${ownedBy(caller)}`);
}

const COLUMNS: Columns = {
  id: { sql: sql`o.id`, type: 'uuid' },
  status: { sql: sql`o.status collate "C"`, type: 'text' },
  budId: { sql: sql`o.bud_id`, type: 'uuid' },
  scrubId: { sql: sql`o.scrub_id`, type: 'uuid' },
  loadSize: { sql: sql`o.load_size collate "C"`, type: 'text' },
  selfDelivery: { sql: sql`o.self_delivery`, type: 'boolean' },
  selfPickup: { sql: sql`o.self_pickup`, type: 'boolean' },
  createdAt: { sql: sql`o.created_at`, type: 'timestamptz' },
};

const SORTS = {
  createdAt: sql`o.created_at`,
  status: sql`o.status collate "C"`,
  price: sql`o.total_price`,
  scrubEarning: sql`o.load_price`,
};

type OrderPage = { items: WholeOrder[]; totalCount: number; sums: { price: number; scrubEarning: number } };

/** A page of the caller's own orders, and the count and sums (in cents) of all that the filters let through. */
export async function listOrders(tx: Tx, caller: Owner, query: ListQuery): Promise<OrderPage> {
  const where = whereOf(ownedBy(caller), COLUMNS, query);
  const items = await rows<WholeOrder>(
    tx,
    sql`select ${wholeOrder} from ${tables} where ${where} ${pageOf(SORTS, sql`o.id`, query)}`,
  );
  const totals = await row<{ count: number; price: number; earning: number }>(
    tx,
    sql`select count(*)::int as count, coalesce(sum(o.total_price), 0)::float8 as price,
      coalesce(sum(o.load_price), 0)::float8 as earning from orders o where ${where}`,
  );
  return {
    items,
    totalCount: totals?.count ?? 0,
    sums: { price: totals?.price ?? 0, scrubEarning: totals?.earning ?? 0 },
  };
}

export type NewOrder = {
  readonly id: string;
  readonly budId: string;
  readonly scrubId: string;
  readonly loadSize: LoadSize;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly instructions: string | null;
  readonly price: Price;
  readonly budAddress: Kept;
  readonly scrubAddress: Kept;
  readonly distanceInMeters: number;
};

/** Writes an order and its first step; nothing happens when it is there already. */
export async function insertOrder(tx: Tx, order: NewOrder, now: Date): Promise<void> {
  const { price } = order;
  await rows(
    tx,
    sql`with placed as (insert into orders (id, bud_id, scrub_id, status, load_size, self_delivery, self_pickup,
          instructions, load_price, pickup_price, delivery_price, platform_fee, taxes, total_price, bud_address,
          scrub_address, distance_m, created_at)
        values (${order.id}, ${order.budId}, ${order.scrubId}, 'Requested', ${order.loadSize}, ${order.selfDelivery},
          ${order.selfPickup}, ${order.instructions}, ${price.loadPrice}, ${price.pickup}, ${price.delivery},
          ${price.platformFee}, ${price.taxes}, ${price.totalPrice}, ${JSON.stringify(order.budAddress)}::jsonb,
          ${JSON.stringify(order.scrubAddress)}::jsonb, ${order.distanceInMeters}, ${now})
        on conflict (id) do nothing returning id)
      insert into order_steps (order_id, status, created_at, position)
        select id, 'Requested', ${now}::timestamptz, 0 from placed`,
  );
}

type Move = { readonly id: string; readonly from: OrderStatus; readonly to: OrderStatus };

/** Compare-and-swap: moves an order that still stands at `from` and is the caller's; undefined when it does not. */
export function moveOrder(tx: Tx, caller: Owner, move: Move, now: Date): Promise<OrderStep | undefined> {
  return takeStep(tx, ownedBy(caller), move, now);
}

/** The system's own step: a request that nobody answered in time is cancelled. */
export function expireOrder(tx: Tx, id: string, now: Date): Promise<OrderStep | undefined> {
  return takeStep(tx, sql`true`, { id, from: 'Requested', to: 'Cancelled' }, now);
}

function takeStep(tx: Tx, scope: RawBuilder<unknown>, { id, from, to }: Move, now: Date) {
  return row<OrderStep>(
    tx,
    sql`with moved as (update orders o set status = ${to},
          completed_at = case when ${to}::text = 'Completed' then ${now}::timestamptz else completed_at end
        where o.id = ${id} and o.status = ${from} and ${scope} returning o.id)
      insert into order_steps as t (order_id, status, created_at, position)
        select m.id, ${to}, ${now}::timestamptz, (select count(*) from order_steps p where p.order_id = m.id)
        from moved m
      returning t.status, ${iso('t.created_at')} as "createdAt", t.order_id as "orderId"`,
  );
}

/** Requests that have waited since before `since`. */
export async function expiredRequests(tx: Tx, since: Date, limit: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`select id from orders where status = 'Requested' and created_at <= ${since} order by created_at limit ${limit}`,
  );
  return found.map(({ id }) => id);
}
