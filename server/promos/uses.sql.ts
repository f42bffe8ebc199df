import { sql } from 'kysely';
import type { Cents } from '../../domain/payments.ts';
import { orderNumber } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import type { PageBounds } from '../db/pages.ts';
import { findPromos, type PromoRow } from './promos.sql.ts';

export type PromoWithCost = PromoRow & {
  /** What the platform has paid for it, less what went back. */
  readonly cost: Cents;
};

/** What the platform has paid of the payment `p` for a promo code, less what went back, as in the ledger. */
const COST = sql`case when p.state = 'captured' then p.discount - (select coalesce(sum(r.discount), 0) from refunds r
  where r.order_id = p.order_id and (r.state = 'refunded' or r.state = 'dropped' and r.liable = 'nobody')) else 0 end`;

/** A page of the codes, newest first. */
export async function listPromos(tx: Tx, bounds: PageBounds): Promise<PromoWithCost[]> {
  const promos = await findPromos(tx, bounds);
  const costs: PromoWithCost[] = [];
  for (const promo of promos) costs.push({ ...promo, cost: promo.uses === 0 ? 0 : await readCost(tx, promo.id) });
  return costs;
}

export async function readCost(tx: Tx, promoId: string): Promise<Cents> {
  const row = await queryRow<{ cents: Cents }>(
    tx,
    sql`select coalesce(sum(${COST}), 0)::float8 as cents from promo_uses u join payments p on p.order_id = u.order_id
      where u.promo_id = ${promoId} and u.returned_at is null`,
  );
  return row?.cents ?? 0;
}

export type UseRow = {
  readonly orderId: string;
  readonly orderNumber: string | null;
  readonly bud: { readonly id: string; readonly name: string };
  readonly at: Date;
  readonly discount: Cents;
  readonly cost: Cents;
  readonly counts: boolean;
};

/** A page of the uses of a code, newest first. */
export const listUses = (tx: Tx, promoId: string, { limit, offset }: PageBounds): Promise<UseRow[]> =>
  queryRows(
    tx,
    sql`select u.order_id as "orderId", case when o.id is not null then ${orderNumber} end as "orderNumber",
        json_build_object('id', b.id, 'name', b.fullname) as bud, u.used_at as at, u.discount, (${COST})::float8 as cost,
        u.returned_at is null as counts
      from (select * from promo_uses x where x.promo_id = ${promoId} order by x.used_at desc, x.order_id desc
          limit ${limit} offset ${offset}) u
        join payments p on p.order_id = u.order_id join users b on b.id = u.bud_id left join orders o on o.id = u.order_id
      order by u.used_at desc, u.order_id desc`,
  );
