import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../domain/accounts.ts';
import type { DeliveryStatus } from '../../domain/deliveries.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { Actor } from '../../domain/workflow.ts';
import { isRestrictedFrom } from '../auth/restrictions.sql.ts';
import { shortName } from '../db/approximate.sql.ts';
import { orderNumber } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { isPrivacyCareful } from '../town/policies.sql.ts';
import { deliverySituation } from '../visibility/situations.sql.ts';

/** The short name of a person while nobody has accepted the work, under the policy `careful`. */
export const nameUnless = (isUnaccepted: RawBuilder<unknown>, person: 'bud' | 'scrub') => {
  const fullname = sql.ref(`${person}.fullname`);
  return sql<string>`case when ${isUnaccepted} and ${isPrivacyCareful(sql`now()`)} then ${shortName(fullname)} else ${fullname} end`;
};

export type DeliveryTemplateData = NonNullable<Awaited<ReturnType<typeof readDeliveryTemplateData>>>;

/** A column of the last step of the delivery `d` that fits. */
const ofLastStep = <T>(column: string, condition = sql`true`) =>
  sql<T | null>`(select ${sql.ref(column)} from steps t
    where t.subject_id = d.id and ${condition} order by t.position desc limit 1)`;

/** What of the delivery's past a sentence depends on. */
const ITS_PAST = [
  ofLastStep<Actor>('t.actor_role').as('lastActor'),
  ofLastStep<string>('t.words').as('lastWords'),
  // How its last Duber came to be without it.
  ofLastStep<string>('t.action', sql`t.action in ('drop-delivery', 'take-off', 'silent', 'time-moved', 'relay')`).as(
    'lastLoss',
  ),
  ofLastStep<Actor>('t.actor_role', sql`t.action = 'report-lost'`).as('lostBy'),
  ofLastStep<DeliveryStatus>('t.status', sql`t.action is distinct from 'call-off'`).as('statusBefore'),
  // The last two steps of laundry on its way, newest first: whether it was found, or “Delivered” was a mistake.
  sql<string[]>`array(select t.action from steps t where t.subject_id = d.id
    and t.action in ('delivered', 'mark-delivered', 'drop-failed', 'report-lost', 'try-again', 'bring-back', 'brought-back', 'correct')
    order by t.position desc limit 2)`.as('turns'),
  // Whether the last pickup that did not work out was after it was offered again.
  sql<boolean>`exists (select from steps t where t.subject_id = d.id and t.action = 're-offer' and t.position <
    (select max(f.position) from steps f where f.subject_id = d.id and f.action = 'pickup-failed'))`.as(
    'hasFailedTwice',
  ),
] as const;

/** What of its order a sentence depends on. */
const ITS_ORDER = [
  sql<OrderStatus>`o.status`.as('orderStatus'),
  sql<boolean>`o.self_pickup`.as('selfPickup'),
  sql<boolean>`o.ways_paid_by is not null`.as('isReClean'),
  // Whether its Scrub weighs the laundry before they start.
  sql<boolean>`(o.ceiling_size is not null and not exists (select from weighings w
    where w.order_id = o.id and w.scale = 'scrub'))`.as('mustWeigh'),
  sql<Role>`o.holder_role`.as('holderRole'),
  sql<string | null>`(select u.fullname from users u where u.id = o.holder_id)`.as('holderName'),
  // Whether the last hand-over was to the door of the Bud.
  sql<boolean>`coalesce((select h.proof = 'door' from handovers h where h.order_id = d.order_id
    order by h.position desc limit 1), false)`.as('isAtDoor'),
] as const;

/** What a notification to one of its people says about a delivery. The price is in cents. */
export function readDeliveryTemplateData(tx: Tx, id: string, readerId: string) {
  return tx
    .selectFrom('deliveries as d')
    .innerJoin('orders as o', 'o.id', 'd.order_id')
    .innerJoin('users as bud', 'bud.id', 'd.bud_id')
    .innerJoin('users as scrub', 'scrub.id', 'd.scrub_id')
    .leftJoin('users as duber', 'duber.id', 'd.duber_id')
    .leftJoin('users as carrier', 'carrier.id', 'd.carrier_id')
    .select([
      'd.id',
      orderNumber.as('order'),
      'd.order_id as orderId',
      'd.status',
      // As its Bud and its Scrub see it: notices to Dubers mention relayed laundry, too.
      deliverySituation({ role: 'Bud', id: sql`d.bud_id` }).as('situation'),
      'd.delivery_type as type',
      nameUnless(sql`d.status = 'Pending'`, 'bud').as('budName'),
      nameUnless(sql`d.status = 'Pending'`, 'scrub').as('scrubName'),
      'duber.fullname as duberName',
      // Of relayed laundry: who could not go on, and has it until the next Duber collects it.
      'carrier.fullname as waitingDuberName',
      'd.distance_m as distanceM',
      sql<boolean>`d.duber_id is not distinct from ${readerId}::uuid`.as('isReaders'),
      sql<boolean>`d.left_by is not distinct from ${readerId}::uuid`.as('hasReaderLeft'),
      // A Bud who has handed nothing over yet is not told what to do with it.
      sql<boolean>`(o.held_since is not null and o.holder_id = ${readerId}::uuid)`.as('hasReaderLaundry'),
      sql<boolean>`${isRestrictedFrom('new-work', sql`${readerId}::uuid`)}`.as('isReaderHeld'),
      // Whether a Bud has reviewed the Scrub, or a Scrub the Duber.
      sql<boolean>`exists (select from reviews r where r.order_id = d.order_id and r.from_user_id = ${readerId}::uuid
        and r.delivery_id is not distinct from case when d.bud_id = ${readerId}::uuid then null else d.id end)`.as(
        'hasReaderReviewed',
      ),
      'd.price',
      // What its Duber was paid in this attempt. They may have had an earlier one, which they have read about.
      sql<number>`(select coalesce(sum(p.cents), 0)::int from earnings p where p.delivery_id = d.id and p.attempt = d.attempt
        and p.duber_id = d.duber_id and p.undone_at is null)`.as('paid'),
    ])
    .select(ITS_PAST)
    .select(ITS_ORDER)
    .where('d.id', '=', id)
    .executeTakeFirst();
}
