import { type RawBuilder, sql } from 'kysely';
import type { FileSubject } from '../../domain/files.ts';

/** An id as an expression: a column or a placeholder. */
type IdSql = RawBuilder<unknown>;

/** The Bud, the Scrub and every Duber of an order. */
export const isOfOrder = (orderId: IdSql, userId: IdSql) => sql<boolean>`(
  exists (select 1 from orders o where o.id = ${orderId} and ${userId}::uuid in (o.bud_id, o.scrub_id))
  or exists (select 1 from deliveries d where d.order_id = ${orderId} and d.duber_id = ${userId}::uuid))`;

/** The Bud, the Scrub and the Duber of a delivery. */
export const isOfDelivery = (deliveryId: IdSql, userId: IdSql) => sql<boolean>`exists (
  select 1 from deliveries d join orders o on o.id = d.order_id
    where d.id = ${deliveryId} and ${userId}::uuid in (o.bud_id, o.scrub_id, d.duber_id))`;

/** The people of the order whose laundry changed hands. */
const isOfHandover = (handoverId: IdSql, userId: IdSql) =>
  isOfOrder(sql`(select h.order_id from handovers h where h.id = ${handoverId})`, userId);

const isOfCase = (caseId: IdSql, userId: IdSql) =>
  sql<boolean>`exists (select 1 from case_people p where p.case_id = ${caseId} and p.user_id = ${userId}::uuid)`;

/**
 * Who sees a file besides its owner, by what it is about: a condition on the subject's id and the viewer's. A feature adds its
 * subject here. Without a row, only the owner sees the file.
 */
const SEES_FILES_OF: { readonly [Subject in FileSubject]?: (subjectId: IdSql, userId: IdSql) => RawBuilder<boolean> } =
  {
    order: isOfOrder,
    delivery: isOfDelivery,
    handover: isOfHandover,
    case: isOfCase,
  };

/** Whether a person sees a file, as a condition on `files f`. */
export function seesFile(userId: IdSql): RawBuilder<boolean> {
  const bySubject = Object.entries(SEES_FILES_OF).map(
    ([subject, sees]) => sql<boolean>`(f.about_kind = ${sql.lit(subject)} and ${sees(sql`f.about_id`, userId)})`,
  );
  return sql<boolean>`(f.owner_id = ${userId}::uuid or ${sql.join(bySubject, sql` or `)})`;
}
