import type { Review } from '../../contract/reviews.ts';
import type { Caller, Role } from '../../domain/accounts.ts';
import { findReviewRule } from '../../domain/reviews.ts';
import type { Context } from '../context.ts';
import { transact, violatedConstraint } from '../db/database.ts';
import { findDelivery } from '../deliveries/deliveries.sql.ts';
import { publishDeliveryUpdate, publishOrderUpdate } from '../events/publish.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { findOrder } from '../orders/orders.sql.ts';
import { insertReview } from './reviews.sql.ts';

type ReviewCalls = Pick<Handlers, 'reviewToScrub' | 'reviewToBud' | 'reviewToDuber'>;

type ReviewSubject = {
  readonly orderId: string;
  readonly deliveryId: string | null;
  readonly status: string;
  /** Who the review can be about; a delivery may have no Duber yet. */
  readonly target: string | null;
};
type ReviewText = { readonly message: string; readonly rating: number };
type ReviewTarget = { readonly property: string; readonly id: string; readonly role: Role };

export function reviewHandlers(deps: Context): ReviewCalls {
  const { db } = deps;
  return {
    reviewToScrub: async ({ caller, params, body }) => {
      const order = orNotFound(await findOrder(db, caller, params.id));
      const subject = { orderId: order.id, deliveryId: null, status: order.status, target: order.scrubId };
      return createReview(deps, caller, subject, { property: 'scrubId', id: body.scrubId, role: 'Scrub' }, body);
    },
    reviewToBud: async ({ caller, params, body }) => {
      const order = orNotFound(await findOrder(db, caller, params.id));
      const subject = { orderId: order.id, deliveryId: null, status: order.status, target: order.budId };
      return createReview(deps, caller, subject, { property: 'budId', id: body.budId, role: 'Bud' }, body);
    },
    reviewToDuber: async ({ caller, params, body }) => {
      const delivery = orNotFound(await findDelivery(db, caller, params.id));
      const { orderId, id: deliveryId, status, duberId: target } = delivery;
      const subject = { orderId, deliveryId, status, target };
      return createReview(deps, caller, subject, { property: 'duberId', id: body.duberId, role: 'Duber' }, body);
    },
  };
}

/** One review by REVIEW_TABLE: of the party it names, once its time has come, once. */
async function createReview(
  deps: Context,
  caller: Caller,
  subject: ReviewSubject,
  target: ReviewTarget,
  { message, rating }: ReviewText,
) {
  const { db, now, newId, wake: nudge } = deps;
  const row = findReviewRule(caller.role, target.role) ?? refuse('wrongRole');
  if (subject.target !== null && subject.target !== target.id) {
    refuseProperty(target.property, 'isParty', `${target.property} is not the ${target.role} of this ${row.about}`);
  }
  if (subject.status !== row.requiredStatus) refuse('tooEarlyToReview');
  const written: Review = {
    id: newId(),
    type: row.type,
    rating,
    message,
    fromUserId: caller.id,
    toUserId: target.id,
    orderId: subject.orderId,
    deliveryId: subject.deliveryId,
    createdAt: now().toISOString(),
  };
  try {
    await transact(db, async (tx) => {
      await insertReview(tx, written);
      // Whoever is reviewed sees it at once; nothing but the review is new.
      const { orderId, deliveryId, createdAt } = written;
      if (deliveryId === null) await publishOrderUpdate(tx, { orderId, status: 'Completed', createdAt });
      else await publishDeliveryUpdate(tx, { deliveryId, status: 'Delivered', createdAt });
    });
    nudge('events');
  } catch (error) {
    if (violatedConstraint(error)?.startsWith('reviews_once')) refuse('alreadyReviewed');
    throw error;
  }
  return written;
}
