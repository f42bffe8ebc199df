import { type RawBuilder, sql } from 'kysely';
import { CONTACTS_LIFETIME_MS } from '../../domain/deliveries.ts';
import { ORDER_GROUPS, ORDER_STATUSES, type StatusGroup } from '../../domain/orders.ts';
import { literals } from '../db/columns.sql.ts';
import { ALWAYS } from '../db/json.sql.ts';
import type { Viewer } from '../db/lists.sql.ts';
import { isPrivacyCareful } from '../town/policies.sql.ts';
import { isViewersDelivery } from './situations.sql.ts';

/**
 * Who sees which part of an order or a delivery, as conditions on `orders o` and `deliveries d`.
 * visibility.sql.ts writes the answers with them.
 */

/**
 * Whether a viewer takes part in a round of `orders o`. The next Scrub has no part in earlier rounds. Undefined when every round
 * is visible.
 */
export const isViewersRound = ({ role }: Viewer, round: RawBuilder<number>): RawBuilder<boolean> | undefined =>
  role === 'Scrub'
    ? sql`(o.round = 1 or ${round} >= (select coalesce(max(chosen.attempt), 1) from steps chosen
        where chosen.subject_id = o.id and chosen.action = 'choose-scrub'))`
    : undefined;

/** When a delivery was delivered or stopped; null before. */
const endOf = (alias: 'd' | 'delivery') => sql.raw(`coalesce(${alias}.delivered_at, ${alias}.stopped_at)`);

/** A Duber sees the contacts of the Bud and the Scrub while the delivery is theirs and for CONTACTS_LIFETIME_MS after it. */
export const canDuberSeeContacts = (viewer: Pick<Viewer, 'id' | 'now'>) =>
  sql`(${isViewersDelivery(viewer)} and (${endOf('d')} is null or ${endOf('d')} > ${contactsEnd(viewer)}))`;

const contactsEnd = ({ now }: Pick<Viewer, 'now'>) =>
  sql`${now}::timestamptz - interval '${sql.raw(String(CONTACTS_LIFETIME_MS))} milliseconds'`;

const statusesIn = (groups: readonly StatusGroup[]) =>
  literals(ORDER_STATUSES.filter((status) => groups.includes(ORDER_GROUPS[status])));
export const IS_CALLED_OFF = sql`o.status in (${statusesIn(['cancelled'])})`;
/** Laundry of an order that was called off may still have to get home. */
const IS_NOT_CALLED_OFF = sql`(not ${IS_CALLED_OFF} or o.way_home is not null)`;
const IS_AGREED = sql`(o.status in (${statusesIn(['progress', 'completed'])}) or o.way_home is not null)`;
/** A Scrub who gave an order back no longer sees the Bud's place. */
const IS_OPEN_TO_SCRUB = sql`(${IS_NOT_CALLED_OFF} and o.given_back_at is null)`;

/** When an order was completed or called off; null before. */
const END_OF_ORDER = sql`coalesce(o.completed_at, case when ${IS_CALLED_OFF} then
  (select max(last.at) from steps last where last.subject_id = o.id) end)`;

/** Whether an order and its deliveries are under way, or ended less than CONTACTS_LIFETIME_MS ago. */
const isRecent = (viewer: Viewer) => sql`(${END_OF_ORDER} is null or greatest(${END_OF_ORDER},
  (select max(coalesce(${endOf('delivery')}, 'infinity')) from deliveries delivery where delivery.order_id = o.id)) > ${contactsEnd(viewer)})`;

/** What a viewer sees of the others, as conditions. A person always sees everything of themselves. */
type Visibility = Readonly<
  Record<'budName' | 'budContacts' | 'budPlace' | 'instructions', RawBuilder<unknown>> &
    Record<'scrubName' | 'scrubContacts' | 'scrubPlace' | 'duberName' | 'duberContacts', RawBuilder<unknown>>
>;
const NO = sql`false`;

/** Decision 011, and decision 053 for the policy `careful`. */
export const VISIBLE_TO: Record<Viewer['role'], (viewer: Viewer) => Visibility> = {
  Bud: (viewer) => {
    const { isCareful } = viewer;
    return {
      ...{ budName: ALWAYS, budContacts: ALWAYS, budPlace: ALWAYS, instructions: ALWAYS },
      scrubName: ALWAYS,
      scrubContacts: NO,
      scrubPlace: isCareful ? sql`(${IS_AGREED} and ${isRecent(viewer)})` : ALWAYS,
      duberName: ALWAYS,
      duberContacts: isCareful ? isRecent(viewer) : ALWAYS,
    };
  },
  Scrub: (viewer) => {
    const { isCareful } = viewer;
    const budContacts = isCareful ? sql`(${IS_AGREED} and ${isRecent(viewer)})` : IS_OPEN_TO_SCRUB;
    return {
      budName: isCareful ? IS_AGREED : ALWAYS,
      ...{ budContacts, budPlace: budContacts },
      instructions: isCareful ? sql`(${IS_OPEN_TO_SCRUB} and ${isRecent(viewer)})` : IS_OPEN_TO_SCRUB,
      ...{ scrubName: ALWAYS, scrubContacts: ALWAYS, scrubPlace: ALWAYS },
      duberName: ALWAYS,
      duberContacts: isCareful ? isRecent(viewer) : ALWAYS,
    };
  },
  Duber: (viewer) => {
    const { isCareful } = viewer;
    const contacts = canDuberSeeContacts(viewer);
    const name = isCareful ? isViewersDelivery(viewer) : ALWAYS;
    const place = isCareful ? contacts : ALWAYS;
    return {
      ...{ budName: name, budContacts: contacts, budPlace: place },
      instructions: isCareful ? contacts : isViewersDelivery(viewer),
      ...{ scrubName: name, scrubContacts: contacts, scrubPlace: place },
      ...{ duberName: isViewersDelivery(viewer), duberContacts: isViewersDelivery(viewer) },
    };
  },
};

/**
 * Whether the Scrub of `orders o` sees the photos of a hand-over in a round: since they were chosen, and while they see the place
 * of the Bud, because a photo of a door shows where somebody lives.
 */
export function canScrubSeePhotos(viewer: Pick<Viewer, 'id' | 'now'>, round: RawBuilder<number>): RawBuilder<boolean> {
  const asScrub = (isCareful: boolean) => ({ ...viewer, role: 'Scrub', isCareful }) as const;
  const seesPlace = (isCareful: boolean) => VISIBLE_TO.Scrub(asScrub(isCareful)).budPlace;
  return sql<boolean>`(o.scrub_id = ${viewer.id}::uuid and ${isViewersRound(asScrub(true), round) ?? ALWAYS}
    and case when ${isPrivacyCareful(viewer.now)} then ${seesPlace(true)} else ${seesPlace(false)} end)`;
}

/** Whether a person may read a case and what belongs to it. Both are ids as expressions. */
export const isOfCase = (caseId: RawBuilder<unknown>, userId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from case_people p where p.case_id = ${caseId} and p.user_id = ${userId}::uuid)`;
