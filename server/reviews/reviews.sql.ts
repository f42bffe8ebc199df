import type { Review } from '../../contract/reviews.ts';
import type { Tx } from '../db/database.ts';

/** The newest review of each type, among good and old enough ones where both people have one of these addresses. */
export function listReviewsBetween(
  tx: Tx,
  emails: readonly string[],
  { minimumRating, until }: { minimumRating: number; until: string },
) {
  return tx
    .selectFrom('reviews as r')
    .innerJoin('users as author', 'author.id', 'r.from_user_id')
    .innerJoin('users as reviewed', 'reviewed.id', 'r.to_user_id')
    .distinctOn('r.type')
    .select(['r.type', 'r.rating', 'r.message', 'author.email'])
    .where('author.email', 'in', emails)
    .where('reviewed.email', 'in', emails)
    .where('r.rating', '>=', minimumRating)
    .where('r.created_at', '<=', new Date(until))
    .orderBy('r.type')
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id')
    .execute();
}

/** Inserts a review and adds it to the reviewed person's rating. Violates `reviews_once_…` for a second one. */
export async function insertReview(tx: Tx, review: Review): Promise<void> {
  const { id, type, rating, message, fromUserId, toUserId, orderId, deliveryId, createdAt } = review;
  await tx
    .insertInto('reviews')
    .values({
      id,
      order_id: orderId,
      delivery_id: deliveryId,
      type,
      rating,
      message,
      from_user_id: fromUserId,
      to_user_id: toUserId,
      created_at: createdAt,
    })
    .execute();
  await tx
    .updateTable('users')
    .set((eb) => ({ rating_sum: eb('rating_sum', '+', rating), rating_count: eb('rating_count', '+', 1) }))
    .where('id', '=', toUserId)
    .execute();
}
