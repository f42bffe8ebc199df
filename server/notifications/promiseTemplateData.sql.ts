import { sql } from 'kysely';
import type { CreditBearer } from '../../domain/promises.ts';
import { backAt, isActiveDelivery, isBack, orderNumber } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { promisedCredit, timeZoneSql } from '../town/settings.sql.ts';
import { nameUnless } from './deliveryTemplateData.sql.ts';

export type PromiseTemplateData = NonNullable<Awaited<ReturnType<typeof readPromiseTemplateData>>>;

/** What a notification says about the promised time of an order, also of one that is cleaned again and has none any more. */
export async function readPromiseTemplateData(tx: Tx, orderId: string, readerId: string, now: Date) {
  const row = await tx
    .selectFrom('orders as o')
    .innerJoin('users as bud', 'bud.id', 'o.bud_id')
    .leftJoin('missed_promises as m', 'm.order_id', 'o.id')
    .select([
      ...(['o.id', 'o.status', 'o.promised_at as promisedAt'] as const),
      orderNumber.as('number'),
      nameUnless(sql`o.status in ('Requested', 'Cancelled', 'Rejected')`, 'bud').as('budName'),
      isBack('o').as('isBack'),
      sql<string | null>`(select d.id from deliveries d where d.order_id = o.id
        and (d.duber_id = ${readerId}::uuid and ${isActiveDelivery('d')} or d.id = o.holder_delivery and o.holder_id = ${readerId}::uuid)
        limit 1)`.as('deliveryId'),
      ...(['m.state', 'm.cents', 'm.reason', 'm.holder_role as holder', 'm.promised_at as missedAt'] as const),
      backAt('o').as('backAt'),
      sql<CreditBearer | null>`${promisedCredit} ->> 'borneBy'`.as('borneBy'),
      timeZoneSql(sql`${now}`).as('timeZone'),
    ])
    .where('o.id', '=', orderId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { state, cents, missedAt, reason, holder, borneBy, backAt: back, ...order } = row;
  return {
    ...order,
    missed:
      state !== null && cents !== null && missedAt !== null
        ? { state, cents, promisedAt: missedAt, backAt: back, reason, holder, borneBy }
        : undefined,
  };
}
