import { sql } from 'kysely';
import { windowOf } from '../../domain/windows.ts';
import { orderNumber } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { timeZoneSql } from '../town/settings.sql.ts';
import { nameUnless } from './deliveryTemplateData.sql.ts';

export type WindowTemplateData = NonNullable<Awaited<ReturnType<typeof readWindowTemplateData>>>;

/** What a notification says about the windows of an order, and about the last proposal of other ones. */
export async function readWindowTemplateData(tx: Tx, orderId: string, now: Date) {
  const row = await tx
    .selectFrom('orders as o')
    .innerJoin('users as bud', 'bud.id', 'o.bud_id')
    .innerJoin('users as scrub', 'scrub.id', 'o.scrub_id')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('proposals')
          .selectAll()
          .whereRef('order_id', '=', 'o.id')
          .orderBy('made_at', 'desc')
          .limit(1)
          .as('p'),
      (join) => join.onTrue(),
    )
    .select([
      'o.id',
      orderNumber.as('number'),
      nameUnless(sql`o.status in ('Requested', 'Cancelled', 'Rejected')`, 'bud').as('budName'),
      'scrub.fullname as scrubName',
      ...(['o.pickup_from', 'o.pickup_until', 'o.return_from', 'o.return_until'] as const),
      ...(['p.id as proposalId', 'p.by_role as by', 'p.reason', 'p.words', 'p.answer'] as const),
      ...(['p.pickup_from as newPickupFrom', 'p.pickup_until as newPickupUntil'] as const),
      ...(['p.return_from as newReturnFrom', 'p.return_until as newReturnUntil'] as const),
      ...(['o.self_delivery as selfDelivery', 'o.self_pickup as selfPickup'] as const),
      sql<string | null>`(select t.action from steps t where t.subject_id = o.id
        and t.action in ('move-window', 'accept-window', 'refuse-window') order by t.position desc limit 1)`.as(
        'lastMove',
      ),
      timeZoneSql(sql`${now}`).as('timeZone'),
    ])
    .where('o.id', '=', orderId)
    .executeTakeFirst();
  const pickup = row && windowOf(row.pickup_from, row.pickup_until);
  const back = row && windowOf(row.return_from, row.return_until);
  if (!pickup || !back) return undefined;
  const newReturn = windowOf(row.newReturnFrom, row.newReturnUntil);
  const { id, number, budName, scrubName, lastMove, selfDelivery, selfPickup } = row;
  const { proposalId, by, reason, words, answer } = row;
  return {
    ...{ id, number, budName, scrubName, lastMove, pickup, return: back, selfDelivery, selfPickup },
    timeZone: row.timeZone,
    proposal:
      proposalId !== null && by !== null && reason !== null && newReturn
        ? {
            ...{ id: proposalId, by, reason, words, answer, return: newReturn },
            pickup: windowOf(row.newPickupFrom, row.newPickupUntil),
          }
        : undefined,
  };
}
