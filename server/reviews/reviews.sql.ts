import { sql } from 'kysely';
import type { Review } from '../../contract/reviews.ts';
import { queryRows, type Tx } from '../db/database.ts';

/** Writes a review and adds it to the rating of the one it is about. Breaks `reviews_once_…` for a second one. */
export async function insertReview(tx: Tx, review: Review): Promise<void> {
  const { id, type, rating, message, fromUserId, toUserId, orderId, deliveryId, createdAt } = review;
  await queryRows(
    tx,
    sql`insert into reviews (id, order_id, delivery_id, type, rating, message, from_user_id, to_user_id, created_at)
      values (${id}, ${orderId}, ${deliveryId}, ${type}, ${rating}, ${message}, ${fromUserId}, ${toUserId}, ${createdAt})`,
  );
  await queryRows(
    tx,
    sql`update users set rating_sum = rating_sum + ${rating}, rating_count = rating_count + 1 where id = ${toUserId}`,
  );
}
