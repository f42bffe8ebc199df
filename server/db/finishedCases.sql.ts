import { sql } from 'kysely';
import type { CaseKind } from '../../domain/cases.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { literals } from './columns.sql.ts';
import { queryRow, type Tx } from './database.ts';

const isOf = (...kinds: readonly CaseKind[]) => sql`c.kind in (${literals(kinds)})`;
const isOrder = (status: OrderStatus) => sql`o.status = ${sql.lit(status)}`;

/** Whether what a case `c` of the town is about is over, so that nobody has to decide anything: of its order `o` and its delivery `d`. */
const isOver = (now: Date) => sql<boolean>`(
    (${isOf('scrub-silent')} and not ${isOrder('Accepted')})
    or (${isOf('late')} and not ${isOrder('In_Progress')})
    or (${isOf('window')} and (o.status not in ('Requested', 'Accepted', 'In_Progress') or exists (select from steps t
      where t.subject_id = o.id and t.action in ('move-window', 'accept-window') and t.at > c.created_at)))
    or (${isOf('relay', 'failed-pickup', 'failed-drop', 'wrong-pin')} and d.status = 'Delivered')
    or (${isOf('chargeback')} and not exists (select from disputes x where x.order_id = o.id and x.ended_at is null)))
  -- What was decided once and contested, money that waits for the town, and what a Bud denies need a person.
  and c.decided_at is null
  and not exists (select from payout_holds h where h.case_id = c.id and h.ended_at is null
    and (h.until is null or h.until > ${now}::timestamptz))
  and not exists (select from steps e where e.subject_id = c.id and e.action = 'deny')`;

/** Whether a case `c` of the town needs nobody any more. */
export const isFinished = (
  now: Date,
) => sql<boolean>`exists (select from (select 1) x left join deliveries d on d.id = c.delivery_id
  left join orders o on o.id = coalesce(c.order_id, d.order_id) where ${isOver(now)})`;

export const isFinishedCase = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (await queryRow(
    tx,
    sql`select 1 as one from cases c where c.id = ${id} and c.status = 'with-town' and ${isFinished(now)}`,
  )) !== undefined;
