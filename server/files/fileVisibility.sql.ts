import { type RawBuilder, sql } from 'kysely';
import type { FileSubject } from '../../domain/files.ts';
import type { Viewer } from '../db/lists.sql.ts';
import { canDuberSeeContacts, canScrubSeePhotos, isOfCase } from '../visibility/viewRules.sql.ts';

type FileViewer = Pick<Viewer, 'id' | 'now'>;
/** An id as an expression: a column or a placeholder. */
type IdSql = RawBuilder<unknown>;

const isScrub = ({ id }: FileViewer) => sql<boolean>`o.scrub_id = ${id}::uuid`;

/**
 * The Bud of `orders o`, its Scrub where they see it, and the Duber of `deliveries d`: as long as they see the contacts, because a
 * photo of a door shows where somebody lives.
 */
const takesPart = (viewer: FileViewer, isSeenByScrub = isScrub(viewer)) =>
  sql<boolean>`(o.bud_id = ${viewer.id}::uuid or ${isSeenByScrub} or ${canDuberSeeContacts(viewer)})`;

const isOfDelivery = (deliveryId: IdSql, viewer: FileViewer) => sql<boolean>`exists (
  select 1 from deliveries d join orders o on o.id = d.order_id
    where d.id = ${deliveryId} and ${takesPart(viewer, canScrubSeePhotos(viewer, sql`d.round`))})`;

const isOfHandover = (handoverId: IdSql, viewer: FileViewer) => sql<boolean>`exists (
  select 1 from handovers h join orders o on o.id = h.order_id left join deliveries d on d.id = h.delivery_id
    where h.id = ${handoverId} and ${takesPart(viewer, canScrubSeePhotos(viewer, sql`h.round`))})`;

const isOfWeighing = (weighingId: IdSql, viewer: FileViewer) => sql<boolean>`exists (
  select 1 from weighings w join orders o on o.id = w.order_id left join deliveries d on d.id = w.delivery_id
    where w.id = ${weighingId} and ${takesPart(viewer)})`;

/**
 * Who sees a file besides its owner, by what it is about: a condition on the subject's id and the viewer. A feature adds its
 * subject here.
 */
const SEES_FILES_OF: {
  readonly [Subject in FileSubject]: (subjectId: IdSql, viewer: FileViewer) => RawBuilder<boolean>;
} = {
  delivery: isOfDelivery,
  handover: isOfHandover,
  case: (caseId, { id }) => isOfCase(caseId, id),
  weighing: isOfWeighing,
  // Nobody but the owner. Operators say why they look at it: see server/operator/admissions.ts.
  document: () => sql<boolean>`false`,
};

/** Whether a person sees a file, as a condition on `files f`. */
export function seesFile(viewer: FileViewer): RawBuilder<boolean> {
  const bySubject = Object.entries(SEES_FILES_OF).map(
    ([subject, sees]) => sql<boolean>`(f.about_kind = ${sql.lit(subject)} and ${sees(sql`f.about_id`, viewer)})`,
  );
  return sql<boolean>`(f.owner_id = ${viewer.id}::uuid or ${sql.join(bySubject, sql` or `)})`;
}
