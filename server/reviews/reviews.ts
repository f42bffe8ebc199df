import { DELIVERY_CALLED_OFF, ENDED_UNDONE } from '../../contract/failures.ts';
import type { Review } from '../../contract/reviews.ts';
import type { Caller, Role } from '../../domain/accounts.ts';
import { findReviewRule } from '../../domain/reviews.ts';
import type { Context } from '../context.ts';
import { transact, violatedConstraint, withConnection } from '../db/database.ts';
import { getDelivery } from '../deliveries/deliveries.ts';
import { publishDeliveryUpdate, publishOrderUpdate } from '../events/publish.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { getOrder } from '../orders/orders.ts';
import { insertReview } from './reviews.sql.ts';

type ReviewCalls = Pick<Handlers, 'reviewToScrub' | 'reviewToBud' | 'reviewToDuber'>;

type ReviewSubject = {
  readonly orderId: string;
  readonly deliveryId: string | null;
  readonly status: string;
  /** Who the review can be about; a delivery may have no Duber yet. */
  readonly target: string | null;
};
/** The statuses that never become the required one. */
const NEVER_DONE: Readonly<Record<string, string>> = {
  Cancelled: ENDED_UNDONE,
  Rejected: ENDED_UNDONE,
  Called_Off: DELIVERY_CALLED_OFF,
};
type ReviewText = { readonly message: string; readonly rating: number };
type ReviewTarget = { readonly property: string; readonly id: string; readonly role: Role };

export function reviewHandlers(context: Context): ReviewCalls {
  const inOneConnection = <T>(work: (connected: Context) => Promise<T>) =>
    withConnection(context.db, (db) => work({ ...context, db }));
  return {
    reviewToScrub: ({ caller, params, body }) =>
      inOneConnection(async (connected) => {
        const order = await getOrder(connected.db, caller, params.id);
        const subject = { orderId: order.id, deliveryId: null, status: order.status, target: order.scrubId };
        return createReview(connected, caller, subject, { property: 'scrubId', id: body.scrubId, role: 'Scrub' }, body);
      }),
    reviewToBud: ({ caller, params, body }) =>
      inOneConnection(async (connected) => {
        const order = await getOrder(connected.db, caller, params.id);
        const subject = { orderId: order.id, deliveryId: null, status: order.status, target: order.budId };
        return createReview(connected, caller, subject, { property: 'budId', id: body.budId, role: 'Bud' }, body);
      }),
    reviewToDuber: ({ caller, params, body }) =>
      inOneConnection(async (connected) => {
        const { orderId, id: deliveryId, status, duberId: target } = await getDelivery(connected.db, caller, params.id);
        const subject = { orderId, deliveryId, status, target };
        return createReview(connected, caller, subject, { property: 'duberId', id: body.duberId, role: 'Duber' }, body);
      }),
  };
}

/** Writes one review by the rules of REVIEW_RULES: of the right person, not too early, and only once. */
async function createReview(
  context: Context,
  caller: Caller,
  subject: ReviewSubject,
  target: ReviewTarget,
  { message, rating }: ReviewText,
) {
  const { db, now, newId, wake } = context;
  const rule = findReviewRule(caller.role, target.role) ?? refuse('wrongRole');
  if (subject.target !== null && subject.target !== target.id) {
    refuseProperty(target.property, 'isParty', `${target.property} is not the ${target.role} of this ${rule.about}`);
  }
  if (subject.status !== rule.requiredStatus) {
    const message = NEVER_DONE[subject.status];
    refuse('tooEarlyToReview', message === undefined ? {} : { message });
  }
  const review: Review = {
    id: newId(),
    type: rule.type,
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
      await insertReview(tx, review);
      // The event makes the screens of the reviewed person reload.
      const { orderId, deliveryId, createdAt } = review;
      if (deliveryId === null) await publishOrderUpdate(tx, { orderId, createdAt });
      else await publishDeliveryUpdate(tx, { deliveryId, createdAt });
    });
    wake('events');
  } catch (error) {
    if (violatedConstraint(error)?.startsWith('reviews_once')) refuse('alreadyReviewed');
    throw error;
  }
  return review;
}
